"""A race of two solvers, from the command to the tables; what was raced is not raced again."""

import pandas as pd
import pytest

from benchmarks import race


def test_a_race_is_run_once_and_reported_every_time(tmp_path, capsys):
    asked = ["--solvers", "ours,highs", "--instances", "bounds/sk-iris-fewest/0", "--directory", str(tmp_path)]
    assert race.main(asked) == 0
    first = capsys.readouterr()
    assert "bounds/sk-iris-fewest/0: ours optimal" in first.err
    assert race.main(asked) == 0
    again = capsys.readouterr()
    assert again.out == first.out
    assert again.err == ""
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".md", ".png", ".json"}
    frame = pd.read_csv(tmp_path / "race_ours_highs.csv")
    assert frame["left_objective"].tolist() == frame["right_objective"].tolist()


def test_a_disagreement_is_an_error(tmp_path, capsys):
    row = {"name": "a/b/0", "disagreement": "ours says that there is no list, but gurobi has one"}
    assert race.report(pd.DataFrame([row]), ("ours", "gurobi"), tmp_path / "race.csv", 10) == 1
    assert "ERROR: 1 DISAGREEMENTS" in capsys.readouterr().out


@pytest.mark.parametrize("asked", [["--solvers", "ours"], ["--solvers", "ours,cplex"], ["--commits", "a,b,c"]])
def test_a_race_is_one_of_two(asked, capsys):
    with pytest.raises(SystemExit):
        race.main(asked)
    assert "usage" in capsys.readouterr().err
