"""A new kind of feature is one class: rules, JSON, programs, forms and tables take it without further code."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from hedgerow import Condition, InvalidDataError, Rule, RuleList
from hedgerow.exporters.html.report.form import field_values, make_form
from hedgerow.features import KINDS, Feature, Inputs, NumberSet, NumberTest, TableColumn, column_of
from hedgerow.features.columns import ColumnFeature
from hedgerow.features.inputs import compute_together
from hedgerow.tables.columns import fit_columns


@dataclass(frozen=True)
class Ratio(Feature):
    """One column divided by another: computed, with defaults for nearly everything."""

    above: int
    below: int
    name: str
    has_missing: bool = field(default=False, compare=False)

    def compute(self, X):
        above, below = (np.asarray(column_of(X, i), dtype=np.float64) for i in (self.above, self.below))
        return above / below

    @property
    def table_columns(self):
        return TableColumn(self.above), TableColumn(self.below)


@dataclass(frozen=True)
class Magnitude(ColumnFeature):
    """The absolute value of a column: a program can test it in the cell."""

    index: int
    name: str
    has_missing: bool = field(default=False, compare=False)

    def compute(self, X):
        return np.abs(self.numbers(X))

    def phrase(self, lower, upper):
        return f"{self.name} is within {upper:g} of 0" if lower < 0 else None

    def cell_test(self, passing, missing):
        passing = passing & NumberSet.of((0.0, np.inf))
        return NumberTest(self.index, NumberSet.of(*passing.parts, *((-b, -a) for a, b in passing.parts)), missing)


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    for kind in (Ratio, Magnitude):
        monkeypatch.setitem(KINDS, kind.__name__, kind)


RATIO, MAGNITUDE = Ratio(0, 1, "debt / income"), Magnitude(2, "change")
X = np.array([[1.0, 2.0, -3.0], [3.0, 1.0, 0.5], [4.0, 2.0, -0.5]])


def list_on(*conditions):
    inputs = Inputs((RATIO, MAGNITUDE), np.float64, allows_missing=True, columns=("debt", "income", "change"))
    rules = tuple(Rule((c,), "yes", coverage=1, share=0.1, distribution=(0.0, 1.0)) for c in conditions)
    return RuleList(rules, Rule((), "no", distribution=(1.0, 0.0)), inputs, np.array(["no", "yes"]), n_samples=10)


BOTH = list_on(Condition(RATIO, lower=2.5), Condition(MAGNITUDE, upper=1.0))


def test_rules_compute_it_and_write_it_in_its_own_words():
    assert BOTH.predict(X).tolist() == ["no", "yes", "yes"]
    assert [rule.describe() for rule in BOTH] == ["debt / income > 2.5", "change is within 1 of 0"]


def test_json_reads_what_it_writes():
    again = RuleList.from_json(BOTH.to_json())
    assert again.rules == BOTH.rules
    assert_array_equal(again.apply(X), BOTH.apply(X))


def test_json_refuses_a_kind_that_is_not_in_the_table(monkeypatch):
    monkeypatch.delitem(KINDS, "Ratio")
    with pytest.raises(InvalidDataError, match=r"debt / income cannot be written as JSON.*pickle"):
        BOTH.to_json()


def test_json_refuses_a_column_that_does_not_exist():
    with pytest.raises(InvalidDataError, match=r"features\[0\] is 'debt / income', of column 7, which does not exist"):
        RuleList.from_json(BOTH.to_json().replace('"below": 1', '"below": 7'))


def test_a_program_tests_the_cell_if_the_kind_says_how():
    rules = list_on(Condition(MAGNITUDE, upper=1.0))
    assert all(side in rules.to_sql() for side in (">= -1.0", "<= 1.0"))
    names = {}
    exec(rules.to_python(), names)
    assert [names["predict"]({"change": value}) for value in X[:, 2].tolist()] == rules.predict(X).tolist()


@pytest.mark.parametrize("write", [RuleList.to_sql, RuleList.to_python])
def test_a_program_says_what_it_cannot_compute(write):
    with pytest.raises(InvalidDataError, match="debt / income, which is computed and not a column of a table"):
        write(BOTH)


def test_a_form_asks_for_the_computed_value():
    form, used = make_form(BOTH)
    assert [(one.label, one.kind, one.is_computed) for one in form.fields] == [
        ("debt / income", "number", True),
        ("change", "number", True),
    ]
    assert field_values(form, used, BOTH.evaluate(X).values, X) == [[0.5, 3.0, 2.0], [3.0, 0.5, 0.5]]


def test_a_table_needs_the_columns_that_are_read():
    table = pd.DataFrame({"change": ["1", "2"], "income": ["4", "5"], "debt": ["2", "10"], "name": ["a", "b"]})
    fitted = fit_columns(table, BOTH.inputs)
    assert fitted.columns.tolist() == ["debt", "income", "change"]
    assert RATIO.compute(fitted).tolist() == [0.5, 2.0]
    only_change = fit_columns(table[["change"]], BOTH.inputs, needed=[MAGNITUDE])
    assert MAGNITUDE.compute(only_change).tolist() == [1.0, 2.0]
    with pytest.raises(InvalidDataError, match=r"'income'.*'much'"):
        fit_columns(table.assign(income="much"), BOTH.inputs)


def test_columns_count_by_their_place_and_computed_features_by_themselves():
    assert MAGNITUDE.source == 2
    assert RATIO.source == Ratio(0, 1, "debt / income", has_missing=True)
    assert RATIO.source != Ratio(1, 0, "debt / income").source


def test_another_name_leaves_the_rest():
    renamed = RATIO.with_name("burden")
    assert (renamed.name, renamed.above, renamed.below) == ("burden", 0, 1)
    assert RATIO.with_missing().has_missing


@dataclass(frozen=True)
class Shared(Ratio):
    """Ratios with the same denominator, which are computed together."""

    @property
    def batch(self):
        return self.below

    @classmethod
    def compute_batch(cls, X, features):
        assert len(features) == 2
        return X[:, [one.above for one in features]] / X[:, [features[0].below]]


def test_features_of_one_batch_are_computed_together():
    features = [Shared(0, 1, "a"), RATIO, Shared(2, 1, "b")]
    assert_array_equal(compute_together(X, features), np.column_stack([X[:, 0], X[:, 0], X[:, 2]]) / X[:, [1]])
