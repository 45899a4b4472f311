"""What a person changed about a list, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["pin", "forbid", "add", "constraint", "max_rules"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Edit:
    """One wish of an expert, and the objective before and after.

    Attributes
    ----------
    step : int
        Wishes that were granted together have the same step; steps count from 1.
    kind : "pin", "forbid", "add", "constraint" or "max_rules"
        A rule that has to stay, one or a feature that the list must do without, a rule that competes with those of the
        ensemble, a constraint, or another budget.
    text : str
        The rule, feature, constraint or budget, in words.
    before, after : float
        The objective of the best list without and with all wishes of this step.
    proven : bool
        Whether the list after this step is proven the best one under all wishes so far.
    """

    step: int
    kind: Kind
    text: str
    before: float
    after: float
    proven: bool

    def describe(self) -> str:
        """Write the wish in words.

        >>> Edit(1, "forbid", "age", 1.5, 1.4, True).describe()
        'without age'
        """
        if self.kind == "max_rules":
            limit = f"at most {self.text}" if self.text.isdigit() else self.text
            return f"{limit} rule{'' if self.text == '1' else 's'}"
        words = {"pin": "keep ({})", "forbid": "without {}", "add": "candidate ({})"}
        return words.get(self.kind, "{}").format(self.text)
