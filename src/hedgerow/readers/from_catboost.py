"""Read CatBoost's models by way of its JSON format.

A sample goes right if ``float32(x) > border``, or if its category is the one that
a split asks for; NaN counts as below or above all numbers. Of a category, only the
hash of its string is stored: see :class:`~hedgerow.features.HashedCategory`.

Inner nodes come first, the root at 0, and leaves last. With ``k`` inner nodes, node ``k + i`` is leaf ``i`` of
CatBoost's own ``calc_leaf_indexes``. In a symmetric tree, bit ``j`` of ``i`` is the side taken at split ``j``, and
split 0 is the root. In other trees, leaves are numbered from left to right, which is also CatBoost's order once a model
has been saved as JSON; in a model that was just trained, CatBoost numbers them in the order in which they were grown.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow._support.lettering import with_article
from hedgerow.exceptions import HedgerowError, UnsupportedModelError
from hedgerow.features import Feature, HashedCategory, Inputs, make_columns
from hedgerow.forests.forest import Forest, Link
from hedgerow.forests.tree import Tree, check_masks
from hedgerow.readers.checks import check_count, check_names, several_outputs, unfitted
from hedgerow.readers.versions import warn_if_newer

#: Losses whose raw prediction is the logarithm of the value.
_LOGARITHMIC = ("Poisson", "Tweedie")
_LINKS_OF_CLASSES: dict[str, Link] = {"MultiClass": "softmax", "MultiClassOneVsAll": "logistic"}
_TYPES_OF_LABELS = {"Integer": np.int64, "Float": np.float64, "Boolean": np.bool_, "String": object}


def read(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted CatBoost, CatBoostClassifier, CatBoostRegressor or CatBoostRanker."""
    from catboost import CatBoost, CatBoostError

    name = type(model).__qualname__
    if not isinstance(model, CatBoost):
        raise UnsupportedModelError(
            f"Cannot read {with_article(name)}. These CatBoost models, and their subclasses, can be read: CatBoost, "
            "CatBoostClassifier, CatBoostRegressor, CatBoostRanker."
        )
    if not model.is_fitted():
        raise unfitted(model)
    if model.get_text_feature_indices() or model.get_embedding_feature_indices():
        raise UnsupportedModelError(
            f"This {name} uses text or embedding features, for which there are no rules. Train it without "
            "text_features and embedding_features, or convert them to numeric columns first."
        )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        try:
            model.save_model(str(path), format="json")
        except CatBoostError as error:
            raise UnsupportedModelError(
                f"CatBoost cannot save this {name} as JSON, which reading it requires: {error}. Infinity in the "
                "training data leads to infinite borders; use large finite numbers (up to 1e38) and train again."
            ) from None
        document = json.loads(path.read_bytes())
    # A sum of models does not store its number of columns.
    n_features = getattr(model, "n_features_in_", 0)
    # A model with a custom objective has labels, but does not save them.
    return _forest(document, feature_names, n_features, np.asarray(model.classes_))


def read_file(path: str | PathLike[str], feature_names: Sequence[str] | None = None) -> Forest:
    """Read a file saved by CatBoost, in the format json or cbm."""
    path = Path(path)
    broken = UnsupportedModelError(f"{path.name!r} is not a complete CatBoost model. Save it again with save_model.")
    if path.suffix.lower() == ".json":
        try:
            return _forest(json.loads(path.read_bytes()), feature_names)
        except HedgerowError:
            raise
        except (json.JSONDecodeError, AttributeError, KeyError, TypeError):
            raise broken from None
    from catboost import CatBoost, CatBoostError

    try:
        model = CatBoost().load_model(str(path))
    except CatBoostError:
        raise broken from None
    return read(model, feature_names)


def _forest(
    document: dict[str, Any], names: Sequence[str] | None, n_features: int = 0, labels: AnyArray | None = None
) -> Forest:
    if version := re.search(r"release (\d+\.\d+\S*?)\.?\s", document["model_info"].get("catboost_version_info", "")):
        warn_if_newer("catboost", version[1])
    columns = _Columns.of(document["features_info"], names, n_features)
    scale, bias = document["scale_and_bias"]
    outputs = _outputs(document["model_info"], np.ravel(bias), labels)
    if "oblivious_trees" in document:
        trees = [_symmetric_tree(tree, columns, outputs) for tree in document["oblivious_trees"]]
    else:
        trees = [_grown_tree(tree, columns, outputs) for tree in document["trees"]]
    return Forest(
        trees=tuple(trees),
        inputs=columns.inputs,
        tree_weights=np.full(len(trees), float(scale)),
        aggregation="sum",
        base=outputs.base,
        classes=outputs.classes,
        link=outputs.link,
        cutoff=_cutoff(document["model_info"]),
    )


