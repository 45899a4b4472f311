"""The solver alone: what is proven, and what has no list."""

from benchmarks.proofs import main


def test_a_list_is_proven_and_a_budget_too_tight_has_none(capsys):
    main(["tight/sk-iris"])
    lines = capsys.readouterr().out.splitlines()
    assert "tight/sk-iris-least/0 gap 0.00 %" in lines
    assert "tight/sk-iris-below/0 no list" in lines
    assert lines[-1] == "proven: 1 of 2"
