"""All methods at 2 to 30 rules, classification: see :mod:`benchmarks.sizes`."""

from benchmarks.sizes import suite

measure, report = suite("classification")
