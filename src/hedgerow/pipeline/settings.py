"""The parameters of an estimator, checked, with the loss looked up: what the rest of the pipeline reads.

Values that mean something only for certain data are checked where the data are known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from hedgerow._support.checks import check_integer, check_time_limit, is_number
from hedgerow.candidates.ensembles import takes_series
from hedgerow.candidates.feature_forest import FeatureForest
from hedgerow.candidates.scores import parse_spec
from hedgerow.constraints import check_constraints
from hedgerow.exceptions import InvalidParameterError
from hedgerow.losses import DEFAULTS, Loss, parse_loss
from hedgerow.optimize.solvers import RowGeneration, Solver
from hedgerow.pipeline.samples import Samples
from hedgerow.presets import PRESETS, WORKED_OUT, Circumstances
from hedgerow.smoothing import Smoothing, check_smoothing
from hedgerow.stabilities import STABILITIES
from hedgerow.tasks import TaskKind
from hedgerow.teachers import Teacher, unwrapped


@dataclass(frozen=True, eq=False)
class Settings:
    """What :class:`hedgerow.RuleListClassifier` is told, and for which kind of task.

    The fields have the names and meanings of its parameters, and some more. Where a parameter of None stands for
    another value, the field has that value.

    Attributes
    ----------
    task_kind : Labels or Numbers
        The class of the task; the task itself is known when the targets are.
    parsed_loss : Loss
    saw_samples : bool
        Whether a fitted ensemble was fitted to the very samples that are used now. Only then its out-of-bag
        predictions belong to them.
    left_open : set of str
        The parameters that the preset is still to work out; :meth:`settled` does. Until then they have their defaults.
    """

    task_kind: TaskKind
    parsed_loss: Loss
    ensemble: Any
    max_rules: int | None
    preset: str | None
    candidates: Literal["auto", "leaves", "nodes"]
    max_conditions: int | None
    min_coverage: float
    max_candidates: int | None
    stability_weight: float
    loss: Any
    stability: Any
    target: str | float
    teacher: Teacher | None
    smoothing: Smoothing | None
    round_thresholds: bool
    constraints: Any
    extra_rules: Any
    uncovered: str
    solver: Solver | None
    time_limit: float | None
    n_jobs: int | None
    random_state: Any
    verbose: bool
    saw_samples: bool = False
    left_open: frozenset[str] = frozenset()

    @classmethod
    def of(cls, task_kind: TaskKind, parameters: Mapping[str, Any]) -> Settings:
        """Return the settings with these parameters; refuse invalid ones."""
        left_open = _left_open(parameters)
        _check_explained(parameters)
        usual = {"min_coverage": 0.0, "loss": DEFAULTS[task_kind], "target": "labels"}
        parameters = {name: usual.get(name) if value is None else value for name, value in parameters.items()}
        _check_numbers(parameters)
        loss = parse_loss(parameters["loss"], task_kind)
        parse_spec(parameters["stability"], STABILITIES, "stability")
        check_smoothing(parameters["smoothing"], loss.answer)
        check_constraints(parameters["constraints"])
        _check_choices(parameters)
        _check_teacher(parameters)
        check_time_limit(parameters["time_limit"])
        if parameters["solver"] is not None and not hasattr(parameters["solver"], "solve"):
            raise InvalidParameterError(
                "solver must be None or have a method solve(problem, time_limit), like the classes in "
                f"hedgerow.solvers; got {parameters['solver']!r}."
            )
        return cls(task_kind, loss, left_open=left_open, **parameters)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of an estimator with these settings; None for what the preset is to work out."""
        return {name: None if name in self.left_open else getattr(self, name) for name in PARAMETERS}

    def changed(self, **others: Any) -> Settings:
        """Return the settings with other values of some parameters, checked; None leaves one to the preset."""
        changed = Settings.of(self.task_kind, self.parameters | others)
        loss = changed.parsed_loss if "loss" in others else self.parsed_loss
        return replace(changed, parsed_loss=loss, saw_samples=self.saw_samples)

    def settled(self, samples: Samples) -> Settings:
        """Return the settings without a preset: what it works out for these samples is set."""
        if self.preset is None:
            return self
        worked_out = PRESETS[self.preset](
            Circumstances(
                task_kind=self.task_kind,
                max_rules=self.max_rules,
                n_classes=0 if samples.task.classes is None else len(samples.task.classes),
                n_samples=samples.n_counted,
                n_columns=samples.n_features or 1,
                series=takes_series(unwrapped(self.ensemble)),
                ensemble=self.ensemble,
                random_state=self.random_state,
                n_jobs=self.n_jobs,
                stability_weight=float(self.stability_weight),
            )
        )
        settings = {name: worked_out.get(name) for name in self.left_open}
        # Of an ensemble that is given, a preset may take the features alone.
        return self.changed(**settings | {"preset": None, "ensemble": worked_out.get("ensemble", self.ensemble)})

    @property
    def ensemble_share(self) -> float:
        """The share of the ensemble's predictions in the targets."""
        return {"labels": 0.0, "ensemble": 1.0}[self.target] if isinstance(self.target, str) else float(self.target)

    def chosen_solver(self) -> Solver:
        """Return the solver. The default one gets no seed, so that ties between lists do not depend on one."""
        return RowGeneration() if self.solver is None else self.solver

    @property
    def takes_excerpts(self) -> bool:
        """Whether the solver can begin with some of the samples and ask about the others."""
        return self.solver is None or isinstance(self.solver, RowGeneration)


