"""What constraints ask about: counted again from the samples and the rules themselves."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal
from wishes import NAMES, Small, features_of, smalls

from hedgerow import InvalidParameterError, Rule


@settings(max_examples=25, deadline=None)
@given(small=smalls(n_labels=(2, 3)))
def test_counts_and_predictions_are_those_of_the_samples(small):
    found, (_, y, weight) = small.free.candidates, small.samples
    assert_array_equal(found.counts, small.held.sum(axis=1))
    assert_allclose(found.sizes, small.held @ weight)
    assert found.total == pytest.approx(weight.sum())
    labels = np.unique(small.data[1])
    assert_allclose(
        found.class_weights, np.array([[weight[m & (y == one)].sum() for one in labels] for m in small.held])
    )
    assert_allclose(found.class_totals, [weight[y == one].sum() for one in labels])
    assert [str(labels[k]) for k in found.predicted] == [str(one) for one in small.answers]
    said = np.array(small.answers)
    assert_allclose(found.right, [weight[m & (y == one)].sum() for m, one in zip(small.held, said, strict=True)])
    assert [rule.prediction for rule in found.rules] == small.answers


@settings(max_examples=15, deadline=None)
@given(small=smalls(n_labels=(0,)))
def test_numbers_are_predicted_by_their_mean(small):
    assert_allclose([told["prediction"] for told in small.free.candidates.predictions], small.answers, atol=1e-12)


def test_features_are_those_of_the_conditions():
    small = Small(2)
    found = small.free.candidates
    expected = np.array([[name in features_of(rule) for name in NAMES] for rule in small.rules])
    assert_array_equal(found.uses.toarray() > 0, expected)
    assert_array_equal(found.n_conditions, expected.sum(axis=1))
    assert_array_equal(found.using("income", "it"), expected[:, 1])
    assert_array_equal(found.using(1, "it"), expected[:, 1])


def test_rules_that_cover_more_come_first():
    small = Small(2, weighted=True)
    found = small.free.candidates
    assert np.argsort(found.rank).tolist() == small.in_order(range(len(small.rules)))


def test_a_rule_is_found_whatever_the_order_of_its_conditions():
    small = Small(3, depth=3)
    found = small.free.candidates
    for j, rule in enumerate(small.rules):
        alike = [k for k, other in enumerate(small.rules) if set(other.simplified) == set(rule.simplified)]
        assert found.like(Rule(rule.conditions[::-1])).tolist() == alike
        assert j in alike


def test_a_rule_over_other_features_is_not_found():
    other = Small(0).fit().rule_list_[0]
    iris_like = Small(0).free.candidates
    renamed = iris_like.pool.forest.features[0]
    assert not len(iris_like.like(Rule((other.conditions[0].__class__(renamed, lower=-77.5),))))


@pytest.mark.parametrize("name", ["agee", 3, -1, True, 1.5, None])
def test_unknown_names_are_refused(name):
    found = Small(0).free.candidates
    with pytest.raises(InvalidParameterError, match=r"Asking names the feature .*, which there is not"):
        found.features_named(name, "Asking")
    with pytest.raises(InvalidParameterError, match=r"Asking names the column .*, which there is not"):
        found.column_named(name if name is not True else "True", "Asking")


def test_labels_are_found_by_themselves_or_as_strings():
    found = Small(0).free.candidates
    assert found.label("good", "it") == 1
    with pytest.raises(InvalidParameterError, match=r"it names the label 'goo', which y does not have"):
        found.label("goo", "it")
    numbers = Small(0, n_labels=0).free.candidates
    for refuse in (lambda: numbers.label("good", "it"), lambda: numbers.check_labels("it")):
        with pytest.raises(InvalidParameterError, match=r"it is about labels, but this list predicts numbers"):
            refuse()