@dataclass(frozen=True, eq=False)
class _Outputs:
    """What the raw prediction means, and which of its columns each of the model's numbers adds to."""

    classes: AnyArray | None
    link: Link
    columns: IntArray
    base: FloatArray

    def values(self, n_inner: int, leaves: AnyArray) -> FloatArray:
        """Return the values of all nodes, 0 at inner ones."""
        leaves = leaves.reshape(-1, len(self.columns))
        values = np.zeros((n_inner + len(leaves), len(self.base)))
        values[n_inner:, self.columns] = leaves
        return values


def _outputs(info: dict[str, Any], bias: FloatArray, labels: AnyArray | None) -> _Outputs:
    loss = _loss(info)
    several = len(bias) > 1
    columns = np.arange(len(bias))
    classes, known = _classes(info, labels)
    if several and (classes is None or loss not in _LINKS_OF_CLASSES):
        raise several_outputs(f"This CatBoost model with loss {loss}")
    if classes is None:
        return _Outputs(None, "exp" if loss in _LOGARITHMIC else "identity", columns, bias)
    if not several:
        return _Outputs(classes, "logistic", columns, bias)
    # A class that was declared but not in the training data has probability 0 in every leaf.
    base = np.full(len(classes), -np.inf)
    base[known] = bias
    return _Outputs(classes, _LINKS_OF_CLASSES[loss], known, base)


def _loss(info: dict[str, Any]) -> str:
    if "loss_function" in info:  # a sum of models
        return json.loads(info["loss_function"])["type"]
    return str(info.get("params", {}).get("loss_function", {}).get("type", "unknown"))


def _classes(info: dict[str, Any], labels: AnyArray | None) -> tuple[AnyArray | None, IntArray]:
    """Return the labels, and the position among them of each class in the training data."""
    written = info.get("class_params")
    if written is None:
        nothing = labels is None or not len(labels)
        return None if nothing else labels, np.arange(0 if labels is None else len(labels))
    known = np.array(written["class_to_label"], dtype=np.intp)
    # Without names, the classes are integers from 0.
    n_classes = max(written["classes_count"], int(known.max()) + 1)
    check_count(n_classes, "classes", "this CatBoost model")
    found = written["class_names"] or range(n_classes)
    return np.array(list(found), dtype=_TYPES_OF_LABELS[written["class_label_type"]]), known


def _cutoff(info: dict[str, Any]) -> float:
    share = float(info.get("binclass_probability_threshold", 0.5))
    return math.log(share / (1 - share)) if 0 < share < 1 else math.inf * (share - 0.5)


@dataclass(frozen=True, eq=False)
class _Columns:
    """The columns, and the meaning of CatBoost's own numbers for them."""

    inputs: Inputs
    numbers: dict[int, tuple[int, bool]]
    categories: dict[int, tuple[int, dict[int, int]]]

    @classmethod
    def of(cls, info: dict[str, Any], names: Sequence[str] | None, n_features: int) -> _Columns:
        numbers, categories = info.get("float_features", []), info.get("categorical_features", [])
        _refuse_statistics(info.get("ctrs", []), categories)
        own = {_position(entry): entry["feature_id"] for entry in (*numbers, *categories)}
        n_features = max(n_features, 1 + max(own, default=-1))
        check_count(n_features, "columns", "this CatBoost model")
        check_names(names, n_features)
        has_names = names is None and all(own.get(i) for i in range(n_features))
        features: list[Feature] = list(
            make_columns(n_features, [own[i] for i in range(n_features)] if has_names else names)
        )
        for entry in categories:
            i = entry["flat_feature_index"]
            features[i] = HashedCategory.of(i, features[i].name, entry.get("values", []))
        return cls(
            Inputs(tuple(features), allows_missing=True, allows_infinity=True, has_names=has_names),
            # NaN that is compared as is, is not greater than any border.
            {n["feature_index"]: (n["flat_feature_index"], n["nan_value_treatment"] != "AsTrue") for n in numbers},
            {
                c["feature_index"]: (c["flat_feature_index"], {h: code for code, h in enumerate(c.get("values", []))})
                for c in categories
            },
        )

    def tree(
        self, splits: Sequence[dict[str, Any]], left: IntArray, right: IntArray, split: IntArray, value: FloatArray
    ) -> Tree:
        """Return the tree whose nodes use the splits of these numbers; leaves have the number after the last."""
        rows = [self._row(one) for one in splits]
        feature, threshold, missing_left, code = map(np.array, zip(*rows, (-1, 0.0, False, -1), strict=True))
        category = left_codes = None
        if self.categories:
            asking = np.flatnonzero(code >= 0)
            category = np.full(len(feature), -1)
            category[asking] = np.arange(len(asking))
            n_codes = np.array([f.n_codes for f in self.inputs.features])
            check_masks(len(asking), int(n_codes.max()))
            codes = np.arange(n_codes.max())
            # The category that the split asks for goes right, all others left.
            left_codes = (codes < n_codes[feature[asking], None]) & (codes != code[asking, None])
        return Tree(
            left=left,
            right=right,
            feature=feature[split],
            threshold=threshold[split],
            missing_left=missing_left[split],
            value=value,
            category=None if category is None else category[split],
            left_codes=left_codes,
        )

    def _row(self, split: dict[str, Any]) -> tuple[int, float, bool, int]:
        if split["split_type"] == "OneHotFeature":
            feature, codes = self.categories[split["cat_feature_index"]]
            return feature, 0.0, True, codes[split["value"]]
        feature, missing_left = self.numbers[split["float_feature_index"]]
        return feature, split["border"], missing_left, -1


