from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import hedgerow.candidates.tally as tally_module
from hedgerow.candidates.coverage import Coverage, Ends
from hedgerow.candidates.tally import (
    Tally,
    class_weights,
    deviations,
    is_constant,
    largest,
    moments,
    sizes,
    tally_of,
    total_weight,
)
from hedgerow.exceptions import InvalidParameterError
from hedgerow.losses import mae


@pytest.fixture(params=[1.0, 1e-6, 1e12])
def rows(request):
    """Return the coverage of three overlapping rules of two trees, numbers of all sizes, and weights."""
    rng = np.random.default_rng(0)
    ends = Ends(np.asfortranarray(rng.integers(0, 8, (300, 2)).astype(np.uint8)), np.array([8, 8]))
    coverage = Coverage(ends, np.array([0, 0, 1]), np.array([0, 2, 3]), np.array([8, 3, 7]))
    return coverage, request.param * (5 + rng.normal(size=300) * 10.0 ** rng.integers(-6, 3, 300)), rng.random(300)


def test_moments_are_those_of_exact_fractions(rows):
    coverage, y, weight = rows
    for w in (weight, np.ones(len(y))):
        (total, squared), (mean, spread) = deviations(y, w, coverage), moments(y, w, coverage)
        for j in range(coverage.n_rules):
            mine = [(Fraction(a), Fraction(b)) for a, b in zip(w, y, strict=True)]
            mine = [mine[i] for i in coverage.members(j)]
            n = sum(a for a, _ in mine)
            middle = sum(a * b for a, b in mine) / n
            apart = sum(a * (b - middle) ** 2 for a, b in mine)
            assert total[j] == pytest.approx(float(n), rel=1e-15)
            assert mean[j] == float(middle)
            assert squared[j] == float(apart)
            assert spread[j] == pytest.approx(float(apart / n) ** 0.5, rel=1e-15)


def test_equal_targets_have_no_deviation_and_their_own_value_as_the_mean():
    coverage = Coverage.from_matrix([[1, 1], [1, 1], [1, 0]])
    y, weight = np.array([0.1, 0.1, 1e9]), np.array([0.3, 0.7, 1.0])
    assert deviations(y, weight, coverage)[1][1] == 0
    assert deviations(y, weight, coverage)[1][0] > 1e17
    assert moments(y, weight, coverage)[0][1] == 0.1


@pytest.mark.parametrize("kind", ["labels", "weighted labels", "shares", "numbers", "weighted numbers"])
def test_sums_in_chunks_of_any_size_and_order_are_those_in_one_piece(rows, kind):
    coverage, numbers, weight = rows
    rng = np.random.default_rng(1)
    y = {"numbers": numbers, "labels": rng.integers(0, 3, 300), "shares": rng.dirichlet(np.ones(3), 300)}[
        kind.split()[-1]
    ]
    w = weight if kind.startswith("weighted") else None
    n_classes, ranks = (None if "numbers" in kind else 3), coverage.ends.ranks
    whole = Tally(coverage.ends.n_ranks, n_classes)
    whole.add(ranks, y, w)
    for size in (7, 100):
        found = Tally(coverage.ends.n_ranks, n_classes)
        order = rng.permutation(300)
        for start in range(0, 300, size):
            some = order[start : start + size]
            part = Tally(coverage.ends.n_ranks, n_classes)
            part.add(ranks[some], y[some], None if w is None else w[some])
            found.merge(part)
        assert_array_equal(found.low, whole.low)
        for one, other in zip(found.sizes(coverage), whole.sizes(coverage), strict=True):
            assert_array_equal(one, other)
        if n_classes is None:
            assert_array_equal(found.deviations(coverage), whole.deviations(coverage))
            assert_array_equal(found.moments(coverage), whole.moments(coverage))
        else:
            assert_array_equal(found.class_weights(coverage), whole.class_weights(coverage))


