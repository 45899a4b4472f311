"""A rule list from JSON: every part is checked, by itself and against the others, before there is a list."""

from __future__ import annotations

import json
import math
from typing import Any, get_args

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow._support.json_field import Field, parse
from hedgerow._support.lettering import some
from hedgerow.exceptions import InvalidDataError
from hedgerow.exporters.json.rules import TOLERANCE, read_rule
from hedgerow.features import Inputs, inputs_from_record
from hedgerow.forests.forest import Forest
from hedgerow.forests.json import FORMAT as FOREST_FORMAT
from hedgerow.forests.json import classes_from_record
from hedgerow.forests.json import from_record as forest_from_record
from hedgerow.rules.edit import KINDS, Edit
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution, Status

FORMAT, VERSION = "hedgerow.rule_list", 4

_HEAD = ("format", "version", "n_samples", "classes", "class_dtype")
_LIST = (*_HEAD, "rules", "default", "solution", "inputs", "fallback", "constraints", "edits", "certificate")
_EDIT = ("step", "kind", "text", "before", "after", "proven")
_SOLUTION = ("status", "objective", "bound", "gap", "seconds", "chosen")


def read(text: str) -> RuleList:
    """Return the list that ``to_json`` wrote; raise an error if its parts do not fit together."""
    document = Field(parse(text, "A rule list"))
    found = document.value.get("format") if isinstance(document.value, dict) else None
    if found != FORMAT:
        raise InvalidDataError(f"This is not a rule list of hedgerow: {_what_it_is(document.value, found)}")
    version = document["version"].whole(at_least=1)
    if version > VERSION:
        raise InvalidDataError(
            f"The rule list is of version {version}; this release of hedgerow reads versions up to {VERSION}. "
            "Upgrade hedgerow to read it."
        )
    return checked(document)


def checked(document: Field) -> RuleList:
    """Return the list in a document of this version, if all its parts fit together."""
    document.only(_LIST)
    classes = classes_from_record(document)
    inputs = inputs_from_record(document["inputs"].value)
    n_samples = document["n_samples"].whole(at_least=0)
    rules = tuple(read_rule(rule, inputs, classes, n_samples) for rule in document["rules"])
    if not rules:
        raise document["rules"].error("a list of at least one rule")
    solution, fallback = document.get("solution"), document.get("fallback")
    if "certificate" in document:
        document["certificate"].members()  # what it proves is for hedgerow.evidence.check to say
    constraints, edits = document.get("constraints"), document.get("edits")
    rule_list = RuleList(
        rules=rules,
        default=read_rule(document["default"], inputs, classes, n_samples, is_default=True),
        inputs=inputs,
        classes=classes,
        n_samples=n_samples,
        solution=None if solution is None else _solution(solution),
        fallback=None if fallback is None else _fallback(fallback, inputs, classes),
        constraints=() if constraints is None else tuple(one.text() for one in constraints),
        edits=() if edits is None else _edits(edits, solution),
    )
    if rule_list.solution is not None:
        _check_partition(rule_list, rule_list.solution)
    for field, text in zip((*document["rules"], document["default"]), rule_list.sentences(), strict=True):
        if "text" in field and _ascii(field["text"].text()) != _ascii(text):
            raise InvalidDataError(
                f"{field.path}.text differs from the rule, which is {json.dumps(text)}. If the rule was changed on "
                "purpose, leave the text out."
            )
    return rule_list


def _what_it_is(document: Any, found: Any) -> str:
    """Return what a document is instead of a rule list, and what reads it."""
    if found == FOREST_FORMAT:
        return "it is a forest, which hedgerow.Forest.from_json reads."
    if isinstance(document, dict) and found is None:
        members = f"its members are {some(map(json.dumps, document))}" if document else "it is empty"
        what = f'it has no member "format"; {members}.'
    elif isinstance(document, dict):
        what = f"its format is {json.dumps(found)}, not {json.dumps(FORMAT)}."
    else:
        what = f"it is not an object but of type {type(document).__name__}."
    return f"{what} RuleList.to_json and hedgerow extract --json write rule lists; hedgerow.read_forest reads models."


def _ascii(text: str) -> bytes:
    """Return a text with escapes: which characters are printed as they are depends on the release of Python."""
    return text.encode("ascii", "backslashreplace")


def _check_partition(rule_list: RuleList, solution: Solution) -> None:
    """Refuse coverages that rules chosen by a solver cannot have: each training sample is in exactly one of them."""
    covered, share = sum(rule.coverage for rule in rule_list), math.fsum(rule.share for rule in rule_list)
    if covered != rule_list.n_samples:
        raise InvalidDataError(f"The rules cover {covered} samples in total, but n_samples is {rule_list.n_samples}.")
    if abs(share - 1) > TOLERANCE:
        raise InvalidDataError(f"The shares of the rules must sum to 1; they sum to {share:.6g}.")
    if len(solution.chosen) != len(rule_list):
        raise InvalidDataError(f"solution.chosen has {len(solution.chosen)} rules, but the list has {len(rule_list)}.")


def _solution(field: Field) -> Solution:
    status: Any = field.only(_SOLUTION)["status"].text(get_args(Status))
    solution = Solution(
        chosen=np.array([column.whole(0) for column in field["chosen"]], dtype=np.int64),
        objective=field["objective"].number(),
        bound=field["bound"].number(),
        status=status,
        seconds=field["seconds"].number(at_least=0),
    )
    gap = field["gap"].number(nan=True)
    if not math.isclose(gap, solution.gap, rel_tol=1e-9, abs_tol=1e-12) and not math.isnan(solution.gap):
        raise field["gap"].error(f"{solution.gap!r}, given the objective and the bound")
    size = max(1.0, abs(solution.objective))
    if solution.bound < solution.objective - TOLERANCE * size:
        raise field["bound"].error(f"at least the objective, {solution.objective!r}")
    if solution.optimal and not solution.bound <= solution.objective + TOLERANCE * size:
        raise InvalidDataError(f"{field['status'].path} is optimal, but the bound is above the objective.")
    return solution


def _edits(field: Field, solution: Field | None) -> tuple[Edit, ...]:
    """Return what was changed, in order; there is nothing to change about a list without a proof."""
    if solution is None:
        raise InvalidDataError(f"{field.path} are given, but solution is not.")
    edits: list[Edit] = []
    for one in field:
        kind: Any = one.only(_EDIT)["kind"].text(KINDS)
        known = edits[-1].step if edits else 0
        edit = Edit(
            step=one["step"].whole(max(1, known), known + 2),
            kind=kind,
            text=one["text"].text(),
            before=one["before"].number(),
            after=one["after"].number(),
            proven=one["proven"].truth(),
        )
        edits.append(edit)
    return tuple(edits)


def _fallback(field: Field, inputs: Inputs, classes: AnyArray | None) -> Forest:
    try:
        forest = forest_from_record(field.value)
    except InvalidDataError as error:
        raise InvalidDataError(f"{field.path}: {error}") from None
    of_forest, of_list = (None if one is None else one.tolist() for one in (forest.classes, classes))
    if of_forest != of_list:
        raise InvalidDataError(f"{field.path}.classes differ from those of the list.")
    if forest.inputs.sample_shape != inputs.sample_shape:
        raise InvalidDataError(f"{field.path}.inputs describe samples of another shape than those of the list.")
    return forest
