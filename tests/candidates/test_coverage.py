"""Coverage gives the same results as the matrix that it never makes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import ExtraTreesClassifier

from hedgerow import read_forest
from hedgerow.candidates import coverage as coverage_module
from hedgerow.candidates.coverage import Coverage, Ends, cover, ranges
from hedgerow.candidates.pool import make_pool


@pytest.fixture(params=[("leaves", None), ("nodes", None), ("nodes", 2)], ids=str)
def covered(request):
    X, y = load_breast_cancer(return_X_y=True)
    forest = read_forest(ExtraTreesClassifier(8, max_depth=5, random_state=0).fit(X, y))
    pool = make_pool(forest, *request.param)
    return pool, cover(pool, forest.inputs.matrix(X)), X, y


def test_a_rule_covers_the_samples_that_satisfy_its_conditions(covered):
    pool, coverage, X, _ = covered
    values = pool.forest.inputs.matrix(X)
    matrix = coverage.matrix().toarray()
    for j in range(len(pool)):
        holds = pool.rule(j).holds(lambda f: values[:, f.index], len(X))
        assert_array_equal(matrix[:, j] == 1, holds)
        assert_array_equal(coverage.members(j), np.flatnonzero(holds))


def test_sums_rows_and_products_are_those_of_the_matrix(covered):
    _, coverage, X, y = covered
    matrix = coverage.matrix().toarray()
    rng = np.random.default_rng(0)
    weight = rng.random(len(X))
    assert_array_equal(coverage.counts, matrix.sum(axis=0))
    assert_allclose(coverage.sums(weight), weight @ matrix)
    assert_allclose(coverage.quick_sums(weight), weight @ matrix)
    by_class = np.column_stack([(weight * (y == c)) @ matrix for c in (0, 1)])
    assert_allclose(coverage.sums(weight, y, 2), by_class)
    some = rng.choice(len(X), 300, replace=False)
    assert_array_equal(coverage.rows(some).toarray(), matrix[some])
    z = np.where(rng.random(coverage.n_rules) < 0.1, rng.random(coverage.n_rules), 0)
    assert_allclose(coverage.dot(z), matrix @ z, atol=1e-12)
    few = rng.choice(coverage.n_rules, 5)
    assert_array_equal(coverage.counts_of(few), matrix[:, few].sum(axis=1))
    assert_array_equal(coverage.subset(few).matrix().toarray(), matrix[:, few])


def test_it_takes_one_byte_per_sample_and_tree(covered):
    pool, coverage, X, _ = covered
    assert coverage.ends.ranks.nbytes == len(X) * pool.forest.n_trees


def first_with_the_same_samples(coverage):
    """Compare every rule with every other, sample by sample."""
    matrix = coverage.matrix().toarray()
    return (matrix[:, :, None] == matrix[:, None, :]).all(axis=0).argmax(axis=0)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 12), st.integers(1, 12), st.sampled_from([1, 3, 1 << 15]))
def test_twins_cover_the_same_samples(seed, n_samples, n_rules, block):
    matrix = np.random.default_rng(seed).integers(0, 2, (n_samples, n_rules))
    matrix[:, ::3] = matrix[:, :1]  # some are twins for sure
    coverage = Coverage.from_matrix(matrix)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage_module, "_BLOCK", block)
        patch.setattr(coverage_module, "_AT_ONCE", block)
        patch.setattr(coverage_module, "_FEW_PAIRS", 0)
        assert_array_equal(coverage.twins, first_with_the_same_samples(coverage))


@settings(deadline=None, max_examples=30)
@given(
    st.integers(0, 10**6),
    st.integers(5, 60),
    st.integers(1, 4),
    st.integers(1, 8),
    st.sampled_from(["leaves", "nodes"]),
)
def test_twins_of_a_forest_cover_the_same_samples(seed, n_samples, n_columns, depth, kind):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (n_samples, n_columns)), rng.integers(0, 3, n_samples)
    forest = read_forest(ExtraTreesClassifier(10, max_depth=depth, random_state=seed).fit(X, y))
    # Other rows than those that the forest was trained on, so that some rules cover none.
    coverage = cover(make_pool(forest, kind, None), forest.inputs.matrix(X[::2]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage_module, "_FEW_PAIRS", 0)
        assert_array_equal(coverage.twins, first_with_the_same_samples(coverage))


def test_a_collision_of_the_sums_does_not_make_twins(monkeypatch):
    class Ones:
        def integers(self, low, high, size):
            return np.ones(size, dtype=np.int64)

    monkeypatch.setattr(np.random, "default_rng", lambda seed: Ones())
    monkeypatch.setattr(coverage_module, "_FEW_PAIRS", 0)
    coverage = Coverage.from_matrix(np.random.RandomState(0).randint(0, 2, (4, 60)))
    assert_array_equal(coverage.twins, first_with_the_same_samples(coverage))


def test_rules_of_256_leaves_have_twins_in_one_byte(monkeypatch):
    ranks = np.asfortranarray(np.column_stack([np.arange(256), np.arange(256)]).astype(np.uint8))
    ends = Ends(ranks, np.array([256, 256]))
    first, last = np.array([0, 0, 128, 128, 0, 0]), np.array([256, 256, 256, 256, 255, 128])
    for few in (10**9, 0):
        monkeypatch.setattr(coverage_module, "_FEW_PAIRS", few)
        coverage = Coverage(ends, np.array([0, 1, 0, 1, 0, 1]), first, last)
        assert coverage.twins.tolist() == [0, 0, 2, 2, 4, 5]


def test_a_matrix_of_one_dimension_is_refused():
    with pytest.raises(ValueError, match="two dimensions"):
        Coverage.from_matrix([1, 0])


def test_the_first_samples_alone(covered):
    _, coverage, _, _ = covered
    assert_array_equal(coverage.of_first(7).matrix().toarray(), coverage.matrix().toarray()[:7])
    assert coverage.of_first(coverage.n_samples) is coverage


def test_ranges_follow_each_other_and_may_be_empty():
    assert ranges(np.array([5, 2, 0]), np.array([7, 2, 3])).tolist() == [5, 6, 0, 1, 2]


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    few=st.sampled_from([0, 10**9]),
    block=st.sampled_from([1, 7, 1 << 15]),
    n_samples=st.integers(1, 40),
)
def test_everything_is_that_of_the_matrix_whatever_is_done_at_once(seed, few, block, n_samples):
    rng = np.random.default_rng(seed)
    n_ranks = rng.integers(1, 6, 4)
    ranks = np.asfortranarray(rng.integers(0, n_ranks, (n_samples, 4)).astype(np.uint8))
    group = rng.integers(0, 4, 9)
    first = rng.integers(0, n_ranks[group])
    last = rng.integers(first + 1, n_ranks[group] + 1)
    matrix = (ranks[:, group] >= first) & (ranks[:, group] < last)
    weight, codes = rng.random(n_samples), rng.integers(0, 3, n_samples)
    z = np.where(rng.random(9) < 0.5, rng.normal(size=9), 0.0)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_FEW_SAMPLES", "_FEW_ENTRIES", "_FEW_PAIRS"):
            patch.setattr(coverage_module, name, few)
        patch.setattr(coverage_module, "_BLOCK", block)
        coverage = Coverage(Ends(ranks, n_ranks), group, first, last)
        assert_array_equal(coverage.counts, matrix.sum(axis=0))
        assert_allclose(coverage.sums(weight), weight @ matrix, atol=1e-12)
        assert_array_equal(coverage.sums(), matrix.sum(axis=0))
        assert_allclose(coverage.quick_sums(weight), weight @ matrix, atol=1e-12)
        columns = np.array([weight, weight**2])
        assert_allclose(coverage.many_sums(columns), (columns @ matrix).T, atol=1e-12)
        by_code = np.array([(weight * (codes == c)) @ matrix for c in range(3)]).T
        assert_allclose(coverage.sums(weight, codes, 3), by_code, atol=1e-12)
        assert_allclose(coverage.dot(z), matrix @ z, atol=1e-12)
        assert_array_equal(coverage.twins, first_with_the_same_samples(coverage))
        assert_array_equal(coverage.held(np.arange(9)), matrix.T)
        assert_array_equal(coverage.rows(np.arange(n_samples)[::-1]).toarray(), matrix[::-1])
        assert coverage.everything().counts.tolist() == [n_samples]
        assert coverage.whole() is coverage
        assert coverage.n_rows == coverage.n_samples == n_samples
        both = coverage.with_samples(ranks[:3])
        assert_array_equal(both.matrix().toarray(), np.vstack([matrix, matrix[:3]]))
