"""What constraints are given is checked before anything else is done."""

import pytest

from hedgerow import InvalidParameterError, Rule
from hedgerow.constraints.given import Values, check_bound, check_rule, check_share, only_one, shares_of_labels


class Asking:
    def __init__(self, **given):
        vars(self).update({"this": None, "that": None} | given)


def test_one_of_several_is_taken():
    only_one(Asking(this=1), "Asking", ("this", "that"))
    with pytest.raises(InvalidParameterError, match=r"Asking takes one of this=..., that=...; got this and that"):
        only_one(Asking(this=1, that=2), "Asking", ("this", "that"))
    with pytest.raises(InvalidParameterError, match=r"got none. For several, give several constraints"):
        only_one(Asking(), "Asking", ("this", "that"))


def test_a_rule_may_be_absent_where_that_is_allowed():
    check_rule("Forbid", None)
    check_rule("Pin", Rule(()), optional=False)
    with pytest.raises(InvalidParameterError, match=r"Pin\(rule=...\) takes a Rule"):
        check_rule("Pin", None, optional=False)


def test_shares_and_bounds():
    assert check_share("it", 0) == 0.0
    assert check_bound("it", float("inf")) == float("inf")
    with pytest.raises(InvalidParameterError, match="it must be a number above 0 and at most 1; got 0"):
        check_share("it", 0, zero=False)
    with pytest.raises(InvalidParameterError, match="it must be a number; got nan"):
        check_bound("it", float("nan"))


def test_shares_of_labels_can_be_hashed():
    assert hash(shares_of_labels("it", {"a": 0.5})) == hash(Values({"a": 0.5}))
