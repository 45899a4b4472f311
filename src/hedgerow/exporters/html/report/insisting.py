"""What the list would give up for the wishes that are most often asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow.evidence.wish_prices import SECONDS, is_cheap, price_wishes
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.pipeline.price import Price
from hedgerow.rules.rule_list import RuleList


@dataclass(frozen=True)
class Insisting:
    """The price list.

    Attributes
    ----------
    prices : tuple of Price
        Of wishes that some list satisfies.
    impossible : tuple of Price
        Of those that none does.
    unknown : tuple of Price
        Of those for which there was no time.
    score : str
        The name of the score.
    of : str
        The samples that scores are of besides those of training; empty if there are none.
    """

    prices: tuple[Price, ...]
    impossible: tuple[Price, ...]
    unknown: tuple[Price, ...]
    score: str
    of: str


def insist(
    rule_list: RuleList,
    estimator: Any,
    wishes: bool | Iterable[Any] | None,
    samples: Sequence[Samples],
    limited: bool = True,
) -> Insisting | None:
    """Price wishes: those that are given, or the usual ones if that is cheap or asked for.

    They have a few seconds together or, if that is not to be the limit, as much time each as the list itself.
    """
    if estimator is None or wishes is False or (wishes is None and not is_cheap(estimator)):
        return None
    seconds = SECONDS if limited else None
    tested = samples[-1] if len(samples) > 1 and samples[-1].y is not None else None
    X, y = (None, None) if tested is None else (tested.seen.X, tested.y)
    if wishes is None or wishes is True:
        prices = price_wishes(estimator, X, y, time_limit=seconds)
    else:
        prices = estimator.without_search.prices(wishes, X, y, time_limit=seconds)
    if not prices:
        return None
    without = [price for price in prices if price.objective is None]
    return Insisting(
        prices=tuple(price for price in prices if price.objective is not None),
        impossible=tuple(price for price in without if price.in_time),
        unknown=tuple(price for price in without if not price.in_time),
        score=rule_list.task.score_name,
        of="" if tested is None else tested.name,
    )