def _position(entry: dict[str, Any]) -> int:
    position = entry["flat_feature_index"]
    if type(position) is not int or position < 0:  # true would be column 1, and -1 the last one
        raise TypeError(f"{position!r} is not the number of a column.")
    return position


def _refuse_statistics(statistics: Sequence[dict[str, Any]], categories: Sequence[dict[str, Any]]) -> None:
    if not statistics:
        return
    name = {c["feature_index"]: c["feature_id"] or f"x{c['flat_feature_index']}" for c in categories}
    elements = [e for s in statistics for e in s["elements"] if "cat_feature_index" in e]
    columns = ", ".join(dict.fromkeys(name[e["cat_feature_index"]] for e in elements))
    raise UnsupportedModelError(
        f"This CatBoost model splits on target statistics of categories ({columns}), for which there are no rules. "
        "Train it with one_hot_max_size at least as large as the number of categories of any column "
        "(at most 255 on a GPU), so that it splits on the categories themselves."
    )


def _symmetric_tree(tree: dict[str, Any], columns: _Columns, outputs: _Outputs) -> Tree:
    """Return an oblivious (symmetric) tree as ordinary nodes."""
    splits = tree["splits"] or []  # null in a tree that is one leaf
    leaves = np.array(tree["leaf_values"])
    if leaves.size != len(outputs.columns) << min(len(splits), 63):
        raise UnsupportedModelError(
            f"This CatBoost model is damaged: a tree of {len(splits)} splits has {leaves.size} leaf_values. "
            "Save it again with save_model."
        )
    level, left, right = _full_tree(len(splits))
    value = outputs.values((1 << len(splits)) - 1, leaves)
    return columns.tree(splits, left, right, level, value)


@cache
def _full_tree(depth: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return the level and the children of each node of a full tree.

    On level ``l``, the bits of ``j`` are the sides taken on the way to node ``j``, the root's the lowest.
    """
    level = np.repeat(np.arange(depth + 1), 1 << np.arange(depth + 1))
    left = np.arange(len(level)) + (1 << level)
    is_leaf = level == depth
    return level, np.where(is_leaf, -1, left), np.where(is_leaf, -1, left + (1 << level))


def _grown_tree(tree: dict[str, Any], columns: _Columns, outputs: _Outputs) -> Tree:
    """Return a tree with inner nodes numbered in depth-first order, and then leaves from left to right."""
    splits: list[dict[str, Any]] = []
    children: list[list[int]] = []
    leaves: list[Any] = []
    waiting = [(tree, [0, 0], 0)]
    while waiting:
        node, family, side = waiting.pop()
        if "split" in node:
            family[side] = len(splits)
            own = [0, 0]
            splits.append(node["split"])
            children.append(own)
            waiting += [(node["right"], own, 1), (node["left"], own, 0)]
        else:
            family[side] = ~len(leaves)
            leaves.append(node["value"])
    n_inner = len(splits)
    below = np.full((n_inner + len(leaves), 2), -1)
    if n_inner:
        numbers = np.array(children)
        below[:n_inner] = np.where(numbers < 0, n_inner + ~numbers, numbers)
    split = np.minimum(np.arange(len(below)), n_inner)
    return columns.tree(splits, below[:, 0], below[:, 1], split, outputs.values(n_inner, np.array(leaves)))
