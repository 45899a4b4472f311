"""From a table to a list, its score and its files."""

import pickle
import re

import duckdb
import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from small_tables import QUICK, codes, contents, error_of, lines_of, people, table

from hedgerow import RuleList, RuleListClassifier
from hedgerow.cli import main


def test_the_list_is_printed_with_its_score_on_rows_held_out(made, capsys):
    call = ["extract", str(made / "people.csv"), "-t", "says", *QUICK, "--max-rules", "3", "--seed", "5"]
    assert main(call) == 0
    captured = capsys.readouterr()
    assert "classification: the target has 2 distinct strings" in captured.err
    assert "learned from 120 rows, tested on 40 held out" in captured.out
    assert main([*call, "--test-size", "0"]) == 0
    assert "no rows were held out" in capsys.readouterr().out


def test_the_score_is_that_of_the_list_on_rows_it_has_not_seen(tmp_path, capsys):
    frame = people().drop(columns=["says"])
    frame.to_parquet(tmp_path / "people.parquet")
    call = ["extract", str(tmp_path / "people.parquet"), "-t", "price", *QUICK, "--json", str(tmp_path / "rules.json")]
    assert main([*call, "--seed", "3"]) == 0
    captured = capsys.readouterr()
    assert "regression: the target contains numbers that are not integers" in captured.err
    rules = RuleList.from_json((tmp_path / "rules.json").read_text())
    rows = pd.Series(rules.predict(frame[rules.inputs.names]), frame.index)
    said = float(re.search(r"this list of \d+ rules +(\S+)", captured.out)[1])
    _, test = train_test_split(np.arange(len(frame)), test_size=40, random_state=3)
    assert said == pytest.approx(r2_score(frame["price"][test], rows[test]), abs=1e-4)
    assert sum(rule.coverage for rule in rules) == len(frame) - 40


def test_accuracy_is_what_scikit_learn_says(made, capsys):
    call = ["extract", str(made / "people.csv"), "-t", "says", *QUICK, "--seed", "1"]
    assert main([*call, "--json", str(made / "again.json")]) == 0
    said = float(re.search(r"this list of \d+ rules +(\S+)", capsys.readouterr().out)[1])
    frame = pd.read_csv(made / "people.csv", keep_default_na=False, na_values=[""])
    _, test = train_test_split(np.arange(160), test_size=40, random_state=1, stratify=frame["says"])
    rules = RuleList.from_json((made / "again.json").read_text())
    assert said == pytest.approx(
        accuracy_score(frame["says"][test], rules.predict(frame.iloc[test][rules.inputs.names])), abs=1e-4
    )


