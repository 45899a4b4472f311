"""The benchmark of random columns counts them, and its exit code says whether there are too many."""

import numpy as np
import pandas as pd
import pytest

from benchmarks import noise


@pytest.fixture
def small_set(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.uniform(size=300), "b": rng.uniform(size=300)})
    (tmp_path / "tabular").mkdir()
    X.assign(target=np.where(X["a"] + X["b"] > 1, "p", "q")).to_csv(tmp_path / "tabular" / "small.csv.gz", index=False)
    pd.DataFrame({"name": ["small"], "task": ["classification"]}).to_csv(tmp_path / "MANIFEST.csv", index=False)
    monkeypatch.setattr(noise, "OTHERS", {"small": "classification"})
    return tmp_path


def test_columns_that_matter_are_used_and_random_ones_are_not(small_set, capsys):
    call = ["--data", str(small_set), "--others", "--seeds", "1", "--first-seed", "5", "--max-rules", "4"]
    assert noise.main(call) == 0
    head, small, mean = capsys.readouterr().out.splitlines()
    assert head.startswith("set ")
    assert small.split()[3:5] == ["0.0", "%"]
    assert float(mean.split()[5]) > 0.8


def test_too_many_random_columns_are_an_error(small_set, monkeypatch, capsys):
    monkeypatch.setattr(noise, "NOISE", ("a", "b"))  # as if what matters did not
    monkeypatch.setattr(noise, "with_noise", lambda frame, seed: frame)
    assert noise.main(["--data", str(small_set), "--others", "--seeds", "1", "--max-rules", "4"]) == 1
    assert "100.0 %" in capsys.readouterr().out
