"""Outputs of fitted steps, and words."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn import config_context
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from hedgerow.features import Output, Steps, Word
from hedgerow.features.inputs import compute_together

X = np.array([[1.0, 10.0], [3.0, 30.0], [2.0, 20.0]])


class Counted(StandardScaler):
    n_calls = 0

    def transform(self, X):
        Counted.n_calls += 1
        return super().transform(X)


def test_steps_that_several_outputs_need_run_once():
    steps = Steps("scaled", (((1, 0), Counted().fit(X[:, [1, 0]])),))
    features = [Output(steps, 1, "a"), Word(steps, 0, "b"), Output(steps, 0, "b")]
    Counted.n_calls = 0
    made = compute_together(X, features)
    assert Counted.n_calls == 1
    assert_array_equal(made, np.column_stack([feature.compute(X) for feature in features]))
    np.testing.assert_allclose(made[:, 0], [-np.sqrt(1.5), np.sqrt(1.5), 0], atol=1e-12)


def test_zeros_or_entries_that_are_not_stored_are_missing():
    texts = np.array(["apple apple", "pear", ""], dtype=object)
    steps = Steps("words", ((None, CountVectorizer().fit(texts)),))
    count, nonzero, unstored = (
        Output(steps, 0, "apple", **options) for options in ({}, {"nonzero": True}, {"unstored": True})
    )
    assert count.compute(texts).tolist() == [2, 0, 0]
    for feature in (nonzero, unstored):
        assert_array_equal(feature.compute(texts), [2, np.nan, np.nan])


def test_a_vector_is_a_column():
    steps = Steps("sum", ((None, FunctionTransformer(lambda table: table.sum(axis=1))),))
    assert Output(steps, 0, "sum").compute(X).tolist() == [11.0, 33.0, 22.0]


def test_outputs_are_one_feature_if_steps_and_place_are_the_same():
    one, other = Steps("one", ()), Steps("other", ())
    assert Output(one, 0, "a").source == Output(Steps("one", ()), 0, "b").source
    assert len({Output(one, 0, "a").source, Output(one, 1, "a").source, Output(other, 0, "a").source}) == 3


@pytest.mark.parametrize(
    ("word", "lower", "upper", "phrase"),
    [
        ({}, -np.inf, 0.5, 'text does not contain "apple"'),
        ({}, 0.5, np.inf, 'text contains "apple"'),
        ({}, 1.5, np.inf, None),
        ({"nonzero": True}, -np.inf, np.inf, 'text contains "apple"'),
        ({"nonzero": True}, 1.5, np.inf, 'text contains "apple" more than once'),
        ({"nonzero": True}, -np.inf, 2.5, 'text contains "apple" at most 2 times'),
        ({"nonzero": True}, 1.5, 4.5, 'text contains "apple" 2 to 4 times'),
        ({"nonzero": True}, -np.inf, 1.5, 'text contains "apple" once'),
        ({"nonzero": True, "is_count": False}, 0.5, 0.7, None),
        ({"smallest": 0.1, "is_count": False}, 0.05, np.inf, 'text contains "apple"'),
        ({"smallest": 0.1, "is_count": False}, 0.2, np.inf, None),
    ],
)
def test_words_have_phrases(word, lower, upper, phrase):
    assert Word(Steps("key", ()), 0, "apple", term="apple", **word).phrase(lower, upper) == phrase


def test_steps_return_what_they_returned_when_they_were_read():
    frame = pd.DataFrame(X, columns=["a", "b"])
    by_name = ColumnTransformer([("scaled", StandardScaler(), ["b"])], verbose_feature_names_out=False)
    with config_context(transform_output="pandas"):
        fitted = make_pipeline(FunctionTransformer(feature_names_out="one-to-one"), by_name).fit(frame)
    steps = Steps("by name", ((None, fitted),), "pandas")
    expected = StandardScaler().fit_transform(X[:, [1]])[:, 0]
    for container in ("default", "pandas", "polars"):
        with config_context(transform_output=container):
            assert Output(steps, 0, "b").compute(frame).tolist() == expected.tolist()
