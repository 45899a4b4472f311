"""Model files that are damaged, or made to harm, are refused in words, soon, and without much memory.

Most cases are what ``python -m fuzz`` has found.
"""

import json
import re
import resource
import struct
import time
import zipfile

import numpy as np
import pytest
from lightgbm import LGBMClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from small_forests import stump_forest
from xgboost import XGBClassifier

from hedgerow import Forest, InvalidDataError, UnsupportedModelError, read_forest
from hedgerow.readers.lightgbm_text import _matches
from hedgerow.readers.model_files import load_model
from hedgerow.readers.ubjson import decode

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.normal(size=(60, 2)), RNG.integers(0, 4, 60)])
Y = (X[:, 0] + 3 * (X[:, 2] % 2) > 1).astype(int)


@pytest.fixture(autouse=True)
def _soon_and_small():
    """Every case takes seconds at most, and adds less than 1 GiB to the memory that was ever used."""
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    yield
    assert time.process_time() - started < 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 20


def refused(path, match):
    with pytest.raises(UnsupportedModelError, match=match):
        read_forest(path)


LIGHT = LGBMClassifier(
    n_estimators=2,
    num_leaves=4,
    min_child_samples=3,
    min_data_per_group=1,
    cat_smooth=0,
    cat_l2=0,
    verbose=-1,
    n_jobs=1,
)
TEXT = LIGHT.fit(X, Y, categorical_feature=[2]).booster_.model_to_string()


@pytest.mark.parametrize(
    ("found", "instead", "match"),
    [
        (r"num_leaves=\d+", "num_leaves=4294967296", "leaf_value do not have one number per node"),
        (r"num_leaves=\d+", "num_leaves=99999999999999999999", "OverflowError"),
        (r"num_leaves=\d+", "num_leaves=-3", "leaf_value do not have one number per node"),
        (r"num_leaves=\d+", "num_leaves=", "leaf_value do not have one number per node"),
        (r"left_child=", "left_child=0 ", "left_child do not have one number per node"),
        (r"left_child=\S+", "left_child=0", "child of exactly one node"),
        (r"split_feature=\d+", "split_feature=70000", "3 names do not fit"),
        (r"split_feature=\d+", "split_feature=-1", "3 names do not fit"),
        (r"feature_infos=", "feature_infos=none ", "3 names do not fit"),
        (r"feature_infos=", "gone=", "KeyError"),
        (r"num_tree_per_iteration=1", "", "KeyError"),
        (r"num_tree_per_iteration=1", "num_tree_per_iteration=1e9", "ValueError"),
        (r"cat_threshold=\d+", "cat_threshold=-1", "not a complete model"),
        (r"pandas_categorical:.*", "pandas_categorical:[[", "JSONDecodeError"),
        (r"pandas_categorical:.*", "pandas_categorical:" + "[" * 100_000, "RecursionError"),
        (r"\[objective: .*\]", "[: ", "ValueError|complete"),
    ],
)
def test_a_damaged_model_of_lightgbm_is_refused(tmp_path, found, instead, match):
    path = tmp_path / "model.txt"
    changed, n_changes = re.subn(found, lambda _: instead, TEXT, count=1)
    assert n_changes == 1
    path.write_text(changed)
    with pytest.raises((UnsupportedModelError, InvalidDataError), match=match):
        read_forest(path)


def test_columns_of_categories_are_found_without_trying_all_possible_ones():
    n = 60
    assert _matches([2] * 30 + [1], [2] * n, range(n), set()) == []  # 10^17 ways, all of which fail at the last list
    assert _matches([2, 3], [2, 9, 3], range(3), set()) == [(0, 2)]
    assert _matches([3, 3], [2, 2, 3], range(3), {2}) == [(0, 2), (1, 2)]
    assert _matches([], [2], range(1), set()) == [()]


def xgboost_with(path, change):
    """Save a small model with its document changed."""
    model = XGBClassifier(n_estimators=2, max_depth=2, n_jobs=1, enable_categorical=True, feature_types=["q", "q", "c"])
    model.fit(X, Y).save_model(path)
    document = json.loads(path.read_text())
    change(document["learner"])
    path.write_text(json.dumps(document))


def set_column_count(learner):
    learner["learner_model_param"]["num_feature"] = "2000000000"


def set_class_count(learner):
    learner["learner_model_param"]["num_class"] = "2000000000"


def set_code(learner):
    tree = next(t for t in learner["gradient_booster"]["model"]["trees"] if t["categories"])
    tree["categories"][0] = 2**31 - 2


def drop_trees(learner):
    del learner["gradient_booster"]["model"]["trees"]


