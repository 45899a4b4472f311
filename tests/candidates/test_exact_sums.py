import math
from fractions import Fraction

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hedgerow.candidates.exact_sums import ExactSums, limbs, product

ANY = st.floats(-1e140, 1e140).filter(lambda x: x == 0 or abs(x) > 1e-140)
COLUMNS = st.integers(1, 30).flatmap(lambda n: arrays(np.float64, n, elements=ANY))


def exact(column):
    return sum((Fraction(x) for x in column.tolist()), Fraction(0))


@given(COLUMNS)
def test_limbs_are_whole_numbers_that_add_up_to_the_number(column):
    total = [Fraction(0)] * len(column)
    for k, limb in limbs(column):
        assert (limb == np.rint(limb)).all()
        assert np.abs(limb).max() < 2**38
        total = [
            so_far + Fraction(one) * Fraction(2) ** (38 * k) for so_far, one in zip(total, limb.tolist(), strict=True)
        ]
    assert total == [Fraction(x) for x in column.tolist()]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # drawing columns takes long on a busy machine
@given(COLUMNS, st.randoms(use_true_random=False), st.integers(1, 5))
def test_a_sum_is_exact_and_does_not_depend_on_order_or_chunks(column, random, n_chunks):
    found = []
    for order in (np.arange(len(column)), np.array(random.sample(range(len(column)), len(column)))):
        whole = ExactSums(1)
        for part in np.array_split(column[order], n_chunks):
            sums = ExactSums(1)
            for k, limb in limbs(part):
                sums.add(k, slice(0, 1), limb.sum(keepdims=True))
            sums.end_block()
            whole.merge(sums)
        found.append(whole.over(np.array([0]), np.array([1])))
    unit = min(total.lowest for total in found)
    assert [int(total.whole(unit)[0]) for total in found] == [int(found[0].whole(unit)[0])] * 2
    assert Fraction(int(found[0].whole(unit)[0])) * Fraction(2) ** unit == exact(column)


@given(COLUMNS.map(np.abs))
def test_a_sum_of_numbers_that_are_not_negative_is_right_to_the_last_digits(column):
    sums = ExactSums(1)
    for k, limb in limbs(column):
        sums.add(k, slice(0, 1), limb.sum(keepdims=True))
    expected = math.fsum(column)
    assert abs(sums.over(np.array([0]), np.array([1])).floats()[0] - expected) <= 4 * math.ulp(expected)


@given(st.floats(-1e100, 1e100), st.floats(-1e100, 1e100))
def test_a_product_and_its_error_are_exact(a, b):
    if min(abs(a), abs(b)) < 1e-100:
        a, b = a or 1.0, b or 1.0
        a, b = (x if abs(x) > 1e-100 else 1.0 for x in (a, b))
    whole, error = product(np.array([a]), np.array([b]))
    assert Fraction(float(whole[0])) + Fraction(float(error[0])) == Fraction(a) * Fraction(b)


def test_many_blocks_do_not_overflow():
    sums, largest = ExactSums(1), float(2**38 - 1)
    for _ in range(1000):
        sums.add(0, slice(0, 1), np.array([largest * 2**15]))
        sums.end_block()
    assert int(sums.over(np.array([0]), np.array([1])).whole(0)[0]) == 1000 * int(largest) * 2**15