_OWN = ("task_kind", "parsed_loss", "saw_samples", "left_open")
#: The fields that are parameters of the estimators.
PARAMETERS = tuple(f.name for f in fields(Settings) if f.name not in _OWN)


def _left_open(given: Mapping[str, Any]) -> frozenset[str]:
    """Return the parameters that the preset is to work out: those that are None."""
    preset = given["preset"]
    if preset is None:
        return frozenset()
    if not isinstance(preset, str) or preset not in PRESETS:
        raise InvalidParameterError(f"preset must be None or one of {', '.join(map(repr, PRESETS))}; got {preset!r}.")
    # A target and a teacher both say what is learned: who gives one of them wants none of the other.
    closed = {"teacher", "target"} if given["teacher"] is not None or given["target"] is not None else set()
    return frozenset(name for name in WORKED_OUT if given[name] is None) - closed


def _check_explained(given: Mapping[str, Any]) -> None:
    """Refuse what would make ``faithful`` learn from something else than its model, or compare the list with it."""
    if given["preset"] != "faithful" or unwrapped(given["ensemble"]) is None:  # which the preset refuses
        return
    teacher, target = given["teacher"], given["target"]
    if teacher is None:
        if target is not None:
            raise InvalidParameterError(
                f"target={target!r} contradicts faithful(model), whose list learns from the model's predictions alone. "
                "Leave target at None; to mix the predictions with y, take RuleListClassifier(model, target=...) or "
                "RuleListRegressor(model, target=...)."
            )
        return
    same = isinstance(teacher, Teacher) and unwrapped(teacher.model) is unwrapped(given["ensemble"])
    if not same or not teacher.is_explained or target not in (None, "labels"):
        raise InvalidParameterError(
            "This teacher or target contradicts faithful(model), whose list learns from the model's predictions alone. "
            "Leave target at None, and teacher at None or Teacher(Oracle(model), share=1, ...) with the same model."
        )


def _check_numbers(given: Mapping[str, Any]) -> None:
    for name in ("max_rules", "max_conditions", "max_candidates"):
        check_integer(name, given[name], least=1, optional=True)
    check_candidates(given["max_candidates"], given["max_rules"])
    for name in ("min_coverage", "stability_weight"):
        value = given[name]
        if not is_number(value) or not 0 <= value <= 1:
            raise InvalidParameterError(f"{name} must be a number between 0 and 1; got {value!r}.")


def check_candidates(most: int | None, budget: int | None) -> None:
    """Refuse fewer candidates than the list may have rules."""
    if most is not None and budget is not None and most < budget:
        raise InvalidParameterError(
            f"max_candidates={most} is less than max_rules={budget}; give the solver at least as many candidates as "
            "the list may have rules."
        )


def _check_choices(given: Mapping[str, Any]) -> None:
    for name, possible in (("candidates", ("auto", "leaves", "nodes")), ("uncovered", ("default", "ensemble"))):
        if given[name] not in possible:
            raise InvalidParameterError(f"{name} must be one of {', '.join(map(repr, possible))}; got {given[name]!r}.")
    if not isinstance(given["round_thresholds"], (bool, np.bool_)):
        raise InvalidParameterError(f"round_thresholds must be True or False; got {given['round_thresholds']!r}.")
    target = given["target"]
    named = isinstance(target, str) and target in ("labels", "ensemble")
    if not named and not (is_number(target) and 0 <= target <= 1):
        raise InvalidParameterError(
            "target must be 'labels', 'ensemble', or the ensemble's share between 0 and 1 in a mix of the two; "
            f"got {target!r}."
        )


def _check_teacher(given: Mapping[str, Any]) -> None:
    """Refuse what is not a teacher, and one that contradicts the other parameters."""
    teacher = given["teacher"]
    if teacher is None:
        return
    if not isinstance(teacher, Teacher):
        raise InvalidParameterError(
            f"teacher must be None or a hedgerow.teachers.Teacher(model, ...); got {teacher!r}."
        )
    if given["target"] not in ("labels", 0):
        raise InvalidParameterError(
            f"target={given['target']!r} and a teacher both say what is learned. Take target='labels'; the teacher's "
            "share in the targets is Teacher(..., share=...)."
        )
    seen = [teacher.model] if isinstance(given["ensemble"], FeatureForest) else [given["ensemble"], teacher.model]
    if teacher.makes_rows and takes_series([unwrapped(model) for model in seen]):
        raise InvalidParameterError(
            "A teacher makes synthetic rows of tables, not of time series. Take "
            "hedgerow.candidates.feature_forest.FeatureForest(ensemble, trees) as the ensemble and a teacher for "
            "tables, which then sees the ensemble's features; or take Teacher(..., copies=0): then only its "
            "out-of-bag predictions are mixed into the targets."
        )