@pytest.mark.parametrize("change", [set_column_count, set_class_count, set_code, drop_trees])
def test_a_damaged_model_of_xgboost_is_refused(tmp_path, change):
    path = tmp_path / "model.json"
    xgboost_with(path, change)
    refused(path, r"at most|up to|not a complete")


@pytest.mark.parametrize("suffix", [".json", ".ubj"])
def test_values_nested_so_deeply_that_xgboost_crashes_are_refused(tmp_path, suffix):
    path = tmp_path / f"model{suffix}"
    key = b'"learner":' if suffix == ".json" else b"i\x07learner"
    path.write_bytes(b"{" + key + b"[" * 1_000_000)
    refused(path, "not a complete model")
    path.write_bytes(b"{" + key + b"[" * 300 + b"]" * 300 + b"}")
    refused(path, "not a complete model")


@pytest.mark.parametrize(
    "data",
    [
        b"SL" + struct.pack(">q", -11) + b"hang",  # a negative length goes back to where it was read
        b"{L" + struct.pack(">q", -10),
        b"[$U#L" + struct.pack(">q", 2**40),
        b"[#L" + struct.pack(">q", 2**62),
        b"[#i\xff",
        b"[$U#i\x7f\0\0",
        b"{i\x01a",
        b"[" * 5000,
    ],
)
def test_counts_in_ubjson_that_the_data_do_not_hold_are_refused(data):
    with pytest.raises((KeyError, ValueError)):
        decode(data)


CATBOOST = {
    "features_info": {
        "float_features": [
            {"feature_index": 0, "flat_feature_index": 0, "feature_id": "", "nan_value_treatment": "AsIs"}
        ]
    },
    "scale_and_bias": [1, [0.0]],
    "model_info": {},
    "oblivious_trees": [
        {"splits": [{"split_type": "FloatFeature", "float_feature_index": 0, "border": 0.5}], "leaf_values": [1, 2]}
    ],
}


def test_a_damaged_model_of_catboost_is_refused(tmp_path):
    path = tmp_path / "model.json"

    def write(**changes):
        path.write_text(json.dumps(CATBOOST | changes))
        return path

    assert read_forest(write()).answer([[0.0], [1.0]]).tolist() == [1.0, 2.0]
    (tree,) = CATBOOST["oblivious_trees"]
    refused(write(oblivious_trees=[tree | {"splits": tree["splits"] * 60}]), "60 splits has 2 leaf_values")
    column = CATBOOST["features_info"]["float_features"][0] | {"flat_feature_index": 10**9}
    refused(write(features_info={"float_features": [column]}), "1,000,000,001 columns; models of up to 1,000,000")
    for position in (False, -1, 0.0, "0"):
        refused(write(features_info={"float_features": [column | {"flat_feature_index": position}]}), "not a complete")
    labels = {"class_to_label": [0, 1], "classes_count": 10**10, "class_names": [], "class_label_type": "Integer"}
    refused(write(model_info={"class_params": labels}), "10,000,000,000 classes")
    refused(write(scale_and_bias=[1]), "not a complete")
    refused(write(oblivious_trees=[tree | {"leaf_values": "x"}]), "complete|damaged")


def test_masks_of_categories_that_would_fill_the_memory_are_refused():
    model = HistGradientBoostingClassifier(max_iter=1, categorical_features=[2], min_samples_leaf=3).fit(X, Y)
    record = json.loads(read_forest(model).to_json())
    kind = next(feature for feature in record["inputs"]["features"] if "categories" in feature)
    kind["categories"] = [float(i) for i in range(30_000)]
    record["trees"][0]["left_codes"] = [[]] * 300_000  # a megabyte, which claims nine gigabytes
    with pytest.raises(InvalidDataError, match=r"300,000 splits on up to 30,00\d categories would take 8\.4 GiB"):
        Forest.from_json(json.dumps(record))


def test_forests_in_forests_in_forests_are_refused_in_the_end():
    record = stump_forest().to_json()
    members = '"members": []'
    assert members in record
    nested = "[]"
    for _ in range(3000):
        nested = "[" + record.replace(members, f'"members": {nested}', 1) + "]"
    with pytest.raises(InvalidDataError, match=r"nested too deeply|incomplete"):
        Forest.from_json(record.replace(members, f'"members": {nested}'))


def test_a_packed_model_that_unpacks_to_gigabytes_is_refused(tmp_path):
    path = tmp_path / "model.skops"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("schema.json", "w") as part:
        for _ in range(300):
            part.write(b" " * 2**20)
    with pytest.raises(InvalidDataError, match="more than 100 times its size"):
        load_model(path)