@pytest.mark.parametrize("at_once", [1, 1000])
def test_counts_and_sums_are_the_same_for_few_rows_and_many(at_once, monkeypatch):
    rng = np.random.default_rng(0)
    n_ranks = rng.integers(1, 9, 40)
    ranks = np.asfortranarray(rng.integers(0, n_ranks, (300, 40)).astype(np.uint8))
    codes, numbers, trees = rng.integers(0, 3, 300), rng.normal(size=300), [31, 2, 3, 17]
    found = []
    for few in (10**6, 0):
        monkeypatch.setattr(tally_module, "_FEW", few)
        monkeypatch.setattr(tally_module, "_AT_ONCE", at_once)
        monkeypatch.setattr(tally_module, "_ENTRIES", at_once)
        labels, sums = Tally(n_ranks, 3), Tally(n_ranks, None)
        labels.add(ranks, codes, None, trees)
        sums.add(ranks, numbers, None, trees)
        assert_array_equal(labels.counts, sums.counts)
        found.append((labels.labels, sums.counts))
    assert_array_equal(found[0][0], found[1][0])
    for k in range(40):
        counted = np.bincount(ranks[:, k] * 3 + codes, minlength=3 * n_ranks[k]).reshape(-1, 3)
        here = slice(labels.starts[k], labels.starts[k + 1])
        assert_array_equal(found[0][0][here], counted if k in trees else 0 * counted)
        assert_array_equal(found[0][1][here], counted.sum(axis=1) if k in trees else 0)


def test_a_tally_takes_the_place_of_rows(rows):
    coverage, numbers, weight = rows
    tally = tally_of(numbers, weight, coverage, None)
    assert_array_equal(deviations(tally, tally, coverage), deviations(numbers, weight, coverage))
    assert_array_equal(sizes(tally, coverage), sizes(weight, coverage))
    assert total_weight(tally, coverage) == total_weight(weight, coverage) == pytest.approx(weight.sum())
    labels = np.array(["b", "a", "c"])[np.arange(300) % 3]
    assert_array_equal(
        class_weights(labels, weight, coverage, np.array(["c", "a", "b"])),
        class_weights(labels, weight, coverage)[:, [2, 0, 1]],
    )


def test_what_needs_the_targets_one_by_one_is_refused(rows):
    coverage, numbers, weight = rows
    tally = tally_of(numbers, weight, coverage, None)
    with pytest.raises(InvalidParameterError, match=r"Medians.*adds up"):
        mae(tally, tally, coverage)


@pytest.mark.parametrize("weight", [None, 0.5])
def test_hundreds_of_trees_with_a_single_end_are_added_up(weight):
    y, n_trees = np.arange(50) % 3, 200
    ends = Ends(np.zeros((50, n_trees), dtype=np.uint8, order="F"), np.ones(n_trees, dtype=np.int64))
    coverage = Coverage(ends, np.arange(n_trees), np.zeros(n_trees, dtype=np.int64), np.ones(n_trees, dtype=np.int64))
    weights = np.ones(50) if weight is None else np.where(y == 0, weight, 1.0)
    expected = np.bincount(y, weights)
    found = class_weights(y, weights, coverage, np.arange(3))
    assert_array_equal(found, np.broadcast_to(expected, found.shape))
    assert found.shape == (n_trees, 3)


@pytest.mark.parametrize("together", [1, 2, 5])
@pytest.mark.parametrize("combinations", [1, 30, 10**6])
def test_counts_do_not_depend_on_how_many_trees_are_counted_together(together, combinations, monkeypatch):
    rng = np.random.default_rng(0)
    n_ranks = np.array([3, 7, 2, 5, 4])
    ranks = np.asfortranarray(rng.integers(0, n_ranks, (200, 5)).astype(np.uint8))
    codes = rng.integers(0, 3, 200)
    for name, value in (("_FEW", 0), ("_TOGETHER", together), ("_COMBINATIONS", combinations), ("_COUNTED", 70)):
        monkeypatch.setattr(tally_module, name, value)
    found = Tally(n_ranks, 3)
    found.add(ranks, codes, None)
    for k in range(5):
        here = slice(found.starts[k], found.starts[k + 1])
        expected = [[((ranks[:, k] == end) & (codes == c)).sum() for c in range(3)] for end in range(n_ranks[k])]
        assert_array_equal(found.labels[here], expected)
        assert_array_equal(found.counts[here], np.sum(expected, axis=1))