def test_the_rivals_of_the_list_are_printed_with_it(made, capsys):
    assert main(["extract", str(made / "people.csv"), "-t", "says", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    scores = {name: float(score) for name, score in re.findall(r"^(\w[\w ]+?)  +(\d\.\d{4})$", out, re.MULTILINE)}
    assert [name.split()[-1] for name in scores] == ["rules", "leaves", "ensemble", "alone"]
    frame = pd.read_csv(made / "people.csv")
    _, test = train_test_split(frame["says"], test_size=40, random_state=0, stratify=frame["says"])
    assert scores["the majority class alone"] == pytest.approx(np.mean(test == "no"), abs=1e-4)


def test_what_a_score_hides_is_said_in_a_warning(tmp_path, capsys):
    table(12).to_csv(tmp_path / "tiny.csv", index=False)
    call = ["extract", str(tmp_path / "tiny.csv"), "-t", "y", "--drop", "z", "--jobs", "1"]
    assert main(call) == 0
    captured = capsys.readouterr()
    assert re.search(r"right on \d of 3 rows", captured.out)
    assert "warning: the scores come from only 3 held-out rows" in captured.err
    rng = np.random.default_rng(0)
    luck = pd.DataFrame({"a": rng.normal(size=400), "y": rng.choice(["p", "q"], 400, p=[0.8, 0.2])})
    luck.to_csv(tmp_path / "luck.csv", index=False)
    assert main(["extract", str(tmp_path / "luck.csv"), "-t", "y", "--jobs", "1"]) == 0
    assert "no better on the held-out rows than always predicting the majority class" in capsys.readouterr().err


def test_rows_without_target_and_columns_of_no_use_are_left_out_and_said(tmp_path, capsys):
    frame = people().assign(name=[f"nobody {i}" for i in range(160)], nothing=None).drop(columns="price")
    frame.loc[:9, "says"] = None
    frame.to_csv(tmp_path / "people.csv")  # with pandas' numbers of rows, in a column without name
    assert main(["extract", str(tmp_path / "people.csv"), "-t", "says", *QUICK]) == 0
    said = capsys.readouterr().err
    assert "10 of 160 rows have no target and are left out" in said
    assert re.search("(?m)^name .* left out: its strings differ in nearly every row$", said)
    assert re.search("(?m)^nothing .* left out: it is empty$", said)
    assert re.search('(?m)^"" .* left out: it has no name$', said)


def test_zeros_before_digits_stay_and_dates_are_left_out(tmp_path, capsys):
    codes().to_csv(tmp_path / "codes.csv", index=False)
    table, rules, sql = (str(tmp_path / name) for name in ("codes.csv", "rules.json", "rules.sql"))
    call = ["extract", table, "-t", "kind", *QUICK, "--max-rules", "4", "--json", rules, "--sql", sql]
    assert main([*call, "--dialect", "duckdb", "--table", "codes"]) == 0
    captured = capsys.readouterr()
    assert "zip is 00701" in captured.out
    assert re.search("(?m)^day .* left out: it contains dates", captured.err)
    assert re.search("(?m)^since .* left out: it contains dates", captured.err)
    assert re.search("(?m)^zip .* used: as strings, because some numbers have leading zeros$", captured.err)
    assert main(["predict", rules, table]) == 0
    said = [row["prediction"] for row in lines_of(capsys.readouterr().out)]
    assert set(said) == {"007", "012", "100"}
    database = duckdb.connect()
    database.execute(f"CREATE TABLE codes AS FROM '{table}'")
    assert [row[-1] for row in database.execute((tmp_path / "rules.sql").read_text()).fetchall()] == said
    codes().query("kind != '007'").to_csv(table, index=False)  # the labels that are left would be numbers alone
    assert main(["report", rules, table, "-t", "kind", "-o", str(tmp_path / "out.html")]) == 0


@pytest.mark.parametrize("name", ["big.csv", "big.parquet"])
def test_large_integer_labels_come_out_as_they_went_in(name, tmp_path, capsys):
    frame = codes().drop(columns=["day", "since"])
    labels = frame.pop("kind").map({"007": 2**53 + 1, "012": 2**53, "100": 2**62 + 1})
    frame["big"] = pd.array([None, *labels[1:]], dtype="Int64")
    frame.to_parquet(tmp_path / name) if name.endswith("parquet") else frame.to_csv(tmp_path / name, index=False)
    rules = str(tmp_path / "rules.json")
    assert main(["extract", str(tmp_path / name), "-t", "big", *QUICK, "--max-rules", "4", "--json", rules]) == 0
    capsys.readouterr()
    assert main(["predict", rules, str(tmp_path / name)]) == 0
    said = [int(row["prediction"]) for row in lines_of(capsys.readouterr().out)]
    assert said[1:] == labels[1:].tolist()


def test_labels_with_zeros_are_those_of_a_model_that_knows_numbers(tmp_path):
    frame = codes()[["age", "kind"]]
    model = RandomForestClassifier(5, max_depth=2, random_state=0).fit(frame[["age"]], frame["kind"].astype(int))
    skops.io.dump(model, tmp_path / "model.skops")
    frame.to_csv(tmp_path / "codes.csv", index=False)
    call = ["extract", str(tmp_path / "codes.csv"), "-t", "kind", "--model", str(tmp_path / "model.skops")]
    assert main([*call, "--json", str(tmp_path / "rules.json")]) == 0
    assert RuleList.from_json((tmp_path / "rules.json").read_text()).classes.tolist() == [7, 12, 100]


def test_weights_count_and_dropped_columns_do_not(tmp_path, capsys):
    frame = people(80).drop(columns="price")
    twice = pd.concat([frame, frame[frame["says"] == "yes"]])
    frame.assign(times=np.where(frame["says"] == "yes", 2, 1)).to_csv(tmp_path / "weighted.csv", index=False)
    twice.to_csv(tmp_path / "repeated.csv", index=False)
    model = tmp_path / "model.skops"
    numbers = frame[["age", "größe, cm"]]
    skops.io.dump(RandomForestClassifier(5, max_depth=2, random_state=0).fit(numbers, frame["says"]), model)
    call = ["-t", "says", "--drop", "color", "--test-size", "0", "--model", str(model), "--max-rules", "3"]
    shown = []
    for name, more in (("weighted.csv", ["--weight", "times"]), ("repeated.csv", [])):
        assert main(["extract", str(tmp_path / name), *call, *more, "--json", str(tmp_path / "rules.json")]) == 0
        rules = RuleList.from_json((tmp_path / "rules.json").read_text())
        shown.append([(rule.describe(), rule.prediction, round(rule.share, 9)) for rule in rules])
    assert shown[0] == shown[1]
    assert "color" not in str(shown)


def test_a_trained_pipeline_is_read_in_terms_of_the_table(tmp_path):
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    frame = people().drop(columns="price")
    X, y = frame.drop(columns="says"), frame["says"]
    encoder = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["color"]), remainder="passthrough")
    model = make_pipeline(encoder, RandomForestClassifier(9, max_depth=2, random_state=0)).fit(X, y)
    skops.io.dump(model, tmp_path / "model.skops")
    frame.to_csv(tmp_path / "people.csv", index=False)
    call = ["extract", str(tmp_path / "people.csv"), "-t", "says", "--model", str(tmp_path / "model.skops")]
    for make, flags in ((RuleListClassifier, ["--published"]), (RuleListClassifier.accurate, [])):
        written = tmp_path / f"rules{len(flags)}.json"
        assert main([*call, *flags, "--test-size", "0", "--max-rules", "4", "--json", str(written)]) == 0
        expected = make(model, max_rules=4, random_state=0).fit(X, y)
        assert RuleList.from_json(written.read_text()).to_text() == expected.rule_list_.to_text()


