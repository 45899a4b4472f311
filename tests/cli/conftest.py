"""Tables and files for commands. What not every test needs is imported inside: the doctor runs without it."""

import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow import RuleListClassifier
from hedgerow.cli import main


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A table, and all that one call of extract makes of it."""
    from small_tables import QUICK, people

    folder = tmp_path_factory.mktemp("made")
    people().drop(columns="price").to_csv(folder / "people.csv", index=False)
    files = [part for form in ("json", "sql", "report") for part in (f"--{form}", str(folder / f"out.{form}"))]
    call = ["extract", str(folder / "people.csv"), "-t", "says", "--max-rules", "4", *QUICK]
    assert main([*call, *files, "--dialect", "duckdb", "--table", "people"]) == 0
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A table, a classifier, a regressor, and the rules of the classifier."""
    import skops.io
    from small_tables import table

    monkeypatch.chdir(tmp_path)
    frame = table()
    frame.to_csv("table.csv", index=False)
    X = frame[["a", "b"]]
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, frame["y"])
    numbers = RandomForestRegressor(5, max_depth=2, random_state=0).fit(X, (frame["z"] > 0).astype(int))
    skops.io.dump(forest, "classes.skops")
    skops.io.dump(numbers, "numbers.skops")
    rules = RuleListClassifier(forest, max_rules=4, random_state=0).fit(X, frame["y"]).rule_list_
    (tmp_path / "rules.json").write_text(rules.to_json())
    return tmp_path
