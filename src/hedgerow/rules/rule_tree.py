"""A rule list as trees of its conditions: the data behind the picture.

Many optimal lists are the leaves of one tree, and then the result is that tree.
Rules from different trees need not be: they may overlap or share no split. So
there may be several trees, and every rule is one leaf of one of them. A sample
reaches one leaf in each tree; of the rules it reaches, the first one in the
list makes the prediction, just as in the list itself.

Like the printed list, a tree mentions missing values only where the training
data had some. Elsewhere the side to which a forest sends them is arbitrary and
differs from tree to tree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import NamedTuple

from hedgerow.features import Feature
from hedgerow.rules.condition import Condition, Split
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList

_Known = dict[Feature, Condition]


@dataclass(frozen=True)
class TreeNode:
    """A branch, with conditions and what follows if they all hold (yes) or not (no); or a leaf, with a rule or none.

    Attributes
    ----------
    rule : int
        At a leaf, the position of the rule in the list; -1 if no rule of this tree holds there.
    conditions : tuple of Condition
        What a branch asks; several if failing any of them leads to no rule. Empty at a leaf.
    yes, no : TreeNode or None
        What follows; None at a leaf.
    """

    rule: int = -1
    conditions: tuple[Condition, ...] = ()
    yes: TreeNode | None = None
    no: TreeNode | None = None

    @property
    def children(self) -> tuple[TreeNode, ...]:
        """Yes and no; empty at a leaf."""
        return (self.yes, self.no) if self.yes is not None and self.no is not None else ()

    @property
    def nodes(self) -> list[TreeNode]:
        """The node itself and its descendants, each before its children, yes before no."""
        return [self, *(node for child in self.children for node in child.nodes)]

    @property
    def is_dead_end(self) -> bool:
        """Whether this is a leaf without a rule."""
        return not self.children and self.rule < 0


@dataclass(frozen=True)
class RuleTree:
    """The trees of a rule list; every rule that can match first is one leaf of one of them.

    >>> from hedgerow.features import Column, Inputs
    >>> a, b = Column(0, "a"), Column(1, "b")
    >>> rules = (
    ...     Rule((Condition(a, upper=5),)),
    ...     Rule((Condition(a, lower=5), Condition(b, upper=2))),
    ...     Rule((Condition(a, lower=5), Condition(b, lower=2))),
    ... )
    >>> (root,) = RuleTree.of(RuleList(rules, Rule(()), Inputs((a, b)))).trees
    >>> print(*root.conditions, "->", root.yes.rule)
    a <= 5 -> 0
    >>> print(*root.no.conditions, "->", root.no.yes.rule, root.no.no.rule)
    b <= 2 -> 1 2

    Attributes
    ----------
    trees : tuple of TreeNode
        The roots; the tree with the earliest rule comes first.
    """

    trees: tuple[TreeNode, ...]

    @classmethod
    def of(cls, rule_list: RuleList) -> RuleTree:
        """Put each rule, in the order of the list, into the tree that it enlarges least, or into a new one."""
        inputs = rule_list.inputs
        used = {condition.feature for rule in rule_list for condition in rule.conditions}
        known = {f: Condition(f, missing=f.has_missing and f not in inputs.complete) for f in used}
        plants: list[_Plant] = []
        for rule in _opened(rule_list, known):
            _place(rule, plants, known)
        return cls(tuple(_joined(plant.root) for plant in plants))


def samples_of(rule: Rule) -> str:
    """Return the number of samples that a rule covers, and the share of its class among them."""
    samples = f"{rule.coverage} sample{'s' * (rule.coverage != 1)}"
    return samples if rule.class_share is None else f"{100 * rule.class_share:.0f} % of {samples}"


class _Open(NamedTuple):
    """A rule on its way down, with those of its conditions that are not yet known to hold."""

    number: int
    conditions: tuple[Condition, ...]


class _Plant(NamedTuple):
    """A tree under construction, and the rules that are its leaves."""

    rules: tuple[_Open, ...]
    root: TreeNode


_Divided = tuple[tuple[Condition, Condition], list[list[_Open]]]


def _opened(rule_list: RuleList, known: _Known) -> Iterator[_Open]:
    """Yield every rule that can match at all, with its conditions as single bounds."""
    for number, rule in enumerate(rule_list.rules):
        if all(_is_possible(known[c.feature] & c) for c in rule.simplified):
            bounds = [bound for c in rule.conditions for bound in _bounds(c, known[c.feature].missing)]
            yield _Open(number, tuple(bound for bound in bounds if not _is_within(known[bound.feature], bound)))


def _bounds(condition: Condition, can_be_missing: bool) -> Iterator[Condition]:
    feature, missing = condition.feature, condition.missing and can_be_missing
    if condition.categories is None and condition.lower > -math.inf:
        yield Condition(feature, lower=condition.lower, missing=missing)
        if condition.upper == math.inf:
            return
    yield Condition(feature, upper=condition.upper, categories=condition.categories, missing=missing)


def _place(rule: _Open, plants: list[_Plant], known: _Known) -> None:
    """Put a rule into the tree to which it adds the fewest nodes, or into a new one.

    Ties go to a tree whose rules all exclude this one, then to a new tree: later rules may have more in common with
    this one than those of a tree that merely has room for it.
    """
    options = []
    for i, plant in enumerate([*plants, _Plant((), TreeNode())]):
        rules = (*plant.rules, rule)
        root = _grow(rules, known, set())
        if root is not None:
            is_new = i == len(plants)
            is_apart = not is_new and all(_exclude(rule, other) for other in plant.rules)
            n_added = len(root.nodes) - len(plant.root.nodes)
            options.append(((n_added, not is_apart, not is_new), i, _Plant(rules, root)))
    _, i, plant = min(options, key=lambda option: option[:2])
    plants[i : i + 1] = [plant]


def _exclude(rule: _Open, other: _Open) -> bool:
    """Return whether no sample matches both, as far as pairs of bounds can tell."""
    return any(not _is_possible(a & b) for a in rule.conditions for b in other.conditions if a.feature == b.feature)


def _grow(rules: Sequence[_Open], known: _Known, seen: set[int]) -> TreeNode | None:
    """Return the tree of some rules, or None if one of them would appear in it twice.

    The first rule needs its conditions anyway, so the split is one of them: the one that leaves the fewest rules on
    its two sides together; ties go to the one that leaves the fewest conditions, then to the first. If the rules are
    the leaves of a tree, the path to each of them starts at its root, so that split leaves no rule on both sides, and
    the rules on each side are again the leaves of a tree.
    """
    if not rules:
        return TreeNode()
    if not rules[0].conditions:
        is_twice = rules[0].number in seen
        seen.add(rules[0].number)
        return None if is_twice else TreeNode(rules[0].number)
    options = [_divided(rules, condition, known[condition.feature]) for condition in rules[0].conditions]
    sides, parts = min(options, key=_what_is_left)
    children = []
    for side, part in zip(sides, parts, strict=True):
        child = _grow(part, {**known, side.feature: known[side.feature] & side}, seen)
        if child is None:
            return None
        children.append(child)
    return TreeNode(-1, sides[:1], *children)


def _joined(node: TreeNode) -> TreeNode:
    """Turn questions around so that "yes" leads on, and merge successive questions whose "no" leads to no rule."""
    if node.yes is None or node.no is None:
        return node
    yes, no, conditions = _joined(node.yes), _joined(node.no), node.conditions
    if yes.is_dead_end:
        (asked,) = conditions
        _, opposite = Split(asked.feature, asked.upper, asked.categories).sides(asked.missing)
        yes, no, conditions = no, yes, (opposite,)
    if no.is_dead_end and yes.no is not None and yes.no.is_dead_end:
        yes, conditions = yes.children[0], Rule(conditions + yes.conditions).simplified
    return TreeNode(-1, conditions, yes, no)


def _divided(rules: Sequence[_Open], condition: Condition, known: Condition) -> _Divided:
    """Return both sides of the split that a bound belongs to, the lower one first, and the rules on each side."""
    is_right = condition.categories is None and condition.lower > -math.inf
    split = Split(condition.feature, condition.lower if is_right else condition.upper, condition.categories)
    # Where no value can be missing, the side of missing values must not tell splits with equal thresholds apart.
    sides = split.sides(known.missing and condition.missing != is_right)
    return sides, [_left(rules, known & side) for side in sides]


def _what_is_left(divided: _Divided) -> tuple[int, int]:
    left = [rule for part in divided[1] for rule in part]
    return len(left), sum(len(rule.conditions) for rule in left)


def _left(rules: Sequence[_Open], known: Condition) -> list[_Open]:
    """Return the rules that can still match, given what is known of one feature, up to one that always matches."""
    left = []
    for number, conditions in rules:
        here = [c for c in conditions if c.feature == known.feature]
        if not _is_possible(reduce(and_, here, known)):
            continue
        left.append(_Open(number, tuple(c for c in conditions if c not in here or not _is_within(known, c))))
        if not left[-1].conditions:
            break  # no later rule can match first
    return left


def _is_possible(condition: Condition) -> bool:
    return condition.missing or _has_values(condition)


def _has_values(condition: Condition) -> bool:
    return condition.lower < condition.upper and condition.categories != frozenset()


def _is_within(known: Condition, condition: Condition) -> bool:
    """Return whether every value that is still possible satisfies the condition."""
    if known.missing and not condition.missing:
        return False
    if not _has_values(known):
        return True
    if condition.categories is None:
        return condition.lower <= known.lower and known.upper <= condition.upper
    codes = range(condition.feature.n_codes) if known.categories is None else known.categories
    return condition.categories.issuperset(codes)
