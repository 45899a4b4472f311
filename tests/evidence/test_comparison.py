"""Ranks and tests, beside numbers that the paper prints and other implementations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import PermutationMethod, wilcoxon

from benchmarks.published import paper_ranks, paper_table
from hedgerow.evidence.comparison import compare_methods, signed_rank
from hedgerow.evidence.statistics import holm
from hedgerow.exceptions import InvalidParameterError


@pytest.mark.parametrize(("task", "friedman"), [("classification", 0.0), ("regression", 0.08)])
def test_ranks_and_friedman_of_the_published_means_are_those_that_the_paper_prints(task, friedman):
    found = compare_methods(paper_table(task)["mean"], larger_is_better=task == "classification")
    printed = paper_ranks(task)
    assert found.ranks == pytest.approx([printed[name] for name in found.names], abs=0.005)
    assert (np.diff(found.ranks) >= 0).all()
    assert found.friedman == pytest.approx(friedman, abs=0.005)


def test_pairs_are_tested_on_both_sides_and_corrected():
    random = np.random.default_rng(0)
    scores = {name: random.normal(shift, 1, 12) for name, shift in (("a", 0), ("b", 1), ("c", 1.1))}
    found = compare_methods(scores)
    raw = {pair: wilcoxon(scores[pair[0]], scores[pair[1]]).pvalue for pair in ("ab", "ac", "bc")}
    smallest = min(raw, key=raw.get)
    i, j = (found.names.index(name) for name in smallest)
    assert found.p_values[i, j] == found.p_values[j, i] == pytest.approx(min(1, 3 * raw[smallest]))
    turned = compare_methods({name: -values for name, values in scores.items()}, larger_is_better=False)
    assert turned.names == found.names
    assert turned.p_values == pytest.approx(found.p_values)


def test_methods_that_are_the_same_do_not_differ():
    found = compare_methods({"a": [1, 2, 3], "b": [1, 2, 3], "c": [1, 2, 3]})
    assert found.ranks.tolist() == [2, 2, 2]
    assert (found.p_values == 1).all()
    assert np.isnan(found.friedman)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({"a": [1, 2]}, "at least two methods"),
        ({"a": [1], "b": [2]}, "at least two data sets"),
        ({"a": [1, np.nan], "b": [2, 3]}, "Some scores are missing"),
    ],
    ids=["one method", "one set", "missing"],
)
def test_what_cannot_be_compared_is_refused(scores, message):
    with pytest.raises(InvalidParameterError, match=message):
        compare_methods(scores)


def test_what_only_rounding_tells_apart_is_equal():
    found = compare_methods({"a": [0.1 + 0.2, 0.5, 0.6, 0.7, 0.8], "b": [0.3, 0.5, 0.6, 0.7, 0.8]})
    assert found.ranks.tolist() == [1.5, 1.5]
    assert found.p_values[0, 1] == 1
    hundredths = [1, 2, -1, 3, 1, -2, 4]
    a, b = [0.5 + h / 100 for h in hundredths], [0.5] * 7
    assert signed_rank(a, b) == pytest.approx(wilcoxon(hundredths, method=PermutationMethod()).pvalue)


@given(st.sampled_from([1e-6, 1.0, 1e9]), st.integers(0, 10**6))
def test_the_scale_of_scores_changes_nothing(scale, seed):
    scores = np.random.default_rng(seed).normal(size=(3, 8))
    plain, scaled = (compare_methods(dict(zip("abc", scores * s, strict=True))) for s in (1.0, scale))
    assert plain.names == scaled.names
    np.testing.assert_allclose(plain.p_values, scaled.p_values)


def test_ties_of_the_published_numbers_are_ties():
    means = paper_table("regression")["mean"]
    found = compare_methods(means, larger_is_better=False)
    hundredths = (means * 100).round().astype(int)
    pairs = [(a, b) for i, a in enumerate(found.names) for b in found.names[i + 1 :]]
    corrected = holm([wilcoxon(hundredths[a] - hundredths[b]).pvalue for a, b in pairs])
    theirs = [found.p_values[found.names.index(a), found.names.index(b)] for a, b in pairs]
    np.testing.assert_allclose(theirs, corrected)
