"""The comparison of routing and of predict runs and prints both tables."""

from benchmarks import routing


def test_both_tables_are_printed(capsys, monkeypatch):
    monkeypatch.setattr(routing, "_FORESTS", ((2, 2, 1.0),))
    monkeypatch.setattr(routing, "_N_RULES", (3,))
    routing.main(["--rows", "300", "--repeats", "1"])
    shown = capsys.readouterr().out
    assert "Routing" in shown
    assert "Predict" in shown
    assert shown.count("| 2 | 2 | 300 |") == 4
    assert shown.count("| 3 | ") == 8
