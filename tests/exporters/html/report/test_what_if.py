"""Some samples are stored in the page: few, and some of each rule."""

import numpy as np
import pandas as pd
import pytest
from reports import fitted

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.exporters.html.report.what_if import MOST_NUMBERS, MOST_SAMPLES, make_what_if
from hedgerow.features import Column, Inputs, IntervalStatistic, Notation, SeriesInputs


def test_only_some_samples_are_kept_and_some_of_each_rule():
    X = np.random.default_rng(0).normal(size=(5000, 3))
    a = Column(0, "a")
    rules = (Rule((Condition(a, upper=2.5),), 0.0, 1, 1.0), Rule((Condition(a, lower=2.5),), 1.0, 1, 0.0))
    rule_list = RuleList(rules, Rule((), 0.0), Inputs((a, Column(1, "b"), Column(2, "c"))))
    samples = make_what_if(rule_list, Samples("training", rule_list.evaluate(X)), None).samples
    assert len(samples.row) == MOST_SAMPLES
    assert list(samples.row) == sorted(set(samples.row))
    assert samples.rule.count(1) >= 5
    assert len(samples.values) == 1  # the one column that rules use
    assert samples.rule == tuple(rule_list.apply(X[list(samples.row)]))
    assert samples.values[0] == tuple(X[list(samples.row), 0])
    low, high = np.quantile(samples.values[0], [0.05, 0.95])
    assert samples.spread == (pytest.approx(high - low),)


def test_long_series_are_fewer():
    mean = IntervalStatistic(0, 0, 9, "mean")
    inputs = SeriesInputs((mean,), np.float64, n_dimensions=1, length=1000)
    rule_list = RuleList((Rule((Condition(mean, upper=0),), 1.0),), Rule((), 0.0), inputs)
    X = np.random.default_rng(0).normal(size=(50, 1000))
    samples = make_what_if(rule_list, Samples("held-out", rule_list.evaluate(X)), None).samples
    assert samples.of == "held-out"
    assert len(samples.row) == MOST_NUMBERS // 1000
    assert set(samples.rule) == {0, -1}


def test_list_ensemble_and_truth_stand_side_by_side():
    rules, X, y = fitted()
    samples = make_what_if(
        rules.rule_list_, Samples("training", rules.rule_list_.evaluate(X), y), (None, rules.forest_)
    ).samples
    rows = list(samples.row)
    assert samples.truth == tuple(y[rows])
    assert [text.split(" (")[0] for text in samples.ensemble] == rules.ensemble_.predict(X.iloc[rows]).tolist()
    shares = rules.ensemble_.predict_proba(X.iloc[rows]).max(axis=1)
    assert [text.split(" (")[1] for text in samples.ensemble] == [f"{100 * share:.0f} %)" for share in shares]


def test_without_samples_there_is_a_form_alone():
    rules, X, _ = fitted()
    found = make_what_if(rules.rule_list_, None, None)
    assert found.samples is None
    assert len(found.form.rules) == len(rules.rule_list_)
    samples = make_what_if(rules.rule_list_, Samples("training", rules.rule_list_.evaluate(X)), None).samples
    assert (samples.ensemble, samples.truth) == ((), ())


def test_cells_are_stored_as_the_numbers_they_are_read_as():
    X = pd.DataFrame({"price": ["1,5 €", "n/a", "12 €"]})
    price, notation = Column(0, "price"), Notation(decimal=",", affixes=("€",))
    inputs = Inputs((price,), allows_missing=True, notations=((0, notation),))
    rule_list = RuleList((Rule((Condition(price, upper=2.5),), 0.0, 1, 1.0),), Rule((), 1.0), inputs)
    samples = make_what_if(rule_list, Samples("training", rule_list.evaluate(X)), None).samples
    assert samples.values == ((1.5, None, 12.0),)
    assert samples.rule == (0, -1, -1)
