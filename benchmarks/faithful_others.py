"""Lists that explain a neural network and a support vector machine: see :mod:`benchmarks.explaining`."""

from benchmarks.explained_models import OTHERS
from benchmarks.explaining import suite

#: Small and medium sets, of two and of more classes, of numbers and of categories.
SETS = ("heart-c", "wdbc", "diabetes", "vehicle", "segment")

measure, report = suite("classification", "faithful_others", OTHERS, SETS)
