"""How often the list is right, on the training samples: recall, precision and error, as they are counted again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mean_squared_error, precision_score, recall_score
from wishes import Small, a_max_error, a_min_precision, a_min_recall, smalls

from hedgerow import InvalidParameterError
from hedgerow.constraints import MaxError, MinPrecision, MinRecall
from hedgerow.teachers import Teacher


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls(n_labels=(2, 3)))
def test_the_best_list_with_the_recall_is_found(data, small):
    small.check(a_min_recall(small, data.draw))


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls(n_labels=(2, 3)))
def test_the_best_list_with_the_precision_is_found(data, small):
    small.check(a_min_precision(small, data.draw))


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls())
def test_the_best_list_with_the_error_is_found(data, small):
    small.check(a_max_error(small, data.draw))


@pytest.mark.parametrize("weighted", [False, True])
def test_they_are_what_scikit_learn_computes_for_the_list(weighted):
    small = Small(5, max_rules=4, weighted=weighted)
    X, y, weight = small.data
    wishes = [MinRecall({"good": 0.7}), MinPrecision({"good": 0.6})]
    said = small.fit(wishes).predict(X)
    assert recall_score(y, said, pos_label="good", sample_weight=weight) >= 0.7 - 1e-9
    assert precision_score(y, said, pos_label="good", sample_weight=weight) >= 0.6 - 1e-9
    numbers = Small(5, n_labels=0, max_rules=4, weighted=weighted)
    X, y, weight = numbers.data
    least = mean_squared_error(y, numbers.fit().predict(X), sample_weight=weight)
    found = numbers.fit([MaxError(1.1 * least)]).predict(X)
    assert mean_squared_error(y, found, sample_weight=weight) <= 1.1 * least + 1e-9


def test_a_teachers_opinion_counts_in_what_is_predicted_and_only_samples_count_in_the_rate():
    small = Small(2, max_rules=4, n=40)
    X, y, _ = small.data
    rules = small.estimator([MinRecall({"good": 0.6})], teacher=Teacher(small.forest)).fit(X, y)
    assert recall_score(y, rules.predict(X), pos_label="good") >= 0.6


@pytest.mark.parametrize("kind", [MinRecall, MinPrecision])
@pytest.mark.parametrize("share", [1.5, -0.5, 0, float("nan"), "much", True, None])
def test_what_is_not_a_share_is_refused(kind, share):
    with pytest.raises(InvalidParameterError, match=rf"{kind.__name__}\('good'\) must be a number above 0"):
        kind({"good": share})


@pytest.mark.parametrize("kind", [MinRecall, MinPrecision])
@pytest.mark.parametrize("given", [0.5, {}, [("good", 0.5)], None])
def test_shares_come_by_label(kind, given):
    with pytest.raises(InvalidParameterError, match=r"takes a dictionary from labels to shares, such as {'yes': 0.8}"):
        kind(given)


@pytest.mark.parametrize("kind", [MinRecall, MinPrecision])
def test_an_unknown_label_is_refused_and_the_known_ones_are_named(kind):
    with pytest.raises(InvalidParameterError, match=r"'goood', which y does not have; it has 'bad', 'good'. Did you"):
        Small(0, max_rules=4).fit([kind({"goood": 0.5})])
    with pytest.raises(InvalidParameterError, match=r"is about labels, but this list predicts numbers. Leave it out"):
        Small(0, n_labels=0, max_rules=4).fit([kind({"good": 0.5})])


def test_a_label_may_be_written_as_a_string():
    small = Small(0, max_rules=4)
    X, y, _ = small.data
    numbers = np.where(y == "good", 1, 0)
    rules = small.estimator([MinRecall({"1": 0.8})])
    rules.set_params(ensemble=type(small.forest)(3, max_depth=2, random_state=0)).fit(X, numbers)
    assert recall_score(numbers, rules.predict(X)) >= 0.8


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "x", True, None])
def test_what_is_not_an_error_is_refused(value):
    with pytest.raises(InvalidParameterError, match="MaxError takes a share of the samples or, for numbers, a mean"):
        MaxError(value)


def test_an_error_of_labels_is_a_share():
    with pytest.raises(InvalidParameterError, match="a share between 0 and 1 for labels; got 2"):
        Small(0, max_rules=4).fit([MaxError(2)])
