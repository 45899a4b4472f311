"""The page gets the cells of its fields, in which no condition of the list tells values apart."""

from itertools import pairwise

import numpy as np
from reports import fitted

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.report.changes import find_changes
from hedgerow.exporters.html.report.form import make_form
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.features import Category, Column, Inputs, IntervalStatistic, SeriesInputs

A, COLOR = Column(0, "a"), Category(1, "color", ("blue", "red"))


def changes_of(rule_list, X=None):
    form, used = make_form(rule_list)
    return find_changes(rule_list, form, used, None if X is None else Samples("training", rule_list.evaluate(X)))


def test_no_condition_tells_the_numbers_of_a_cell_apart_and_some_condition_tells_cells_apart():
    rules, X, _ = fitted()
    rule_list = rules.rule_list_
    form, used = make_form(rule_list)
    found = find_changes(rule_list, form, used, Samples("training", rule_list.evaluate(X)))
    for feature, field in zip(used, found.fields, strict=True):
        conditions = [c for rule in rule_list for c in rule.simplified if c.feature == feature]
        held = []
        for low, high in field.parts:
            both = np.array([low, high]).astype(rule_list.inputs.dtype)
            first, last = ([bool(c.holds(both)[k]) for c in conditions] for k in (0, 1))
            assert first == last
            held.append(first)
        assert all(one != other for one, other in pairwise(held))
        low, high = np.quantile(X[feature.name], [0.05, 0.95])
        assert field.unit == high - low
        assert field.middle == X[feature.name].median()


def test_without_samples_no_spread_is_known_and_the_page_learns_nothing_of_the_data():
    rules, _, _ = fitted()
    found = changes_of(rules.rule_list_)
    assert {(field.unit, field.middle, field.is_whole) for field in found.fields} == {(None, None, False)}


def test_answers_are_positions_of_labels_or_numbers_and_categories_are_counted():
    rules = (Rule((Condition(A, upper=1), Condition(COLOR, categories=frozenset({0}))), "yes"),)
    found = changes_of(RuleList(rules, Rule((), "no"), Inputs((A, COLOR)), np.array(["no", "yes"])))
    assert (found.answers, found.labels, found.n_levels) == ((1, 0), ("no", "yes"), (0, 2))
    numbers = changes_of(RuleList((Rule((Condition(A, upper=1),), 2.5),), Rule((), 1.5), Inputs((A,))))
    assert (numbers.answers, numbers.labels) == ((2.5, 1.5), ())


def test_series_and_lists_without_conditions_have_nothing_to_change():
    mean = IntervalStatistic(0, 0, 3, "mean")
    inputs = SeriesInputs((mean,), np.float64, n_dimensions=1, length=3)
    assert changes_of(RuleList((Rule((Condition(mean, upper=0),), 1.0),), Rule((), 0.0), inputs)) is None
    assert changes_of(RuleList((Rule((), 1.0),), Rule((), 0.0), Inputs((A,)))) is None
