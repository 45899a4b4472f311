"""A forest as JSON: data alone, so that reading one runs no code.

Numbers are written so that they come back bit by bit; infinity and NaN, which
JSON does not have, as text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, get_args

import numpy as np

from hedgerow.arrays import AnyArray
from hedgerow.exceptions import HedgerowError, InvalidDataError
from hedgerow.features import inputs_from_record, inputs_to_record
from hedgerow.forest import Aggregation, Forest, Link, Tree

FORMAT, VERSION = "hedgerow.forest", 1

_ARRAYS = {"left": np.int64, "right": np.int64, "feature": np.int64, "threshold": float, "missing_left": bool}
_CHOICES = {"aggregation": get_args(Aggregation), "link": get_args(Link)}


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
    trees = tuple(tree for member in members for tree in member.trees) or tuple(_tree(t) for t in record["trees"])
    for name, possible in _CHOICES.items():
        if record[name] not in possible:
            raise InvalidDataError(f"{name} is one of {', '.join(possible)}; got {record[name]!r}.")
    classes = record["classes"]
    forest = Forest(
        trees=trees,
        inputs=inputs_from_record(record["inputs"]),
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


def _tree(record: Mapping[str, Any]) -> Tree:
    def array(name: str, dtype: Any, convert: Callable[[Any], Any] | None = None) -> AnyArray:
        given = record[name]
        return np.array([convert(x) for x in given] if convert else given, dtype=dtype)

    arrays = {name: array(name, dtype, _number if name == "threshold" else None) for name, dtype in _ARRAYS.items()}
    codes: dict[str, Any] = {}
    if "category" in record:
        left_codes = np.zeros((len(record["left_codes"]), int(record["n_codes"])), dtype=bool)
        for i, listed in enumerate(record["left_codes"]):
            if listed and not 0 <= min(listed) <= max(listed) < left_codes.shape[1]:
                raise InvalidDataError(f"left_codes has code {max(listed)} or {min(listed)}, of {left_codes.shape[1]}.")
            left_codes[i, listed] = True
        codes = {"category": array("category", np.int64), "left_codes": left_codes}
    value = array("value", float, lambda row: [_number(x) for x in row])
    return Tree(**arrays, value=value, **codes, output=int(record["output"]))


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


def _number(x: Any) -> float:
    return float(x)
