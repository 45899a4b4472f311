"""The paper's experiment on tables with numbers as targets, at most 15 rules: see :mod:`benchmarks.tabular`."""

from benchmarks.tabular import suite

measure, report = suite("regression")
