"""The paper's experiment on tables with labels, at most 4 rules: see :mod:`benchmarks.tabular`."""

from benchmarks.tabular import suite

measure, report = suite("classification")
