"""Rules that stay in a list, and rules that it must do without, whatever their conditions are called."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import BoolArray, IntArray
from hedgerow.candidates.coverage import Coverage
from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import Demand
from hedgerow.constraints.given import check_rule
from hedgerow.exceptions import InfeasibleError
from hedgerow.rules.rule import Rule


@dataclass(frozen=True)
class Pin:
    """A rule is chosen; so no other rule is that has a sample with it.

    It says the same as ``Require(rule=...)`` and leaves a far smaller problem.

    Parameters
    ----------
    rule : Rule
        With conditions over the features of the candidates.
    """

    rule: Rule

    def __post_init__(self) -> None:
        check_rule("Pin", self.rule, optional=False)

    def __str__(self) -> str:
        return f"the rule ({self.rule.describe()}) is chosen"

    def demand(self, candidates: Candidates) -> Demand:
        """Return which rules may be chosen beside it."""
        mine = candidates.like(self.rule)
        if not len(mine):
            raise InfeasibleError(
                f"No candidate has the conditions of the rule ({self.rule.describe()}), or constraints rule it out. "
                "Add it (extra_rules, or resolve(add=...)), or leave one of the wishes out."
            )
        allowed = ~overlapping(candidates.coverage, int(mine[0]))
        allowed[mine] = True
        return Demand(allowed)


@dataclass(frozen=True)
class Drop:
    """A rule is not chosen, nor is any other that has the same training samples.

    ``Forbid(rule=...)`` forbids the very conditions; an ensemble often has others that mean the same.
    """

    rule: Rule

    def __post_init__(self) -> None:
        check_rule("Drop", self.rule, optional=False)

    def __str__(self) -> str:
        return f"no rule has the samples of ({self.rule.describe()})"

    def demand(self, candidates: Candidates) -> Demand:
        """Return which rules may be chosen."""
        allowed = np.ones(len(candidates), dtype=bool)
        for j in candidates.like(self.rule)[:1]:
            allowed[_twins(candidates.coverage, int(j))] = False
        return Demand(allowed)


def overlapping(coverage: Coverage, j: int) -> BoolArray:
    """Return which rules share a sample with one of them."""
    found: BoolArray = coverage.sums(coverage.holds(j).astype(np.float64)) > 0
    return found


def _twins(coverage: Coverage, j: int) -> IntArray:
    """Return the rules with the same samples as one of them."""
    alike = np.flatnonzero(coverage.counts == coverage.counts[j])
    mine = coverage.holds(j)
    return np.array([k for k in alike.tolist() if np.array_equal(coverage.holds(k), mine)], dtype=np.int64)
