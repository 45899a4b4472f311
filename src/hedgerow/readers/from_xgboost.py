"""Read XGBoost's boosted trees: the scikit-learn interface, a plain ``Booster``, and model files.

Trees compare float32 samples, ``x < t`` goes left; that is ``x <= t'`` with t' the float32 just below t. In a split on
categories, the listed ones go right and all others left. The intercept is stored on the scale of the prediction, not of
the trees.

After early stopping, an estimator of the scikit-learn interface predicts with the rounds up to the best one, and so
does its forest. A ``Booster`` predicts with all rounds; for the best ones, slice it:
``booster[:booster.best_iteration + 1]``. Only an estimator knows which value counts as missing (its ``missing``); for a
``Booster`` and a file it is NaN. XGBoost treats entries that a sparse matrix does not store as missing: make them NaN,
not 0, in the dense array. A base margin comes with the data and is not part of the model.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow._support.lettering import with_article
from hedgerow.exceptions import UnsupportedModelError
from hedgerow.features import CodedCategory, Column, ColumnWithBlank, Feature, Inputs, make_columns
from hedgerow.forests.forest import Forest, Link
from hedgerow.forests.tree import Tree, check_masks
from hedgerow.readers.checks import check_count, check_names, check_readable, several_outputs
from hedgerow.readers.ubjson import decode
from hedgerow.readers.versions import warn_if_newer


class _Objective(NamedTuple):
    """The link from the sum of the trees to the prediction, the intercept's link, and whether it predicts classes."""

    link: Link
    base_link: Link
    of_classes: bool


_VALUES = (
    *("reg:squarederror", "reg:squaredlogerror", "reg:absoluteerror", "reg:pseudohubererror", "reg:quantileerror"),
    *("reg:expectileerror", "rank:ndcg", "rank:map", "rank:pairwise"),
)
_LOGARITHMS = ("count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft")

_OBJECTIVES = {
    "binary:logistic": _Objective("logistic", "logistic", True),
    "binary:logitraw": _Objective("logistic", "identity", True),
    "binary:hinge": _Objective("step", "identity", True),
    "multi:softmax": _Objective("softmax", "identity", True),
    "multi:softprob": _Objective("softmax", "identity", True),
    "reg:logistic": _Objective("logistic", "logistic", False),
    **dict.fromkeys(_LOGARITHMS, _Objective("exp", "exp", False)),
    **dict.fromkeys(_VALUES, _Objective("identity", "identity", False)),
}


class _Role(NamedTuple):
    """How a booster is used: by a classifier, by a regressor, or on its own."""

    name: str
    is_estimator: bool = False
    classes: AnyArray | None = None
    is_classifier: bool = False
    missing: float = math.nan


#: The first version whose names of categories are whole if they are not ASCII.
_NAMES_ARE_WHOLE = (3, 4)


#: What a tree has in float32; everything else are integers.
_FLOATS = ("split_conditions", "base_weights", "leaf_weights", "loss_changes", "sum_hessian")
#: The oldest major version whose files are read.
_OLDEST = 2


