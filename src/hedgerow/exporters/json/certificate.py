"""The certificate in a document: what :mod:`hedgerow.evidence.checker` needs to prove a list again without hedgerow.

The trees and the settings, from which the candidates and their scores follow, the steps of the proof
(:mod:`hedgerow.optimize.certificates`), and what cannot be computed again: the targets and rows of a teacher, and the
rows of constraints. The training rows are not in it, only a hash of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow._support.json_field import number_record
from hedgerow.candidates.answers import LeastCost
from hedgerow.candidates.margins import Gaps
from hedgerow.candidates.pool import RulePool, make_pool
from hedgerow.candidates.tally import Tally
from hedgerow.evidence.checker import fingerprint
from hedgerow.exceptions import CertificateError
from hedgerow.features import Category, Column, Inputs, inputs_to_record
from hedgerow.forests.json import tree_record
from hedgerow.losses import LOSSES, CostMatrix, Priced
from hedgerow.optimize.certificates import Branch, Certificate, Drop, Step, certify
from hedgerow.pipeline.pose import Posed
from hedgerow.pipeline.prepare import DEFAULT_MAX_CONDITIONS, Learned
from hedgerow.rules.solution import Solution
from hedgerow.stabilities import dice

#: What the checker computes by itself.
_KINDS = (Column, Category)
_LOSSES = ("misclassification", "log_loss", "gini", "mse", "sse")
_NOT_NEEDED = ("value", "output")


def certificate_record(posed: Posed, solution: Solution, time_limit: float | None) -> dict[str, Any]:
    """Return the certificate of a list as JSON data; say what cannot be certified."""
    settings, learned = posed.settings, posed.learned
    _check(posed)
    whole = posed if posed.free is None else posed.free
    pool, scores = whole.pool, whole.scores
    kind, longest = _kind(pool, settings.max_conditions)
    place = {int(node): j for j, node in enumerate(pool.node)}
    numbers = np.array([place[int(node)] for node in posed.pool.node])
    certificate = certify(replace(posed.problem, coverage=posed.coverage), solution, time_limit)
    return {
        "max_rules": settings.max_rules,
        "candidates": kind,
        "max_conditions": longest,
        "min_coverage": float(settings.min_coverage),
        "stability_weight": float(settings.stability_weight),
        "loss": _loss_record(learned),
        "columns": learned.forest.inputs.names,
        "training": _fingerprint(learned),
        "n_candidates": len(scores.total),
        "excluded": np.setdiff1d(np.arange(len(pool)), numbers).tolist(),
        "predicts": settings.smoothing is None and settings.teacher is None and _is_plain(learned, learned.answered),
        "taught": None if _is_plain(learned, learned.targets) else _taught_record(learned),
        **_proof_record(certificate, numbers),
        "forest": {
            "inputs": inputs_to_record(learned.forest.inputs),
            "tree_weights": learned.forest.tree_weights.astype(np.float64).tolist(),
            "trees": [
                {name: part for name, part in tree_record(tree).items() if name not in _NOT_NEEDED}
                for tree in learned.forest.trees
            ],
        },
    }


def _check(posed: Posed) -> None:
    """Refuse what the checker could not compute again."""
    settings, learned = posed.settings, posed.learned
    if isinstance(learned.values, Gaps) or isinstance(learned.targets, Tally):
        raise _refusal("its rows were read piece by piece. Fit on a table in memory")
    if posed.pool.forest.n_trees > learned.forest.n_trees:
        raise _refusal("rules of an expert compete with those of the ensemble, and belong to no tree of it")
    if settings.round_thresholds:
        raise _refusal("its thresholds are rounded. Fit with round_thresholds=False")
    if not (settings.stability_weight == 0 or settings.stability in ("dice", dice)):
        raise _refusal(f"stability={settings.stability!r} can only be computed with hedgerow; possible: 'dice'")
    _check_inputs(learned.forest.inputs)
    _loss_record(learned)


def _check_inputs(inputs: Inputs) -> None:
    for feature in inputs.features:
        if type(feature) not in _KINDS or inputs.of_series:
            raise _refusal(
                f"the checker reads numbers and categories from columns, and {feature.name!r} is a "
                f"{type(feature).__name__}. Compute such features beforehand, and train the ensemble on them"
            )
    for column, notation in inputs.notations:
        if notation.kind == "number" and not notation.is_plain:
            raise _refusal(
                f"the numbers of {inputs.names[column]!r} are written with separators or signs, as in "
                f"{notation!r}. Write them as 1234.5"
            )


def _refusal(reason: str) -> CertificateError:
    text = f"This list cannot be certified: {reason}, or write the JSON without a certificate."
    return CertificateError(text, parameter="certificate")


def _kind(pool: RulePool, longest: int | None) -> tuple[str, int | None]:
    """Return whether the candidates are leaves or nodes, and the length of the longest path."""
    if (pool.end_rank[pool.node] >= 0).all():
        leaves = make_pool(pool.forest, "leaves", longest)
        if len(leaves.end_rank) == len(pool.end_rank) and (leaves.end_rank == pool.end_rank).all():
            return "leaves", longest
    return "nodes", DEFAULT_MAX_CONDITIONS if longest is None else longest


def _loss_record(learned: Learned) -> list[dict[str, Any]]:
    """Return the parts of the loss by their names and parameters."""
    classes, parts = learned.task.classes, learned.loss.parts
    return [_part_record(name, function, classes) | {"weight": share} for name, function, share in parts]


def _part_record(name: str, function: Any, classes: Any) -> dict[str, Any]:
    if isinstance(function, Priced):
        own = function.loss
        named = _part_record(str(own), LOSSES.get(own, own), classes)
        return named | {"price": function.price}
    if isinstance(function, CostMatrix):
        assert isinstance(function.answer, LeastCost)
        return {"name": "costs", "costs": [list(row) for row in function.answer.costs], "price": None}
    known = next((each for each in _LOSSES if LOSSES[each] is function), None)
    if known is None:
        raise _refusal(
            f"the checker does not know the loss {name!r}; possible: {', '.join(_LOSSES)}, cost_matrix(costs)"
        )
    if classes is None:
        return {"name": known, "price": None}
    # What is wrong costs 1: the class of least cost is the most frequent one.
    costs = (1.0 - np.eye(len(classes))).tolist()
    return {"name": "costs" if known == "misclassification" else known, "costs": costs, "price": None}


def _given(learned: Learned) -> Any:
    """Return the targets that were given, of the samples that count."""
    samples = learned.samples
    return samples.y[samples.counted > 0]


def _is_plain(learned: Learned, targets: Any) -> bool:
    """Whether targets are those of the samples, and there are no other rows."""
    given = _given(learned)
    return len(targets) == learned.n_samples and targets.ndim == 1 and bool(np.all(targets == given))


def _fingerprint(learned: Learned) -> str:
    """Return the hash of the training rows as the checker computes it."""
    n, y = learned.n_samples, _given(learned)
    if learned.task.classes is not None:
        places = {label: k for k, label in enumerate(learned.task.classes.tolist())}
        y = np.array([places[label] for label in y.tolist()])
    values, weight = np.asarray(learned.values)[:n].astype(np.float64), np.asarray(learned.weight)[:n]
    return fingerprint(zip(values.tolist(), y.astype(np.float64).tolist(), weight.tolist(), strict=True))


def _taught_record(learned: Learned) -> dict[str, Any]:
    """Return what a teacher, or the ensemble, has made of the targets, and the rows that it added."""
    n, targets = learned.n_samples, np.asarray(learned.targets)
    if targets.ndim == 1 and learned.task.classes is not None:
        targets = (targets[:, None] == np.asarray(learned.task.classes)).astype(np.float64)
    values = np.asarray(learned.values)[n:].astype(np.float64)
    return {
        "targets": targets.astype(np.float64).tolist(),
        "values": [[number_record(x) for x in row] for row in values.tolist()],
        "weights": np.asarray(learned.weight)[n:].astype(np.float64).tolist(),
    }


def _proof_record(certificate: Certificate, numbers: IntArray) -> dict[str, Any]:
    """Return the rows, cliques and steps of a proof, with the numbers of the candidates."""
    rows = []
    if certificate.rows is not None:
        matrix, names = certificate.rows.matrix, certificate.rows.names
        for r in range(matrix.shape[0]):
            entries = slice(matrix.indptr[r], matrix.indptr[r + 1])
            rows.append(
                {
                    "name": names[r] if r < len(names) else "a constraint",
                    "lower": number_record(float(certificate.rows.lower[r])),
                    "upper": number_record(float(certificate.rows.upper[r])),
                    "entries": _pairs(numbers[matrix.indices[entries]], matrix.data[entries]),
                }
            )
    cliques = [numbers[clique].tolist() for clique in certificate.cliques]
    return {"rows": rows, "cliques": cliques, "steps": [_step_record(step, numbers) for step in certificate.steps]}


def _pairs(keys: IntArray, values: FloatArray) -> list[list[float]]:
    return [[key, value] for key, value in zip(keys.tolist(), values.tolist(), strict=True)]


def _step_record(step: Step, numbers: IntArray) -> dict[str, Any]:
    if isinstance(step, Branch):
        return {"do": "branch", "rules": numbers[step.rules].tolist()}
    used = step.multipliers
    what = "drop" if isinstance(step, Drop) else "contradict" if step.empty else "close"
    sums = {"total": used.total, "budget": used.budget}
    of_rows = {name: [list(pair) for pair in getattr(used, name).items()] for name in ("samples", "rows", "cliques")}
    return {"do": what, **sums, **of_rows}
