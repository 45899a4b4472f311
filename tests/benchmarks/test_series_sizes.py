"""The benchmark of short lists on series keeps a row per method and judges the bars by them."""

import sys

import numpy as np
import pandas as pd
import pytest
from small_series import planted

if sys.version_info < (3, 12):
    pytest.importorskip("wildboar")

from benchmarks import series_sizes
from benchmarks.results import Results


@pytest.fixture
def data(tmp_path):
    (tmp_path / "ucr").mkdir()
    for part, seed in (("TRAIN", 0), ("TEST", 1)):
        X, y = planted(24, seed=seed)
        frame = pd.DataFrame(np.column_stack([y, X]))
        frame.to_csv(tmp_path / "ucr" / f"Bumps_{part}.tsv.gz", sep="\t", header=False, index=False)
    manifest = {"name": ["Bumps"], "task": ["timeseries"], "note": ["train 24"], "raw_features": [24]}
    pd.DataFrame(manifest).to_csv(tmp_path / "MANIFEST.csv", index=False)
    return tmp_path


# aeon compiles its transforms for a minute; make bench-quick runs every method as well.
@pytest.mark.slow
def test_every_method_has_a_row_and_no_more_leaves_than_rules(data, tmp_path):
    def show(items, n_items, what):
        return items

    call = {"directory": tmp_path, "n_trees": 10}
    results = series_sizes.measure(data, [5], show, print, **call)
    rows = results.frame().set_index("method")
    assert not results.failures
    assert list(rows.index) == list(series_sizes.METHODS)
    assert (rows["rules"].drop("forests") <= series_sizes.MAX_RULES).all()
    assert rows.loc["accurate", "accuracy"] > 0.8
    assert not list(series_sizes.measure(data, [5], lambda items, *_: [*items][:0], print, **call).failures)
    assert "| Bumps |" in series_sizes.report(results)


@pytest.mark.parametrize(("gain", "expected"), [(0.05, "reached"), (0.03, "missed")])
def test_the_bar_is_judged_by_the_gain_over_a_tree(gain, expected, tmp_path):
    results = Results("series_sizes", ("name", "seed", "method"), tmp_path)
    for i in range(11):
        for method, accuracy in (("accurate", 0.7 + gain + i / 1000), ("shapelet tree", 0.7), ("forests", 0.9)):
            row = {"name": f"set {i}", "seed": 0, "method": method, "accuracy": accuracy, "rules": 4, "fit_s": 1.0}
            results.add(row)
    text = series_sizes.report(results)
    assert f"| shapelet tree | {gain + 0.005:+.3f} | 11 : 0 | 0.00098 | {expected} |" in text
    assert "on 11 sets: " in text