def test_a_pickle_is_opened_only_with_trust(tmp_path, capsys):
    frame = people()[["age", "größe, cm", "price"]]
    model = RandomForestRegressor(5, max_depth=2, random_state=0).fit(frame.drop(columns="price"), frame["price"])
    (tmp_path / "model.pkl").write_bytes(pickle.dumps(model))
    frame.to_csv(tmp_path / "people.csv", index=False)
    call = ["extract", str(tmp_path / "people.csv"), "-t", "price", "--model", str(tmp_path / "model.pkl")]
    assert main(call) == 2
    line = error_of(capsys.readouterr())
    assert "is a pickle" in line
    assert "--trust-pickle" in line
    assert main([*call, "--trust-pickle", "--max-rules", "4"]) == 0


def test_a_budget_beyond_all_use_makes_no_longer_report(made, tmp_path):
    call = ["extract", str(made / "people.csv"), "-t", "says", "--trees", "10", "--max-rules", "1000000"]
    assert main([*call, "--report", str(tmp_path / "page.html"), "--json", str(tmp_path / "rules.json")]) == 0
    rules = RuleList.from_json((tmp_path / "rules.json").read_text())
    data = re.search(r'max="(\d+)"', (tmp_path / "page.html").read_text())
    assert data is not None
    assert int(data[1]) <= max(12, min(len(rules), 30))


def test_the_report_names_target_file_and_columns_left_out_and_holds_no_rows_on_request(made, tmp_path):
    call = ["extract", str(made / "people.csv"), "-t", "says", "--trees", "10", "--max-rules", "3", "--drop", "color"]
    files = ["--report", str(tmp_path / "page.html")]
    assert main([*call, *files]) == 0
    page = (tmp_path / "page.html").read_text()
    for told in (
        "What predicts says: ",
        "<dd>people.csv</dd>",
        "<b>color</b>: left out on request",
        "a single decision tree",
    ):
        assert told in page
    assert "training rows in the columns that rules use" in page
    assert main([*call, *files, "--no-samples", "--title", "Who says yes?"]) == 0
    page = (tmp_path / "page.html").read_text()
    assert "<h1>Who says yes?</h1>" in page
    assert "It contains no rows of the data." in page


