"""All methods at 2 to 30 rules, regression: see :mod:`benchmarks.sizes`."""

from benchmarks.sizes import suite

measure, report = suite("regression")
