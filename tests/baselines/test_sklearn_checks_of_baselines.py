"""scikit-learn's own checks of what it calls an estimator, for the baselines."""

from releases import refused_sparse_matrices
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow.baselines import (
    FireRegressor,
    NodeHarvestClassifier,
    NodeHarvestRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    SirusClassifier,
    SirusRegressor,
)

FOREST = {"n_estimators": 8, "max_depth": 3, "random_state": 0}


def expected_failures(estimator):
    found = refused_sparse_matrices()
    if not isinstance(estimator.ensemble, (DecisionTreeClassifier, DecisionTreeRegressor)):
        found["check_sample_weight_equivalence_on_dense_data"] = "a bootstrapped forest is not invariant itself"
    elif isinstance(estimator, RuleFitClassifier):
        # tests/baselines/test_rulefit.py does the same with a wider tolerance.
        found["check_sample_weight_equivalence_on_dense_data"] = "liblinear stops before the tenth digit"
    return found


@parametrize_with_checks(
    [
        NodeHarvestClassifier(RandomForestClassifier(**FOREST), min_samples=3),
        NodeHarvestRegressor(RandomForestRegressor(**FOREST), min_samples=3),
        NodeHarvestClassifier(DecisionTreeClassifier(random_state=0), min_samples=1),
        NodeHarvestRegressor(DecisionTreeRegressor(random_state=0), min_samples=1, max_rules=None),
        RuleFitClassifier(RandomForestClassifier(**FOREST), cv=2),
        RuleFitRegressor(RandomForestRegressor(**FOREST), cv=2),
        RuleFitClassifier(DecisionTreeClassifier(max_depth=3, random_state=0), penalty=0.01),
        RuleFitRegressor(DecisionTreeRegressor(max_depth=3, random_state=0), penalty=0.01, max_rules=None),
        SirusClassifier(RandomForestClassifier(**FOREST), cv=2),
        SirusRegressor(RandomForestRegressor(**FOREST), p0=0.0, max_rules=None),
        SirusClassifier(DecisionTreeClassifier(max_depth=3, random_state=0), p0=0.0),
        SirusRegressor(DecisionTreeRegressor(max_depth=3, random_state=0), p0=0.0),
        SirusClassifier(p0=0.0, n_trees=10),
        SirusRegressor(p0=0.0, n_trees=10),
        FireRegressor(RandomForestRegressor(**FOREST), cv=2),
        FireRegressor(DecisionTreeRegressor(max_depth=3, random_state=0), lambda_s=0.1, lambda_f=0.01),
    ],
    expected_failed_checks=expected_failures,
)
def test_estimator_check(estimator, check):
    check(estimator)
