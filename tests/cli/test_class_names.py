"""A model that knows its classes by number is used on a table that knows them by name."""

import shlex

import numpy as np
import pandas as pd
import pytest
import skops.io
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from small_tables import QUICK, error_of
from xgboost import XGBClassifier

from hedgerow import RuleList
from hedgerow.cli import main
from hedgerow.cli.class_names import check_labels, named, names_in
from hedgerow.exceptions import InvalidDataError, InvalidParameterError

NAMES = np.array(["virginica", "setosa, the small one", "versicolor"])  # not in alphabetical order
GIVEN = 'virginica,"setosa, the small one",versicolor'


@pytest.fixture(scope="module")
def flowers(tmp_path_factory):
    """A table with names, models that know numbers, and what the first of these predicts for the table."""
    folder = tmp_path_factory.mktemp("flowers")
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.assign(kind=NAMES[y]).to_csv(folder / "iris.csv", index=False)
    model = XGBClassifier(n_estimators=10, max_depth=3).fit(X, y)
    model.save_model(folder / "xgb.json")
    skops.io.dump(SVC(C=10).fit(X, y), folder / "svc.skops")
    return folder, X, NAMES[model.predict(X)]


@pytest.mark.parametrize("model", ["xgb.json", "svc.skops"])
def test_a_model_that_knows_numbers_is_explained_in_the_names_of_the_table(flowers, model, tmp_path, capsys):
    folder, X, said = flowers
    call = ["extract", str(folder / "iris.csv"), "-t", "kind", "--model", str(folder / model), "--explain"]
    files = ["--json", str(tmp_path / "rules.json"), "--report", str(tmp_path / "page.html")]
    assert main([*call, *files, "--max-rules", "4", "--jobs", "1", "--classes", GIVEN]) == 0
    assert "the list agrees with the model on" in capsys.readouterr().out
    rules = RuleList.from_json((tmp_path / "rules.json").read_text())
    assert np.mean(rules.predict(X) == said) > 0.9


def test_the_names_serve_without_explain_too(flowers, tmp_path):
    folder, X, said = flowers
    call = ["extract", str(folder / "iris.csv"), "-t", "kind", "--model", str(folder / "xgb.json"), "--published"]
    assert main([*call, "--jobs", "1", "--json", str(tmp_path / "rules.json"), "--classes", GIVEN]) == 0
    rules = RuleList.from_json((tmp_path / "rules.json").read_text())
    assert np.mean(rules.predict(X) == said) > 0.9


@pytest.mark.parametrize("more", [["--published"], ["--explain"]])
def test_without_them_the_error_says_what_to_add(tmp_path, capsys, more):
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = np.array(["a b", "c", "d"])
    X.assign(kind=names[y]).to_csv(tmp_path / "iris.csv", index=False)
    XGBClassifier(n_estimators=2).fit(X, y).save_model(tmp_path / "xgb.json")
    call = ["extract", str(tmp_path / "iris.csv"), "-t", "kind", "--model", str(tmp_path / "xgb.json"), *more]
    assert main(call) == 2
    error = error_of(capsys.readouterr())
    assert "The model predicts the classes 0, 1, 2, but the target 'kind' has a b, c, d." in error
    assert "If these are the same, in this order, add --classes 'a b,c,d'" in error
    added = shlex.split(error.partition(" add ")[2])
    assert main([*call, *added, "--jobs", "1", "--max-rules", "3"]) == 0


def test_classes_that_do_not_fit_are_refused(flowers, capsys, tmp_path):
    folder, X, _ = flowers
    call = ["extract", str(folder / "iris.csv"), "-t", "kind"]
    assert main([*call, "--classes", "a,b,c", *QUICK]) == 2
    assert "--classes names the classes of a model; name its file with --model FILE." in error_of(capsys.readouterr())
    assert main([*call, "--model", str(folder / "xgb.json"), "--classes", "a,b"]) == 2
    assert "3 in all, in the order 0, 1, 2; got a, b." in error_of(capsys.readouterr())
    with pytest.raises(InvalidParameterError, match="a name of its own"):
        named(RandomForestClassifier(2).fit(X, np.arange(len(X)) % 2), ["a", "a"])
    with pytest.raises(InvalidParameterError, match="this one predicts numbers"):
        named(RandomForestRegressor(2).fit(X, np.arange(len(X))), ["a", "b"])


def test_fewer_labels_than_classes_cannot_be_matched_by_order():
    with pytest.raises(InvalidDataError, match="Name the model's classes, in this order, with --classes NAME,NAME"):
        check_labels(np.arange(3), np.array(["a", "b"]), "y")
    check_labels(np.arange(3), np.array([0, 2]), "y")
    check_labels(None, np.array([0.5]), "y")


@given(st.lists(st.text("ab,\"' é", min_size=1).map(str.strip).filter(bool), min_size=2, max_size=4, unique=True))
def test_what_the_error_says_to_add_is_read_as_the_labels_of_the_table(labels):
    with pytest.raises(InvalidDataError) as error:
        check_labels(np.arange(len(labels)), np.array(labels), "y")
    option, given_names = shlex.split(str(error.value).partition(" add ")[2])
    assert (option, names_in(given_names)) == ("--classes", sorted(labels))


def test_a_model_with_other_names_predicts_the_same():
    X, y = load_iris(return_X_y=True)
    X = pd.DataFrame(X, columns=list("abcd"))
    for model in (SVC().fit(X, y), LogisticRegression(max_iter=1000).fit(X, y)):
        twin = named(model, NAMES.tolist())
        assert twin.predict(X).tolist() == NAMES[model.predict(X)].tolist()
        assert hasattr(twin, "predict_proba") == hasattr(model, "predict_proba")
        assert list(twin.feature_names_in_) == list("abcd")
    assert NAMES[twin.predict_proba(X).argmax(axis=1)].tolist() == twin.predict(X).tolist()