def test_no_rows_change_nothing_and_rows_with_and_without_weights_are_not_mixed(rows):
    coverage, numbers, weight = rows
    plain, weighted, nothing = (Tally(coverage.ends.n_ranks, None) for _ in range(3))
    plain.add(coverage.ends.ranks, numbers, None)
    weighted.add(coverage.ends.ranks, numbers, weight)
    nothing.add(coverage.ends.ranks[:0], numbers[:0], weight[:0])
    expected = plain.moments(coverage)
    for some in (plain, weighted):
        before, n = some.moments(coverage), len(some)
        some.merge(Tally(coverage.ends.n_ranks, None))
        assert_array_equal(some.moments(coverage), before)
        assert len(some) == n == 300
        assert (some.low, some.high) == (numbers.min(), numbers.max())
    nothing.merge(weighted)
    assert_array_equal(nothing.moments(coverage), weighted.moments(coverage))
    for one, other in ((plain, weighted), (weighted, plain)):
        with pytest.raises(ValueError, match="cannot be added up"):
            one.merge(other)
    assert_array_equal(plain.moments(coverage), expected)


@pytest.mark.parametrize("unit", [2.0**100, 1.0, 2.0**-100])
def test_moments_of_numbers_far_from_one_are_exact_too(unit):
    coverage = Coverage.from_matrix([[1, 0], [1, 1], [1, 1], [0, 1]])
    y = unit * np.array([3.0, 5.0, 11.0, -7.0])
    mean, spread = moments(y, np.ones(4), coverage)
    assert mean.tolist() == [unit * 19 / 3, unit * 3.0]
    assert spread == pytest.approx(unit * np.array([np.std([3, 5, 11]), np.std([5, 11, -7])]), rel=1e-15)


@pytest.mark.parametrize(
    ("y", "constant", "size"),
    [
        (np.array([0.1, 0.1 + 1e-17, 0.1]), True, 0.1),
        (np.array([-5.0, -5.0, -4.999]), False, 5.0),
        (np.array([0.0, 0.0, 0.0]), True, 0.0),
        (np.array([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]), True, 0.5),
        (np.array([[0.5, 0.5], [0.5, 0.5], [0.25, 0.75]]), False, 0.75),
    ],
)
def test_sums_know_as_the_rows_do_whether_targets_are_constant_and_how_large_they_are(y, constant, size):
    found = Tally(np.array([1]), None if y.ndim == 1 else 2)
    for part in (slice(0, 2), slice(2, 3)):
        more = Tally(np.array([1]), None if y.ndim == 1 else 2)
        more.add(np.zeros((len(y[part]), 1), dtype=np.uint8), y[part], None)
        found.merge(more)
    assert is_constant(y) is is_constant(found) is constant
    assert largest(y) == pytest.approx(size, rel=1e-14)
    assert largest(found) == largest(y)


@pytest.mark.parametrize(("codes", "constant"), [([1, 1, 1], True), ([1, 1, 0], False), ([0, 2, 1], False)])
def test_labels_are_constant_if_all_are_one(codes, constant):
    found = Tally(np.array([1]), 3)
    for code in codes:
        more = Tally(np.array([1]), 3)
        more.add(np.zeros((1, 1), dtype=np.uint8), np.array([code]), None)
        found.merge(more)
    assert is_constant(np.array(["a", "b", "c"])[codes]) is is_constant(found) is constant


@pytest.mark.parametrize("weighted", [False, True])
def test_class_weights_of_shares_are_those_of_each_class_added_up(rows, weighted):
    coverage, _, weight = rows
    weight = weight if weighted else np.ones(300)
    shares = np.random.default_rng(2).dirichlet(np.ones(3), 300)
    matrix = coverage.matrix().toarray()
    np.testing.assert_allclose(class_weights(shares, weight, coverage), matrix.T @ (weight[:, None] * shares))