#: What is asked after ``extract``, and what the line says.
BAD_CALLS = {
    "no such file": (["nothing.csv", "-t", "says"], "No such file"),
    "no such column": (["people.csv", "-t", "say"], "no column 'say'"),
    "no such column to drop": (["people.csv", "-t", "says", "--drop", "agee"], "no column 'agee'"),
    "no such column of weights": (["people.csv", "-t", "says", "--weight", "Age"], "no column 'Age'"),
    "weights that are no numbers": (["people.csv", "-t", "says", "--weight", "color"], "weight column 'color'"),
    "no table": (["picture.csv", "-t", "says"], "is not a text file: it contains a NUL byte"),
    "a table with a NUL byte": (["nul.csv", "-t", "says"], "a NUL byte"),
    "a ragged table": (["ragged.csv", "-t", "says"], "line 3 has 3 fields, but the first line has 2 names."),
    "a folder as table": (["folder", "-t", "says"], "The folder folder has no file that ends in .parquet."),
    "a folder as model": (["people.csv", "-t", "says", "--model", "folder"], "folder is a folder. Name a file in it."),
    "two tables": (["people.csv", "more.csv", "-t", "says"], "(more.csv). See: hedgerow extract --help"),
    "an unknown kind of table": (["people.xlsx", "-t", "says"], "give the separator. Option: --separator"),
    "empty data": (["empty.csv", "-t", "says"], "no rows"),
    "a constant target": (["people.csv", "-t", "same"], "nothing to learn"),
    "an empty target": (["people.csv", "-t", "nothing"], "is empty"),
    "texts as numbers": (
        ["people.csv", "-t", "says", "--task", "regression"],
        "Option: --task",
    ),
    "a class a row": (
        ["people.csv", "-t", "größe, cm", "--task", "classification"],
        "too many for classes",
    ),
    "a dialect for nothing": (["people.csv", "-t", "says", "--dialect", "duckdb"], "--sql FILE"),
    "a title for nothing": (["people.csv", "-t", "says", "--title", "Who?"], "--report FILE"),
    "no rows in nothing": (["people.csv", "-t", "says", "--no-samples"], "--report FILE"),
    "trees for a model": (
        ["people.csv", "-t", "says", "--model", "other.json", "--trees", "5"],
        "combined with --model",
    ),
    "an unknown model": (["people.csv", "-t", "says", "--model", "model.onnx"], "model file of a known kind"),
    "no such model": (["people.csv", "-t", "says", "--model", "nothing.skops"], "No such file"),
    "a pickle in disguise": (["people.csv", "-t", "says", "--model", "disguise.json"], "is a pickle, not JSON"),
    "a trusted pickle in disguise": (
        ["people.csv", "-t", "says", "--model", "disguise.skops", "--trust-pickle"],
        "is a pickle, not a skops file",
    ),
    "another JSON": (["people.csv", "-t", "says", "--model", "other.json"], "model of"),
    "a folder that is not there": (["people.csv", "-t", "says", "--sql", "nowhere/out.sql"], "Cannot write nowhere"),
    "a folder as file": (["people.csv", "-t", "says", "--report", "."], "Cannot write .: Is a directory."),
    "one file for two": (["people.csv", "-t", "says", "--sql", "out", "--report", "./out"], "two outputs"),
    "the data as output": (["people.csv", "-t", "says", "--json", "people.csv"], "is read by"),
    "the target dropped": (["people.csv", "-t", "says", "--drop", "says"], "The column 'says' has two roles"),
    "the target as weight": (["people.csv", "-t", "price", "--weight", "price"], "The column 'price' has two roles"),
    "trust in nothing": (["people.csv", "-t", "says", "--trust-pickle"], "name its file with --model FILE"),
    "a broken Parquet file": (["broken.parquet", "-t", "says"], "footer"),
    "a column of lists as target": (["lists.parquet", "-t", "list"], "'list' contains lists"),
    "numbers too large": (["large.csv", "-t", "says"], "drop the column. Option: --drop"),
}


