"""Lists that explain five kinds of tree ensembles, classification: see :mod:`benchmarks.explaining`."""

from benchmarks.explained_models import ENSEMBLES
from benchmarks.explaining import suite

measure, report = suite("classification", "faithful_classification", ENSEMBLES)
