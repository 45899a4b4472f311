"""A rule answers what goes with its loss, and says so; the optimum is that of every loss."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import metrics
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow import InvalidParameterError, RuleListClassifier, RuleListRegressor
from hedgerow.candidates.answers import LeastCost, Majority, Mean, OfNumbers, Quantile
from hedgerow.candidates.coverage import Coverage
from hedgerow.losses import cost_matrix, pinball
from hedgerow.optimize.solvers import Exhaustive
from hedgerow.smoothing import ShrinkToDefault
from hedgerow.tasks import Labels, Numbers

COSTS = np.array([[0.0, 1.0, 1.0], [8.0, 0.0, 1.0], [1.0, 2.0, 0.0]])


def drawn(seed, classify):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(30, 3)), 1)
    y = rng.integers(0, 3, 30) if classify else np.round(rng.normal(size=30), 1)
    if classify:
        y[:3] = 0, 1, 2
    return X, y, rng.integers(1, 4, 30).astype(float)


def total(fitted, X, y, weight):
    """The loss of the whole list on the training samples, from its answers alone, by scikit-learn."""
    loss, said = fitted.loss, fitted.predict(X)
    if loss == "log_loss":
        return metrics.log_loss(y, fitted.predict_proba(X), sample_weight=weight, normalize=False, labels=[0, 1, 2])
    if loss == "gini":
        return weight @ ((fitted.predict_proba(X) - np.eye(3)[y]) ** 2).sum(axis=1)
    if loss == "misclassification":
        return metrics.zero_one_loss(y, said, sample_weight=weight, normalize=False)
    if loss == "mae":
        return metrics.mean_absolute_error(y, said, sample_weight=weight) * weight.sum()
    if loss == "sse":
        return metrics.mean_squared_error(y, said, sample_weight=weight) * weight.sum()
    if hasattr(loss, "quantile"):
        return metrics.mean_pinball_loss(y, said, sample_weight=weight, alpha=loss.quantile) * weight.sum()
    return np.sum(COSTS * metrics.confusion_matrix(y, said, sample_weight=weight))


LOSSES = ["misclassification", "log_loss", "gini", cost_matrix(COSTS), "sse", "mae", pinball(0.2), pinball(0.9)]


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 10**6), candidates=st.sampled_from(["leaves", "nodes"]))
def test_the_list_is_the_best_for_every_additive_loss(loss, seed, candidates):
    classify = LOSSES.index(loss) < 4
    X, y, weight = drawn(seed, classify)
    ensemble = RandomForestClassifier if classify else RandomForestRegressor
    estimator = (RuleListClassifier if classify else RuleListRegressor)(
        ensemble(4, max_depth=2, random_state=seed), loss=loss, max_rules=4, candidates=candidates, stability_weight=0.0
    )
    fitted = estimator.fit(X, y, sample_weight=weight)
    assert_allclose(fitted.solution_.objective, Exhaustive().solve(fitted.problem_).objective, atol=1e-9)
    # Losses add up, so that what was minimised is the loss of the list's own answers.
    raw = fitted.scores_.raw_loss[fitted.solution_.chosen].sum()
    assert_allclose(total(fitted, X, y, weight), raw, atol=1e-9)


@pytest.mark.parametrize("target", ["ensemble", 0.5])
@pytest.mark.parametrize("loss", ["log_loss", "gini", cost_matrix(COSTS)], ids=str)
@pytest.mark.parametrize("labels", [np.array([0, 1, 2]), np.array(["a", "b", "c"])], ids=["int", "text"])
def test_labels_of_any_kind_and_class_shares_as_targets(target, loss, labels):
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, labels[y])
    fitted = RuleListClassifier(forest, loss=loss, max_rules=4, target=target, stability_weight=0.0).fit(X, labels[y])
    shares = forest.predict_proba(X) if target == "ensemble" else (labels[y][:, None] == labels).astype(float)
    for i, rule in enumerate(fitted.rule_list_):
        mean = shares[fitted.apply(X) == i].mean(axis=0)
        assert_allclose(rule.distribution, mean)
        best = mean.argmax() if isinstance(loss, str) else (mean @ COSTS).argmin()
        assert rule.prediction == labels[best]
        assert_allclose(rule.class_share, mean[best])
    assert fitted.score(X, labels[y]) > 0.6
    assert fitted.fidelity(X, labels[y]).score == fitted.score(X, labels[y])


def test_a_rule_may_predict_a_class_that_is_not_the_most_frequent_one():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(20, max_depth=2, random_state=0).fit(X, y)
    fitted = RuleListClassifier(forest, max_rules=3, loss=cost_matrix({(2, 1): 50}), stability_weight=1.0).fit(X, y)
    odd = [rule for rule in fitted.rule_list_ if rule.class_share < max(rule.distribution)]
    assert odd
    rule = odd[0]
    assert "least cost" in rule.describe_prediction()
    assert f"{100 * rule.class_share:.0f} %" in rule.describe_prediction()
    share = dict(zip(fitted.classes_.tolist(), rule.distribution, strict=True))[rule.prediction]
    assert rule.class_share == share
    assert {record["kind"] for record in fitted.rule_list_.to_records()} == {"least cost"}


@pytest.mark.parametrize(
    ("loss", "text"), [("mae", "median "), (pinball(0.9), "90 % quantile "), ([("mae", 1.0), ("sse", 1.0)], "median ")]
)
def test_medians_and_quantiles_are_called_so(loss, text):
    X, y = load_diabetes(return_X_y=True)
    forest = RandomForestRegressor(10, max_depth=2, random_state=0).fit(X, y)
    fitted = RuleListRegressor(forest, loss=loss, max_rules=4).fit(X, y)
    quantile = 0.9 if text.startswith("90") else 0.5
    for i, rule in enumerate(fitted.rule_list_):
        covered = y[fitted.apply(X) == i]
        assert_allclose(rule.prediction, np.quantile(covered, quantile, method="averaged_inverted_cdf"))
        assert_allclose(rule.spread, covered.std())
        assert rule.describe_prediction().startswith(text)
        assert "±" not in rule.describe_prediction()
    assert f"then {text}" in str(fitted.rule_list_)
    assert f"predicts {text}" in fitted.explain(X[:1])[0]


def test_a_tie_is_given_to_the_first_class():
    assert_array_equal(Majority().choose(np.array([[0.1 + 0.2, 0.3, 0.1], [0.3, 0.1 + 0.2, 0.4]])), [0, 2])
    assert_array_equal(LeastCost(((0, 1), (1, 0))).choose(np.array([[2.0, 2.0], [1.0, 3.0]])), [0, 1])


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (RuleListClassifier(loss="mae"), "'mae' does not go with labels.*'log_loss', 'gini'.*cost_matrix"),
        (RuleListClassifier(loss=pinball(0.5)), r"pinball\(0.5\) does not go with labels"),
        (RuleListRegressor(loss="gini"), "'gini' does not go with numbers.*'mae'.*pinball"),
        (RuleListClassifier(loss=cost_matrix([[0, 1], [1, 0]])), "2 rows does not fit 3 classes"),
        (RuleListClassifier(loss=cost_matrix({(0, 7): 1})), r"do not occur: \[7\]"),
    ],
)
def test_losses_that_do_not_fit_the_task(estimator, message):
    X, y = load_iris(return_X_y=True)
    ensemble = RandomForestClassifier if isinstance(estimator, RuleListClassifier) else RandomForestRegressor
    estimator = clone(estimator).set_params(ensemble=ensemble(3, max_depth=2))
    with pytest.raises(InvalidParameterError, match=message):
        estimator.fit(X, y)


def test_an_answer_of_ones_own_is_what_rules_predict():
    class Largest(OfNumbers):
        def values(self, y, weight, coverage):
            return np.array([y[coverage.members(j)].max() for j in range(coverage.n_rules)])

    def loss(y, weight, coverage):
        return coverage.counts

    loss.answer = Largest()
    X, y = load_diabetes(return_X_y=True)
    forest = RandomForestRegressor(5, max_depth=2, random_state=0).fit(X, y)
    fitted = RuleListRegressor(forest, loss=loss, max_rules=4).fit(X, y)
    where = fitted.apply(X)
    assert [rule.prediction for rule in fitted.rule_list_] == [
        y[where == i].max() for i in range(len(fitted.rule_list_))
    ]


@pytest.mark.parametrize(
    ("own", "kind", "expected"),
    [((0.3, 0.7), "", "taught"), ((0.5, 0.5), "", ""), ((0.8, 0.2), "", ""), ((0.3, 0.7), "least cost", "least cost")],
)
def test_a_teachers_answer_is_called_so_where_most_samples_of_the_rule_are_of_another_class(own, kind, expected):
    told = {"prediction": "a", "distribution": (0.6, 0.4), "class_share": 0.6, "kind": kind}
    found = Majority().about_samples(Labels(np.array(["a", "b"])), told, {"distribution": own})
    assert found == {"prediction": "a", "distribution": (0.6, 0.4), "class_share": own[0], "kind": expected}


def test_a_teachers_number_is_as_far_from_the_samples_as_their_root_mean_square_distance():
    y = np.array([1.0, 2.0, 6.0])
    found = Mean().about_samples(Numbers(), {"prediction": 5.0}, {"prediction": y.mean(), "spread": y.std()})
    assert found == {"prediction": 5.0, "spread": pytest.approx(np.sqrt(np.mean((y - 5.0) ** 2)))}


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_each_kind_of_number_is_that_of_the_covered_targets(seed):
    rng = np.random.default_rng(seed)
    matrix, y = rng.integers(0, 2, (12, 4)), rng.normal(size=12)
    matrix[:2] = 1
    coverage, weight = Coverage.from_matrix(matrix), np.ones(12)
    parts = [y[matrix[:, j] == 1] for j in range(4)]
    for answer, expected, kind in [
        (Mean(), np.mean, ""),
        (Quantile(), np.median, "median"),
        (Quantile(0.25), lambda part: np.quantile(part, 0.25, method="averaged_inverted_cdf"), "25 % quantile"),
    ]:
        found = answer.of_rules(Numbers(), y, weight, coverage)
        assert_allclose([one["prediction"] for one in found], [expected(part) for part in parts])
        assert_allclose([one["spread"] for one in found], [part.std() for part in parts], atol=1e-12)
        assert {one["kind"] for one in found} == {kind}
        assert_allclose(answer.values(y, weight, coverage), [expected(part) for part in parts])


def test_the_least_cost_is_that_of_adding_up_the_costs():
    shares = np.random.default_rng(0).dirichlet(np.ones(3), 20)
    costs = ((0.0, 1.0, 5.0), (2.0, 0.0, 1.0), (1.0, 3.0, 0.0))
    answer = LeastCost(costs)
    for row, found, best in zip(shares, answer.of_predicting(shares), answer.choose(shares), strict=True):
        by_class = [sum(row[i] * costs[i][k] for i in range(3)) for k in range(3)]
        assert found == pytest.approx(by_class)
        assert best == by_class.index(min(by_class))


@pytest.mark.parametrize("weighted", [False, True])
def test_a_smoothed_number_is_the_mean_with_so_many_samples_of_the_default(weighted):
    X, y = load_diabetes(return_X_y=True)
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float) if weighted else np.ones(len(y))
    forest = RandomForestRegressor(5, max_depth=2, random_state=0).fit(X, y)
    fitted = RuleListRegressor(forest, max_rules=4, smoothing=ShrinkToDefault(25.0))
    fitted.fit(X, y, sample_weight=weight if weighted else None)
    where, default = fitted.apply(X), np.average(y, weights=weight)
    for i, rule in enumerate(fitted.rule_list_):
        mine = where == i
        expected = (weight[mine] @ y[mine] + 25 * default) / (weight[mine].sum() + 25)
        assert rule.prediction == pytest.approx(expected)
