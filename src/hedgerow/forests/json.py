"""A forest as JSON: data only, so that reading it runs no code.

Numbers are read back bit for bit; infinity and NaN, which JSON does not have, are written as strings.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow._support.json_field import Field, number_record, parse
from hedgerow.exceptions import HedgerowError, InvalidDataError
from hedgerow.features import inputs_from_record, inputs_to_record
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree, booleans, check_masks, integers

FORMAT, VERSION = "hedgerow.forest", 1

_ARRAYS = ("left", "right", "feature", "missing_left")

#: How to read labels of each dtype, so that they come back as they were.
_LABELS: dict[str, Callable[[Field], Any]] = {
    "str": lambda label: label.text(),
    "bool": lambda label: label.truth(),
    "object": lambda label: label.scalar(),
    **dict.fromkeys(("int8", "int16", "int32", "int64"), lambda label: label.whole()),
    **dict.fromkeys(("uint8", "uint16", "uint32", "uint64"), lambda label: label.whole(0, 2**64)),
    **dict.fromkeys(("float16", "float32", "float64"), lambda label: label.finite()),
}


def write(forest: Forest) -> str:
    """Return the forest as JSON."""
    return dump(to_record(forest))


def read(text: str) -> Forest:
    """Return the forest that :func:`write` wrote; an inconsistent document raises an error."""
    return from_record(parse(text, "A forest"))


def dump(record: dict[str, Any]) -> str:
    """Return a record as JSON; a label or category that JSON cannot hold raises an error."""
    try:
        return json.dumps(record, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidDataError(
            f"JSON cannot hold a label or a category: {error}. Convert them to strings or numbers before training."
        ) from None


def to_record(forest: Forest) -> dict[str, Any]:
    """Return the forest as a JSON object."""
    return {"format": FORMAT, "version": VERSION} | _forest_record(forest)


def from_record(record: Any) -> Forest:
    """Return the forest that :func:`to_record` wrote; an inconsistent record raises an error."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise InvalidDataError(f"This is not a forest: its format is not {FORMAT!r}.")
    if record.get("version") != VERSION:
        raise InvalidDataError(f"The forest has version {record.get('version')!r}; this release reads {VERSION}.")
    try:
        return _forest(record)
    except HedgerowError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise InvalidDataError(f"The forest is incomplete: {type(error).__name__}: {error}.") from None


def classes_to_record(classes: AnyArray | None) -> dict[str, Any]:
    """Return labels and their dtype as JSON values."""
    if classes is None:
        return {"classes": None}
    dtype = "str" if classes.dtype.kind in "UT" else classes.dtype.name
    if dtype not in _LABELS:
        raise InvalidDataError(f"JSON cannot hold labels of dtype {dtype}. Convert them to strings before training.")
    labels = [label.item() if isinstance(label, np.generic) else label for label in classes.tolist()]
    return {"classes": labels, "class_dtype": dtype}


def classes_from_record(field: Field) -> AnyArray | None:
    """Return the labels that :func:`classes_to_record` wrote."""
    if field["classes"].value is None:
        return None
    dtype = field["class_dtype"].text(_LABELS)
    labels = [_LABELS[dtype](label) for label in field["classes"]]
    try:
        classes = np.array(labels, dtype=dtype)
    except OverflowError:
        raise field["classes"].error(f"a list of labels of dtype {dtype}") from None
    if not labels or len(set(classes.tolist())) < len(labels):
        raise field["classes"].error("a list of distinct labels")
    return classes


def _forest_record(forest: Forest) -> dict[str, Any]:
    return {
        "inputs": inputs_to_record(forest.inputs),
        "trees": [] if forest.members else [tree_record(tree) for tree in forest.trees],
        "tree_weights": forest.tree_weights.astype(np.float64).tolist(),
        "aggregation": forest.aggregation,
        "base": [number_record(x) for x in forest.base.astype(np.float64).tolist()],
        **classes_to_record(forest.classes),
        "link": forest.link,
        "link_scale": forest.link_scale,
        "ties_to_second": forest.ties_to_second,
        "cutoff": forest.cutoff,
        "members": [_forest_record(member) for member in forest.members],
    }


def tree_record(tree: Tree) -> dict[str, Any]:
    """Return a tree as a JSON object."""
    record: dict[str, Any] = {name: getattr(tree, name).tolist() for name in _ARRAYS}
    record["threshold"] = [number_record(t) for t in np.where(tree.left < 0, 0.0, tree.threshold).tolist()]
    record |= {"value": [[number_record(v) for v in row] for row in tree.value.tolist()], "output": tree.output}
    if tree.category is not None and tree.left_codes is not None:
        record["category"] = tree.category.tolist()
        record["left_codes"] = [np.flatnonzero(row).tolist() for row in tree.left_codes]
        record["n_codes"] = tree.left_codes.shape[1]
    return record


def _forest(record: Mapping[str, Any]) -> Forest:
    members = tuple(_forest(member) for member in record["members"])
    inputs = inputs_from_record(record["inputs"])
    n_codes = max((feature.n_codes for feature in inputs.features), default=0)
    trees = tuple(tree for member in members for tree in member.trees)
    check_masks(sum(len(tree.get("left_codes", ())) for tree in record["trees"]), n_codes)
    trees = trees or tuple(_tree(tree, n_codes) for tree in record["trees"])
    forest = Forest(
        trees=trees,
        inputs=inputs,
        tree_weights=np.array([float(weight) for weight in record["tree_weights"]]),
        aggregation=record["aggregation"],
        base=np.array([float(x) for x in record["base"]]),
        classes=classes_from_record(Field(record)),
        link=record["link"],
        link_scale=float(record["link_scale"]),
        ties_to_second=bool(record["ties_to_second"]),
        cutoff=float(record["cutoff"]),
        members=members,
    )
    _check_codes(forest)
    return forest


def _tree(record: Mapping[str, Any], most_codes: int) -> Tree:
    codes: dict[str, Any] = {}
    if "category" in record:
        n_codes = int(record["n_codes"])
        if not 0 <= n_codes <= most_codes:
            raise InvalidDataError(f"A tree has {n_codes} category codes; the features have at most {most_codes}.")
        left_codes = np.zeros((len(record["left_codes"]), n_codes), dtype=bool)
        for i, listed in enumerate(record["left_codes"]):
            if listed and not 0 <= min(listed) <= max(listed) < n_codes:
                raise InvalidDataError(f"left_codes has codes from {min(listed)} to {max(listed)}, of {n_codes}.")
            left_codes[i, listed] = True
        codes = {"category": integers(record["category"], "category"), "left_codes": left_codes}
    return Tree(
        left=integers(record["left"], "left"),
        right=integers(record["right"], "right"),
        feature=integers(record["feature"], "feature"),
        threshold=np.array([float(t) for t in record["threshold"]]),
        missing_left=booleans(record["missing_left"], "missing_left"),
        value=np.array([[float(x) for x in row] for row in record["value"]]).reshape(len(record["left"]), -1),
        **codes,
        output=int(record["output"]),
    )


def _check_codes(forest: Forest) -> None:
    """Check that every node on categories splits on a feature that has them, and covers all of its codes."""
    for k, tree in enumerate(forest.trees):
        if tree.category is None or tree.left_codes is None:
            continue
        for node in np.flatnonzero(tree.category >= 0):
            feature = forest.features[tree.feature[node]]
            if feature.levels is None or feature.n_codes > tree.left_codes.shape[1]:
                raise InvalidDataError(f"Tree {k}, node {node} does not fit the categories of {feature.name}.")
