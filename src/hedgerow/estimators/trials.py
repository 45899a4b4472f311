"""What settings are worth in the folds of a cross-validation, and which row of the results is the best.

The budgets are tried in increasing order, some at a time, until larger ones do not score better (:mod:`.stopping`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed  # joblib's, with scikit-learn's configuration in the workers

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray
from hedgerow._support.progress import track
from hedgerow.estimators.base import RuleListEstimator
from hedgerow.estimators.stopping import Curve, Stopped, rounding
from hedgerow.exceptions import InfeasibleError, InvalidDataError
from hedgerow.pipeline.fold import Fold, Memories, Setting
from hedgerow.pipeline.samples import Samples
from hedgerow.pipeline.settings import Settings
from hedgerow.smoothing import Smoothing

#: One column per name, as scikit-learn's searches have them.
Results = dict[str, AnyArray]


@dataclass(frozen=True, eq=False)
class Tried:
    """The score of each budget, NaN where there is none; whether its list is proven; and why there is no score."""

    scores: FloatArray
    proven: BoolArray
    reasons: dict[int, str]

    @classmethod
    def nothing(cls, budgets: Sequence[int], reason: str | None = None) -> Tried:
        """Return what is known before any budget is tried, or if none can be for this reason."""
        reasons = {} if reason is None else dict.fromkeys(budgets, reason)
        return cls(np.full(len(budgets), np.nan), np.zeros(len(budgets), dtype=bool), reasons)

    def followed_by(self, more: Tried) -> Tried:
        """Return this with what is known of larger budgets."""
        scores, proven = np.append(self.scores, more.scores), np.append(self.proven, more.proven)
        return Tried(scores, proven, self.reasons | more.reasons)


@dataclass(frozen=True, eq=False)
class Trials:
    """A cross-validation.

    Attributes
    ----------
    plain : class
        The estimator without cross-validation.
    settings : Settings
        Those that all trials share.
    samples : Samples
    splits : list of (training, test) rows
    scorer : callable
        As in scikit-learn.
    patience : int or None
        How many budgets in a row may be no better than the best one before; None tries all.
    expected : array or None
        What the scorer compares the predictions with, if not with the targets of the samples.
    """

    plain: type[RuleListEstimator]
    settings: Settings
    samples: Samples
    splits: list[Any]
    scorer: Any
    patience: int | None = None
    expected: AnyArray | None = None

    def results(
        self, tried: list[Setting], budgets: list[int], n_jobs: int | None, verbose: bool
    ) -> tuple[Results, Stopped | None, tuple[int, int]]:
        """Return one row per setting and budget, why the search stopped before the last budget, and what was asked.

        The last is the number of rows that teachers were asked in the folds, and of calls.
        """
        folds = self._open_folds(budgets, n_jobs, verbose)
        found, stopped = self._try_all(folds, tried, budgets, n_jobs, verbose)
        scores = np.column_stack([np.concatenate([of.scores for of in of_fold]) for of_fold in found])
        proven = np.column_stack([np.concatenate([of.proven for of in of_fold]) for of_fold in found])
        rows = [(setting, budget) for setting in tried for budget in budgets]
        smoothings = np.empty(len(rows), dtype=object)
        smoothings[:] = [setting.smoothing for setting, _ in rows]
        mean = scores.mean(axis=1)
        skipped = _first_reasons(found, budgets)
        if stopped is not None:
            skipped[[budget > stopped.budget for _, budget in rows]] = f"Not tried. {stopped}"
        results = {
            "param_min_coverage": np.array([setting.min_coverage for setting, _ in rows]),
            "param_stability_weight": np.array([setting.stability_weight for setting, _ in rows]),
            "param_smoothing": smoothings,
            "param_max_rules": np.array([budget for _, budget in rows]),
            **{f"split{i}_test_score": scores[:, i] for i in range(len(found))},
            "mean_test_score": mean,
            "std_test_score": scores.std(axis=1),
            "rank_test_score": _ranks(mean),
            "proven": proven.all(axis=1),
            "skipped": skipped,
        }
        asked = np.array([(0, 0)] + [fold.asked for fold in folds if not isinstance(fold, str)])
        return results, stopped, tuple(asked.sum(axis=0).tolist())

    def _open_folds(self, budgets: list[int], n_jobs: int | None, verbose: bool) -> list[Fold | str]:
        """Return the folds, whose ensembles are fitted side by side."""
        parallel = Parallel(n_jobs=n_jobs, return_as="generator")
        jobs = (delayed(_open_fold)(self.settings, self.samples, budgets, *split) for split in self.splits)
        return list(track(parallel(jobs), len(self.splits), "fitting the ensembles of the folds", verbose))

    def _try_all(
        self, folds: list[Fold | str], tried: list[Setting], budgets: list[int], n_jobs: int | None, verbose: bool
    ) -> tuple[list[list[Tried]], Stopped | None]:
        """Return what each setting gives in each fold."""
        parallel = Parallel(n_jobs=n_jobs, return_as="generator")
        # Minimum coverages that leave the same candidates are tried once, and smoothings with one list.
        keys = [
            [(k, s if isinstance(fold, str) else fold.same_candidates(s)) for s in tried]
            for k, fold in enumerate(folds)
        ]
        smoothings = list(dict.fromkeys(setting.smoothing for setting in tried))
        todo: dict[Any, tuple[int, Setting]] = {}
        for k in range(len(folds)):
            for key, setting in zip(keys[k], tried, strict=True):
                todo.setdefault(key, (k, setting))
        expected = self.samples.y if self.expected is None else self.expected
        tests = [(_safe_indexing(self.samples.X, test), expected[test]) for _, test in self.splits]
        found = {key: {smoothing: Tried.nothing([]) for smoothing in smoothings} for key in todo}
        memories: dict[Any, Memories] = {key: {} for key in todo}

        def by_fold() -> list[list[Tried]]:
            return [[found[key][s.smoothing] for key, s in zip(of_fold, tried, strict=True)] for of_fold in keys]

        done, stopped = 0, None
        while done < len(budgets) and stopped is None:
            part = budgets[done : self._curve(by_fold()).needed()]
            jobs = (
                delayed(_try)(self.plain, folds[k], setting, smoothings, part, self.scorer, *tests[k], memories[key])
                for key, (k, setting) in todo.items()
            )
            label = (
                "trying settings" if len(part) == len(budgets) else f"trying settings, {part[0]} to {part[-1]} rules"
            )
            for key, (more, memory) in zip(todo, track(parallel(jobs), len(todo), label, verbose), strict=True):
                memories[key] = memory
                found[key] = {smoothing: found[key][smoothing].followed_by(more[smoothing]) for smoothing in smoothings}
            done += len(part)
            if done < len(budgets):
                stopped = self._curve(by_fold()).stopped(budgets)
        rest = Tried.nothing(budgets[done:])
        return [[one.followed_by(rest) for one in of_fold] for of_fold in by_fold()], stopped

    def _curve(self, found: list[list[Tried]]) -> Curve:
        """Return how the budgets score that were tried so far."""
        scores = np.array([[of.scores for of in of_fold] for of_fold in found])
        return Curve.of(scores.transpose(2, 1, 0), self.patience)


def best_row(results: Results, one_standard_error: bool) -> int:
    """Return the best row of the results that was not skipped; ties go to the smaller budget."""
    skipped, budgets = results["skipped"], results["param_max_rules"]
    mean = np.where(skipped == "", results["mean_test_score"], np.nan)
    if not np.isfinite(mean).any():
        reason = next(filter(None, skipped), "every score is NaN.")
        raise InfeasibleError(f"No setting could be tried in every fold. The first reason: {reason}")
    best = int(np.nanargmax(mean))
    n_folds = sum(name.startswith("split") for name in results)
    slack = results["std_test_score"][best] / np.sqrt(n_folds) if one_standard_error else rounding(mean[best])
    good = np.flatnonzero(mean >= mean[best] - slack)
    return int(min(good, key=lambda i: (budgets[i], -mean[i], i)))


def _first_reasons(found: list[list[Tried]], budgets: list[int]) -> AnyArray:
    """Return for each setting and budget the first fold's reason why it could not be tried, or an empty string."""
    reasons = np.full(len(found[0]) * len(budgets), "", dtype=object)
    for k, of_fold in enumerate(found):
        for i, of_setting in enumerate(of_fold):
            for budget, reason in of_setting.reasons.items():
                at = i * len(budgets) + budgets.index(budget)
                reasons[at] = reasons[at] or f"Fold {k}: {reason}"
    return reasons


