"""Fidelity is agreement with the ensemble, inside and out."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from rule_lists import KINDS
from scipy.stats import kendalltau
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.metrics import f1_score
from sklearn.svm import SVC
from small_forests import FIGURE, STUMP, forest, tree

from hedgerow import (
    Condition,
    Fidelity,
    Forest,
    InvalidParameterError,
    Rule,
    RuleList,
    RuleListClassifier,
    RuleListRegressor,
)
from hedgerow.baselines import (
    FireRegressor,
    NodeHarvestClassifier,
    NodeHarvestRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    SirusClassifier,
    SirusRegressor,
    WeightedRules,
)
from hedgerow.candidates.pool import make_pool
from hedgerow.evidence.agreement import Agreement
from hedgerow.evidence.fidelity import disagreement, feature_f1, importance_correlation, represented_trees
from hedgerow.evidence.importances import ensemble_importances
from hedgerow.features import Column, ColumnOfNonzeros, Inputs

#: R_2 of the paper: it shares only its first condition with the figure's tree.
SECOND = tree((10, 0.7, 1, 2), (5, -4.1, 3, 4), None, None, None)


def listed(*rules):
    return RuleList(rules, Rule(()), forest(FIGURE).inputs)


def test_the_papers_example_of_represented_trees():
    ensemble = forest(FIGURE)
    first = make_pool(ensemble).rule(0)
    second = make_pool(forest(SECOND)).rule(0)
    assert str(second) == "x10 <= 0.7 and x5 <= -4.1"
    assert represented_trees(listed(first), ensemble, by="path") == 1
    assert represented_trees(listed(first), ensemble, by="condition") == 1
    assert represented_trees(listed(second), ensemble, by="path") == 0
    assert represented_trees(listed(second), ensemble, by="condition") == 1


def test_the_side_of_a_condition_counts():
    right_only = make_pool(forest(STUMP)).rule(2)
    assert str(right_only) == "x10 > 0.7"
    left_only = forest(tree((10, 0.7, 1, 2), None, None))
    assert represented_trees(listed(right_only), left_only, by="path") == 1
    other = tree((10, 0.7, 1, 2), (10, 0.7, 3, 4), None, None, None)
    assert represented_trees(listed(make_pool(forest(other)).rule(2)), forest(FIGURE), by="path") == 0


def test_a_share_of_the_trees():
    ensemble = forest(FIGURE, STUMP, SECOND, tree((3, 1.0, 1, 2), None, None))
    rule = make_pool(forest(STUMP)).rule(0)  # x10 <= 0.7 and x8 <= 12.2
    assert represented_trees(listed(rule), ensemble, by="path") == 0.5
    assert represented_trees(listed(rule), ensemble, by="condition") == 0.75
    with pytest.raises(InvalidParameterError, match="'condition' or 'path'"):
        represented_trees(listed(rule), ensemble, by="node")


def test_conditions_on_categories_are_found():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 6, 300), rng.normal(size=300)])
    y = np.isin(X[:, 0], [1, 4]) ^ (X[:, 1] > 1)
    model = HistGradientBoostingClassifier(max_iter=5, max_leaf_nodes=4, categorical_features=[0]).fit(X, y)
    fitted = RuleListClassifier(model, max_rules=4).fit(X, y)
    assert any(c.categories for rule in fitted.rule_list_ for c in rule.conditions)
    assert represented_trees(fitted.rule_list_, model, by="path") > 0


def test_disagreement_is_with_the_ensemble_not_with_y():
    X, y = load_wine(return_X_y=True)
    model = GradientBoostingClassifier(n_estimators=10, max_depth=2, random_state=0).fit(X, y)
    fitted = RuleListClassifier(model, max_rules=4).fit(X, y)
    expected = np.mean(fitted.predict(X) != model.predict(X))
    assert_allclose(disagreement(fitted.rule_list_, model, X), expected)
    summary = fitted.fidelity(X, y)
    assert summary.disagreement == expected
    assert_allclose(summary.ensemble_score, model.score(X, y))
    assert_allclose(summary.score, fitted.score(X, y))
    assert summary.uncovered == summary.overlapping == 0  # on the training data
    assert "disagreement with the ensemble" in str(summary)


def test_disagreement_of_a_regression_is_squared():
    X, y = load_diabetes(return_X_y=True)
    model = RandomForestRegressor(20, max_depth=2, random_state=0).fit(X, y)
    fitted = RuleListRegressor(model, max_rules=4).fit(X, y)
    summary = fitted.fidelity(X, y)
    assert_allclose(summary.disagreement, np.mean((fitted.predict(X) - model.predict(X)) ** 2))
    assert_allclose(summary.ensemble_score, model.score(X, y))
    assert fitted.fidelity(X).score is None


def columns_used(rules, n_columns):
    """Whether each column is in some condition."""
    used = {c.feature.index for rule in rules for c in rule.conditions}
    used |= {term.feature.index for term in getattr(rules, "linear", ())}
    return np.isin(np.arange(n_columns), list(used))


def in_shares(rule_list, n_columns):
    """The share of training samples in rules that look at each column."""
    return [sum(r.share for r in rule_list if i in {c.feature.index for c in r.conditions}) for i in range(n_columns)]


@pytest.mark.parametrize("top", [0.05, 0.3, 1.0])
def test_f1_and_tau_are_those_of_scikit_learn_and_scipy(top):
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(20, max_depth=2, random_state=0).fit(X, y)
    rules = RuleListClassifier(model, max_rules=4).fit(X, y).rule_list_
    own, n = model.feature_importances_, X.shape[1]
    most = np.isin(np.arange(n), np.argsort(-own, kind="stable")[: max(1, int(top * n))]) & (own > 0)
    assert_allclose(feature_f1(rules, model, top=top), f1_score(most, columns_used(rules, n)))
    assert_allclose(importance_correlation(rules, model), kendalltau(in_shares(rules, n), own).statistic)


def looking_at(*rules):
    inputs = Inputs(tuple(Column(i, f"x{i}") for i in range(40)))
    return RuleList(
        tuple(Rule(tuple(Condition(f, upper=0.0) for f in fs), share=s) for fs, s in rules), Rule(()), inputs
    )


def stumps(*features, n_features=40):
    """A mean of trees that each part two samples by one column: equal importances."""
    arrays = {"left": [1, -1, -1], "right": [2, -1, -1], "threshold": [0.0, 0, 0], "value": [0.0, -1.0, 1.0]}
    trees = [arrays | {"feature": [f, 0, 0]} for f in features]
    return Forest.from_arrays(trees, [f"x{i}" for i in range(n_features)])


def test_f1_by_hand():
    # 40 columns: two at the top. Column 5 is looked at by three trees, 2 and 7 by one; ties go to the first.
    model = stumps(5, 7, 2, 5, 5)
    a, b, c = (Column(i, f"x{i}") for i in (5, 2, 7))
    assert feature_f1(looking_at(([a, b], 1.0)), model) == 1
    assert feature_f1(looking_at(([a], 0.5), ([a, c], 0.5)), model) == 2 * 1 / (2 + 2)
    assert feature_f1(looking_at(([a, b, c], 1.0)), model) == 2 * 2 / (3 + 2)
    assert feature_f1(looking_at(([c], 1.0)), model) == 0
    assert feature_f1(looking_at(([], 1.0)), model) == 0
    # Columns that no tree looks at are never at the top, however many there is room for.
    assert feature_f1(looking_at(([a, b, c], 1.0)), model, top=1.0) == 1
    with pytest.raises(InvalidParameterError, match="between 0 and 1"):
        feature_f1(looking_at(([a], 1.0)), model, top=5)


def test_one_feature_is_at_the_top_of_few_and_without_splits_none():
    a, b = Column(0, "x0"), Column(1, "x1")
    assert feature_f1(looking_at(([a], 1.0)), stumps(0, 0, 1, n_features=19)) == 1
    assert feature_f1(looking_at(([b], 1.0)), stumps(0, 0, 1, n_features=19)) == 0
    assert feature_f1(looking_at(([], 1.0)), forest(tree(None))) == 1
    assert feature_f1(looking_at(([a], 1.0)), forest(tree(None))) == 0


def test_tau_by_hand():
    # x0 twice, x1 once, x2 never. In the list x1 has all samples, x0 a half, x2 none: of three pairs one is the other
    # way round, (2 - 1) / 3.
    a, b = Column(0, "x0"), Column(1, "x1")
    model = stumps(0, 0, 1, n_features=3)
    assert_allclose(importance_correlation(looking_at(([a, b], 0.5), ([b], 0.5)), model), 1 / 3)
    assert_allclose(importance_correlation(looking_at(([a, b], 0.5), ([a], 0.5)), model), 1)


def test_sums_in_another_order_are_ties_and_no_order_is_no_correlation():
    a, b, c = (Column(i, f"x{i}") for i in range(3))
    # 0.1 + 0.2 + 0.7 and 0.7 + 0.2 + 0.1 differ in the last digit.
    rules = looking_at(([a], 0.1), ([a], 0.2), ([a], 0.7), ([b], 0.7), ([b], 0.2), ([b], 0.1), ([c], 1.0))
    assert np.isnan(importance_correlation(rules, stumps(0, 0, 1, n_features=3)))
    assert np.isnan(importance_correlation(looking_at(([], 1.0)), stumps(0, n_features=3)))
    assert np.isnan(importance_correlation(looking_at(([a], 1.0)), stumps(0, n_features=1)))


def test_a_column_that_is_looked_at_in_two_ways_counts_once():
    plain, nonzeros = Column(0, "x0"), ColumnOfNonzeros(0, "x0")
    rules = looking_at(([plain, nonzeros], 0.25), ([nonzeros], 0.5))
    assert list(rules.feature_importances().values()) == [0.75]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_rules_of_every_ensemble_have_fidelity(kind):
    model, X, y = KINDS[kind]()
    of_labels = len(np.unique(y)) < 5 and y.dtype.kind != "f"
    fitted = (RuleListClassifier if of_labels else RuleListRegressor)(model, max_rules=6).fit(X, y)
    summary, rules = fitted.fidelity(X), fitted.rule_list_
    shares = ensemble_importances(model, X)
    listed = dict.fromkeys(shares, 0.0)
    for rule in rules:
        for source in {condition.feature.source for condition in rule.conditions}:
            listed[source] += rule.share
    there = np.round(np.array(list(shares.values())) / max(shares.values()), 9)
    here = np.round(list(listed.values()), 9)
    n_top = max(1, len(shares) // 20)
    top = (np.argsort(np.argsort(-there, kind="stable")) < n_top) & (there > 0)
    assert_allclose(summary.feature_f1, f1_score(top, here > 0))
    assert_allclose(summary.importance_correlation, kendalltau(here, there).statistic)
    assert summary.feature_f1 == feature_f1(rules, model, X)


@pytest.mark.parametrize("baseline", [NodeHarvestClassifier, RuleFitClassifier, SirusClassifier])
def test_baselines_of_labels_have_fidelity(baseline):
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(15, max_depth=2, random_state=0).fit(X, y)
    fitted = baseline(model, max_rules=4).fit(X, y)
    summary, rules, n = fitted.fidelity(X, y), fitted.weighted_rules_, X.shape[1]
    assert_allclose(summary.disagreement, np.mean(fitted.predict(X) != model.predict(X)))
    assert_allclose([summary.score, summary.ensemble_score], [fitted.score(X, y), model.score(X, y)])
    inside = np.column_stack(
        [
            np.logical_and.reduce([c.holds(X[:, c.feature.index].astype(np.float32)) for c in rule.conditions])
            * np.ones(len(X), dtype=bool)
            for rule in rules
        ]
    )
    assert_allclose(summary.uncovered, np.mean(inside.sum(axis=1) == 0))
    assert_allclose(summary.overlapping, np.mean(inside.sum(axis=1) > 1))
    most = np.arange(n) == np.argmax(model.feature_importances_)
    assert_allclose(summary.feature_f1, f1_score(most, columns_used(rules, n)))
    assert summary.trees_by_condition > 0


@pytest.mark.parametrize("baseline", [NodeHarvestRegressor, RuleFitRegressor, SirusRegressor, FireRegressor])
def test_baselines_of_numbers_have_fidelity_also_to_their_own_ensemble(baseline):
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:100], y[:100]
    model = RandomForestRegressor(10, max_depth=2, random_state=0).fit(X, y)
    fitted = baseline(model, max_rules=5).fit(X, y)
    summary = fitted.fidelity(X, y)
    assert_allclose(summary.disagreement, np.mean((fitted.predict(X) - model.predict(X)) ** 2))
    assert_allclose([summary.score, summary.ensemble_score], [fitted.score(X, y), model.score(X, y)])
    n = X.shape[1]
    most = np.arange(n) == np.argmax(model.feature_importances_)
    assert_allclose(summary.feature_f1, f1_score(most, columns_used(fitted.weighted_rules_, n)))


def test_the_summary_of_weighted_rules_matches_the_samples_once(monkeypatch):
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, y)
    fitted = NodeHarvestClassifier(model, max_rules=4).fit(X, y)
    plain, calls = WeightedRules.matches, []
    monkeypatch.setattr(WeightedRules, "matches", lambda rules, X: calls.append(X) or plain(rules, X))
    fitted.fidelity(X, y)
    assert len(calls) == 1


def test_the_forest_that_sirus_grows_itself_has_importances_too():
    X, y = load_wine(return_X_y=True)
    summary = SirusClassifier(max_rules=5, n_trees=30, random_state=0, p0=0.1).fit(X, y).fidelity(X)
    assert summary.feature_f1 > 0
    assert summary.importance_correlation > 0
    assert summary.score is None


def test_rules_of_another_ensemble_share_what_they_share():
    nonzeros = Rule((Condition(ColumnOfNonzeros(10, "x10"), upper=0.7),))
    assert represented_trees(listed(nonzeros), forest(FIGURE)) == 0  # another feature than the column itself


@pytest.mark.parametrize("by", ["condition", "path"])
def test_columns_may_have_other_names_in_the_ensemble(by):
    from lightgbm import LGBMClassifier

    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    boosted = LGBMClassifier(n_estimators=8, max_depth=2, verbose=-1, n_jobs=1).fit(X, y)  # "mean_radius"
    plain = RandomForestClassifier(15, max_depth=2, random_state=0).fit(X.to_numpy(), y)
    for model in (boosted, plain):
        fitted = RuleListClassifier(model, max_rules=4).fit(X, y)
        share = represented_trees(fitted.rule_list_, model, by)
        assert share > 0
        assert share == represented_trees(fitted.rule_list_, fitted.forest_, by)
        assert share == getattr(fitted.fidelity(X), f"trees_by_{by}")


def test_labels_and_values_are_not_compared():
    X, y = load_diabetes(return_X_y=True)
    values = RandomForestRegressor(3, max_depth=2, random_state=0).fit(X, y)
    labels = RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, y > 100)
    with pytest.raises(InvalidParameterError, match="The rules predict values and the model labels"):
        disagreement(RuleListRegressor(values, max_rules=4).fit(X, y).rule_list_, labels, X)
    with pytest.raises(InvalidParameterError, match="The rules predict labels and the model values"):
        disagreement(RuleListClassifier(labels, max_rules=4).fit(X, y > 100).rule_list_, values, X)


def test_an_estimator_is_not_rules_and_the_error_says_where_they_are():
    X, y = load_wine(return_X_y=True)
    fitted = RuleListClassifier(RandomForestClassifier(3, max_depth=2, random_state=0), max_rules=4).fit(X, y)
    for measure in (represented_trees, feature_f1, importance_correlation):
        with pytest.raises(InvalidParameterError, match=r"such as the rule_list_ .* got RuleListClassifier"):
            measure(fitted, fitted.ensemble_)
    with pytest.raises(InvalidParameterError, match="rule_list_"):
        disagreement(fitted, fitted.ensemble_, X)
    with pytest.raises(InvalidParameterError, match="top must be a share of the features"):
        feature_f1(fitted.rule_list_, fitted.ensemble_, top="a")


def test_a_disagreement_in_units_of_the_targets_keeps_its_digits():
    small, large = (str(Fidelity(x, 0.5, 0.5, 0.0, 0.0)).splitlines()[0] for x in (1.4e-8, 1.4e14))
    assert float(small.split()[-1]) == 1.4e-8
    assert float(large.split()[-1]) == 1.4e14


def test_the_summary_prints_as_a_table_and_keeps_its_order():
    summary = Fidelity(0.25, 0.5, 0.125, 0.0, 0.0, 0.75, 1.0, feature_f1=2 / 3, importance_correlation=float("nan"))
    assert str(summary).splitlines() == [
        "disagreement with the ensemble       0.2500",
        "trees represented by a condition     0.5000",
        "trees represented by a path          0.1250",
        "F1 with the ensemble's top features  0.6667",
        "Kendall's tau of importances            nan",
        "samples covered by no rule           0.0000",
        "samples covered by several rules     0.0000",
        "score of the rules                   0.7500",
        "score of the ensemble                1.0000",
    ]
    assert len(str(Fidelity(0.25, 0.5, 0.125, 0.0, 0.0)).splitlines()) == 5


def test_the_summary_says_model_and_shows_the_interval_where_a_model_is_explained():
    X, y = load_wine(return_X_y=True)
    model = SVC().fit(X, y)
    found = RuleListClassifier.faithful(model, max_rules=3, random_state=0).fit(X, y).fidelity(X, y)
    lines = str(found).splitlines()
    everything = found.agreements[0]
    what, value, ends = re.split(" {2,}", lines[0])
    assert (what, float(value)) == ("disagreement with the model", round(found.disagreement, 4))
    low, high = map(float, re.fullmatch(r"\(95 % interval: (\S+) to (\S+)\)", ends).groups())
    assert_allclose([low, high], [1 - everything.high, 1 - everything.low], atol=1e-4)
    assert low < found.disagreement < high
    assert lines[-1].startswith("score of the model")
    assert "ensemble" not in str(found)
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, y)
    assert "the model" not in str(RuleListClassifier(forest, max_rules=3).fit(X, y).fidelity(X, y))


def test_the_interval_of_r2_goes_with_that_of_the_squares():
    values = np.array([1.0, 2.0, 3.0, 6.0])
    squares = (np.array([1.0, 2.0, 4.0, 5.0]) - values) ** 2
    overall, spread = Agreement.of_numbers("all", squares), values.var()
    found = Fidelity(squares.mean(), None, None, 0.0, 0.0, r2=1 - squares.mean() / spread, agreements=(overall,))
    of_squares, of_r2 = str(found).splitlines()[:2]
    assert of_squares.endswith(f"(95 % interval: 0.0000 to {overall.high:.4f})")
    assert of_r2.endswith(f"({'95 % interval: '}{1 - overall.high / spread:.4f} to 1.0000)")
