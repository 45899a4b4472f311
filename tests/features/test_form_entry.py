"""A form knows which field an entry needs."""

import math

import pytest

from hedgerow.features import (
    Category,
    CodedCategory,
    Column,
    ColumnOfNonzeros,
    ColumnWithBlank,
    ColumnWithGap,
    IntervalStatistic,
    Output,
    Recipe,
    Steps,
)


@pytest.mark.parametrize(
    ("kind", "field"), [("number", "number"), ("choice", "choice"), ("shapelet", "series"), ("interval", "series")]
)
def test_a_recipe_names_the_kind_of_field(kind, field):
    assert Recipe(kind).field_kind == field


@pytest.mark.parametrize(
    ("feature", "place", "recipe"),
    [
        (Column(3, "a"), 3, Recipe()),
        (ColumnWithBlank(3, "a", blank=-1.0), 3, Recipe(blank=-1.0)),
        (ColumnWithBlank(3, "a"), 3, Recipe()),
        (ColumnWithGap(3, "a", 0.0, 1.0, fill=4.0), 3, Recipe(fill=4.0, lowest=0.0, highest=1.0)),
        (ColumnOfNonzeros(3, "a"), 3, Recipe(lowest=-1.0000000180025095e-35, highest=1.0000000180025095e-35)),
        (Category(3, "a", ("x", "y")), 3, Recipe("choice")),
        (Output(Steps("key", ()), 2, "pca"), None, Recipe()),
        (Output(Steps("key", ()), 2, "word", nonzero=True), None, Recipe(lowest=0.0, highest=0.0)),
        (IntervalStatistic(1, 2, 4, "std"), 1, Recipe("interval", start=2, end=4, statistic="std", order="pairwise")),
    ],
)
def test_each_kind_says_what_to_ask_for(feature, place, recipe):
    assert (feature.form_entry.place, feature.form_entry.recipe) == (place, recipe)


def test_a_value_that_is_not_among_the_categories_is_other_or_missing_or_refused():
    assert Category(0, "a", ("x", "y"), other=True).form_entry.unseen == 2.0
    assert math.isnan(Category(0, "a", ("x", "y")).form_entry.unseen)
    assert CodedCategory(0, "a", ("x", "y")).form_entry.unseen is None
    assert CodedCategory(0, "a", (0, 1), other=True).form_entry.unseen == 2.0
