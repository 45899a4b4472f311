"""A forest as JSON: data alone, so that reading one runs no code.

Numbers are written so that they come back bit by bit; infinity and NaN, which
JSON does not have, as text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from hedgerow.exceptions import HedgerowError, InvalidDataError
from hedgerow.features import inputs_from_record, inputs_to_record
from hedgerow.forest import Forest, Tree, truths, whole_numbers

FORMAT, VERSION = "hedgerow.forest", 1

_ARRAYS = ("left", "right", "feature", "missing_left")


def write(forest: Forest) -> str:
    """Return the forest as JSON."""
    try:
        return json.dumps({"format": FORMAT, "version": VERSION} | _forest_record(forest), allow_nan=False)
    except TypeError as error:
        raise InvalidDataError(f"A label or a category has no form in JSON: {error}.") from None


def read(text: str) -> Forest:
    """Return the forest; raise an error if anything does not fit together."""
    try:
        record = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidDataError(f"This is no JSON: {error}.") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise InvalidDataError(f"This is no forest: its format is not {FORMAT!r}.")
    if record.get("version") != VERSION:
        raise InvalidDataError(f"A forest of version {record.get('version')!r}; this release reads {VERSION}.")
    try:
        return _forest(record)
    except HedgerowError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InvalidDataError(f"The forest is not complete: {type(error).__name__}: {error}.") from None


def _forest_record(forest: Forest) -> dict[str, Any]:
    return {
        "inputs": inputs_to_record(forest.inputs),
        "trees": [] if forest.members else [_tree_record(tree) for tree in forest.trees],
        "tree_weights": forest.tree_weights.tolist(),
        "aggregation": forest.aggregation,
        "base": forest.base.tolist(),
        "classes": None if forest.classes is None else forest.classes.tolist(),
        "link": forest.link,
        "link_scale": forest.link_scale,
        "ties_to_second": forest.ties_to_second,
        "cutoff": forest.cutoff,
        "members": [_forest_record(member) for member in forest.members],
    }


def _tree_record(tree: Tree) -> dict[str, Any]:
    record: dict[str, Any] = {name: getattr(tree, name).tolist() for name in _ARRAYS}
    record["threshold"] = [_number_record(t) for t in np.where(tree.left < 0, 0.0, tree.threshold).tolist()]
    record |= {"value": [[_number_record(v) for v in row] for row in tree.value.tolist()], "output": tree.output}
    if tree.category is not None and tree.left_codes is not None:
        record["category"] = tree.category.tolist()
        record["left_codes"] = [np.flatnonzero(row).tolist() for row in tree.left_codes]
        record["n_codes"] = tree.left_codes.shape[1]
    return record


def _forest(record: Mapping[str, Any]) -> Forest:
    members = tuple(_forest(member) for member in record["members"])
    inputs = inputs_from_record(record["inputs"])
    n_codes = max((getattr(feature, "n_codes", 0) for feature in inputs.features), default=0)
    trees = tuple(tree for member in members for tree in member.trees)
    trees = trees or tuple(_tree(tree, n_codes) for tree in record["trees"])
    classes = record["classes"]
    if classes is not None and not isinstance(classes, list):
        raise InvalidDataError("classes is a list of labels, each once.")
    forest = Forest(
        trees=trees,
        inputs=inputs,
        tree_weights=np.array(record["tree_weights"], dtype=np.float64),
        aggregation=record["aggregation"],
        base=np.array(record["base"], dtype=np.float64),
        classes=None if classes is None else np.array(classes),
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
            raise InvalidDataError(f"A tree has {n_codes} codes of categories; the features have at most {most_codes}.")
        left_codes = np.zeros((len(record["left_codes"]), n_codes), dtype=bool)
        for i, listed in enumerate(record["left_codes"]):
            if listed and not 0 <= min(listed) <= max(listed) < n_codes:
                raise InvalidDataError(f"left_codes has code {max(listed)} or {min(listed)}, of {n_codes}.")
            left_codes[i, listed] = True
        codes = {"category": whole_numbers(record["category"], "category"), "left_codes": left_codes}
    return Tree(
        left=whole_numbers(record["left"], "left"),
        right=whole_numbers(record["right"], "right"),
        feature=whole_numbers(record["feature"], "feature"),
        threshold=np.array([float(t) for t in record["threshold"]]),
        missing_left=truths(record["missing_left"], "missing_left"),
        value=np.array([[float(x) for x in row] for row in record["value"]]).reshape(len(record["left"]), -1),
        **codes,
        output=int(record["output"]),
    )


def _check_codes(forest: Forest) -> None:
    """Every node on categories must look at a feature that has them, and know all of its codes."""
    for k, tree in enumerate(forest.trees):
        if tree.category is None or tree.left_codes is None:
            continue
        for node in np.flatnonzero(tree.category >= 0):
            feature: Any = forest.features[tree.feature[node]]
            if getattr(feature, "n_codes", np.inf) > tree.left_codes.shape[1]:
                raise InvalidDataError(f"Tree {k}, node {node} asks for the category of {feature.name}.")


def _number_record(x: float) -> Any:
    return x if math.isfinite(x) else str(x)