@pytest.mark.parametrize("why", BAD_CALLS)
def test_bad_input_is_one_line_and_exit_code_two(why, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    people(40).assign(same="x", nothing=None).to_csv("people.csv", index=False)
    (tmp_path / "empty.csv").write_text("says,age\n")
    (tmp_path / "nul.csv").write_bytes(b"says,age\nyes,1\nno,2\0\n")
    (tmp_path / "ragged.csv").write_bytes(b"says,age\nyes,1\nno,2,3\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1, and no more of it")
    pd.DataFrame({"x": range(40), "list": [[1, 2]] * 40}).to_parquet("lists.parquet")
    pd.DataFrame({"x": [*range(39), 1e300], "says": ["yes", "no"] * 20}).to_csv("large.csv", index=False)
    for name in ("disguise.json", "disguise.skops"):
        (tmp_path / name).write_bytes(pickle.dumps({"learner": 1}))
    for name in ("model.onnx", "other.json", "people.xlsx"):
        (tmp_path / name).write_text("{}")
    before = contents(tmp_path)
    call, said = BAD_CALLS[why]
    call = [*([] if "--model" in call else QUICK), *call, *([] if "--json" in call else ["--json", "rules.json"])]
    assert main(["extract", *call]) == 2
    line = error_of(capsys.readouterr())
    assert said in line
    assert not line.endswith("..")
    assert contents(tmp_path) == before


def test_close_names_are_suggested(tmp_path, capsys):
    people(40).to_csv(tmp_path / "people.csv", index=False)
    assert main(["extract", str(tmp_path / "people.csv"), "-t", "Prize"]) == 2
    assert "Did you mean 'price'?" in error_of(capsys.readouterr())


def test_the_model_says_the_task(folder):
    table().assign(z=lambda frame: (frame["z"] > 0).astype(int)).to_csv("table.csv", index=False)
    call = ["extract", "table.csv", "-t", "z", "--drop", "y", "--model", "numbers.skops", "--jobs", "1"]
    assert main([*call, "--json", "out.json"]) == 0
    assert RuleList.from_json((folder / "out.json").read_text()).classes is None


def test_columns_of_lists_and_dictionaries_are_left_out_and_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frame = table().drop(columns="z").assign(list=[[1, 2], None] * 30, both=[{"k": 1}] * 60)
    frame["y"] = frame["y"] == "p"
    frame.to_parquet("table.parquet")
    assert main(["extract", "table.parquet", "-t", "y", *QUICK, "--json", "rules.json"]) == 0
    said = capsys.readouterr().err
    assert re.search("(?m)^list .* left out: it contains lists", said)
    assert re.search("(?m)^both .* left out: it contains lists", said)
    assert "the target has 2 distinct values" in said
    assert main(["predict", "rules.json", "table.parquet", "--with-data", "-o", "out.parquet"]) == 0
    frame.assign(a=frame["both"]).to_parquet("table.parquet")
    capsys.readouterr()
    assert main(["predict", "rules.json", "table.parquet"]) == 2
    assert "The column 'a' must contain numbers, but it contains {'k': 1}." in capsys.readouterr().err


def european(frame):
    """Return a table as a spreadsheet in Europe writes it, in Windows-1252, with a row of totals."""
    price = frame["price"].map("{:,.2f} €".format).str.translate(str.maketrans(",.", ".,"))
    written = frame.assign(price=price).to_csv(sep=";", decimal=",", index=False, lineterminator="\n")
    return (written + ";" * (frame.shape[1] - 1) + "Summe\n").encode("cp1252")


def test_a_european_table_gives_the_same_list_as_the_plain_one(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frame = people().assign(price=lambda table: table["price"] * 997)
    frame = frame[["price", "age", "größe, cm", "says", "color"]]
    frame.to_csv("plain.csv", index=False)
    (tmp_path / "europe.csv").write_bytes(european(frame))
    for name in ("plain", "europe"):
        call = ["extract", f"{name}.csv", "-t", "says", *QUICK, "--json", f"{name}.json"]
        assert main(call) == 0
    said = capsys.readouterr().err
    assert "note: europe.csv is not text in UTF-8; it is read as Windows-1252 (--encoding to change it)" in said
    assert "note: the fields of europe.csv are separated by semicolons (--separator to change it)" in said
    assert f"note: classes of says: no ({(frame['says'] == 'no').sum()} rows), yes (" in said
    lists = [RuleList.from_json((tmp_path / f"{name}.json").read_text()) for name in ("plain", "europe")]
    assert lists[0].to_text() == lists[1].to_text()
    assert lists[1].inputs.notation_of(0).decimal == ","
    answers = []
    for rules, data in (("plain", "plain"), ("europe", "europe"), ("europe", "plain")):
        call = ["predict", f"{rules}.json", f"{data}.csv"]
        assert main([*call, *(["--decimal", "point"] if rules != data else [])]) == 0
        answers.append([row["prediction"] for row in lines_of(capsys.readouterr().out)][:160])
    assert answers[0] == answers[1] == answers[2]
    assert main(["report", "europe.json", "europe.csv", "-t", "says", "-o", "page.html"]) == 0


def test_the_notations_of_the_list_decide_how_new_rows_are_read(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.uniform(0, 5, 80).round(3)})
    frame.assign(y=np.where(frame["x"] > 2, "p", "q")).to_csv("old.csv", index=False, sep=";", decimal=",")
    assert main(["extract", "old.csv", "-t", "y", *QUICK, "--max-rules", "2", "--json", "rules.json"]) == 0
    (tmp_path / "new.csv").write_text("x;z\n1,234;1\n2,345;1\nTotal;1\n")  # alone, these would be thousands
    capsys.readouterr()
    assert main(["predict", "rules.json", "new.csv"]) == 0
    captured = capsys.readouterr()
    assert [row["prediction"] for row in lines_of(captured.out)][:2] == ["q", "p"]
    assert "2 of 3 values of x are numbers; the other (Total) is read as missing" in captured.err
    assert main(["predict", "rules.json", "new.csv", "--with-data"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith('"1,234",1,q')


def test_a_file_in_another_notation_is_warned_of_and_the_option_helps(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    x = np.random.default_rng(0).uniform(0, 5000, 80).round(2)
    y = np.where(x > 2000, "p", "q")
    american = [f"{value:,.2f}" for value in x]
    european = [cell.translate(str.maketrans(",.", ".,")) for cell in american]
    pd.DataFrame({"x": european, "y": y}).to_csv("old.csv", index=False, sep=";")
    pd.DataFrame({"x": american}).to_csv("new.csv", index=False)
    assert main(["extract", "old.csv", "-t", "y", *QUICK, "--max-rules", "2", "--json", "rules.json"]) == 0
    capsys.readouterr()
    assert main(["predict", "rules.json", "old.csv"]) == 0
    right = [row["prediction"] for row in lines_of(capsys.readouterr().out)]
    assert main(["predict", "rules.json", "new.csv"]) == 0
    said = capsys.readouterr().err
    assert "warning: none of 80 values of x are numbers written like 1.234,56" in said
    assert "(--decimal . to read them, with --thousands if need be)" in said
    assert main(["predict", "rules.json", "new.csv", "--decimal", "."]) == 0
    captured = capsys.readouterr()
    assert "warning" not in captured.err
    assert [row["prediction"] for row in lines_of(captured.out)] == right


def test_what_is_doubtful_about_columns_and_targets_is_warned_of(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frame = people(60).drop(columns="price").assign(nr=range(60), later=lambda table: (table["says"] == "yes") * 2.5)
    frame.to_csv("people.csv", index=False)
    assert main(["extract", "people.csv", "-t", "says", *QUICK]) == 0
    said = capsys.readouterr().err
    assert "warning: column nr is left out: it looks like a row number (--keep nr to use it)" in said
    assert "warning: column later alone predicts the target in 100 % of the rows" in said
    assert "(--drop later to do without it)" in said
    assert main(["extract", "people.csv", "-t", "says", *QUICK, "--keep", "nr", "--drop", "later"]) == 0
    assert "warning: column" not in capsys.readouterr().err
    frame.iloc[:12].to_csv("few.csv", index=False)
    assert main(["extract", "few.csv", "-t", "color", *QUICK, "--test-size", "0"]) == 0
    assert "warning: the table has only 10 rows with a target" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_column_that_is_left_out_anyway_may_be_forbidden_and_a_wrong_name_is_told_early(suffix, tmp_path, capsys):
    path = tmp_path / f"people{suffix}"
    frame = people(300).drop(columns="price").assign(nr=range(300))
    frame.to_csv(path, index=False) if suffix == ".csv" else frame.to_parquet(path)
    call = ["extract", str(path), "-t", "says", *QUICK, *(["--stream"] if suffix == ".parquet" else [])]
    assert main([*call, "--forbid", "nr", "--forbid", "age"]) == 0
    captured = capsys.readouterr()
    assert "note: nr is not among the columns that rules can use, so that --forbid is granted already" in captured.err
    assert "no rule uses age" in captured.out
    assert main([*call, "--forbid", "aeg"]) == 2
    assert "There is no column 'aeg'. Did you mean 'age'?" in error_of(capsys.readouterr())


def test_numbers_are_no_classes_and_the_way_out_is_told(tmp_path, capsys):
    pd.DataFrame({"x": range(40), "y": [0.5, 1.5] * 20}).to_csv(tmp_path / "t.csv", index=False)
    assert main(["extract", str(tmp_path / "t.csv"), "-t", "y", *QUICK, "--task", "classification"]) == 2
    line = error_of(capsys.readouterr())
    assert "contains numbers that are not integers, such as 0.5; these are not classes" in line
    assert "choose a regression. Option: --task" in line


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--encoding", "utf-9"], "There is no encoding 'utf-9'"),
        (["--encoding", "utf-16"], "is not text in utf-16. Give another encoding. Option: --encoding"),
        (["--decimal", "ab"], "decimal must be one character"),
        (["--decimal", ",", "--thousands", "comma"], "are both ','"),
        (["--keep", "says"], "'says' has two roles"),
        (["--keep", "nothing"], "'nothing' cannot be kept: it is empty. Option: --keep"),
    ],
)
def test_wrong_options_of_text_files_are_one_line(options, said, tmp_path, capsys):
    people(40).assign(nothing=None).to_csv(tmp_path / "people.csv", index=False)
    assert main(["extract", str(tmp_path / "people.csv"), "-t", "says", *QUICK, *options]) == 2
    assert said in error_of(capsys.readouterr())


def test_dates_are_used_if_asked_for_and_databases_agree(tmp_path, capsys):
    days = pd.Series(pd.date_range("2020-01-01", periods=140))
    frame = pd.DataFrame({"day": days.dt.strftime("%d.%m.%Y"), "y": np.where(days.dt.dayofweek > 4, "free", "busy")})
    frame.loc[::20, "day"] = "NA"
    frame.sample(frac=1, random_state=0).to_csv(tmp_path / "days.csv", index=False)
    files = [f"--{kind}={tmp_path / f'days.{kind}'}" for kind in ("json", "sql", "report")]
    call = ["extract", str(tmp_path / "days.csv"), "-t", "y", "--dates", *files, "--dialect", "duckdb", "--table", "t"]
    assert main([*call, *QUICK]) == 0
    assert "weekday of day is Saturday or Sunday" in capsys.readouterr().out
    main(["predict", str(tmp_path / "days.json"), str(tmp_path / "days.csv")])
    predicted = [line["prediction"] for line in lines_of(capsys.readouterr().out)]
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS FROM read_csv('{tmp_path / 'days.csv'}', all_varchar=true)")
        assert [row[-1] for row in connection.execute((tmp_path / "days.sql").read_text()).fetchall()] == predicted


def test_the_report_names_every_column_that_the_list_cannot_use(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, 400))
    frame = pd.DataFrame({"x": x, "noise": noise, "row": range(400), "same": 1, "w": 2})
    frame.assign(y=np.where(frame["x"] > 0, "p", "q")).to_csv("t.csv", index=False)
    assert main(["extract", "t.csv", "-t", "y", "--drop", "w", *QUICK, "--report", "page.html"]) == 0
    page = (tmp_path / "page.html").read_text()
    for name, why in (
        ("noise", "does not improve predictions on unseen rows"),
        ("row", "row number"),
        ("same", "same value"),
        ("w", "on request"),
    ):
        assert re.search(rf"<li><b>{name}</b>: [^<]*{why}", page), name


def test_explain_gives_the_faithful_list_of_a_model_and_says_where_the_two_differ(folder, capsys):
    call = ["extract", "table.csv", "-t", "y", "--jobs", "1", "--max-rules", "2", "--drop", "z"]
    assert main([*call, "--model", "classes.skops", "--explain", "--json", "out.json", "--report", "out.html"]) == 0
    captured = capsys.readouterr()
    frame = pd.read_csv("table.csv")
    _, test = train_test_split(np.arange(60), test_size=15, random_state=0, stratify=frame["y"])
    model, rules = (
        skops.io.load("classes.skops", trusted=["sklearn.tree._tree.Tree"]),
        RuleList.from_json((folder / "out.json").read_text()),
    )
    X = frame[["a", "b"]].iloc[test]
    n_same = np.sum(rules.predict(X) == model.predict(X))
    assert f"the list agrees with the model on {n_same} of 15 held-out rows" in captured.out
    assert re.search(
        r"^a decision tree of 2 leaves that is grown on the model's predictions agrees on", captured.out, re.M
    )
    assert re.search(r"^the model +\d", captured.out, re.MULTILINE)
    assert "How faithful is it to the model?" in (folder / "out.html").read_text()
    assert main([*call, "--model", "classes.skops", "--explain", "--test-size", "0"]) == 0
    assert "of 60 training rows" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [([], "Cannot read an SVC."), (["--explain"], "This SVC is not fitted. Fit it before it is saved.")],
)
def test_a_model_without_trees_that_is_not_fitted_is_refused(folder, capsys, more, said):
    skops.io.dump(SVC(), "svc.skops")
    assert main(["extract", "table.csv", "-t", "y", "--model", "svc.skops", *more]) == 2
    assert said in error_of(capsys.readouterr())


def test_explain_warns_of_a_list_that_is_poor_or_worse_than_a_tree_and_of_a_model_that_knows_the_rows(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 4)), columns=list("abcd"))
    y = rng.choice(["p", "q", "r"], size=300)  # what the model knows of these, no short list can tell
    model = RandomForestClassifier(30, max_features=None, bootstrap=False, random_state=0).fit(frame, y)
    frame.assign(y=y).to_csv("noise.csv", index=False)
    skops.io.dump(model, "noise.skops")
    call = ["extract", "noise.csv", "-t", "y", "--model", "noise.skops", "--explain", "--max-rules", "3", "--jobs", "1"]
    assert main([*call, "--report", "page.html"]) == 0
    captured = capsys.readouterr()
    said = [line for line in captured.err.splitlines() if line.startswith("hedgerow: warning:")]
    (poor,) = (line for line in said if "explains the model poorly" in line)
    share = re.search(r"held-out rows?, (\S+) %", captured.out)[1]
    assert f"it agrees with the model on {share} % of the held-out rows" in poor
    assert "--max-rules" in poor
    of_tree = re.search(r"predictions agrees on (\S+) %", captured.out)[1]
    assert any("explains the model better than the list" in line for line in said) == (float(of_tree) > float(share))
    assert any("probably trained on them" in line for line in said)
    page = (tmp_path / "page.html").read_text()
    assert "probably trained on them" in page
    assert "On many new rows" not in page
    assert "on many new rows" not in page
    assert f"grown on the model’s predictions, agrees with it on {of_tree}" in page


