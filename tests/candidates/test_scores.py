"""A name, a callable or a weighted list becomes one number per rule, or an error that says what was wrong."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from hedgerow import InvalidParameterError
from hedgerow.candidates.scores import (
    check_vector,
    combine_scores,
    min_max,
    mix,
    parse_spec,
    required_arguments,
    rule_by_rule,
    scaled_alike,
    share_of_largest,
)

KNOWN = {"first": lambda y: 1, "second": lambda y: 2}


def describe(j):
    return f"rule {j}"


@given(st.lists(st.floats(-1e308, 1e308, allow_subnormal=False), min_size=1, max_size=8))
def test_scaled_numbers_lie_between_zero_and_one_in_the_same_order(values):
    values = np.array(values)
    scaled = min_max(values)
    assert ((scaled >= 0) & (scaled <= 1)).all()
    assert (np.diff(scaled[np.argsort(values)]) >= 0).all()
    if values.max() > values.min():
        assert scaled.min() == 0
        assert scaled.max() == 1


def test_constant_and_empty_vectors_become_zeros():
    assert_array_equal(min_max(np.full(3, 7.0)), np.zeros(3))
    assert len(min_max(np.empty(0))) == 0


def test_the_total_weighs_scaled_stability_against_scaled_loss():
    scores = combine_scores(np.array([0.0, 5.0, 10.0]), np.array([4.0, 2.0, 4.0]), 0.25)
    assert_allclose(scores.stability, [0, 0.5, 1])
    assert_allclose(scores.loss, [1, 0, 1])
    assert_allclose(scores.total, [-0.75, 0.125, -0.5])
    part = scores.subset(np.array([2, 0]))
    assert_allclose(part.total, [-0.5, -0.75])
    assert_allclose(part.raw_loss, [4, 4])


def test_a_mix_is_of_scaled_parts_but_a_single_part_is_left_alone():
    parts = [(np.array([0.0, 10.0]), 0.5), (np.array([3.0, 1.0]), 2.0)]
    assert_allclose(mix(parts), [2.0, 0.5])
    assert_array_equal(mix(parts[:1]), [0.0, 10.0])


def test_a_name_a_callable_and_a_list_are_read():
    def own(y):
        return 3

    assert parse_spec("first", KNOWN, "loss") == [("first", KNOWN["first"], 1.0)]
    assert parse_spec(own, KNOWN, "loss") == [("own", own, 1.0)]
    assert parse_spec([("second", 2), (own, 0)], KNOWN, "loss") == [("second", KNOWN["second"], 2.0), ("own", own, 0.0)]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("third", "Unknown loss 'third'. Possible: 'first', 'second', or a callable"),
        (["first"], "must be one of 'first', 'second', a callable"),
        ([("first", "much")], "must be one of"),
        ([("first", 0.0)], "not all zero"),
        ([("first", -1.0), ("second", 2.0)], "not negative"),
        ([("first", np.inf)], "finite"),
        ([(3, 1.0)], "Unknown loss 3"),
    ],
)
def test_a_wrong_specification_is_refused(spec, message):
    with pytest.raises(InvalidParameterError, match=message):
        parse_spec(spec, KNOWN, "loss")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, 2.0], r"one number per rule, an array of shape \(3,\); it returned one of shape \(2,\)"),
        (["a", "b", "c"], "must return numbers"),
        ([1.0, None, "x"], "must return numbers"),
        ([0.0, np.nan, 1.0], r"returned nan for rule 1\."),
        ([np.inf, np.nan, 1.0], "returned inf for rule 0 and is not finite for 1 more rules"),
    ],
)
def test_a_vector_that_cannot_be_used_is_refused(values, message):
    with pytest.raises(InvalidParameterError, match=message):
        check_vector(values, 3, "The loss 'own'", describe)


def test_booleans_and_integers_are_numbers():
    found = check_vector([True, False], 2, "own", describe)
    assert found.dtype == np.float64
    assert_array_equal(found, [1, 0])


def test_a_function_of_one_rule_is_called_for_each():
    assert_array_equal(rule_by_rule(lambda j: j * 10, 3, "own", describe), [0, 10, 20])


@pytest.mark.parametrize(
    ("of_rule", "message"),
    [
        (lambda j: 1 / (1 - j), "failed on rule 1: ZeroDivisionError"),
        (lambda j: [1, 2], "one number for a rule; for rule 0 it returned 2"),
        (lambda j: "many", "must return a number; for rule 0: 'many'"),
    ],
)
def test_a_function_that_fails_says_on_which_rule(of_rule, message):
    with pytest.raises(InvalidParameterError, match=message):
        rule_by_rule(of_rule, 3, "own", describe)


def test_required_arguments_are_those_without_a_default():
    assert required_arguments(lambda y, weight, scale=1, *, more=2: 0) == ["y", "weight"]
    assert required_arguments(min) == ["y"]  # it has no signature


@pytest.mark.parametrize("low", [0.0, 1e-310, -1e-310])
def test_scores_that_differ_by_the_smallest_number_are_scaled_too(low):
    high = np.nextafter(low, 1)
    assert min_max(np.array([low, high, low])).tolist() == [0, 1, 0]
    assert min_max(np.array([0, 5e-324, 2e-323])).tolist() == [0, 0.25, 1]
    assert min_max(np.array([-1.5e308, 0, 1.5e308])).tolist() == [0, 0.5, 1]


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=8), st.lists(st.integers(-90, 90), min_size=1, max_size=8))
def test_other_values_are_scaled_on_the_line_through_the_known_ones(known, others):
    values = np.array([*known, *others], dtype=float)
    n, known = len(known), np.array(known, dtype=float)
    for scaled in (min_max(known), 3 - 2 * known / 100):
        found = scaled_alike(known, scaled, values)
        if known.max() == known.min():
            assert_array_equal(found, np.full(len(values), scaled[0]))
            continue
        assert_allclose(found[:n], scaled, atol=1e-12)
        line = np.polynomial.Polynomial.fit(known, scaled, 1)
        assert_allclose(found, line(values), atol=1e-9)


def test_nothing_known_scales_to_zero_and_no_finite_range_to_the_lowest():
    assert scaled_alike(np.empty(0), np.empty(0), np.array([3.0, 4.0])).tolist() == [0.0, 0.0]
    wide = np.array([-1.7e308, 1.7e308])
    with np.errstate(over="ignore"):
        assert scaled_alike(wide, np.array([0.25, 1.0]), np.array([3.0, 4.0])).tolist() == [0.25, 0.25]


def test_a_loss_from_zero_keeps_what_costs_nothing_at_zero():
    loss = np.array([0.0, 2.0, 8.0])
    assert combine_scores(np.zeros(3), loss, 0.0, from_zero=True).total.tolist() == [0.0, -0.25, -1.0]
    assert combine_scores(np.zeros(3), loss[1:].repeat(2)[:3], 0.0, from_zero=True).loss.tolist() == [0.25, 0.25, 1.0]
    assert share_of_largest(np.array([-4.0, 1.0])).tolist() == [-1.0, 0.25]
    assert share_of_largest(np.zeros(2)).tolist() == [0.0, 0.0]
    assert len(share_of_largest(np.empty(0))) == 0


def test_an_unknown_name_is_told_what_else_there_is():
    with pytest.raises(InvalidParameterError, match=r"a callable such as hedgerow.losses.pinball\(0.9\)"):
        parse_spec("third", KNOWN, "loss")
    with pytest.raises(InvalidParameterError, match=r"Unknown stability 'third'.* or a callable of your own\."):
        parse_spec("third", KNOWN, "stability")
    with pytest.raises(InvalidParameterError, match="not all zero"):
        parse_spec([], KNOWN, "loss")
