"""What a wish costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Price:
    """What a list gives up to satisfy a wish.

    Attributes
    ----------
    wish : str
    objective : float or None
        By how much the objective is lower; None if no list satisfies the wish, or none was found in time.
    share : float or None
        The same as a share of the objective's size.
    score : float or None
        By how much the score on the training samples changes: accuracy, or R².
    test_score : float or None
        By how much the score on held-out samples changes; None without any.
    n_rules : int or None
        The number of rules under the wish.
    proven : bool
        Whether both lists are proven the best ones.
    reason : str
        Why there is no list.
    in_time : bool
        False if the time was up before it was known whether some list satisfies the wish.
    estimator : fitted estimator, or None
        The list under the wish.
    """

    wish: str
    objective: float | None = None
    share: float | None = None
    score: float | None = None
    test_score: float | None = None
    n_rules: int | None = None
    proven: bool = True
    reason: str = ""
    in_time: bool = True
    estimator: Any = None

    def __repr__(self) -> str:
        return f"Price({self})"

    def __str__(self) -> str:
        if self.objective is None:
            return f"{self.wish}: {'impossible' if self.in_time else 'not known'}. {self.reason}"
        parts = [f"objective {_signed(-self.objective)}"]
        parts += [] if self.share is None else [f"({_signed(-100 * self.share, 3)} %)"]
        parts += [] if self.score is None else [f"training score {_signed(self.score)}"]
        parts += [] if self.test_score is None else [f"held-out score {_signed(self.test_score)}"]
        told = ", ".join(parts).replace(", (", " (")
        return f"{self.wish}: {told}{'' if self.proven else ', not proven'}"


def _signed(x: float, digits: int = 4) -> str:
    return "±0" if abs(x) < 1e-9 else f"{x:+.{digits}g}"