def test_a_model_without_trees_can_be_explained(made, tmp_path, capsys):
    frame = pd.read_csv(made / "people.csv")
    X, y = frame.drop(columns="says"), frame["says"]
    steps = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), ["age", "größe, cm"]),
        (OneHotEncoder(handle_unknown="ignore"), ["color"]),
    )
    skops.io.dump(make_pipeline(steps, SVC(C=10)).fit(X, y), tmp_path / "svc.skops")
    call = ["extract", str(made / "people.csv"), "-t", "says", "--model", str(tmp_path / "svc.skops"), "--jobs", "1"]
    assert main([*call, "--explain", "--max-rules", "3"]) == 0
    captured = capsys.readouterr()
    assert "color is red" in captured.out
    agreement = float(re.search(r"of 40 held-out rows, (\S+) %", captured.out)[1])
    assert agreement > 80
    assert main(call) == 2
    assert "To explain a model without trees, add --explain." in error_of(capsys.readouterr())


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--explain"], "--explain needs a model to explain; name its file with --model FILE."),
        (["--explain", "--published", "--model", "classes.skops"], "--explain and --published are different settings."),
    ],
)
def test_explain_needs_a_model_and_no_other_settings(folder, capsys, more, said):
    assert main(["extract", "table.csv", "-t", "y", *more]) == 2
    assert said in error_of(capsys.readouterr())


