"""Models come from files that hold data; a pickle is known by its bytes."""

import io
import os
import pickle
import zipfile

import joblib
import numpy as np
import pytest
import skops.io
from rule_lists import numbers
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.neural_network import MLPClassifier

from hedgerow import InvalidDataError, UnsupportedModelError, read_forest
from hedgerow.exceptions import UntrustedModelError
from hedgerow.readers.model_files import load_model


class Trap:
    """A pickle of this makes a folder when it is opened."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.fixture
def trained():
    X, y = numbers()
    return RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, y), X


def leaves_of(model, X):
    return read_forest(model).apply(X)


def test_a_skops_file_of_a_forest(tmp_path, trained):
    model, X = trained
    skops.io.dump(model, tmp_path / "model.skops")
    again = load_model(tmp_path / "model.skops")
    np.testing.assert_array_equal(again.apply(X), model.apply(X))


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "catboost", "histogram_boosting"])
def test_a_skops_file_of_other_libraries(tmp_path, library):
    X, y = numbers()
    model = make(library).fit(X, y)
    skops.io.dump(model, tmp_path / "model.skops")
    np.testing.assert_array_equal(read_forest(load_model(tmp_path / "model.skops")).labels(X), model.predict(X))


def make(library):
    if library == "xgboost":
        from xgboost import XGBClassifier

        return XGBClassifier(n_estimators=3, max_depth=2)
    if library == "lightgbm":
        from lightgbm import LGBMClassifier

        return LGBMClassifier(n_estimators=3, min_child_samples=3, verbose=-1)
    if library == "catboost":
        from catboost import CatBoostClassifier

        return CatBoostClassifier(n_estimators=3, depth=2, verbose=False, allow_writing_files=False)
    return HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=3)


def test_a_forest_as_json(tmp_path, trained):
    model, X = trained
    (tmp_path / "forest.json").write_text(read_forest(model).to_json())
    np.testing.assert_array_equal(leaves_of(load_model(tmp_path / "forest.json"), X), model.apply(X))


@pytest.mark.parametrize("suffix", [".json", ".ubj"])
def test_files_of_xgboost(tmp_path, suffix):
    X, y = numbers()
    model = make("xgboost").fit(X, y)
    model.save_model(tmp_path / f"model{suffix}")
    np.testing.assert_array_equal(load_model(tmp_path / f"model{suffix}").labels(X), model.predict(X))


def test_files_of_lightgbm_and_catboost(tmp_path):
    X, y = numbers()
    light = make("lightgbm").fit(X, y)
    light.booster_.save_model(tmp_path / "model.txt")
    np.testing.assert_array_equal(load_model(tmp_path / "model.txt").labels(X), light.predict(X))
    cat = make("catboost").fit(X, y)
    cat.save_model(str(tmp_path / "model.cbm"))
    np.testing.assert_array_equal(load_model(tmp_path / "model.cbm").labels(X), cat.predict(X))


@pytest.mark.parametrize("name", ["model.json", "model.skops", "model.ubj", "model.txt", "model.cbm"])
@pytest.mark.parametrize("how", [0, 1, 2, 5, "joblib", "zlib", "gzip", "bz2", "xz", "lzma"])
@pytest.mark.parametrize("trust", [False, True])
def test_a_pickle_in_disguise_is_refused_unopened(tmp_path, name, how, trust):
    trap = Trap(tmp_path / "sprung")
    path = tmp_path / name
    if isinstance(how, int):
        path.write_bytes(pickle.dumps(trap, protocol=how))
    else:
        joblib.dump(trap, path, compress=0 if how == "joblib" else (how, 3))
    with pytest.raises(UnsupportedModelError, match="is a pickle, not"):
        load_model(path, trust_pickle=trust)
    assert not trap.path.exists()


@pytest.mark.parametrize("name", ["model.pkl", "model.pickle", "model.joblib"])
def test_a_pickle_is_opened_only_if_it_is_trusted(tmp_path, name, trained):
    model, X = trained
    path = tmp_path / name
    joblib.dump(model, path)
    with pytest.raises(UntrustedModelError, match="runs any code that it contains") as refused:
        load_model(path)
    assert "--" not in str(refused.value)  # options are the command line's business
    np.testing.assert_array_equal(load_model(path, trust_pickle=True).apply(X), model.apply(X))


def test_a_skops_file_of_a_network_needs_no_trust(tmp_path):
    X, y = np.eye(4), np.arange(4) % 2
    with pytest.warns(match="Maximum iterations"):
        model = MLPClassifier((2,), max_iter=2, random_state=0).fit(X, y)
    skops.io.dump(model, tmp_path / "model.skops")
    np.testing.assert_array_equal(load_model(tmp_path / "model.skops").predict(X), model.predict(X))


def test_types_of_its_own_in_a_skops_file_need_trust(tmp_path):
    from sklearn.preprocessing import FunctionTransformer

    skops.io.dump(FunctionTransformer(os.getcwd), tmp_path / "model.skops")
    with pytest.raises(UntrustedModelError, match="does not know to be safe"):
        load_model(tmp_path / "model.skops")
    assert load_model(tmp_path / "model.skops", trust_pickle=True).func is os.getcwd


def archive(**files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        for name, text in files.items():
            # Without the time: the names of tests hold the bytes, and all processes must find the same tests.
            made.writestr(zipfile.ZipInfo(name.replace("_", ".")), text)
    return content.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("model.skops", archive(other_txt="nothing")),
        ("model.skops", archive(schema_json='{"__class__": "x"}')),
        ("model.skops", b"PK\x03\x04 and no more"),
        ("model.skops", b"text"),
        ("model.json", b"[]"),
        ("model.json", b'{"format": "hedgerow.rule_list"}'),
        ("model.json", b'{"format": "hedgerow.forest", "version": 99}'),
        ("model.json", b'{"learner": '),
        ("model.json", b""),
        ("model.ubj", b"{broken"),
        ("model.txt", b"no tree"),
        ("model.txt", b"tree\nversion=v4\nnum_class=x\n"),
        ("model.cbm", b"CBM1 broken"),
        ("model.cbm", b"other"),
        ("model.onnx", b"\x08\x07"),
        ("model", b"{}"),
    ],
)
def test_a_file_that_is_not_a_model_is_refused_with_an_error_of_the_package(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises((UnsupportedModelError, InvalidDataError)):
        load_model(tmp_path / name)


def test_a_broken_pickle_that_is_trusted_is_one_error(tmp_path):
    (tmp_path / "model.pkl").write_bytes(b"\x80\x04 broken")
    with pytest.raises(UnsupportedModelError, match="cannot be loaded as a pickle"):
        load_model(tmp_path / "model.pkl", trust_pickle=True)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InvalidDataError, match="No such file"):
        load_model(tmp_path / "model.skops")
