"""The estimator for a table: a forest behind an encoder that rules see through, or a given model.

A forest needs only so many rows; a list is chosen on all of them. So a large table costs little more than a small one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow._support.lettering import some
from hedgerow.candidates.ensembles import fit_clone
from hedgerow.cli.console import note, tell
from hedgerow.constraints import Forbid
from hedgerow.estimators.classifier import RuleListClassifier
from hedgerow.estimators.regressor import RuleListRegressor
from hedgerow.evidence.relevance import column_gains
from hedgerow.exceptions import InvalidParameterError
from hedgerow.presets import default_forest, screening_forest
from hedgerow.sources.local import LocalSource
from hedgerow.tables.encoder import encoded
from hedgerow.tables.notes import Note
from hedgerow.tables.samples import Samples

#: A forest is trained on at most this many rows of a table.
_MOST_ROWS = 100_000
#: Which columns help is found out on at most so many rows, and not on fewer than so many.
_TO_SCREEN, _ENOUGH_TO_SCREEN = 20_000, 50
#: A note says how to keep so many columns, one by one.
_FEW = 3


@dataclass(frozen=True)
class Learning:
    """Which ensemble the rules come from, and the settings of the estimator.

    Attributes
    ----------
    settings : dict
        Parameters of the estimator.
    model : Path or None
        The file of a trained ensemble; by default, a random forest is trained.
    trust_pickle : bool
        Whether the file may be a pickle.
    published : bool
        Whether to use the settings of the published method, which are the estimators' defaults, instead of those of
        :meth:`~hedgerow.RuleListClassifier.accurate`.
    trees, depth : int or None
        The size of the random forest.
    explain : bool
        Whether the list is to predict what the model predicts, by the settings of
        :meth:`~hedgerow.RuleListClassifier.faithful`, instead of the targets.
    classes : list or None
        What the table calls the classes of the model.
    stream : bool or None
        Whether the rows are read in chunks; None if that depends on the size of the table.
    """

    settings: dict[str, Any]
    model: Path | None = None
    trust_pickle: bool = False
    published: bool = False
    trees: int | None = None
    depth: int | None = None
    explain: bool = False
    classes: list[Any] | None = None
    stream: bool | None = None

    def __post_init__(self) -> None:
        if self.explain and self.model is None:
            raise InvalidParameterError("--explain needs a model to explain; name its file with --model FILE.")
        if self.explain and self.published:
            raise InvalidParameterError(
                "--explain and --published are different settings. Leave out --published for the list that is closest "
                "to the model, or --explain for that of the published method."
            )
        if self.model is not None and (self.trees is not None or self.depth is not None):
            raise InvalidParameterError("--trees and --depth cannot be combined with --model.")
        if self.model is None and self.trust_pickle:
            raise InvalidParameterError("--trust-pickle needs a model; name its file with --model FILE.")
        if self.model is None and self.classes is not None:
            raise InvalidParameterError("--classes names the classes of a model; name its file with --model FILE.")

    def screened(self, samples: Samples, keep: Collection[str] = ()) -> Samples:
        """Return the samples without the columns of which a forest's splits help on no rows but its own.

        Those in ``keep`` stay in any case. With a model, with ``--published`` and in a tiny table, all columns stay.
        """
        if self.model is not None or self.published or len(samples.y) < _ENOUGH_TO_SCREEN:
            return samples
        rows = _drawn(None, len(samples.y), _TO_SCREEN, self.settings.get("random_state"))
        X, y, weight = _taken(samples, rows)
        kind = RuleListClassifier if samples.task == "classification" else RuleListRegressor
        given = (self.settings.get(name) for name in ("random_state", "n_jobs"))
        forest = screening_forest(kind.task_kind, len(rows), *given)
        gains, _ = column_gains(fit_clone(encoded(forest, X), X, y, weight), X, y)
        helps = gains > 0
        stays = helps | samples.X.columns.isin(list(keep))
        if stays.all() or not helps.any():
            return samples
        left_out, kept = samples.X.columns[~stays], samples.X.columns[stays]
        named = tuple(left_out) if len(left_out) <= _FEW else ()
        if len(left_out) == 1:
            text, purpose = f"column {left_out[0]} is left out: it does", "use it"
        else:
            text, purpose = f"columns {some(left_out)} are left out: they do", "use them"
        tell([Note(f"{text} not improve predictions on unseen rows", "keep", named, purpose)])
        return replace(samples, X=samples.X[kept], X_test=None if samples.X_test is None else samples.X_test[kept])

    def without_granted(self, samples: Samples) -> Learning:
        """Return the same without constraints that forbid a column that is left out anyway."""
        wanted = self.settings.get("constraints", ())
        left_out = [
            one.feature for one in wanted if isinstance(one, Forbid) and one.feature not in (None, *samples.X.columns)
        ]
        if not left_out:
            return self
        are = "is not among the columns" if len(left_out) == 1 else "are not among the columns"
        note(f"{some(left_out)} {are} that rules can use, so that --forbid is granted already")
        others = tuple(one for one in wanted if not isinstance(one, Forbid) or one.feature not in left_out)
        return replace(self, settings=self.settings | {"constraints": others})

    def fit(self, samples: Samples, model: Any = None) -> Any:
        """Return an estimator fitted to the training samples in a table; ``model`` is the ensemble in the file.

        If there are very many samples, the forest is trained on some of them. The list is always chosen on all.
        """
        if samples.rows is not None:
            return self._fit_in_chunks(samples, samples.rows, model)
        estimator = self.estimator(samples, model)
        if model is None and len(samples.y) > _MOST_ROWS:
            self._train_on_some(estimator, samples)
        return estimator.fit(samples.X, samples.y, samples.weight)

    def _fit_in_chunks(self, samples: Samples, rows: LocalSource, model: Any) -> Any:
        """Return an estimator fitted to rows in chunks; the forest is trained on the samples, which are some of them.

        There is no teacher then: so many rows need none.
        """
        kind = RuleListClassifier if samples.task == "classification" else RuleListRegressor
        make = kind if self.published else kind.accurate
        if model is not None:
            return make(model, **self.settings).fit(rows)
        of = "" if rows.n_rows is None else f" of {rows.n_rows}"
        note(f"the forest is trained on {len(samples.y)}{of} rows; the list is chosen on all of them")
        pool = self.estimator(samples).ensemble
        members = pool if isinstance(pool, list) else [pool]
        trained = [fit_clone(one, samples.X, samples.y, samples.weight) for one in members]
        return make(trained if isinstance(pool, list) else trained[0], **self.settings, target="labels").fit(rows)

    def _train_on_some(self, estimator: Any, samples: Samples) -> None:
        """Train the forest, or the teacher where there is one, on some of the samples."""
        labels = samples.y if samples.task == "classification" else None
        rows = _drawn(labels, len(samples.y), _MOST_ROWS, self.settings.get("random_state"))
        note(f"the forest is trained on {len(rows)} of {len(samples.y)} rows; the list is chosen on all of them")
        X, y, weight = _taken(samples, rows)
        if estimator.teacher is None:
            estimator.ensemble = fit_clone(estimator.ensemble, X, y, weight)
        else:
            estimator.teacher = replace(estimator.teacher, model=fit_clone(estimator.teacher.model, X, y, weight))

    def estimator(self, samples: Samples, model: Any = None) -> Any:
        """Return an unfitted estimator for the training samples in a table; ``model`` is the ensemble in the file."""
        kind = RuleListClassifier if samples.task == "classification" else RuleListRegressor
        make = kind if self.published else kind.faithful if self.explain else kind.accurate
        estimator = make(model, **self.settings).settled(samples.X, samples.y, samples.weight)
        if model is not None:
            return self._beside_model(estimator, samples.X, model)
        pool = estimator.ensemble
        if pool is None:
            pool = default_forest(kind.task_kind, estimator.random_state, estimator.n_jobs)
        trees = [encoded(self._sized(one), samples.X) for one in (pool if isinstance(pool, list) else [pool])]
        estimator.ensemble = trees if isinstance(pool, list) else trees[0]
        if estimator.teacher is not None:
            estimator.teacher = replace(estimator.teacher, model=encoded(estimator.teacher.model, samples.X))
        return estimator

    def _beside_model(self, estimator: Any, X: Any, model: Any) -> Any:
        """Return the estimator with an encoder for the trees that are to be grown beside the model."""
        if self.explain and isinstance(estimator.ensemble, list):
            estimator.ensemble = [one if one is model else encoded(one, X) for one in estimator.ensemble]
        return estimator

    def _sized(self, model: Any) -> Any:
        """Return trees of the number and depth that the user wants."""
        size = {
            "n_estimators": self.trees,
            "n_roots": self.trees,
            "max_depth": self.depth,
            "tree__max_depth": self.depth,
        }
        known = model.get_params()
        return model.set_params(**{n: value for n, value in size.items() if value is not None and n in known})


def _drawn(labels: AnyArray | None, n_rows: int, most: int, seed: Any) -> IntArray:
    """Return up to so many rows, drawn at random, in order; at least one of each class is among them."""
    if n_rows <= most:
        return np.arange(n_rows)
    rows = np.sort(np.random.default_rng(seed).choice(n_rows, most, replace=False))
    return rows if labels is None else np.union1d(rows, np.unique(labels, return_index=True)[1])


def _taken(samples: Samples, rows: IntArray) -> tuple[Any, AnyArray, FloatArray | None]:
    weight = None if samples.weight is None else samples.weight[rows]
    return _safe_indexing(samples.X, rows), samples.y[rows], weight
