"""When a search over budgets stops: where larger budgets do not score better, more of them are not tried.

After the best budget so far, ``patience`` more are tried. About half as many are enough where their scores have fallen
clearly: by the mean over them, and in the mean over the folds, by :data:`CLEARLY` standard errors of that difference.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray

#: How many standard errors make a difference clear, and how many folds they need at least.
CLEARLY, _FEWEST_FOLDS = 1.5, 3


@dataclass(frozen=True)
class Stopped:
    """Why larger budgets were not tried.

    Attributes
    ----------
    budget : int
        The largest that was tried.
    best : int
        The smallest with the best mean score of any setting.
    score : float
        That score.
    patience : int
        How many larger budgets did not score better.
    clearly : bool
        Whether they scored clearly worse, so that these were fewer than otherwise.
    """

    budget: int
    best: int
    score: float
    patience: int
    clearly: bool = False

    def __str__(self) -> str:
        """Say it in a sentence."""
        than = ", which score clearly worse" if self.clearly else ""
        return (
            f"The search stopped at max_rules={self.budget}: the mean score of max_rules={self.best}, "
            f"{self.score:.4g}, was not exceeded by the next {self.patience} budgets{than}."
        )


@dataclass(frozen=True, eq=False)
class Curve:
    """How the budgets score that were tried so far, in increasing order.

    Attributes
    ----------
    scores : float array of shape (n_budgets, n_folds)
        Those of the setting with the highest mean; NaN where there is none.
    patience : int or None
        How many budgets in a row may be no better than the best one before; None tries all.
    """

    scores: FloatArray
    patience: int | None

    @classmethod
    def of(cls, scores: FloatArray, patience: int | None) -> Curve:
        """Return the curve of the scores of each budget, setting and fold."""
        best = _or_least(scores.mean(axis=2)).argmax(axis=1)
        return cls(scores[np.arange(len(scores)), best], patience)

    def needed(self) -> int | None:
        """Return how many budgets to try before the next look; None for all, no more than there are to stop."""
        if self.patience is None:
            return None
        n_tried, best = len(self.scores), self._best
        if best is None:
            return n_tried + 1 + self._first_look
        n_since = n_tried - best - 1
        if n_since < self._first_look:
            return best + 1 + self._first_look
        return n_tried if n_since >= self.patience or self._has_fallen else n_tried + 1

    def stopped(self, budgets: list[int]) -> Stopped | None:
        """Return why no more budgets are tried, or None if more are."""
        needed, best, n_tried = self.needed(), self._best, len(self.scores)
        if needed is None or needed > n_tried or best is None or self.patience is None:
            return None
        n_since = n_tried - best - 1
        score = float(self.scores[best].mean())
        return Stopped(budgets[n_tried - 1], budgets[best], score, n_since, n_since < self.patience)

    @property
    def _best(self) -> int | None:
        """The first budget with the best mean score; None if none has a score."""
        mean = _or_least(self.scores.mean(axis=1))
        if not np.isfinite(mean).any():
            return None
        top = mean.max()
        better: BoolArray = mean >= top - rounding(top)
        return int(np.argmax(better))

    @property
    def _first_look(self) -> int:
        """After how many budgets it is asked whether the scores have fallen."""
        assert self.patience is not None
        return min(self.patience, max(2, (self.patience + 1) // 2))

    @property
    def _has_fallen(self) -> bool:
        """Whether the last budgets score clearly worse than the best."""
        lost = self.scores[self._best] - self.scores[-self._first_look :].mean(axis=0)
        n_folds = len(lost)
        if n_folds < _FEWEST_FOLDS:
            return False
        error = lost.std(ddof=1) / np.sqrt(n_folds)
        return bool(lost.mean() > max(CLEARLY * error, rounding(1.0)))


def rounding(score: float) -> float:
    """Return how far apart two means of equal scores may lie by rounding."""
    return 1e-12 * max(1.0, abs(score))


def _or_least(means: FloatArray) -> FloatArray:
    """Return the means, with less than any in place of NaN."""
    return np.where(np.isnan(means), -np.inf, means)
