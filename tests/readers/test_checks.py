"""What every reader refuses: models that are not fitted, several outputs, and names that do not fit."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hedgerow import InvalidParameterError, UnfittedModelError, UnsupportedModelError
from hedgerow.readers.checks import check_names, check_readable

X = np.arange(6.0)[:, None]


def test_a_model_has_to_be_fitted():
    with pytest.raises(UnfittedModelError, match="This DecisionTreeClassifier is not fitted yet"):
        check_readable(DecisionTreeClassifier())
    check_readable(DecisionTreeClassifier().fit(X, [0, 1] * 3))


def test_a_model_has_one_output():
    with pytest.raises(UnsupportedModelError, match="This DecisionTreeRegressor has several outputs"):
        check_readable(DecisionTreeRegressor().fit(X, np.hstack([X, X])))


def test_names_are_one_per_column_or_none_at_all():
    check_names(None, 3)
    check_names(["a", "b", "c"], 3)
    with pytest.raises(InvalidParameterError, match="1 feature names for a pipeline of 3 columns"):
        check_names(["a"], 3, "a pipeline")
