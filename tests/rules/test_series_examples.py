"""The typical series of each class, and the verdicts on them."""

import numpy as np
import pytest

from hedgerow import Condition, InvalidDataError, InvalidParameterError, Rule, RuleList
from hedgerow.features import Column, Inputs, IntervalStatistic, SeriesInputs, ShapeletDistance
from hedgerow.rules.series_examples import SeriesExamples

MEAN, SLOPE = IntervalStatistic(0, 0, 3, "mean"), IntervalStatistic(0, 0, 3, "slope")
BUMP = ShapeletDistance(0, (0.0, 2.0, 0.0), name="dist(x, s1)")


def listed(*rules, dtype=np.float64, classes=None):
    """A list of rules, each a condition and a prediction."""
    features = tuple(dict.fromkeys(condition.feature for condition, _ in rules))
    made = tuple(Rule((condition,), prediction, 1, 0.1) for condition, prediction in rules)
    inputs = SeriesInputs(features, dtype, n_dimensions=1, length=3)
    return RuleList(made, Rule((), rules[0][1]), inputs, None if classes is None else np.array(classes))


def low_or_high(*given, **options):
    """The examples of a list with one threshold on series of zeros."""
    rules = both_sides(MEAN, 1.0)
    return SeriesExamples.of(rules, rules.evaluate(np.zeros((2, 3))), *given, **options)


def both_sides(feature, threshold, dtype=np.float64):
    sides = (Condition(feature, upper=threshold), "low"), (Condition(feature, lower=threshold), "high")
    return listed(*sides, dtype=dtype, classes=["high", "low"])


@pytest.mark.parametrize("feature", [MEAN, SLOPE])
def test_a_verdict_names_the_side_that_the_list_takes(feature):
    random = np.random.default_rng(0)
    n_apart = 0
    for _ in range(200):
        X = random.integers(-3, 4, size=(1, 3)) / 10
        value = feature.compute(X)[0]
        threshold = float(np.float32(value))  # what single precision makes of it: on either side, or the same
        rules = both_sides(feature, threshold, np.float32)
        n_apart += value > threshold
        (example,) = SeriesExamples.of(rules, rules.evaluate(X)).rows[0]
        is_low = rules.predict(X)[0] == "low"
        assert is_low
        assert (" <" in example.verdict) == is_low, example.verdict
    assert n_apart > 20


def test_series_of_single_precision_are_computed_in_it():
    X = np.array([[0.1, 0.2, 0.6]], dtype=np.float32)
    single, double = (float(MEAN.compute(series)[0]) for series in (X, X.astype(np.float64)))
    assert single != double
    rules = both_sides(MEAN, (single + double) / 2)
    (example,) = SeriesExamples.of(rules, rules.evaluate(X)).rows[0]
    assert (" <" in example.verdict) == (rules.predict(X)[0] == "low") == (single < double)


@pytest.mark.parametrize(
    "threshold", [0.1, 0.30000001, 120.36, 120.34, 1 / 3, 2.9999997615814209, -0.05000000074505806]
)
def test_a_verdict_is_true_as_it_is_written_and_has_the_threshold_of_the_list(threshold):
    rules = both_sides(MEAN, threshold)
    for value in (threshold, np.nextafter(threshold, -9), threshold + 1e-3, threshold - 1e-3, threshold + 1e-6):
        X = np.full((1, 3), value)
        (example,) = SeriesExamples.of(rules, rules.evaluate(X)).rows[0]
        _, shown, sign, number = example.verdict.split()
        compare = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}[sign]
        assert compare(float(shown), float(number))
        assert rules[rules.apply(X)[0]].describe(rules.digits) == f"mean(x[0:3]) {sign} {number}"


