"""A list that says little is not silent about it."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor, RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hedgerow import RuleListClassifier, RuleListClassifierCV, RuleListRegressor
from hedgerow.exceptions import PoorListWarning
from hedgerow.losses import cost_matrix
from hedgerow.pipeline.poor_lists import Standing
from hedgerow.sources import Chunks
from hedgerow.teachers import Oracle

pytestmark = pytest.mark.filterwarnings("error::hedgerow.exceptions.PoorListWarning")

IRIS = load_iris(return_X_y=True)
POOR = "The list explains the ensemble poorly"


@pytest.fixture(scope="module")
def noisy():
    return make_classification(300, 6, n_informative=4, flip_y=0.3, random_state=0)


@pytest.mark.parametrize("budget", [3, 6])
def test_the_published_settings_on_deep_boosting_are_called_poor_with_the_figures_and_the_ways_out(budget):
    model = GradientBoostingClassifier(n_estimators=30, max_depth=6, random_state=0).fit(*IRIS)
    with pytest.warns(PoorListWarning, match=POOR) as caught:
        rules = RuleListClassifier(model, max_rules=budget).fit(*IRIS)
    said = str(caught[0].message)
    assert f"accuracy {rules.agreement(IRIS[0]):.2f}, and always predicting 0 has 0.33" in said
    for way_out in (
        "faithful(model)",
        "accurate(",
        "candidates='nodes'",
        "stability_weight=0",
        f"max_rules above {budget}",
    ):
        assert way_out in said
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_the_way_out_is_one():
    model = GradientBoostingClassifier(n_estimators=30, max_depth=6, random_state=0).fit(*IRIS)
    RuleListClassifier(model, max_rules=3, candidates="nodes", stability_weight=0).fit(*IRIS)


def test_boosting_that_remembers_noise_is_explained_poorly(noisy):
    model = GradientBoostingClassifier(n_estimators=20, max_depth=6, random_state=0).fit(*noisy)
    with pytest.warns(PoorListWarning, match=POOR):
        RuleListClassifier(model, max_rules=4).fit(*noisy)
    numbers = GradientBoostingRegressor(n_estimators=20, max_depth=4, random_state=0).fit(*noisy)
    with pytest.warns(PoorListWarning, match="R² 0.[0-4].*, and always predicting 0.48 has 0.00"):
        RuleListRegressor(numbers, max_rules=4).fit(*noisy)


def test_a_list_that_explains_a_model_is_told_to_have_more_rules_and_the_model_is_not_asked_again():
    X, asked = np.random.default_rng(0).uniform(size=(100, 1)), []

    def stripes(rows):
        asked.append(len(rows))
        return np.floor(8 * rows[:, 0]) % 2

    oracle = Oracle(stripes, limit=300)
    with pytest.warns(PoorListWarning, match="explains the model poorly.*To improve it, raise max_rules above 2"):
        rules = RuleListClassifier.faithful(oracle, max_rules=2, random_state=0).fit(X, stripes(X))
    assert sum(asked[1:]) == rules.n_rows_asked_ <= 300


def test_fewer_rules_than_classes_are_a_matter_of_the_budget():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(200, 1))
    y = np.floor(12 * X[:, 0]).astype(int)
    tree = DecisionTreeClassifier().fit(X, y)
    with pytest.warns(PoorListWarning, match="4 rules predict at most 4 of the 12 classes; raise max_rules"):
        RuleListClassifier(tree, max_rules=4).fit(X, y)


def test_a_list_that_always_predicts_the_same_is_called_poor_however_often_it_is_right():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(400, 2))
    y = np.where(rng.random(400) < 0.1 * X[:, 0], "rare", "usual")
    with pytest.warns(PoorListWarning, match=r"predicts y poorly: .* accuracy 0.9\d, and always predicting usual"):
        RuleListClassifier(DecisionTreeClassifier(max_depth=1), max_rules=2, random_state=0).fit(X, y)
    # A single rule can be no better, and costs and quantiles ask for something else.
    RuleListClassifier(DecisionTreeClassifier(max_depth=1), max_rules=1, candidates="nodes").fit(X, y)
    costs = cost_matrix([[0, 30], [1, 0]])
    RuleListClassifier(DecisionTreeClassifier(max_depth=1), max_rules=2, loss=costs).fit(X, y)
    RuleListRegressor(DecisionTreeRegressor(max_depth=1), max_rules=2, loss="mae").fit(X, rng.lognormal(size=400))


def test_a_list_may_leave_an_ensemble_that_is_wrong():
    X, y = load_breast_cancer(return_X_y=True)
    wrong = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, 1 - y)
    RuleListClassifier(wrong, max_rules=4).fit(X, y)


def test_good_lists_are_not_called_poor():
    X, y = load_breast_cancer(return_X_y=True)
    RuleListClassifier(RandomForestClassifier(20, max_depth=3, random_state=0), max_rules=8).fit(X, y)
    line = LinearRegression().fit(X[:, :3], y)
    RuleListRegressor.faithful(Oracle(line, limit=2000), max_rules=6, random_state=0).fit(X[:, :3], y)


def test_the_folds_of_a_search_are_silent(noisy):
    model = GradientBoostingClassifier(n_estimators=10, max_depth=6, random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        RuleListClassifierCV(model, max_rules=[2, 4], cv=3, min_coverages=(0.01,)).fit(*noisy)
    assert len([one for one in caught if POOR in str(one.message)]) == 1  # the final list


def in_chunks(X, y, weight=None):
    parts = [part for part in (X, y, weight) if part is not None]
    return Chunks(lambda: (tuple(part[i : i + 90] for part in parts) for i in range(0, len(X), 90)))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [RuleListClassifier, RuleListRegressor])
def test_a_list_for_rows_in_chunks_that_is_no_better_than_one_rule_is_called_poor(kind, weighted):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 2)), (rng.uniform(size=2000) < 0.1).astype(int)
    weight = rng.uniform(size=2000) if weighted else None
    tree = (DecisionTreeClassifier if kind is RuleListClassifier else DecisionTreeRegressor)(max_depth=2).fit(X, y)
    with pytest.warns(PoorListWarning, match="The list predicts y poorly: on the training samples") as caught:
        rules = kind(tree, max_rules=3, candidates="nodes").fit(in_chunks(X, y, weight))
    constant = DummyClassifier() if kind is RuleListClassifier else DummyRegressor()
    always = constant.fit(X, y, weight).score(X, y, weight)
    assert f" {rules.score(X, y, weight):.2f}, and always predicting" in str(caught[0].message)
    assert f" has {always:.2f}." in str(caught[0].message)


def test_good_lists_for_rows_in_chunks_are_not_called_poor():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(20, max_depth=3, random_state=0).fit(X, y)
    RuleListClassifier(forest, max_rules=8).fit(in_chunks(X, y))


def test_what_is_constant_is_explained_by_anything():
    assert Standing("y", "accuracy", 1.0, "a", 1.0).share == 1
    assert Standing("y", "accuracy", 0.75, "a", 0.5).share == 0.5
    constant = RuleListRegressor(DecisionTreeRegressor(max_depth=2), max_rules=3).fit(np.eye(30), np.full(30, 0.1))
    assert set(constant.predict(np.eye(30))) == {0.1}


def test_stable_rules_that_explain_a_model_poorly_are_told_what_helps():
    X, y = load_wine(return_X_y=True)
    model = GradientBoostingClassifier(n_estimators=10, max_depth=6, random_state=0).fit(X, y)
    with pytest.warns(PoorListWarning, match="explains the model poorly.*set stability_weight=0"):
        RuleListClassifier.faithful(model, max_rules=4, stability_weight=0.5, random_state=0).fit(X, y)


@pytest.mark.parametrize(
    ("score", "always", "least", "is_poor"),
    [
        (0.51, 0.5, 0.4, True),  # hardly better than a single rule
        (0.9505, 0.95, 0.4, True),  # that, too, however often it is right
        (0.69, 0.5, 0.4, True),
        (0.71, 0.5, 0.4, False),
        (0.92, 0.85, 0.65, False),  # less than the share, but right often enough
        (0.89, 0.85, 0.65, True),
        (0.4, 0.5, 0.4, True),
    ],
)
def test_poor_is_what_goes_too_small_a_part_of_the_way_and_is_not_right_often_enough(score, always, least, is_poor):
    assert Standing("y", "accuracy", score, "a", always).is_poor(least) is is_poor


def test_a_standing_is_a_sentence():
    assert str(Standing("y", "R²", 0.0051, 3.14159, 0.0)) == (
        "The list predicts y poorly: on the training samples, the list has R² 0.01, and always predicting 3.142 has "
        "0.00."
    )
    assert str(Standing("the model", "accuracy", 0.5, "a", 0.25)) == (
        "The list explains the model poorly: measured against its predictions for the training samples, the list has "
        "accuracy 0.50, and always predicting a has 0.25."
    )


@pytest.mark.parametrize(("n", "warns"), [(49, False), (50, True)])
def test_lists_of_few_samples_are_not_judged(n, warns):
    rng = np.random.default_rng(0)
    X, y = rng.uniform(size=(n, 1)), np.arange(n) % 10 == 0
    tree = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        RuleListClassifier(tree, max_rules=2).fit(X, y)
    assert any("poorly" in str(one.message) for one in caught) is warns
