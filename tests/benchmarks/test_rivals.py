"""Every rival keeps its budget, at every size, and predicts as well as a constant at least."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.metrics import accuracy_score
from sklearn.tree import DecisionTreeClassifier

from benchmarks.case import Case
from benchmarks.datasets import Table
from benchmarks.methods import METHODS, OF_SIZES, count_rules
from benchmarks.rivals import RIVALS
from benchmarks.tabular import fit
from benchmarks.taught_trees import TaughtCart
from hedgerow import RuleListClassifier, RuleListRegressor

TASKS = ("classification", "regression")
#: Seconds of compilation, before the first fit.
SLOW = ("ruleboost",)


def table(task, n_classes=3):
    """A quarter of a small set is the test part; the labels are strings."""
    load = load_wine if task == "classification" else load_diabetes
    X, y = load(return_X_y=True, as_frame=True)
    if task == "classification":
        kept = (y < n_classes).to_numpy()
        X, y = X[kept], np.array(["first", "second", "third"])[y[kept]]
    y = np.asarray(y) if task == "classification" else ((y - y.mean()) / y.std()).to_numpy()
    test = np.arange(len(X)) % 4 == 0
    return Table("small", task, X[~test][:200], y[~test][:200], X[test], y[test])


def fitted(method, task, budget, data=None):
    """Fit a rival, or skip the test if its package is missing or it is not for this task."""
    data = table(task) if data is None else data
    if not METHODS[method].installed:
        pytest.skip(f"{method} is not installed")
    n_classes = len(np.unique(data.y)) if task == "classification" else 0
    reason = METHODS[method].why_not(task, n_classes, len(data.X))
    if reason is not None:
        pytest.skip(reason)
    return fit(method, data, Case(task, 0, 10, budget, seconds=3.0)).model


@pytest.mark.parametrize("budget", [2, 6])
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("method", [name for name in RIVALS if name not in SLOW])
@pytest.mark.filterwarnings("ignore")
def test_a_rival_keeps_its_budget_and_is_better_than_a_constant(method, task, budget):
    data = table(task)
    model = fitted(method, task, budget, data)
    assert 2 <= count_rules(model) <= budget
    said = model.predict(data.X_test)
    if task == "regression":
        assert np.mean((said - data.y_test) ** 2) < np.var(data.y_test)
        return
    assert np.mean(said == data.y_test) > np.unique(data.y_test, return_counts=True)[1].max() / len(data.y_test)
    shares = model.predict_proba(data.X_test)
    assert shares.shape == (len(said), 3)
    if not METHODS[method].is_sum:
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        np.testing.assert_array_equal(np.asarray(model.classes_)[shares.argmax(axis=1)], said)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.filterwarnings("ignore")
def test_boosted_rules_keep_their_budget(task):
    model = fitted("ruleboost", task, 4, table(task, n_classes=2))
    assert count_rules(model) == 4


@pytest.mark.parametrize("method", ["contree", "streed"])
@pytest.mark.filterwarnings("ignore")
def test_an_optimal_tree_errs_no_more_than_cart_on_its_training_rows(method):
    # Of zeros and ones, so that both see all thresholds.
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(200, 6)).astype(float)
    y = np.where((X[:, 0] != X[:, 1]) ^ (rng.random(200) < 0.1), "yes", "no")
    data = Table("xor", "classification", X, y, X, y)
    model = fitted(method, "classification", 4, data)
    cart = DecisionTreeClassifier(max_leaf_nodes=4, random_state=0).fit(X, y)
    assert model.status_ == "optimal"
    assert accuracy_score(y, model.predict(X)) >= accuracy_score(y, cart.predict(X))
    assert accuracy_score(y, model.predict(X)) > 0.85


def test_cart_on_a_lesson_without_a_teacher_is_cart():
    data = table("classification")
    rules = RuleListClassifier(max_rules=4, random_state=0)  # learns from the labels alone
    # Squared errors of shares and Gini's impurity choose the same splits.
    taught = TaughtCart(rules, 4, seed=0).fit(data.X, data.y)
    plain = DecisionTreeClassifier(max_leaf_nodes=4, random_state=0).fit(data.X, data.y)
    np.testing.assert_array_equal(taught.predict(data.X_test), plain.predict(data.X_test))
    np.testing.assert_allclose(taught.predict_proba(data.X_test), plain.predict_proba(data.X_test))


@pytest.mark.filterwarnings("ignore")
def test_a_taught_tree_learns_from_the_rows_and_targets_of_the_list():
    seen = {}

    class Watched(TaughtCart):
        def _grow(self, values, targets, weight):
            seen.update(values=values, targets=targets, weight=weight)
            return super()._grow(values, targets, weight)

    data = table("regression")
    taught = Watched(RuleListRegressor.accurate(max_rules=4, random_state=0), 4).fit(data.X, data.y)
    learned = RuleListRegressor.accurate(max_rules=4, random_state=0).fit(data.X, data.y).posed_.learned
    np.testing.assert_array_equal(seen["targets"], learned.targets)
    np.testing.assert_array_equal(seen["weight"], learned.weight)
    np.testing.assert_array_equal(seen["values"], learned.values)
    leaf = taught.tree_.apply(seen["values"])
    first = leaf == leaf[0]
    expected = np.average(learned.answered[first], weights=learned.weight[first])
    assert taught.predict(data.X[:1])[0] == pytest.approx(expected)


def test_every_method_of_the_suites_of_sizes_is_known():
    assert set(OF_SIZES) <= set(METHODS)
    assert {name for name in OF_SIZES if not METHODS[name].has_budget} == {"forest", "deep_forest"}
    assert METHODS["osrt"].why_not("regression", 0, 10**6).startswith("it takes at most")