def test_a_folder_of_parquet_files_is_read_in_chunks(tmp_path, capsys):
    frame = people(3000).drop(columns="price")
    (tmp_path / "rows").mkdir()
    for k in range(3):
        frame[1000 * k : 1000 * (k + 1)].to_parquet(tmp_path / "rows" / f"{k}.parquet")
    files = ["--json", str(tmp_path / "rules.json"), "--report", str(tmp_path / "page.html")]
    assert (
        main(["extract", str(tmp_path / "rows"), "-t", "says", *QUICK, *files, "--sql", str(tmp_path / "r.sql")]) == 0
    )
    captured = capsys.readouterr()
    assert "the table is read in chunks; what each column is, is decided by 3000 of 3000 rows" in captured.err
    assert "the forest is trained on 2250 of 2250 rows; the list is chosen on all of them" in captured.err
    assert "learned from 2250 rows, tested on 750 held out" in captured.out
    assert "proven optimal" in captured.out
    rules = RuleList.from_json((tmp_path / "rules.json").read_text())
    assert sum(rule.coverage for rule in rules) == 2250
    assert accuracy_score(frame["says"], rules.predict(frame[rules.inputs.names])) > 0.95
    assert "2\u202f250" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("published", [[], ["--published"]])
def test_a_trained_model_in_chunks_gives_the_list_of_all_rows_but_the_held_out(folder, capsys, published):
    frame = pd.read_csv("table.csv").drop(columns="z")
    frame.to_parquet("table.parquet")
    call = ["extract", "table.parquet", "-t", "y", "--model", "classes.skops", "--test-size", "0", *published]
    said = {}
    for way in ("--stream", "--no-stream"):
        assert main([*call, way, "--jobs", "1"]) == 0
        said[way] = capsys.readouterr().out
    assert said["--stream"] == said["--no-stream"]


