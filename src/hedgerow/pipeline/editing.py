"""A list after an expert's wishes: rules that stay or go, further candidates, constraints, another budget.

The problem of the fit is kept. A wish leaves out candidates or adds some, so that what is left is posed and solved
again without fitting, reading or covering anything anew, and scores stay on the same scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.constraints import Candidates, Drop, Forbid, Pin, check_constraints, words_of
from hedgerow.exceptions import InfeasibleError, InvalidParameterError
from hedgerow.features import Feature
from hedgerow.pipeline.build import build, in_order
from hedgerow.pipeline.experts import Scored, check_in_memory, read_rule, read_rules, with_rules
from hedgerow.pipeline.fold import Extracted
from hedgerow.pipeline.pose import Posed, constrained, posed_freely, solve
from hedgerow.rules.condition import Condition
from hedgerow.rules.edit import Edit, Kind
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution

#: A budget that stays what it is.
SAME = "same"


@dataclass(frozen=True, eq=False)
class Wishes:
    """What an expert wants of a list.

    Attributes
    ----------
    pin, forbid, add : sequences, or single ones
        Rules of the list by their positions, rules as text or as :class:`~hedgerow.Rule`; ``forbid`` takes features as
        well, by name or as :class:`~hedgerow.features.Feature`.
    constraints : sequence of constraints, or one
    max_rules : int, None or "same"
    """

    pin: Any = ()
    forbid: Any = ()
    add: Any = ()
    constraints: Any = ()
    max_rules: Any = SAME


class Editing:
    """Finds out what wishes mean for a problem.

    Parameters
    ----------
    posed : Posed
    solution : Solution
    rule_list : RuleList
        The list before.
    """

    def __init__(self, posed: Posed, solution: Solution, rule_list: RuleList) -> None:
        self.posed, self.solution, self.rule_list = posed, solution, rule_list
        self.free = posed if posed.free is None else posed.free
        self.candidates: Candidates = self.free.candidates
        pool, chosen = posed.pool, in_order(posed, solution)
        #: The rules of the list as the ensemble has them.
        self.listed = [pool.rule(int(j)) for j in chosen]
        self._trees = [int(tree) for tree in pool.tree[chosen]]

    def pose(self, wishes: Wishes) -> tuple[Posed, list[tuple[Kind, str]]]:
        """Return the problem under these wishes, and what they are."""
        pins = [self._rule(one, "pin") for one in _several(wishes.pin)]
        added = [self._candidate(rule) for rule in read_rules(wishes.add, self.free.learned.forest.inputs)]
        forbidden = [self._forbidden(one) for one in _several(wishes.forbid)]
        others = check_constraints(wishes.constraints)
        told: list[tuple[Kind, str]] = [
            *(("pin", self._shown(rule).describe()) for rule in pins),
            *(("forbid", self._words(one)) for one in forbidden),
            *(("add", rule.describe()) for rule in added),
            *(("constraint", words_of(one)) for one in others),
        ]
        settings = self.posed.settings
        if wishes.max_rules != SAME:
            told.append(("max_rules", "any number of" if wishes.max_rules is None else str(wishes.max_rules)))
            settings = settings.changed(max_rules=wishes.max_rules)
        if not told:
            raise InvalidParameterError(
                "Nothing to resolve: give pin, forbid, add, constraints or max_rules, such as "
                "resolve(forbid='age') or resolve(pin=0)."
            )
        self._check(pins, forbidden, settings.max_rules)
        new = [rule for rule in dict.fromkeys([*pins, *added]) if not len(self.candidates.like(rule))]
        if settings.round_thresholds:  # so that a number that an expert wrote is kept, also where it is a candidate's
            known = [*self.listed, *read_rules(settings.extra_rules, self.free.learned.forest.inputs)]
            written = [rule for rule in [*pins, *added] if rule not in known]
        else:
            written = new
        wanted = (*check_constraints(settings.constraints), *forbidden, *map(Pin, dict.fromkeys(pins)), *others)
        settings = settings.changed(
            constraints=wanted, extra_rules=(*_several(settings.extra_rules), *dict.fromkeys(written))
        )
        return self._constrained(replace(self._extended(new), settings=settings)), told

    def _extended(self, new: Sequence[Rule]) -> Posed:
        """Return the problem without constraints, with further candidates."""
        free = self.free
        if not new:
            return free
        known = Scored(free.pool, free.coverage, free.scores)
        known = with_rules(known, free.learned, free.settings, new, self._trees)
        return posed_freely(free.settings, free.learned, known.pool, known.coverage, known.scores)

    def _constrained(self, free: Posed) -> Posed:
        """Return a problem under the constraints of its settings, and its budget."""
        problem = replace(free.problem, max_rules=free.settings.max_rules)
        posed = constrained(replace(free, problem=problem))
        pinned = [one.rule for one in check_constraints(free.settings.constraints) if isinstance(one, Pin)]
        for rule in pinned:
            if not len(posed.candidates.like(rule)):
                raise InfeasibleError(
                    f"The rule ({rule.describe()}) is to stay, but another wish rules it out. Leave one of them out: "
                    f"{'; '.join(words_of(one) for one in check_constraints(free.settings.constraints))}."
                )
        return posed

    # What is meant

    def _rule(self, given: Any, wish: str) -> Rule:
        """Return the candidate that is meant, or a rule that is to become one."""
        if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
            if not -len(self.listed) <= given < len(self.listed):
                raise InvalidParameterError(
                    f"{wish}={given!r} is not a position in the list, which has {len(self.listed)} rules: 0 to "
                    f"{len(self.listed) - 1}."
                )
            return self.listed[given]
        for own, shown in zip(self.listed, self.rule_list, strict=True):
            if _shows(given, shown, self.rule_list.digits):
                return own
        return self._candidate(read_rule(given, self.free.learned.forest.inputs))

    def _candidate(self, rule: Rule) -> Rule:
        """Return the candidate with the conditions of a rule, if there is one, or else the conditions alone."""
        alike = self.candidates.like(rule)
        if len(alike):
            return self.candidates.pool.rule(int(alike[0]))
        for j in self._with_features_of(rule):
            own = self.candidates.pool.rule(j)
            if _conditions(own) == _conditions(rule):
                return own
        return Rule(rule.conditions)

    def _with_features_of(self, rule: Rule) -> list[int]:
        """Return the candidates that look at the very features of a rule."""
        candidates, features = self.candidates, self.free.pool.forest.features
        columns = [features.index(condition.feature) for condition in rule.simplified]
        alike = candidates.n_conditions == len(columns)
        alike &= np.asarray(candidates.uses[:, columns].sum(axis=1)).ravel() == len(columns)
        return [int(j) for j in np.flatnonzero(alike)]

    def _forbidden(self, given: Any) -> Forbid | Drop:
        """Return the constraint that forbids a feature, or a rule."""
        if isinstance(given, (Forbid, Drop)):
            return given
        inputs = self.free.learned.forest.inputs
        names = {*inputs.names, *(feature.name for feature in inputs.features)}
        if isinstance(given, Feature) or (isinstance(given, str) and given in names):
            return Forbid(feature=given)
        if isinstance(given, str) and not set(given) & set("<>={}≤≥≠") and " is " not in given and " in " not in given:
            self.candidates.features_named(given, "forbid")  # which says what there is
        rule = self._rule(given, "forbid")
        if not len(self.candidates.like(rule)):
            raise InvalidParameterError(
                f"The rule ({rule.describe()}) is not among the candidates, so that no list has it. Leave it out of "
                "forbid."
            )
        return Drop(rule)

    def _shown(self, rule: Rule) -> Rule:
        """Return a rule as the list shows it, where thresholds may have been rounded."""
        return self.rule_list[self.listed.index(rule)] if rule in self.listed else rule

    def _words(self, forbidden: Forbid | Drop) -> str:
        if forbidden.rule is not None:
            return f"({self._shown(forbidden.rule).describe()})"
        one = isinstance(forbidden, Drop) or forbidden.features is None
        names = [forbidden.feature] if one else forbidden.features
        return " and ".join(str(getattr(name, "name", name)) for name in names)

    # What contradicts itself

    def _check(self, pins: Sequence[Rule], forbidden: Sequence[Forbid | Drop], budget: int | None) -> None:
        """Refuse pins that no list can have together, or without what is forbidden."""
        known = [one.rule for one in check_constraints(self.posed.settings.constraints) if isinstance(one, Pin)]
        pins = list(dict.fromkeys([*known, *pins]))
        if budget is not None and len(pins) > budget:
            raise InvalidParameterError(
                f"{len(pins)} rules are to stay, but max_rules={budget}. Raise max_rules, or let some of them go."
            )
        covered = [self._covered(rule) for rule in pins]
        for i, rule in enumerate(pins):
            for one in forbidden:
                if self._contradicts(rule, covered[i], one):
                    raise InvalidParameterError(
                        f"The rule ({rule.describe()}) is to stay, and {self._words(one)} is forbidden. Leave one of "
                        "the two wishes out."
                    )
            for k in range(i):
                n_both = int(np.count_nonzero(covered[i] & covered[k]))
                if n_both:
                    raise InvalidParameterError(
                        f"The rules ({pins[k].describe()}) and ({rule.describe()}) are both to stay, but they share "
                        f"{n_both} training sample{'s' if n_both > 1 else ''}, and in a list each sample is in exactly "
                        "one rule. Let one of them go, or narrow one by a condition that the other excludes."
                    )

    def _contradicts(self, rule: Rule, covered: Any, one: Forbid | Drop) -> bool:
        if isinstance(one, Drop):
            return np.array_equal(self._covered(one.rule), covered)
        if one.rule is not None:
            return _conditions(one.rule) == _conditions(rule)
        names = [one.feature] if one.features is None else one.features
        features = self.free.pool.forest.features
        used = {features.index(condition.feature) for condition in rule.simplified}
        return all(used.intersection(self.candidates.features_named(name, "forbid").tolist()) for name in names)

    def _covered(self, rule: Rule) -> Any:
        """Return which of the samples satisfy a rule, candidate or not."""
        alike = self.candidates.like(rule)
        if len(alike):
            return self.candidates.coverage.holds(int(alike[0]))
        learned = self.free.learned
        check_in_memory(learned)
        place = self.free.pool.forest.features.index
        values = np.asarray(learned.values)[: learned.n_samples]
        return rule.holds(lambda feature: values[:, place(feature)], learned.n_samples)


def edited(
    posed: Posed, solution: Solution, rule_list: RuleList, wishes: Wishes, time_limit: float | None
) -> Extracted:
    """Return the best list under some wishes."""
    samples = posed.learned.samples
    before = samples.n_passes
    after, told = Editing(posed, solution, rule_list).pose(wishes)
    settings = after.settings
    found = _still_the_best(posed, solution, after)
    if found is None:
        limit = settings.time_limit if time_limit is None else time_limit
        found = solve(after, limit)
    if before is not None and samples.n_passes is not None:
        found = replace(found, passes=samples.n_passes - before)
    step = 1 + max((edit.step for edit in posed.edits), default=0)
    edits = tuple(Edit(step, kind, text, solution.objective, found.objective, found.optimal) for kind, text in told)
    after = replace(after, edits=posed.edits + edits)
    return Extracted(after, found, build(after, found))


def _still_the_best(before: Posed, solution: Solution, after: Posed) -> Solution | None:
    """Return the solution before if it grants the wishes and these only leave lists out: then it is the best one still.

    None if that is not so.
    """
    budgets = [math.inf if one.settings.max_rules is None else one.settings.max_rules for one in (before, after)]
    whole = before if before.free is None else before.free
    added = after.free is not None and len(after.free.pool) > len(whole.pool)
    if not solution.optimal or budgets[1] > budgets[0] or added or len(after.pool) > len(before.pool):
        return None
    place = {int(node): j for j, node in enumerate(after.pool.node)}
    chosen = np.array([place.get(int(node), -1) for node in before.pool.node[solution.chosen]])
    if (chosen < 0).any() or not after.problem.accepts(chosen):
        return None
    return replace(solution, chosen=after.problem.verify(chosen), seconds=0.0, log=())


def _several(given: Any) -> list[Any]:
    """Return what may be given alone as a list."""
    alone = isinstance(given, (str, Rule, Feature)) or not isinstance(given, Iterable)
    return [given] if alone else list(given)


def _shows(given: Any, rule: Rule, digits: int) -> bool:
    """Whether a rule of the list is given, as it is or as it is written."""
    if isinstance(given, Rule):
        return given.conditions == rule.conditions
    if not isinstance(given, str):
        return False
    text = " ".join(given.split())
    return text in (rule.describe(digits), f"if {rule.describe(digits)}", rule.sentence(digits))


def _conditions(rule: Rule) -> frozenset[Condition]:
    """Return the conditions of a rule, without what makes no difference for a feature that is never missing."""
    return frozenset(c if c.feature.has_missing else replace(c, missing=False) for c in rule.simplified)
