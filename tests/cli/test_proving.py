"""A list is extracted with a certificate, and proven again from the rows that are written beside it."""

import json

import numpy as np
import pandas as pd
import pytest
from small_tables import error_of

from hedgerow.cli import main


def table(path, n=120):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(18, 80, n), "color": rng.choice(["red", "blue", "lime"], n)})
    frame["heavy"] = rng.integers(0, 3, n)
    frame["says"] = np.where((frame["age"] > 40) & (frame["color"] != "red") | (rng.uniform(size=n) < 0.1), "yes", "no")
    frame.loc[::11, "age"] = np.nan
    frame.to_csv(path, index=False)


@pytest.fixture(scope="module")
def proven(tmp_path_factory):
    folder = tmp_path_factory.mktemp("proven")
    table(folder / "people.csv")
    written = ["--json", str(folder / "rules.json"), "--certificate", str(folder / "training.csv")]
    options = ["--target", "says", "--weight", "heavy", "--max-rules", "3", "--trees", "10", "--jobs", "1"]
    assert main(["extract", str(folder / "people.csv"), *options, *written]) == 0
    return folder


CHECKED = ["--target", "says", "--weight", "heavy"]


def test_the_rows_of_training_prove_the_list_again(proven, capsys):
    assert main(["check", str(proven / "rules.json"), str(proven / "training.csv"), *CHECKED]) == 0
    assert capsys.readouterr().out.startswith("proven: no list of the ")
    rows, document = pd.read_csv(proven / "training.csv"), json.loads((proven / "rules.json").read_text())
    assert (rows["heavy"] > 0).sum() == document["n_samples"]


def test_other_rows_do_not_and_the_exit_code_is_1(proven, tmp_path, capsys):
    rows = (proven / "training.csv").read_text().splitlines(keepends=True)
    (tmp_path / "fewer.csv").write_text("".join(rows[:-1]))
    assert main(["check", str(proven / "rules.json"), str(tmp_path / "fewer.csv"), *CHECKED]) == 1
    assert capsys.readouterr().out == "not proven: these are not the training rows\n"


def test_the_list_is_read_by_the_other_commands(proven, capsys):
    assert main(["predict", str(proven / "rules.json"), str(proven / "people.csv")]) == 0
    assert capsys.readouterr().out.startswith("prediction,rule\n")


def test_what_is_missing_is_named(proven, tmp_path, capsys):
    rules = str(proven / "rules.json")
    plain = json.loads((proven / "rules.json").read_text())
    del plain["certificate"]
    (tmp_path / "plain.json").write_text(json.dumps(plain))
    for files, message in (
        ((str(tmp_path / "plain.json"), str(proven / "training.csv")), "has no certificate. Write one with extract"),
        ((rules, str(tmp_path / "none.csv")), "none.csv: No such file"),
    ):
        assert main(["check", *files, *CHECKED]) != 0
        assert message in capsys.readouterr().err
    assert main(["check", rules, str(proven / "training.csv"), "--target", "said"]) == 2
    assert "training.csv has no column 'said'" in capsys.readouterr().err


def test_a_certificate_needs_a_list_to_prove(tmp_path, capsys):
    table(tmp_path / "people.csv")
    wanted = ["--target", "says", "--certificate", str(tmp_path / "training.csv")]
    assert main(["extract", str(tmp_path / "people.csv"), *wanted]) == 2
    error = error_of(capsys.readouterr())
    assert "--certificate needs a list to prove; name its file with --json FILE." in error