def read(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted XGBoost estimator or a ``Booster``."""
    from xgboost import Booster, XGBModel

    name = type(model).__qualname__
    if isinstance(model, Booster):
        return _read_booster(model, _Role(name), feature_names)
    if not isinstance(model, XGBModel):
        raise UnsupportedModelError(
            f"Cannot read {with_article(name)}. These XGBoost models, and their subclasses, can be read: Booster, "
            "XGBClassifier, XGBRegressor, XGBRanker, XGBRFClassifier, XGBRFRegressor."
        )
    check_readable(model)
    of_labels = is_classifier(model)
    classes = getattr(model, "classes_", None) if of_labels else None
    missing = math.nan if model.missing is None else float(model.missing)
    role = _Role(name, is_estimator=True, classes=classes, is_classifier=of_labels, missing=missing)
    return _read_booster(model.get_booster(), role, feature_names)


def read_file(path: str | PathLike[str], feature_names: Sequence[str] | None = None) -> Forest:
    """Read a model that XGBoost saved as JSON or UBJSON; the library itself is not needed, and some files crash it.

    A file is read as what saved it: an estimator or a ``Booster``.
    """
    called, content = Path(path).name, Path(path).read_bytes()
    document = json.loads(content) if content.lstrip(b"{ \t\r\n")[:1] == b'"' else decode(content)
    version = tuple(document.get("version", ()))
    if version < (_OLDEST,):
        raise UnsupportedModelError(
            f"{called!r} is not a complete model of XGBoost {_OLDEST}.0 or newer. Load it with a current version of "
            "XGBoost, and save it again as .json or .ubj."
        )
    warn_if_newer("xgboost", ".".join(map(str, version)))
    learner = _learner(document)
    written_by = json.loads(learner["attributes"].get("scikit_learn", "{}")).get("_estimator_type")
    role = _Role(called, is_estimator=written_by is not None, is_classifier=written_by == "classifier")
    return _read_learner(learner, role, feature_names)


def _read_booster(booster: Any, role: _Role, names: Sequence[str] | None) -> Forest:
    from xgboost.core import XGBoostError

    try:
        raw = bytes(booster.save_raw("ubj"))
    except XGBoostError as error:
        raise UnsupportedModelError(f"This {role.name} has no model yet. Train or load one first.") from error
    return _read_learner(_learner(decode(raw)), role, names)


def _learner(document: dict[str, Any]) -> dict[str, Any]:
    """Return what a model has learned, and the version of XGBoost that wrote it."""
    return {**document["learner"], "version": tuple(document["version"])}


def _read_learner(learner: dict[str, Any], role: _Role, names: Sequence[str] | None) -> Forest:
    shape = learner["learner_model_param"]
    objective = _objective(learner["objective"]["name"], int(shape["num_target"]), role)
    model, tree_weights = _gradient_booster(learner["gradient_booster"], role)
    n_trees = len(model["trees"])
    best = learner["attributes"].get("best_iteration")
    if role.is_estimator and best is not None:
        n_trees = int(model["iteration_indptr"][: int(best) + 2][-1])
    trees, outputs = [_arrays(tree) for tree in model["trees"][:n_trees]], model["tree_info"]
    features = _features(model, trees, learner, role, names)
    n_codes = np.array([feature.n_codes for feature in features])
    check_masks(sum(len(tree["categories_nodes"]) for tree in trees), int(n_codes.max(initial=0)))
    n_outputs = max(1, int(shape["num_class"]))
    check_count(n_outputs, "classes", role.name)
    base = _raw(np.array(json.loads(shape["base_score"]), dtype=np.float32, ndmin=1), objective.base_link)
    return Forest(
        trees=tuple(_tree(tree, int(outputs[k]), n_codes) for k, tree in enumerate(trees)),
        inputs=Inputs(
            features,
            np.float32,
            allows_missing=True,
            allows_infinity=True,
            has_names=names is None and bool(learner["feature_names"]),
            absent="missing",
        ),
        tree_weights=tree_weights[:n_trees],
        aggregation="sum",
        base=np.broadcast_to(base, n_outputs).copy(),
        classes=_classes(objective, role, n_outputs),
        link=objective.link,
    )


def _objective(name: str, n_targets: int, role: _Role) -> _Objective:
    """Return what the objective means; one that a forest cannot express raises an error."""
    if n_targets > 1:
        raise several_outputs(f"This {role.name}")
    objective = _OBJECTIVES.get(name)
    if objective is None:
        raise UnsupportedModelError(
            f"This {role.name} was trained for {name!r}, which is not supported. "
            f"Train it for one of: {', '.join(_OBJECTIVES)}."
        )
    if name == "binary:logitraw" and role.is_estimator:
        raise UnsupportedModelError(
            f"This {role.name} treats the raw scores of 'binary:logitraw' as probabilities. Train it for "
            "'binary:logistic', or read its get_booster()."
        )
    if role.is_classifier and not objective.of_classes and name != "reg:logistic":
        raise UnsupportedModelError(
            f"This {role.name} is a classifier trained for {name!r}, which is not for classes. "
            "Train it for 'binary:logistic' or 'multi:softprob'."
        )
    if role.is_estimator and not role.is_classifier and objective.link == "softmax":
        raise UnsupportedModelError(
            f"This {role.name} is a regressor trained for {name!r}, which is for classes. Train an XGBClassifier."
        )
    return objective


def _gradient_booster(parts: dict[str, Any], role: _Role) -> tuple[dict[str, Any], FloatArray]:
    """Return the trees with their metadata, and the trees' weights."""
    if parts["name"] == "gblinear":
        raise UnsupportedModelError(
            f"This {role.name} is linear (booster='gblinear') and has no trees. Train it with booster='gbtree'."
        )
    # Since 3.4 the dropout weights are stored with the trees; before, the trees were stored inside "dart".
    model: dict[str, Any] = parts["gbtree"]["model"] if "gbtree" in parts else parts["model"]
    if not model["trees"]:
        raise UnsupportedModelError(f"This {role.name} has no trees. Train it for at least one round.")
    weights = parts.get("weight_drop", model.get("weight_drop", ()))
    return model, np.asarray(weights if len(weights) else np.ones(len(model["trees"])), dtype=np.float64)


def _classes(objective: _Objective, role: _Role, n_outputs: int) -> AnyArray | None:
    if not (role.is_classifier if role.is_estimator else objective.of_classes):
        return None
    n_classes = max(2, n_outputs)
    own = role.classes
    return own if own is not None and len(own) == n_classes else np.arange(n_classes)


def _raw(base: AnyArray, link: Link) -> FloatArray:
    """Return the intercept on the scale of the trees, computed in float32 and clipped as XGBoost does."""
    if link == "logistic":
        one, least = np.float32(1), np.float32(1e-6)
        return -np.log(one / np.clip(base, least, one - least) - one).astype(np.float64)
    if link == "exp":
        with np.errstate(divide="ignore"):  # all targets were 0
            return np.log(base).astype(np.float64)
    return base.astype(np.float64)


def _features(
    model: dict[str, Any],
    trees: list[dict[str, Any]],
    learner: dict[str, Any],
    role: _Role,
    names: Sequence[str] | None,
) -> tuple[Feature, ...]:
    n_features = int(learner["learner_model_param"]["num_feature"])
    check_count(n_features, "columns", role.name)
    check_names(names, n_features)
    columns = make_columns(n_features, (learner["feature_names"] or None) if names is None else names)
    n_listed = _n_listed(trees, n_features)
    check_count(int(n_listed.sum()), "categories", role.name)
    types = learner["feature_types"] or [""] * n_features
    is_coded = [kind == "c" or n > 0 for kind, n in zip(types, n_listed, strict=True)]
    if not math.isnan(role.missing):
        if any(is_coded):
            raise UnsupportedModelError(
                f"This {role.name} treats {role.missing:g} as missing, even among the codes of categories. "
                "Train it with missing=nan, and use NaN for missing values."
            )
        return tuple(ColumnWithBlank(c.index, c.name, blank=role.missing) for c in columns)
    _check_splits(trees, np.array(is_coded), columns, role)
    stored = model.get("cats", {}).get("enc") or [{}] * n_features
    return tuple(
        _category(column, _categories(known, learner["version"]), int(n)) if coded else column
        for column, coded, known, n in zip(columns, is_coded, stored, n_listed, strict=True)
    )


def _n_listed(trees: list[dict[str, Any]], n_features: int) -> IntArray:
    """Return, for each feature, one more than the highest code that any split lists; 0 where none does."""
    n_listed = np.zeros(n_features, dtype=np.int64)
    for tree in trees:
        if len(tree["categories_nodes"]):
            feature = tree["split_indices"][tree["categories_nodes"]]
            np.maximum.at(n_listed, np.repeat(feature, tree["categories_sizes"]), tree["categories"] + 1)
    return n_listed


def _check_splits(trees: list[dict[str, Any]], is_coded: BoolArray, columns: Sequence[Column], role: _Role) -> None:
    """Refuse trees that compare codes like numbers, as versions before 3.1 did in trees with vector leaves."""
    if not is_coded.any():
        return
    for tree in trees:
        feature = tree["split_indices"][(tree["left_children"] >= 0) & (tree["split_type"] == 0)]
        wrong = feature[is_coded[feature]]
        if len(wrong):
            raise UnsupportedModelError(
                f"This {role.name} compares the categories of {columns[wrong[0]].name} like numbers. "
                "Train it with a newer version of XGBoost."
            )


def _categories(known: dict[str, Any], version: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the names of a feature's categories, which XGBoost stores for data frames since 3.1.

    Before 3.4 it counts the letters of names where it should count bytes, so that all but ASCII is cut.
    """
    if not known or not len(known["values"]):
        return ()
    if "offsets" not in known:
        return tuple(np.asarray(known["values"]).tolist())
    text, ends = np.asarray(known["values"]).astype(np.uint8).tobytes(), np.asarray(known["offsets"]).tolist()
    try:
        if version < _NAMES_ARE_WHOLE:
            return tuple(text[start:end].decode("ascii") for start, end in pairwise(ends))
        return tuple(text[start:end].decode() for start, end in pairwise(ends))
    except UnicodeDecodeError:
        raise UnsupportedModelError(
            "The names of the categories are damaged: XGBoost before 3.4 truncates names that are not ASCII. Train the "
            "model with a newer version of XGBoost, or with names in ASCII."
        ) from None


def _category(column: Column, names: tuple[Any, ...], n_listed: int) -> CodedCategory:
    # Without names, only the codes are known, and any other number may occur.
    return CodedCategory(column.index, column.name, names or tuple(range(n_listed)), other=not names)


def _arrays(tree: dict[str, Any]) -> dict[str, Any]:
    """Return a tree with arrays of one type each: files in JSON have lists, and empty ones have no type at all."""
    return {
        name: values
        if isinstance(values, (dict, int))
        else np.asarray(values, dtype=np.float32 if name in _FLOATS else np.int64)
        for name, values in tree.items()
    }


def _tree(arrays: dict[str, Any], output: int, n_codes: IntArray) -> Tree:
    left = arrays["left_children"].astype(np.intp)
    is_leaf = left < 0
    category, left_codes = _category_splits(arrays, n_codes)
    parts: dict[str, Any] = {
        "left": left,
        "right": np.where(is_leaf, -1, arrays["right_children"]).astype(np.intp),
        "feature": np.where(is_leaf, -1, arrays["split_indices"]).astype(np.intp),
        "threshold": np.nextafter(arrays["split_conditions"], np.float32(-np.inf)).astype(np.float64),
        "missing_left": arrays["default_left"].astype(bool),
        "value": _values(arrays, is_leaf),
        "category": category,
    }
    if int(arrays["tree_param"]["num_deleted"]):
        parts = _without_deleted(parts)
    return Tree(**parts, left_codes=left_codes, output=output)


def _values(arrays: dict[str, Any], is_leaf: BoolArray) -> FloatArray:
    """Return what each leaf adds, one number or one per class; 0 elsewhere."""
    width = int(arrays["tree_param"]["size_leaf_vector"])
    if width <= 1:
        at_leaves = arrays["split_conditions"][is_leaf][:, None]
    elif "leaf_weights" in arrays:
        # Since 3.4 a leaf's right child is its row in a separate table.
        at_leaves = arrays["leaf_weights"].reshape(-1, width)[arrays["right_children"][is_leaf]]
    else:
        at_leaves = arrays["base_weights"].reshape(-1, width)[is_leaf]
    values = np.zeros((len(is_leaf), max(1, width)))
    values[is_leaf] = at_leaves
    return values


def _category_splits(arrays: dict[str, Any], n_codes: IntArray) -> tuple[IntArray | None, BoolArray | None]:
    """Return the row of each node on categories, and for each row a mask of the codes that go left."""
    nodes, sizes = arrays["categories_nodes"], arrays["categories_sizes"]
    if not len(nodes):
        return None, None
    rows = np.arange(len(nodes))
    category = np.full(len(arrays["left_children"]), -1)
    category[nodes] = rows
    left_codes = np.arange(n_codes.max()) < n_codes[arrays["split_indices"][nodes]][:, None]
    starts = arrays["categories_segments"] - (np.cumsum(sizes) - sizes)
    listed = arrays["categories"][np.repeat(starts, sizes) + np.arange(sizes.sum())]
    left_codes[np.repeat(rows, sizes), listed] = False
    return category, left_codes


def _without_deleted(parts: dict[str, Any]) -> dict[str, Any]:
    """Return the arrays of a tree without the nodes that XGBoost pruned, the others renumbered in order."""
    left, right = parts["left"], parts["right"]
    kept, level = np.zeros(len(left), dtype=bool), np.zeros(1, dtype=np.intp)
    while len(level):
        if kept[level].any():
            raise UnsupportedModelError("The nodes of a tree form a cycle. Save the model again.")
        kept[level] = True
        inner = level[left[level] >= 0]
        level = np.concatenate([left[inner], right[inner]])
    number = np.cumsum(kept) - 1
    moved = {name: np.where(parts[name] < 0, -1, number[parts[name]]) for name in ("left", "right")}
    return {name: None if part is None else part[kept] for name, part in (parts | moved).items()}
