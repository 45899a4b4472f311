"""A model of a library that is newer than any tested one is read with a warning, once."""

import json
import warnings

import numpy as np
import pytest
import sklearn
import xgboost
from sklearn.tree import DecisionTreeClassifier

from hedgerow import read_forest
from hedgerow.readers import READERS, versions

X, Y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1]


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    monkeypatch.setattr(versions, "_known", set())


def test_every_library_has_a_tested_version():
    assert set(versions.TESTED) == set(READERS)


@pytest.mark.parametrize("newer", ["1.10.0", "1.10.dev0", "2.0"])
def test_a_newer_installed_version_warns_once(monkeypatch, newer):
    model = DecisionTreeClassifier().fit(X, Y)
    read_forest(model)
    monkeypatch.setattr(sklearn, "__version__", newer)
    with pytest.warns(UserWarning, match=rf"scikit-learn {newer}, which is newer .* \(up to 1\.9\)") as caught:
        read_forest(model)
    assert caught[0].filename == __file__
    read_forest(model)  # a second warning would be an error here


@pytest.mark.parametrize("older", ["1.9.99", "1.5.0", "0.24", "unknown"])
def test_other_versions_are_read_without_a_word(older):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        versions.warn_if_newer("sklearn", older)


@pytest.mark.parametrize("suffix", ["json", "ubj"])
def test_a_file_warns_of_the_version_that_wrote_it(tmp_path, suffix):
    path = tmp_path / f"model.{suffix}"
    xgboost.XGBClassifier(n_estimators=2, max_depth=1).fit(X, Y).save_model(path)
    read_forest(path)
    if suffix == "json":
        path.write_text(json.dumps(json.loads(path.read_text()) | {"version": [4, 0, 0]}))
    else:
        before, version, after = path.read_bytes().rpartition(b"version")
        major = after.index(bytes([3]), after.index(bytes([3])) + 1)  # the first 3 is how many numbers follow
        path.write_bytes(before + version + after[:major] + bytes([9]) + after[major + 1 :])
    with pytest.warns(UserWarning, match=r"XGBoost [49]\.\d.* \(up to 3\.4\).*save the model with 3\.4"):
        read_forest(path)