def _open_fold(settings: Settings, samples: Samples, budgets: list[int], train: AnyArray, test: AnyArray) -> Fold | str:
    """Return the fold, or why it cannot be used."""
    y = samples.y[train]
    why_not = samples.task.why_not_tested(y, samples.y[test])
    if why_not is not None:
        return why_not
    weight = None if samples.weight is None else samples.weight[train]
    settings = replace(settings, parsed_loss=settings.parsed_loss.for_part_of(samples.task.classes))
    try:
        task, y = settings.task_kind.of(y, "")
        task.check_learnable(y if weight is None else y[weight > 0])
        X = _safe_indexing(samples.X, train)
        heard = None if samples.heard is None else samples.heard.about(train)
        return Fold(settings, replace(samples, X=X, y=y, weight=weight, task=task, heard=heard), budgets)
    except InvalidDataError as error:  # what this part of the samples lacks; invalid parameters concern all folds
        return str(error)


def _try(
    plain: type[RuleListEstimator],
    fold: Fold | str,
    setting: Setting,
    smoothings: Sequence[Smoothing | None],
    budgets: list[int],
    scorer: Any,
    X: Any,
    y: AnyArray,
    memories: Memories,
) -> tuple[dict[Smoothing | None, Tried], Memories]:
    """Return for each smoothing the score of each budget on test samples, and what helps with larger budgets."""
    if isinstance(fold, str):
        return dict.fromkeys(smoothings, Tried.nothing(budgets, fold)), memories
    tried = {smoothing: Tried.nothing(budgets) for smoothing in smoothings}
    for budget, found in fold.lists(setting, budgets, smoothings, memories):
        at = budgets.index(budget)
        for smoothing, of_smoothing in tried.items():
            if isinstance(found, str):
                of_smoothing.reasons[budget] = found
                continue
            of_smoothing.proven[at] = found[smoothing].solution.optimal
            try:
                of_smoothing.scores[at] = scorer(plain.of(found[smoothing]), X, y)
            except ValueError as error:
                of_smoothing.reasons[budget] = f"The scoring failed: {error}"
                continue
            if np.isnan(of_smoothing.scores[at]):
                of_smoothing.reasons[budget] = "The score is NaN."
    return tried, memories


def _ranks(mean: FloatArray) -> AnyArray:
    """Return 1 for the highest, equal ranks for equal scores, the last for those that were skipped."""
    shown = np.where(np.isnan(mean), -np.inf, mean)
    return np.array([1 + np.count_nonzero(shown > value + rounding(value)) for value in np.maximum(shown, -1e300)])