def test_if_there_are_many_classes_those_of_the_drawn_rules_come_first():
    names = list("abcdefgh")
    y = np.array([*names, *names[:6]])  # g and h are the smallest
    rules = listed((Condition(BUMP, upper=1), "h"), (Condition(MEAN, upper=1), "g"), classes=names)
    X = np.zeros((len(y), 3))
    both = SeriesExamples.of(rules, rules.evaluate(X), y, room=(2, 3))
    assert [name for name, _ in both.groups] == ["class a", "class g", "class h"]
    assert both.note == "Not drawn: 5 more classes (class b, class c, class d, class e, class f)."
    one = SeriesExamples.of(rules, rules.evaluate(X), y, features="dist(x, s1)", room=(None, 3))
    assert [number for _, number in one.groups] == [0, 1, 7]


def test_nothing_to_draw_is_refused():
    with pytest.raises(
        InvalidParameterError, match=r"features is empty; leave it out to draw all. The rules use: mean\(x\[0:3\]\)"
    ):
        low_or_high(features=[])
    with pytest.raises(InvalidParameterError, match="No rule of the list uses 3"):
        low_or_high(features=[3])


@pytest.mark.parametrize("y", [[0, 1], ["low", "middle"], np.array(["low", None], dtype=object)])
def test_labels_that_no_class_has_are_refused(y):
    with pytest.raises(InvalidDataError, match=r"not classes of the list: .* The classes are: 'high', 'low'"):
        low_or_high(y)


@pytest.mark.parametrize(
    ("y", "message"),
    [(["a", "b"], "y must be numeric"), ([1.0, np.nan], "1 of 2 series"), ([np.inf, 1], "1 of 2 series")],
)
def test_what_is_not_a_value_is_refused_for_regression(y, message):
    rules = listed((Condition(MEAN, upper=1), 1.0))
    with pytest.raises(InvalidDataError, match=message):
        SeriesExamples.of(rules, rules.evaluate(np.zeros((2, 3))), y)


def test_numbers_are_grouped_into_the_two_halves_about_their_median():
    rules = listed((Condition(MEAN, upper=1), 1.0), (Condition(MEAN, lower=1), 4.0))
    X = np.repeat([[0.0], [2.0], [0.5], [3.0], [9.0]], 3, axis=1)
    found = SeriesExamples.of(rules, rules.evaluate(X), [10.0, 20.0, 30.0, 40.0, 50.0])
    assert found.groups == (("y <= 30", 0), ("y > 30", 1))
    # The median of each half: of the means 0, 2 and 0.5 it is 0.5, of 3 and 9 the lower one.
    assert [example.series.tolist() for example in found.rows[0]] == [[0.5] * 3, [3.0] * 3]
    predicted = SeriesExamples.of(rules, rules.evaluate(X))
    assert predicted.groups == (("prediction <= 4", 0),)
    assert found.labels == ("mean(x[0:3])\nrules 1, 2",)
    assert found.note == ""


def test_what_has_no_features_of_series_or_no_series_is_refused():
    age = Column(0, "age")
    table = RuleList((Rule((Condition(age, upper=1.0),), 1.0),), Rule((), 2.0), Inputs((age,)))
    with pytest.raises(InvalidParameterError, match="so there is nothing to draw"):
        SeriesExamples.of(table, table.evaluate(np.zeros((2, 1))))
    rules = both_sides(MEAN, 1.0)
    with pytest.raises(InvalidDataError, match="X has no series; at least one is needed"):
        SeriesExamples.of(rules, rules.evaluate(np.zeros((0, 3))))
    with pytest.raises(InvalidDataError, match=r"y has shape \(3,\), but X has 2 series"):
        low_or_high(["low", "low", "high"])


def test_what_finds_no_room_is_named():
    rules = listed(*((Condition(IntervalStatistic(0, 0, n, "mean"), upper=1), "a") for n in (1, 2, 3)), classes=["a"])
    found = SeriesExamples.of(rules, rules.evaluate(np.zeros((2, 3))), room=(1, 6))
    assert found.labels == ("mean(x[0:1])\nrule 1",)
    assert found.note == "Not drawn: 2 more features (mean(x[0:2]), mean(x[0:3]))."
    everything = SeriesExamples.of(rules, rules.evaluate(np.zeros((2, 3))), room=(None, 6))
    assert (len(everything.rows), everything.note) == (3, "")
