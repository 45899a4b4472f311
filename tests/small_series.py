"""Small sets of series: drawn with all that sums can stumble over, and with a planted pattern."""

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal

from hedgerow import Forest, read_forest

#: Repeated values, some of which binary numbers only approach.
VALUES = st.one_of(st.sampled_from([0.0, 0.1, 1 / 3, 0.7, -1.0, 2.0]), st.floats(-10, 10, width=32), st.floats(-10, 10))

quick = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def drawn_series(draw, n_dimensions=(None, 1, 3)):
    """Return training series, their classes, and other series: with flat stretches, far from 0, very small."""
    d, length = draw(st.sampled_from(n_dimensions)), draw(st.integers(8, 24))
    n = draw(st.integers(10, 16))
    shape = (length,) if d is None else (d, length)
    X = draw(hnp.arrays(np.float64, (2 * n, *shape), elements=VALUES))
    noise = draw(st.sampled_from([0.0, 0.0, 1.0, 1e-3]))
    X = X + noise * np.random.default_rng(draw(st.integers(0, 99))).normal(size=X.shape)
    start = draw(st.integers(0, length))
    X[::2, ..., start : start + length // 2] = draw(st.sampled_from([0.0, 0.1, 1e5 / 3]))
    X = X * draw(st.sampled_from([1.0, 1e-9, 1e-160, 1e5])) + draw(st.sampled_from([0.0, 0.3, 1e8]))
    if draw(st.booleans()):
        X = X.astype(np.float32).astype(np.float64)
    return X[:n], np.arange(n) % draw(st.sampled_from([2, 3])), X[n:]


def cubes(X):
    """Return series with the axis of their dimension, also if they have only one."""
    return X if X.ndim == 3 else X[:, None]


def planted(n=60, length=24, n_dimensions=None, seed=0):
    """Return noise in which the series of class 1 have a bump."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(scale=0.3, size=(n, 1 if n_dimensions is None else n_dimensions, length))
    X[y == 1, 0, 8:14] += [1, 2, 3, 3, 2, 1]
    return (X[:, 0] if n_dimensions is None else X), y


def check_leaves(model, own_leaves, *sets):
    """The forest routes these series as the model itself, all at once, one alone, and when read from JSON."""
    forest = read_forest(model)
    again = Forest.from_json(forest.to_json())
    for X in sets:
        expected = own_leaves(model, X)
        assert_array_equal(forest.apply(X), expected)
        assert_array_equal(forest.apply(X[:1]), expected[:1])
        assert_array_equal(again.apply(X), expected)
        if forest.classes is None:
            assert_allclose(forest.answer(X), model.predict(X), rtol=1e-12)
        else:
            assert_array_equal(forest.classes, model.classes_)
            assert_allclose(forest.answer(X), model.predict_proba(X), rtol=1e-12)
        assert_array_equal(again.answer(X), forest.answer(X))
    return forest
