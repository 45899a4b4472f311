"""What a method is given, a case, and what is known about a method before it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from benchmarks.datasets import DEPTHS, N_TREES, paper_forest

#: The most rules of a list, and the most leaves of a tree: those of the paper.
BUDGETS = {"classification": 4, "regression": 15}
#: The time limit of rivals that have one.
SECONDS = 60.0


@dataclass(frozen=True)
class Case:
    """What a model is made for.

    Attributes
    ----------
    task : str
    seed : int
    n_trees : int
        Of the paper's forest.
    max_rules : int, optional
        The budget, if it is not that of the paper.
    seconds : float
        The time limit of rivals that have one.
    """

    task: str
    seed: int = 0
    n_trees: int = N_TREES
    max_rules: int | None = None
    seconds: float = SECONDS

    @property
    def labels(self) -> bool:
        """Whether the targets are labels."""
        return self.task == "classification"

    @property
    def budget(self) -> int:
        """The most rules."""
        return BUDGETS[self.task] if self.max_rules is None else self.max_rules

    @property
    def depth(self) -> int:
        """The most conditions of a rule, and the depth of the paper's forest; less if not even one tree would fit."""
        return min(DEPTHS[self.task], self.budget.bit_length() - 1)

    def forest(self) -> Any:
        """Return the paper's forest, not fitted."""
        return paper_forest(self.task, self.seed, self.n_trees).set_params(max_depth=self.depth)


@dataclass(frozen=True)
class Method:
    """How to make a model, and what it cannot do.

    Attributes
    ----------
    make : callable
        From a case to an estimator that is not fitted.
    task : str, optional
        The only task it is for.
    most_classes : int, optional
        More it does not take.
    on_forest : bool
        Whether its ensemble is the paper's forest as it is, which may then be given fitted.
    packages : tuple of str
        What ``pip`` has to install for it, beyond the packages of the benchmarks; the first is imported.
    most_rows : int, optional
        More it does not take in reasonable time.
    is_sum : bool
        Whether its prediction is a sum over rules, not that of one rule.
    has_budget : bool
        Whether it keeps the budget; if not, it is measured once for all of them.
    """

    make: Callable[[Any], Any]
    task: str | None = None
    most_classes: int | None = None
    on_forest: bool = False
    packages: tuple[str, ...] = ()
    most_rows: int | None = None
    is_sum: bool = False
    has_budget: bool = True

    def why_not(self, task: str, n_classes: int = 0, n_rows: int = 0) -> str | None:
        """Say why it cannot do a task with so many classes and rows, if so."""
        if self.task not in (None, task):
            return f"it is for {self.task} only"
        if self.most_classes is not None and n_classes > self.most_classes:
            return f"it takes at most {self.most_classes} classes, and here are {n_classes}"
        if self.most_rows is not None and n_rows > self.most_rows:
            return f"it takes at most {self.most_rows} rows in reasonable time, and here are {n_rows}"
        return None

    @property
    def installed(self) -> bool:
        """Whether its package is there."""
        return not self.packages or is_installed(self.packages[0])


def is_installed(package: str) -> bool:
    """Say whether a package is there."""
    return find_spec(package) is not None
