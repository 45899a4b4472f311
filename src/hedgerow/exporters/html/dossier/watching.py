"""What later rows are compared with: how many each rule decides, and for how many each condition holds."""

from __future__ import annotations

from dataclasses import dataclass

from hedgerow.evidence.counts import Counts, texts_of
from hedgerow.evidence.shifts import AMBER, RED
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.rules.rule_list import RuleList


@dataclass(frozen=True)
class Baseline:
    """The reference for drift.

    Attributes
    ----------
    of : tuple of (str, int)
        The tables that shares are of, and their rows: training, then the others.
    rules : tuple of (int, tuple of float)
        Each rule with its share of the rows of each table; 0 is for the rows that no rule matches.
    conditions : tuple of (str, tuple of float)
        Each condition with the share for which it holds; empty if there are no rows.
    amber, red : float
        From these values of the population stability index on, a change is amber or red.
    """

    of: tuple[tuple[str, int], ...]
    rules: tuple[tuple[int, tuple[float, ...]], ...]
    conditions: tuple[tuple[str, tuple[float, ...]], ...]
    amber: float = AMBER
    red: float = RED


def find_baseline(rule_list: RuleList, samples: list[Samples]) -> Baseline | None:
    """Return the shares in all tables that are given; without any, those that the list knows of its training rows."""
    tables = [(one.name, Counts.of(rule_list, one.seen.X)) for one in samples]
    if not tables:
        if not rule_list.n_samples:
            return None
        tables = [("training", Counts.of_training(rule_list))]
    shares = [counts.fired / counts.n_rows for _, counts in tables]
    n = len(rule_list)
    places = [*range(n), *([n] if any(share[n] > 0 for share in shares) else [])]
    rules = tuple((i + 1 if i < n else 0, tuple(float(share[i]) for share in shares)) for i in places)
    held = [counts.held / counts.n_rows for _, counts in tables if counts.held is not None]
    texts = texts_of(rule_list, held) if len(held) == len(tables) else {}
    told = [(text, tuple(float(one[k]) for one in held)) for k, text in texts.items()]
    of = tuple((name, counts.n_rows) for name, counts in tables)
    return Baseline(of, rules, tuple(sorted(told)))
