"""A model without trees says which columns it takes and which classes it knows."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from hedgerow import UnfittedModelError, UnsupportedModelError
from hedgerow.tables.any_model import AnyModel
from hedgerow.tables.columns import fit_columns


def frame():
    return pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [0.0, 1.0, 0.0, 1.0]})


def test_columns_are_found_by_the_names_of_training():
    known = AnyModel.of(LogisticRegression().fit(frame(), ["no", "no", "yes", "yes"]))
    assert (known.inputs.names, known.classes.tolist()) == (["a", "b"], ["no", "yes"])
    table = frame().assign(c="text")[["c", "b", "a"]]
    pd.testing.assert_frame_equal(fit_columns(table, known.inputs), frame())


def test_without_names_columns_are_counted_and_without_classes_it_is_a_regression():
    known = AnyModel.of(LinearRegression().fit(frame().to_numpy(), np.arange(4)))
    assert (len(known.inputs.names), known.inputs.has_names, known.classes, known.task.name) == (
        2,
        False,
        None,
        "regression",
    )


def test_what_is_not_a_model_is_refused():
    with pytest.raises(UnsupportedModelError, match="This dict does not say which columns it takes"):
        AnyModel.of({"a": 1})


@pytest.mark.parametrize("model", [LinearRegression(), SVC(), make_pipeline(StandardScaler(), SVC())])
def test_a_model_that_is_not_fitted_is_said_to_be_so(model):
    with pytest.raises(UnfittedModelError, match=f"This {type(model).__name__} is not fitted"):
        AnyModel.of(model)
