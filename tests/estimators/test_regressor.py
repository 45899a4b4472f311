"""The regressor takes any numbers, and says how far the targets of a rule spread."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import (
    BaggingRegressor,
    RandomForestRegressor,
)
from small_data import DIABETES

from hedgerow import (
    RuleListRegressor,
)


def test_the_spread_of_a_rule_is_that_of_its_targets():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.where(X[:, 0] > 0, 1e9, 0.0) + rng.normal(size=300) * 0.1
    fitted = RuleListRegressor(RandomForestRegressor(5, max_depth=2, random_state=0), max_rules=4).fit(X, y)
    which = fitted.apply(X)
    for i, rule in enumerate(fitted.rule_list_):
        assert_allclose(rule.spread, y[which == i].std(), rtol=1e-6)


def test_bagging_regressor_of_column_subsets():
    X, y = DIABETES
    model = BaggingRegressor(n_estimators=10, max_features=0.5, random_state=0).fit(X, y)
    fitted = RuleListRegressor(model, max_rules=4).fit(X, y)
    assert_array_equal(fitted.rule_list_.matches(X).sum(axis=1), 1)
