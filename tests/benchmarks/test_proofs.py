"""The solver alone: what is proven, and what has no list."""

import pandas as pd

from benchmarks import proofs


def test_a_list_is_proven_and_a_budget_too_tight_has_none(capsys, tmp_path):
    proofs.main(["tight/sk-iris"], tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert "tight/sk-iris-least/0 gap 0.00 %" in lines
    assert "tight/sk-iris-below/0 no list" in lines
    assert lines[-1] == "proven: 1 of 2"


def test_what_has_been_measured_is_not_measured_again(capsys, tmp_path, monkeypatch):
    proofs.main(["tight/sk-iris", "--kept"], tmp_path)
    assert capsys.readouterr().out.splitlines() == ["proven: 0 of 0"]
    proofs.main(["tight/sk-iris"], tmp_path)
    first = capsys.readouterr().out
    monkeypatch.delattr(proofs, "load")
    proofs.main(["tight/sk-iris"], tmp_path)
    assert capsys.readouterr().out == first
    rows = pd.read_csv(tmp_path / "proofs.csv")
    assert rows["samples"].tolist() == [150, 150]
    assert rows["gap"].isna().tolist() == [False, True]


def test_proofs_are_counted_for_each_budget():
    rows = [
        {"budget": budget, "gap": gap} for budget, gap in ((15.0, 0.0), (4.0, 0.0), (15.0, 0.1), (float("nan"), 0.0))
    ]
    assert list(proofs.by_budget(rows)) == [
        "4 rules: 1 of 1",
        "15 rules: 1 of 2",
        "no budget: 1 of 1",
        "proven: 3 of 4",
    ]