def test_the_size_decides_what_is_read_in_chunks_unless_the_user_does(folder, capsys, monkeypatch):
    table().to_parquet("table.parquet")
    monkeypatch.setattr("hedgerow.tables.files.MOST_VALUES", 60 * 4 - 1)
    call = ["extract", "table.parquet", "-t", "y", "--drop", "z", *QUICK]
    assert main(call) == 0
    assert "the table is read in chunks" in capsys.readouterr().err
    assert main([*call, "--no-stream"]) == 0
    assert "the table is read in chunks" not in capsys.readouterr().err
    monkeypatch.setattr("hedgerow.tables.files.MOST_VALUES", 60 * 4)
    assert main(call) == 0
    assert "the table is read in chunks" not in capsys.readouterr().err


def test_what_cannot_be_read_in_chunks_says_so(folder, capsys, monkeypatch):
    table().to_parquet("table.parquet")
    call = [
        "extract",
        "table.parquet",
        "-t",
        "y",
        "--drop",
        "z",
        "--model",
        "classes.skops",
        "--jobs",
        "1",
        "--explain",
    ]
    assert main([*call, "--stream"]) == 2
    assert "--stream reads table.parquet piece by piece, but --explain asks" in error_of(capsys.readouterr())
    monkeypatch.setattr("hedgerow.tables.files.MOST_VALUES", 1)
    assert main(call) == 0
    assert "note: the table is large, but it is read into memory: --explain asks" in capsys.readouterr().err
    proven = [*call[:-1], "--json", "proven.json", "--certificate", "training.csv"]
    assert main([*proven, "--stream"]) == 2
    assert "all rows, which must be in memory. Leave out --stream." in error_of(capsys.readouterr())
    (folder / "parts").mkdir()
    table().to_parquet("parts/1.parquet")
    assert main([proven[0], "parts", *proven[2:]]) == 2
    assert "parts is a folder or a pattern" in (said := error_of(capsys.readouterr()))
    assert said.endswith("Name a single file.\n") or said.endswith("Name a single file.")
    assert not (folder / "training.csv").exists()
    assert main(proven) == 0
    assert "read into memory: --certificate proves" in capsys.readouterr().err
    assert main(["check", "proven.json", "training.csv", "-t", "y"]) == 0
    assert main(["extract", "table.csv", "-t", "y", "--stream"]) == 2
    assert "Only Parquet files are read in chunks" in error_of(capsys.readouterr())


def test_a_certificate_of_rounded_thresholds_is_refused_before_anything_is_learned(folder, capsys):
    call = ["extract", "none.csv", "-t", "y", "--json", "l.json", "--certificate", "rows.csv", "--round-thresholds"]
    assert main(call) == 2
    assert "--certificate and --round-thresholds cannot be combined" in error_of(capsys.readouterr())
