"""Tests of what only newer releases of a library do; the oldest supported ones are tried, too (``noxfile.py``)."""

from importlib.metadata import version

import pytest
from packaging.version import Version


def needs(distribution, least):
    """Skip a test where the library is older."""
    return pytest.mark.skipif(Version(version(distribution)) < Version(least), reason=f"needs {distribution} {least}")
