"""Metrics, their parameters, and the library that computes them."""

import sys

import numpy as np
import pytest
from small_series import planted

from hedgerow import InvalidDataError
from hedgerow.features import ShapeletDistance
from hedgerow.features.shapelet_metrics import METRICS as ALL_METRICS
from hedgerow.features.shapelet_metrics import is_level, is_scaled, moments

METRICS = ("euclidean", "scaled_euclidean")


def test_other_distances_without_wildboar(monkeypatch):
    monkeypatch.setitem(sys.modules, "wildboar.distance", None)
    X, _ = planted(n=4)
    with pytest.raises(ImportError, match=r"'dtw' is computed by wildboar: pip install wildboar\. .* euclidean"):
        ShapeletDistance(0, (1.0, 2.0), "dtw").compute(X)
    for metric in METRICS:
        assert np.isfinite(ShapeletDistance(0, (1.0, 2.0), metric).compute(X)).all()


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: ShapeletDistance(0, (1.0,), "scaled_dtw"), "different distances"),
        (lambda: ShapeletDistance(0, (1.0,), "dwt"), "one of euclidean, .*scaled_msm.*; got 'dwt'"),
        (lambda: ShapeletDistance(0, (1.0,), metric_params=(("p", 3.0),)), "'euclidean' has no parameters; got 'p'"),
        (lambda: ShapeletDistance(0, (1.0,), "adtw", metric_params=(("q", 3.0),)), "the parameters p, r; got 'q'"),
        (lambda: ShapeletDistance(0, (1.0,), "dtw", metric_params=(("r", np.nan),)), "finite number; got nan"),
        (lambda: ShapeletDistance(0, (1.0,), "dtw", metric_params=(("r", "wide"),)), "finite number; got 'wide'"),
        (lambda: ShapeletDistance(0, (1.0,), "dtw", metric_params=(("r", 0.1), ("r", 0.2))), "given twice"),
    ],
)
def test_metrics_and_parameters_that_do_not_exist_are_refused(make, why):
    with pytest.raises(InvalidDataError, match=why):
        make()


def test_metrics_that_scale_ignore_level_and_size():
    assert {"mass", "scaled_euclidean", "scaled_msm"} <= {metric for metric in ALL_METRICS if is_scaled(metric)}
    assert not any(is_scaled(metric) for metric in ("euclidean", "dtw", "normalized_euclidean"))
    assert {metric for metric in ALL_METRICS if is_level(metric) and not is_scaled(metric)} == {
        "normalized_euclidean",
        "ddtw",
        "wddtw",
    }


def test_the_moments_of_a_flat_shapelet_have_no_deviation():
    assert moments(np.array([0.1, 0.1, 0.1]))[1] == 0
    assert moments(np.array([1.0, 3.0])) == (2.0, 1.0)
