"""Tests of what only newer releases of a library do; the oldest supported ones are tried, too (``noxfile.py``)."""

from importlib.metadata import version

import pytest
from packaging.version import Version


def needs(distribution, least):
    """Skip a test where the library is older."""
    return pytest.mark.skipif(Version(version(distribution)) < Version(least), reason=f"needs {distribution} {least}")


def refused_sparse_matrices():
    """Return the check of scikit-learn that fails only because older releases try what an estimator says it refuses."""
    if Version(version("scikit-learn")) >= Version("1.7"):
        return {}
    return {"check_sample_weight_equivalence_on_sparse_data": "sparse matrices are refused"}
