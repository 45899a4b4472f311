"""Lists that explain five kinds of tree ensembles, regression: see :mod:`benchmarks.explaining`."""

from benchmarks.explained_models import ENSEMBLES
from benchmarks.explaining import suite

measure, report = suite("regression", "faithful_regression", ENSEMBLES)
