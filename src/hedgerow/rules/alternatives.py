"""Several lists that are nearly as good as each other: what they share, and on what they rely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hedgerow._support.text_table import aligned
from hedgerow.features import Feature
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_number

#: A page of text has so many rules that are in several lists.
_MOST_RULES = 8
#: The most characters of the names of a list's features.
_WIDTH = 72


@dataclass(frozen=True)
class Occurrence:
    """In how many lists a feature, a condition or a rule occurs.

    Attributes
    ----------
    text : str
    n_lists : int
    lists : tuple of int
        Their positions.
    """

    text: str
    lists: tuple[int, ...]

    @property
    def n_lists(self) -> int:
        """In how many lists it occurs."""
        return len(self.lists)


@dataclass(frozen=True)
class Reliance:
    """How much lists rely on a feature: by how much the training score drops if its values are shuffled.

    Attributes
    ----------
    name : str
    lowest, highest : float
        Over all lists; 0 for lists that do without the feature.
    of : tuple of float
        That of each list.
    """

    name: str
    lowest: float
    highest: float
    of: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Alternatives:
    """Lists of the same candidates in order, the best one first, each proven to be the next best.

    Attributes
    ----------
    rule_lists : tuple of RuleList
    scores : tuple of float
        The score of each list on the training samples.
    score_name : str
        Accuracy, or R².
    asked : int
        How many lists were asked for at most.
    within : float or None
        How much worse than the best list they may be, as a share of its objective's size.
    differ_by : float or None
        The least share of the training samples by which two lists differ.
    more : bool or None
        Whether there are further lists that are good enough; None if that is not known.
    ended_early : bool
        Whether the search ended, for lack of time or memory, before it had found all that was asked for.
    bound : float
        No other list has a higher objective, but for those that were left out because they differ too little.
    n_alike : int
        How many lists were left out for that reason.
    reliance_of : tuple of dict, or None
        How much each list relies on each of its features; None for rows that are read in chunks.
    """

    rule_lists: tuple[RuleList, ...]
    scores: tuple[float, ...]
    score_name: str
    asked: int
    within: float | None
    differ_by: float | None
    more: bool | None
    ended_early: bool
    bound: float
    n_alike: int
    reliance_of: tuple[Mapping[Feature, float], ...] | None

    def __len__(self) -> int:
        return len(self.rule_lists)

    def __iter__(self) -> Iterator[RuleList]:
        return iter(self.rule_lists)

    def __getitem__(self, i: int) -> RuleList:
        return self.rule_lists[i]

    @cached_property
    def objectives(self) -> tuple[float, ...]:
        """The objective of each list."""
        return tuple(one.solution.objective for one in self.rule_lists if one.solution is not None)

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """By how much each objective is lower than that of the best list, as a share of its size."""
        best = self.objectives[0]
        return tuple((best - objective) / abs(best) if best else 0.0 for objective in self.objectives)

    # What the lists share

    @cached_property
    def features(self) -> tuple[Occurrence, ...]:
        """In how many lists each feature occurs, the most frequent first; a column counts as one feature."""
        names = _names(self.rule_lists)
        return self._count(lambda one: {f.source: names[f.source] for f in _features(one)})

    @cached_property
    def conditions(self) -> tuple[Occurrence, ...]:
        """In how many lists each condition occurs, the most frequent first."""
        return self._count(lambda one: {c: c.describe(self._digits) for rule in one for c in rule.simplified})

    @cached_property
    def rules(self) -> tuple[Occurrence, ...]:
        """In how many lists each rule occurs, the most frequent first; its prediction belongs to it."""
        return self._count(
            lambda one: {(frozenset(rule.simplified), rule.prediction): rule.sentence(self._digits) for rule in one}
        )

    @cached_property
    def reliances(self) -> tuple[Reliance, ...]:
        """How much the lists rely on each feature, the one with the highest reliance first."""
        if self.reliance_of is None:
            return ()
        names, found = _names(self.rule_lists), []
        for source, name in names.items():
            of = tuple(
                next((loss for feature, loss in mine.items() if feature.source == source), 0.0)
                for mine in self.reliance_of
            )
            found.append(Reliance(name, min(of), max(of), of))
        return tuple(sorted(found, key=lambda one: (-one.highest, -one.lowest)))

    def _count(self, parts_of: Any) -> tuple[Occurrence, ...]:
        """Return in which lists each part occurs."""
        texts: dict[Hashable, str] = {}
        places: dict[Hashable, list[int]] = {}
        for i, one in enumerate(self.rule_lists):
            for part, text in parts_of(one).items():
                texts.setdefault(part, text)
                places.setdefault(part, []).append(i)
        found = [Occurrence(texts[part], tuple(lists)) for part, lists in places.items()]
        return tuple(sorted(found, key=lambda one: -one.n_lists))

    @cached_property
    def _digits(self) -> int:
        return max(one.digits for one in self.rule_lists)

    # For people

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row per list: its objective, what it lacks to the best, score and size."""
        import pandas as pd

        return pd.DataFrame(
            {
                "objective": self.objectives,
                "share_below_best": self.shares,
                "training_score": self.scores,
                "n_rules": [len(one) for one in self],
                "n_conditions": [sum(len(rule.simplified) for rule in one) for one in self],
                "features": [", ".join(_names([one]).values()) for one in self],
            },
            index=pd.RangeIndex(1, len(self) + 1, name="list"),
        )

    def occurrences_to_frame(self) -> Any:
        """Return a pandas data frame with a row per feature, condition and rule: in how many lists it occurs.

        For features it also has the lowest and the highest reliance.
        """
        import pandas as pd

        kinds = {"feature": self.features, "condition": self.conditions, "rule": self.rules}
        found = [(kind, one) for kind, ones in kinds.items() for one in ones]
        reliance = {("feature", one.name): one for one in self.reliances}
        of = [reliance.get((kind, one.text)) for kind, one in found]
        return pd.DataFrame(
            {
                "kind": [kind for kind, _ in found],
                "what": [one.text for _, one in found],
                "n_lists": [one.n_lists for _, one in found],
                "share": [one.n_lists / len(self) for _, one in found],
                "lowest_reliance": [float("nan") if one is None else one.lowest for one in of],
                "highest_reliance": [float("nan") if one is None else one.highest for one in of],
            }
        )

    def describe(self) -> str:
        """Say what these lists are, and what is proven."""
        n, within = len(self), "" if self.within is None else f" within {100 * self.within:.3g} % of the best objective"
        within = " that are as good as the best one" if self.within == 0 else within
        told = "The best list" if n == 1 else f"The {n} best lists"
        if self.more is False:
            told = {1: "The only list", 2: "Both lists"}.get(n, f"All {n} lists")
            told += within or " of the candidates"
        if self.differ_by is not None and n > 1:
            told += f" that differ by at least {100 * self.differ_by:.3g} % of the training samples"
        told += ", proven." if n == 1 else ", in order, proven."
        if self.more:
            told += f" There are more{within}: raise k."
        elif self.ended_early:
            told += f" The search ended before it had found all{within or f' {self.asked}'}: raise time_limit."
        return told

    def __str__(self) -> str:
        """Write the lists side by side, and what they share."""
        head = ["", "objective", "below best", f"training {self.score_name}", "rules", "features"]
        table = [head]
        for i, one in enumerate(self):
            below = "" if not i else f"{100 * self.shares[i]:.3g} %"
            row = [f"{i + 1}.", f"{self.objectives[i]:.6g}", below, f"{self.scores[i]:.4f}"]
            table.append([*row, str(len(one)), _some(_names([one]).values())])
        lines = [self.describe(), "", *aligned(table, right=frozenset({0, 1, 2, 3, 4}))]
        lines += ["", *self._reliance_lines()]
        common = [one for one in self.rules if one.n_lists > 1][:_MOST_RULES]
        if common:
            lines += ["", "rules in several lists", *(f"  {one.n_lists} of {len(self)}: {one.text}" for one in common)]
        return "\n".join(lines)

    def _reliance_lines(self) -> list[str]:
        """Write how often each feature occurs, and how much the lists rely on it."""
        known = {one.name: one for one in self.reliances}
        table = [["feature", "lists", f"loss of {self.score_name} if shuffled" if known else ""]]
        for one in self.features:
            row = [one.text, f"{one.n_lists} of {len(self)}"]
            reliance = known.get(one.text)
            if reliance is None:
                table.append([*row, ""])
                continue
            ends = [format_number(end, 3) for end in (reliance.lowest, reliance.highest)]
            table.append([*row, ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"])
        return aligned(table, right=frozenset({1}))

    def __repr__(self) -> str:
        return f"Alternatives({len(self)} lists)"


def _features(rule_list: RuleList) -> Iterator[Feature]:
    for rule in rule_list:
        for condition in rule.simplified:
            yield condition.feature


def _some(names: Collection[str]) -> str:
    """Write names in the width of a line."""
    shown = ", ".join(names)
    return (
        shown if len(shown) <= _WIDTH else f"{shown[:_WIDTH].rpartition(', ')[0] or shown[:_WIDTH]}, … ({len(names)})"
    )


def _names(rule_lists: Any) -> dict[Hashable, str]:
    """Return what each source of features is called; two with one name are told apart by a number."""
    first: dict[Hashable, str] = {}
    for one in rule_lists:
        for feature in _features(one):
            first.setdefault(feature.source, feature.name)
    times, seen, named = Counter(first.values()), Counter[str](), {}
    for source, name in first.items():
        seen[name] += 1
        named[source] = name if times[name] == 1 else f"{name} ({seen[name]})"
    return named
