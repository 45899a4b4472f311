"""Losses are what their formulas say, by name, by callable, mixed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn import metrics
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from hedgerow import InvalidDataError, InvalidParameterError, RuleListClassifier, RuleListRegressor
from hedgerow.candidates.answers import LeastCost, Majority, Mean, Quantile
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.scores import combine_scores, min_max
from hedgerow.losses import (
    cost_matrix,
    gini,
    log_loss,
    mae,
    misclassification,
    mse,
    parse_loss,
    pinball,
    priced,
    sse,
)
from hedgerow.tasks import Labels, Numbers
from hedgerow.teachers import Oracle


def drawn(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 2, (9, 6))
    matrix[0] = 1  # no rule is empty
    return rng, matrix, Coverage.from_matrix(matrix)


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_misclassification_counts_all_but_the_most_frequent_class(seed):
    rng, matrix, coverage = drawn(seed)
    y, weight = rng.choice(["u", "v", "w"], 9), rng.random(9)
    expected = [weight[m].sum() - max(weight[m & (y == c)].sum() for c in "uvw") for m in (matrix == 1).T]
    assert_allclose(misclassification(y, weight, coverage), expected, atol=1e-12)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 1e6, -1e9]))
def test_mse_is_the_variance_of_the_covered_targets(seed, shift):
    rng, matrix, coverage = drawn(seed)
    y, weight = rng.normal(size=9) + shift, rng.random(9) + 0.01
    members = (matrix == 1).T
    expected = [np.average((y[m] - np.average(y[m], weights=weight[m])) ** 2, weights=weight[m]) for m in members]
    assert_allclose(mse(y, weight, coverage), expected, rtol=1e-5, atol=1e-9)
    assert_allclose(sse(y, weight, coverage), np.array(expected) * (weight @ matrix), rtol=1e-5, atol=1e-9)


def test_constant_targets_have_no_loss_at_all():
    coverage = Coverage.from_matrix([[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]])
    y = np.array([0.1, 0.1, 0.1, 1e6, 1e6])
    assert mse(y, np.ones(5), coverage).tolist() == [0, 0]


def test_small_deviations_survive_far_from_all_others():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=60) * 0.1
    y = noise + np.repeat([0.0, 1e9, -1e9], 20)
    coverage = Coverage.from_matrix(np.repeat(np.eye(3), 20, axis=0))
    expected = [np.var(y[20 * k : 20 * k + 20]) for k in range(3)]
    assert_allclose(mse(y, np.ones(60), coverage), expected, rtol=1e-6)


@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_targets_whose_squares_do_not_exist_are_refused(scale):
    with pytest.raises(InvalidDataError, match="Rescale y"):
        mse(np.array([1.0, 2.0]) * scale, np.ones(2), Coverage.from_matrix([[1], [1]]))


def test_soft_targets_count_by_their_shares():
    coverage = Coverage.from_matrix([[1, 1], [1, 0]])
    shares = np.array([[0.9, 0.1], [0.4, 0.6]])
    assert_allclose(misclassification(shares, np.ones(2), coverage), [0.7, 0.1])


COSTS = np.array([[0.0, 5.0, 1.0], [1.0, 0.0, 2.0], [3.0, 1.0, 0.0]])
LABELS = np.array(["u", "v", "w"])
LABEL_LOSSES = [misclassification, log_loss, gini, cost_matrix(COSTS)]
NUMBER_LOSSES = [sse, mae, pinball(0.1), pinball(0.8)]


def answer_of(spec, classes):
    return parse_loss(spec, Numbers if classes is None else Labels).among(classes).answer


def of_said_class(loss, y, weight, k):
    """What it costs to say the k-th class for all these samples, counted sample by sample."""
    costs = COSTS if loss is LABEL_LOSSES[3] else 1 - np.eye(3)
    return sum(w * costs[LABELS.tolist().index(label), k] for label, w in zip(y, weight, strict=True))


def of_said_shares(loss, y, weight, shares):
    """What it costs to answer these class shares for all these samples, by scikit-learn."""
    said = np.tile(shares, (len(y), 1))
    if loss is log_loss:
        return metrics.log_loss(y, said, sample_weight=weight, normalize=False, labels=LABELS)
    return weight @ ((said - (y[:, None] == LABELS)) ** 2).sum(axis=1)  # Brier score: the Gini impurity's own


def of_said_value(loss, y, weight, value):
    """What it costs to answer this number for all these samples, by scikit-learn."""
    said = np.full(len(y), value)
    if loss is sse:
        return metrics.mean_squared_error(y, said, sample_weight=weight) * weight.sum()
    if loss is mae:
        return metrics.mean_absolute_error(y, said, sample_weight=weight) * weight.sum()
    return metrics.mean_pinball_loss(y, said, sample_weight=weight, alpha=loss.quantile) * weight.sum()


@pytest.mark.parametrize("loss", [misclassification, LABEL_LOSSES[3]], ids=["misclassification", "cost_matrix"])
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_the_loss_of_a_label_is_that_of_the_prediction_and_no_other_label_costs_less(loss, seed):
    rng, matrix, coverage = drawn(seed)
    y, weight = rng.choice(LABELS, 9), rng.random(9) + 0.01
    y[:3] = LABELS
    found = loss(y, weight, coverage)
    counts = (matrix * weight[:, None]).T @ (y[:, None] == LABELS)
    said = answer_of(loss, LABELS).choose(counts)
    for j, m in enumerate((matrix == 1).T):
        costs = [of_said_class(loss, y[m], weight[m], k) for k in range(3)]
        assert_allclose(found[j], costs[said[j]])
        assert_allclose(found[j], min(costs))


@pytest.mark.parametrize("loss", [log_loss, gini])
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_no_other_class_shares_have_a_lower_loss(loss, seed):
    rng, matrix, coverage = drawn(seed)
    y, weight = rng.choice(LABELS, 9), rng.random(9) + 0.01
    found = loss(y, weight, coverage)
    for j, m in enumerate((matrix == 1).T):
        own = np.array([weight[m & (y == c)].sum() for c in LABELS]) / weight[m].sum()
        assert_allclose(found[j], of_said_shares(loss, y[m], weight[m], own), atol=1e-9)
        for other in rng.dirichlet(np.ones(3), 20):
            assert of_said_shares(loss, y[m], weight[m], other) >= found[j] - 1e-9


@pytest.mark.parametrize("loss", NUMBER_LOSSES, ids=lambda loss: getattr(loss, "__name__", repr(loss)))
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_the_loss_of_a_number_is_that_of_the_prediction_and_no_other_number_costs_less(loss, seed):
    rng, matrix, coverage = drawn(seed)
    y, weight = np.round(rng.normal(size=9), 1), rng.integers(1, 4, 9) * 1.0
    found = loss(y, weight, coverage)
    answer = answer_of(loss, None)
    for j, m in enumerate((matrix == 1).T):
        said = np.average(y[m], weights=weight[m])
        if isinstance(answer, Quantile):
            said = answer.values(y, weight, coverage)[j]
        assert_allclose(found[j], of_said_value(loss, y[m], weight[m], said), atol=1e-9)
        for other in np.concatenate([y, np.linspace(-3, 3, 20)]):
            assert of_said_value(loss, y[m], weight[m], other) >= found[j] - 1e-9


@pytest.mark.parametrize(
    "loss", [*LABEL_LOSSES, *NUMBER_LOSSES], ids=lambda loss: getattr(loss, "__name__", repr(loss))
)
@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_a_weight_is_as_many_equal_samples(loss, seed):
    rng, matrix, coverage = drawn(seed)
    y = rng.choice(LABELS, 9) if loss in LABEL_LOSSES else rng.normal(size=9)
    if loss in LABEL_LOSSES:
        y[:3] = LABELS
    times = rng.integers(1, 4, 9)
    repeated = Coverage.from_matrix(np.repeat(matrix, times, axis=0))
    expected = loss(np.repeat(y, times), np.ones(times.sum()), repeated)
    assert_allclose(loss(y, times.astype(float), coverage), expected, atol=1e-12)


@pytest.mark.parametrize("loss", LABEL_LOSSES, ids=lambda loss: getattr(loss, "__name__", repr(loss)))
@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_a_sample_of_class_shares_is_a_part_of_a_sample_of_each_class(loss, seed):
    rng, matrix, coverage = drawn(seed)
    shares, weight = rng.dirichlet(np.ones(3), 9), rng.random(9) + 0.01
    parts = Coverage.from_matrix(np.repeat(matrix, 3, axis=0))
    expected = loss(np.tile(LABELS, 9), (weight[:, None] * shares).ravel(), parts)
    assert_allclose(loss(shares, weight, coverage), expected, atol=1e-12)


def test_each_loss_has_its_kind_of_prediction():
    assert answer_of("misclassification", LABELS) == answer_of("gini", LABELS) == Majority()
    assert answer_of("mse", None) == answer_of(sse, None) == Mean()
    assert answer_of("mae", None) == Quantile(0.5)
    assert answer_of([(np.var, 1.0), (pinball(0.9), 1.0), ("sse", 1.0)], None) == Quantile(0.9)
    assert answer_of(cost_matrix({("u", "w"): 7}), LABELS) == LeastCost(((0, 1, 7), (1, 0, 1), (1, 1, 0)))
    assert answer_of(np.var, None) == Mean()
    assert answer_of(len, LABELS) == Majority()


def test_a_custom_loss_may_bring_its_kind_of_prediction():
    def upper(y, weight, coverage):
        return coverage.counts

    upper.answer = Quantile(0.75)
    assert answer_of(upper, None) == Quantile(0.75)
    upper.answer = "no answer at all"
    assert answer_of(upper, None) == Mean()


def test_costs_by_name_are_those_by_place():
    y, weight = np.array(["v", "u", "v", "w"]), np.array([1.0, 2.0, 3.0, 1.0])
    coverage = Coverage.from_matrix([[1, 0], [1, 1], [0, 1], [1, 1]])
    names = {(LABELS[i], LABELS[k]): COSTS[i, k] for i in range(3) for k in range(3)}
    assert_allclose(cost_matrix(names)(y, weight, coverage), cost_matrix(COSTS)(y, weight, coverage))
    assert str(cost_matrix({("u", "v"): 2})) == "cost_matrix({('u', 'v'): 2.0})"
    assert str(cost_matrix([[0, 1], [1, 0]])) == "cost_matrix([[0.0, 1.0], [1.0, 0.0]])"


def test_costs_keep_their_class_where_another_does_not_occur():
    # Nobody is "u": the costs of "v" and "w" are still the second and the third row.
    coverage = Coverage.from_matrix([[1], [1]])
    loss = parse_loss(cost_matrix(COSTS), Labels).among(LABELS)
    found = loss.evaluate(np.array(["v", "w"]), np.array([3.0, 1.0]), coverage, str)
    assert_allclose(found, [min(3 * 1 + 3, 1, 3 * 2)])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pinball(1.0), "quantile must be a number between 0 and 1"),
        (lambda: pinball("0.5"), "quantile must be"),
        (lambda: cost_matrix([[0, 1]]), "costs must be a square array"),
        (lambda: cost_matrix([[0, np.nan], [1, 0]]), "costs must be a square array of finite numbers"),
        (lambda: cost_matrix("high"), "costs must be a square array"),
        (lambda: cost_matrix({"u": 1}), r"costs must be \{\(true, predicted\): finite number\}"),
        (lambda: answer_of(cost_matrix([[0, 1], [1, 0]]), LABELS), "2 rows does not fit 3 classes.*'u', 'v', 'w'"),
        (lambda: answer_of(cost_matrix({("u", "x"): 1}), LABELS), r"do not occur: \['x'\]"),
    ],
)
def test_invalid_quantiles_and_costs_are_refused(make, message):
    with pytest.raises(InvalidParameterError, match=message):
        make()


def call(spec, y=(1.0, 2.0, 4.0)):
    coverage = Coverage.from_matrix([[1, 0], [1, 0], [0, 1]])
    loss = parse_loss(spec, Numbers)
    return loss.evaluate(np.array(y), np.array([1.0, 3.0, 1.0]), coverage, lambda j: f"rule {j}")


def test_a_callable_may_take_the_covered_targets_the_weights_or_everything():
    assert_allclose(call(np.var), [0.25, 0])
    assert_allclose(call(lambda y: y.max()), [2, 4])
    assert_allclose(call(lambda y, weight: weight.sum()), [4, 1])
    assert_allclose(call(lambda y, weight, coverage: coverage.counts), [2, 1])


def test_a_weighted_list_mixes_the_scaled_parts():
    assert_allclose(call([("mse", 1.0), (lambda y: y.max(), 0.25)]), [1, 0.25])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("log", "Unknown loss 'log'. Possible: 'misclassification', 'mse', 'sse'"),
        (lambda y: np.nan if len(y) == 1 else 0.0, "returned nan for rule 1"),
        (lambda y: np.inf, "returned inf for rule 0 and is not finite for 1 more"),
        (lambda y, weight, coverage: [1.0], r"shape \(2,\)"),
        (lambda a, b, c, d: 0, "takes 4 arguments"),
        (lambda y: y, "must return one number for a rule; for rule 0 it returned 2"),
        (lambda y: 1 / 0, "failed on rule 0: ZeroDivisionError"),
        (lambda y: "much", "must return a number; for rule 0: 'much'"),
        (lambda y, weight, coverage: np.array([1j, 2.0]), "must return numbers; it returned complex128"),
        ([([], 1.0)], "Unknown loss"),
    ],
)
def test_a_bad_loss_is_refused(spec, message):
    with pytest.raises(InvalidParameterError, match=message):
        call(spec)


def test_scores_are_scaled_and_weighed():
    scores = combine_scores(np.array([1.0, 3.0, 2.0]), np.array([10.0, 10.0, 0.0]), 0.25)
    assert_allclose(scores.stability, [0, 1, 0.5])
    assert_allclose(scores.loss, [1, 1, 0])
    assert_allclose(scores.total, [-0.75, -0.5, 0.125])
    assert_allclose(scores.raw_loss, [10, 10, 0])
    assert_allclose(min_max(np.array([-1e308, 1e308])), [0, 1])


def test_a_price_is_a_share_of_the_loss_of_a_single_rule():
    coverage = Coverage.from_matrix([[1, 0, 1], [1, 0, 1], [0, 1, 1], [0, 1, 1]])
    y, weight = np.array([1.0, 3.0, 5.0, 7.0]), np.array([1.0, 1.0, 2.0, 2.0])
    plain = sse(y, weight, coverage)
    assert_allclose(priced("sse", 0.1)(y, weight, coverage), plain + 0.1 * plain[2])
    assert_allclose(priced(lambda covered: np.ptp(covered), 0.5)(y, weight, coverage), [2 + 3, 2 + 3, 6 + 3])


@pytest.mark.parametrize("price", [1e-5, 0.1])
def test_among_lists_of_equal_loss_the_shortest_is_best(price):
    X, y = np.arange(6.0)[:, None], np.array(["a", "a", "a", "a", "a", "b"])
    # The trees also split where the label does not change.
    grown_on = np.array(["a", "a", "c", "c", "c", "b"])
    forest = RandomForestClassifier(20, random_state=0).fit(X, grown_on)
    given = {"max_rules": 5, "candidates": "nodes", "stability_weight": 0.0}
    rules = RuleListClassifier(forest, loss=priced("misclassification", price), **given).fit(X, y)
    assert (len(rules.rule_list_), rules.solution_.status) == (2, "optimal")
    # The single rule makes one error, so it costs 1 + price; two rules without errors cost two prices.
    assert rules.solution_.objective == pytest.approx(-2 * price / (1 + price))


def test_a_rule_is_left_out_that_costs_more_than_it_gains():
    X, y = np.arange(20.0)[:, None], np.repeat([0, 1, 0], [10, 9, 1])
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    found = {
        price: len(
            RuleListClassifier(tree, candidates="nodes", stability_weight=0.0, loss=priced("misclassification", price))
            .fit(X, y)
            .rule_list_
        )
        for price in (0.05, 0.2, 0.95)  # of 9 errors: less than one, almost two, almost all
    }
    assert found == {0.05: 3, 0.2: 2, 0.95: 1}


def test_priced_costs_know_the_classes():
    loss = priced(cost_matrix([[0, 5, 1], [1, 0, 1], [1, 1, 0]]), 0.5)
    assert repr(loss) == "priced(cost_matrix([[0.0, 5.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]), 0.5)"
    part = parse_loss(loss, Labels).for_part_of(np.array(["u", "v", "w"])).among(np.array(["u", "v"]))
    coverage, y = Coverage.from_matrix([[1, 0, 1], [0, 1, 1], [0, 1, 1]]), np.array(["u", "v", "v"])
    assert_allclose(part.evaluate(y, np.ones(3), coverage, str), [1, 1, 3])  # all: "u", which costs 2
    assert part.answer == LeastCost(((0.0, 5.0), (1.0, 0.0)))


def test_in_a_list_with_a_price_all_losses_are_scaled_from_zero():
    coverage, y = Coverage.from_matrix([[1, 0, 1], [1, 0, 1], [0, 1, 1], [0, 1, 1]]), np.array([1.0, 3.0, 5.0, 9.0])
    loss = parse_loss([(priced("sse", 0.0), 1.0), ("mae", 0.5)], Numbers)
    found = loss.evaluate(y, np.ones(4), coverage, str)
    assert_allclose(found, sse(y, np.ones(4), coverage) / 35 + 0.5 * mae(y, np.ones(4), coverage) / 10)


@pytest.mark.parametrize(
    ("loss", "price", "message"),
    [
        ("misclassification", -0.1, "price must be a finite number of at least 0"),
        ("misclassification", float("inf"), "price must be"),
        ("nonsense", 0.1, "Unknown loss 'nonsense'"),
        ([("gini", 1.0)], 0.1, "a single loss"),
    ],
)
def test_invalid_prices_are_refused(loss, price, message):
    with pytest.raises(InvalidParameterError, match=message):
        priced(loss, price)


def test_a_priced_loss_belongs_to_a_task():
    with pytest.raises(InvalidParameterError, match=r"priced\('sse', 0.1\) does not go with labels"):
        RuleListClassifier(loss=priced("sse", 0.1)).fit(*load_iris(return_X_y=True))


def test_where_nothing_is_to_be_learned_each_rule_has_the_same_price():
    coverage = Coverage.from_matrix([[1, 1, 0], [1, 1, 0], [1, 0, 1]])
    for name, y in (
        ("sse", np.full(3, 3.7)),
        ("sse", 0.1 + np.array([0, 1, 2]) * 1e-17),
        ("gini", np.array(list("aaa"))),
    ):
        assert priced(name, 0.1)(y, np.ones(3), coverage).tolist() == [1, 1, 1]
    assert len(set(priced("sse", 0.1)(np.array([1, 1, 1 + 1e-9]), np.ones(3), coverage))) > 1


@pytest.mark.parametrize("value", [0.0, 3.7, -1e9])
def test_a_model_that_always_predicts_the_same_is_explained_by_one_rule(value):
    X = np.random.default_rng(0).random((200, 3))
    model = Oracle(lambda X: np.full(len(X), value))
    rules = RuleListRegressor.faithful(model, max_rules=4, random_state=0).fit(X, X[:, 0]).rule_list_
    assert [rule.prediction for rule in rules] == [value]
