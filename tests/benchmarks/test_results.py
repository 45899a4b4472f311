"""Rows that were measured are there again, whoever else writes beside."""

from benchmarks.results import Results


def test_two_runs_that_write_into_one_file_keep_the_rows_of_both(tmp_path):
    one, other = (Results("table", ("name", "seed"), tmp_path) for _ in range(2))
    one.add({"name": "p", "seed": 0, "score": 1.0})
    other.add({"name": "q", "seed": 0, "score": 2.0})
    one.add({"name": "p", "seed": 1, "score": 3.0})
    again = Results("table", ("name", "seed"), tmp_path)
    assert again.frame()["score"].tolist() == [1.0, 2.0, 3.0]
    assert ("q", 0) in one
    assert ("p", 1) not in other


def test_a_row_that_is_there_stays_as_it_is(tmp_path):
    one, other = (Results("table", ("name",), tmp_path) for _ in range(2))
    one.add({"name": "p", "score": 1.0})
    other.add({"name": "p", "score": 2.0})
    assert Results("table", ("name",), tmp_path).frame()["score"].tolist() == [1.0]
