"""A forest on numbers of cuts is a forest on the columns that splits at the cuts."""

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from hedgerow.baselines.quantile_forest import find_cuts, fit_between_cuts, numbers_only


def test_the_forest_on_cuts_predicts_as_the_forest_on_numbers_of_cuts(cancer):
    X, y = cancer
    X = X.copy()
    X[::11, 2] = np.nan
    inputs = numbers_only(6, None)
    cuts = find_cuts(inputs.matrix(X), np.ones(len(X)), 10)
    model = RandomForestClassifier(20, max_depth=3, random_state=0)
    forest = fit_between_cuts(model, inputs.matrix(X), y, None, cuts, inputs)
    codes = np.column_stack([(X[:, [j]] >= cuts[j]).sum(axis=1) for j in range(6)]).astype(float)
    codes[np.isnan(X)] = np.nan
    np.testing.assert_allclose(forest.answer(X), model.predict_proba(codes))


def test_a_column_of_few_values_is_cut_between_all_of_them():
    values = np.array([[1.0], [2.0], [2.0], [5.0]])
    assert find_cuts(values, np.ones(4), 10)[0].tolist() == [2, 5]
    assert find_cuts(values, np.array([1.0, 1, 1, 0]), 10)[0].tolist() == [2]


def test_a_column_of_many_values_is_cut_at_its_weighted_quantiles():
    values = np.arange(1.0, 101.0)[:, None]
    assert find_cuts(values, np.ones(100), 4)[0].tolist() == [25, 50, 75]
    heavy = np.where(values[:, 0] <= 10, 9.0, 1.0)  # 90 of 180 are in the first ten
    assert find_cuts(values, heavy, 2)[0].tolist() == [10]


def test_missing_values_make_no_cuts():
    assert find_cuts(np.array([[1.0], [np.nan], [2.0]]), np.ones(3), 10)[0].tolist() == [2]
