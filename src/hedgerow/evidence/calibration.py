"""What sets and intervals of predictions have in common: which rules are calibrated together, and how rows are drawn.

Rows that were not learned from say how wrong a list is. If new rows are drawn as these were, the rank of a new row's
error among theirs is equally likely to be any; this is split-conformal prediction (Vovk, Gammerman and Shafer 2005).
Equal errors are ordered by a draw that belongs to the row. Calibration rows have theirs as new rows do, so the promise
holds even where draws are few, because many rows have equal values.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow._support.json_field import Field, parse
from hedgerow.features import Feature
from hedgerow.rules.rule_list import RuleList

#: The level of sets and intervals, unless another one is asked for.
LEVEL = 0.9
#: Rules that expect fewer calibration rows than this are calibrated together; so are those that expect fewer than
#: twice what the level needs. With more rows, rounding to whole rows adds less than a point to the coverage.
ENOUGH = 100
#: What rounding may do to a level such as 0.9, of which 1 - 0.9 is not exactly 0.1.
_NEARLY = 1e-9
_VERSION = 1
#: Seeds are hashed as 64 bits.
N_SEEDS = 2**64


def n_needed(ends: int, level: float) -> int:
    """Return the fewest rows that say where a set ends at this level; an interval has two ends.

    >>> n_needed(1, 0.9), n_needed(2, 0.9), n_needed(2, 0.95)
    (9, 19, 39)
    """
    return math.ceil(ends / (1 - level) - _NEARLY) - 1


def n_missed(n_rows: int, level: float) -> int:
    """Return how many of so many calibration rows and a new one may be missed at this level.

    >>> n_missed(8, 0.9), n_missed(9, 0.9), n_missed(99, 0.9)
    (0, 1, 10)
    """
    return math.floor((1 - level) * (n_rows + 1) + _NEARLY)


@dataclass(frozen=True)
class Limit:
    """The largest score of the rows that are not missed, and the largest draw of those that have this score."""

    score: float
    draw: float

    def admits(self, scores: FloatArray, u: FloatArray) -> BoolArray:
        """Return which rows are not missed, given their scores and draws."""
        return np.asarray((scores < self.score) | ((scores == self.score) & (u <= self.draw)))


def limit_of(scores: FloatArray, u: FloatArray, missed: int) -> Limit:
    """Return the limit beyond which a new row has a rank among the ``missed`` largest, if it is ranked with these rows.

    >>> limit_of(np.array([1.0, 3.0, 3.0]), np.array([0.9, 0.2, 0.4]), 2)
    Limit(score=3.0, draw=0.2)
    """
    if not missed:
        return Limit(math.inf, 1.0)
    last = np.lexsort((u, scores))[-missed]
    return Limit(float(scores[last]), float(u[last]))


def groups_of(rules: RuleList, n_rows: int, by_rule: bool, needed: int) -> IntArray:
    """Return the group of each rule, and at last that of the rows that no rule matches.

    Rows are exchangeable within a group only if the groups do not depend on them. So rules are put together by what
    they expect: the number of rows times their share of the training rows. Group 0 is that of the smallest rules, as
    few of them as expect enough together.
    """
    groups = np.zeros(len(rules) + 1, dtype=np.int64)
    enough = max(ENOUGH, 2 * needed)
    expected = np.array([rule.share for rule in rules]) * n_rows
    if not by_rule or expected.sum() < 2 * enough:
        return groups
    smallest = np.argsort(expected, kind="stable")
    pooled = np.cumsum(expected[smallest])
    # Without small rules, group 0 is empty, and rows that no rule matches are seen as all rows are.
    n_pooled = 0 if expected.min() >= enough else int(np.searchsorted(pooled, enough)) + 1
    own = np.sort(smallest[n_pooled:])
    groups[own] = 1 + np.arange(len(own))
    return groups


def draws(values: Mapping[Feature, Any], rules: RuleList, n_rows: int, seed: int) -> FloatArray:
    """Return a number from 0 to 1 per row that looks random, but is the same for the same values: a hash (splitmix64).

    It is made from the columns that rules look at, so it does not matter where a row stands in a table, or what else
    the table has.
    """
    state = np.full(n_rows, _mixed(np.array([seed], dtype=np.uint64))[0])
    for feature in dict.fromkeys(c.feature for rule in rules for c in rule.conditions):
        column = np.asarray(values[feature]).astype(np.float64) + 0.0  # -0 becomes 0
        column[np.isnan(column)] = np.nan  # of several NaN, one
        state = _mixed(state ^ column.view(np.uint64))
    return (state >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _mixed(state: Any) -> Any:
    with np.errstate(over="ignore"):
        state = state + np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return state ^ (state >> np.uint64(31))


def written(kind: str, rules: RuleList, members: Mapping[str, Any]) -> str:
    """Return what was calibrated as a JSON document, with the list that it belongs to."""
    head = {"format": f"hedgerow.{kind}", "version": _VERSION}
    return json.dumps(head | dict(members) | {"rule_list": json.loads(rules.to_json())})


def read(kind: str, text: str, names: tuple[str, ...]) -> tuple[RuleList, Field]:
    """Return the list and the members of a document that :func:`written` made; refuse another one."""
    document = Field(parse(text, "What was calibrated"))
    document["format"].text((f"hedgerow.{kind}",))
    document["version"].whole(_VERSION, _VERSION + 1)
    document.only(("format", "version", *names, "rule_list"))
    return RuleList.from_json(json.dumps(document["rule_list"].members())), document
