"""Options of extract become constraints, and what is not understood says what is."""

import pytest

from hedgerow import InvalidParameterError
from hedgerow.cli.conditions import Conditions
from hedgerow.constraints import Forbid, MaxFeatures, MinRecall, Monotone, Require


def test_each_option_is_a_constraint():
    asked = Conditions(["age"], ["income"], ["income:+", "a:b:-"], 3, ["yes=0.8", "a=b=50%"], True)
    assert asked.settings == {
        "constraints": (
            Forbid(feature="age"),
            Require(feature="income"),
            Monotone({"income": 1, "a:b": -1}),
            MaxFeatures(3),
            MinRecall({"yes": 0.8, "a=b": 0.5}),
        ),
        "round_thresholds": True,
    }
    assert asked.columns == ["income", "income", "a:b"]


def test_without_options_nothing_is_set():
    assert Conditions().settings == {}


@pytest.mark.parametrize("text", ["income", "income:", ":+", "income:up"])
def test_a_direction_is_needed(text):
    with pytest.raises(InvalidParameterError, match="--monotone takes a column and a direction"):
        Conditions(monotone=[text]).settings  # noqa: B018


@pytest.mark.parametrize("text", ["yes", "yes=", "=0.8", "yes=2", "yes=0", "yes=x"])
def test_a_share_is_needed(text):
    with pytest.raises(InvalidParameterError, match="--min-recall takes a label and a share"):
        Conditions(min_recall=[text]).settings  # noqa: B018
