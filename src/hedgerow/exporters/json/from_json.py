"""A rule list out of JSON: every part is checked, and against the others, before there is a list."""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow._support.json_field import Field
from hedgerow.exceptions import InvalidDataError
from hedgerow.exporters.json.documents import TOLERANCE, check_text, opened, read_rule
from hedgerow.features import Inputs, inputs_from_record
from hedgerow.forests.forest import Forest
from hedgerow.forests.json import classes_from_record
from hedgerow.forests.json import from_record as forest_from_record
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution, Status

FORMAT, VERSION = "hedgerow.rule_list", 1

_HEAD = ("format", "version", "n_samples", "classes", "class_dtype")
_LIST = (*_HEAD, "rules", "default", "solution", "inputs", "fallback")
_SOLUTION = ("status", "objective", "bound", "gap", "seconds", "chosen")


def read(text: str) -> RuleList:
    """Return the list that ``to_json`` wrote; raise an error if anything does not fit together."""
    return checked(opened(text, "rule list", FORMAT, VERSION))


def checked(document: Field) -> RuleList:
    """Return the list in a document of this version, if everything in it fits together."""
    document.only(_LIST)
    classes = classes_from_record(document)
    inputs = inputs_from_record(document["inputs"].value)
    n_samples = document["n_samples"].whole(at_least=0)
    rules = tuple(read_rule(rule, inputs, classes, n_samples) for rule in document["rules"])
    if not rules:
        raise document["rules"].error("a list of at least one rule")
    solution, fallback = document.get("solution"), document.get("fallback")
    rule_list = RuleList(
        rules=rules,
        default=read_rule(document["default"], inputs, classes, n_samples, is_default=True),
        inputs=inputs,
        classes=classes,
        n_samples=n_samples,
        solution=None if solution is None else _solution(solution),
        fallback=None if fallback is None else _fallback(fallback, inputs, classes),
    )
    if rule_list.solution is not None:
        _check_partition(rule_list, rule_list.solution)
    for field, text in zip((*document["rules"], document["default"]), rule_list.sentences(), strict=True):
        check_text(field, text)
    return rule_list


def _check_partition(rule_list: RuleList, solution: Solution) -> None:
    """Refuse numbers that rules cannot have which a solver chose: each training sample is in one of them."""
    covered, share = sum(rule.coverage for rule in rule_list), math.fsum(rule.share for rule in rule_list)
    if covered != rule_list.n_samples:
        raise InvalidDataError(f"The rules cover {covered} samples together, but n_samples is {rule_list.n_samples}.")
    if abs(share - 1) > TOLERANCE:
        raise InvalidDataError(f"The shares of the rules must sum to 1; they sum to {share:.6g}.")
    if len(solution.chosen) != len(rule_list):
        raise InvalidDataError(f"solution.chosen names {len(solution.chosen)} rules, but there are {len(rule_list)}.")


def _solution(field: Field) -> Solution:
    status: Any = field.only(_SOLUTION)["status"].text(get_args(Status))
    solution = Solution(
        chosen=np.array([column.whole(0) for column in field["chosen"]], dtype=np.int64),
        objective=field["objective"].number(),
        bound=field["bound"].number(),
        status=status,
        seconds=field["seconds"].number(at_least=0),
    )
    said = field["gap"].number(nan=True)
    if not math.isclose(said, solution.gap, rel_tol=1e-9, abs_tol=1e-12) and not math.isnan(solution.gap):
        raise field["gap"].error(f"{solution.gap!r} by objective and bound")
    size = max(1.0, abs(solution.objective))
    if solution.bound < solution.objective - TOLERANCE * size:
        raise field["bound"].error(f"at least the objective, {solution.objective!r}")
    if solution.optimal and not solution.bound <= solution.objective + TOLERANCE * size:
        raise field["status"].error("not optimal, as the bound is above the objective")
    return solution


def _fallback(field: Field, inputs: Inputs, classes: AnyArray | None) -> Forest:
    try:
        forest = forest_from_record(field.value)
    except InvalidDataError as error:
        raise InvalidDataError(f"{field.path}: {error}") from None
    if _labels(forest.classes) != _labels(classes):
        raise InvalidDataError(f"{field.path}.classes are other than those of the list.")
    if forest.inputs.sample_shape != inputs.sample_shape:
        raise InvalidDataError(f"{field.path}.inputs takes samples of another shape than the list.")
    return forest


def _labels(classes: AnyArray | None) -> list[Any] | None:
    return None if classes is None else classes.tolist()
