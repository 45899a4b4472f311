"""What it would cost to insist on something: the price list of the wishes that are most often asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from hedgerow._support.arrays import FloatArray, ValueArray
from hedgerow.constraints import (
    MaxConditions,
    MaxFeatures,
    MinCoverage,
    MinRecall,
    Monotone,
    Require,
    check_constraints,
)
from hedgerow.features import Feature
from hedgerow.features.columns import NumberColumn
from hedgerow.pipeline.build import predicted_for_samples
from hedgerow.pipeline.price import Price
from hedgerow.pipeline.samples import Streamed
from hedgerow.rules.rule_list import RuleList

#: A rule that covers a smaller share than this is a small one.
SMALL = 0.05
#: The recalls that are asked for; the first that the list does not reach is priced.
RECALLS = (0.5, 0.8, 0.9, 0.95)
#: The most features that the list is tried without.
MOST_FEATURES = 6
#: Seconds for all wishes together.
SECONDS = 6.0
#: Lists that took longer than this to solve are not solved again unasked.
CHEAP = 2.0


def is_cheap(estimator: Any) -> bool:
    """Whether the list was solved so quickly that solving it again many times takes seconds, and its rows are there."""
    fitted = estimator.without_search
    posed = vars(fitted).get("posed_")
    if posed is None or isinstance(posed.learned.samples, Streamed):
        return False
    return bool(fitted.solution_.optimal and fitted.solution_.seconds <= CHEAP)


def usual_wishes(estimator: Any) -> Iterator[Any]:
    """Yield the wishes that make sense for a fitted list, each as a constraint or as arguments of ``resolve``."""
    fitted = estimator.without_search
    rule_list: RuleList = fitted.rule_list_
    if len(rule_list) > 1:
        yield {"max_rules": len(rule_list) - 1}
    longest = max(len(rule.simplified) for rule in rule_list)
    if longest > 1:
        yield MaxConditions(each=longest - 1)
    features = list(rule_list.feature_importances())
    if len(features) > 1:
        yield MaxFeatures(len(features) - 1)
    if min(rule.share for rule in rule_list) < SMALL:
        yield MinCoverage(SMALL)
    yield from _recalls(fitted)
    importances = rule_list.feature_importances()
    most = sorted(importances, key=lambda feature: -importances[feature])[:MOST_FEATURES]
    ordered, required = _insisted_on(fitted)
    yield from _monotone(fitted, [feature for feature in most if feature not in ordered])
    for feature in most:
        if feature not in required:
            yield {"forbid": feature.name}


def price_wishes(
    estimator: Any, X_test: Any = None, y_test: Any = None, time_limit: float | None = SECONDS
) -> list[Price]:
    """Return the price of each usual wish."""
    fitted = estimator.without_search
    found: list[Price] = fitted.prices(usual_wishes(fitted), X_test, y_test, time_limit=time_limit)
    return found


def _insisted_on(fitted: Any) -> tuple[set[Feature], set[Feature]]:
    """Return the features with which predictions rise or fall by a constraint, and those that some rule must use."""
    candidates, features = fitted.posed_.candidates, fitted.posed_.pool.forest.features
    wanted = check_constraints(fitted.posed_.settings.constraints)
    ordered = [name for one in wanted if isinstance(one, Monotone) for name in one.signs]
    required = [one.feature for one in wanted if isinstance(one, Require) and one.feature is not None]

    def named(names: Sequence[Any]) -> set[Feature]:
        return {features[k] for name in names for k in candidates.features_named(name, "A wish").tolist()}

    return named(ordered), named(required)


def _monotone(fitted: Any, features: Sequence[Feature]) -> Iterator[Monotone]:
    """Yield the wish that predictions rise or fall with a number, whichever they do more in the training samples."""
    task, samples = fitted.rule_list_.task, fitted.posed_.learned.samples
    if task.has_labels and len(task.labels) != 2:  # which of more labels is the larger is not known
        return
    if fitted.rule_list_.fallback is not None:  # what the ensemble says where no rule matches need not be monotone
        return
    y = samples.y[samples.counted > 0]
    target = (y == task.labels[1]).astype(np.float64) if task.has_labels else y
    values = fitted.rule_list_.evaluate(samples.X).values
    names = Counter(feature.name for feature in fitted.forest_.features)
    for feature in features:
        if isinstance(feature, NumberColumn) and names[feature.name] == 1:
            yield Monotone({feature.name: _sign(values[feature][samples.counted > 0], target)})


def _sign(values: ValueArray, target: FloatArray) -> int:
    """Return 1 if the target rather rises with some values, -1 if it rather falls."""
    known = np.isfinite(values)
    if len(np.unique(values[known])) < 2 or len(np.unique(target[known])) < 2:
        return 1
    return 1 if spearmanr(values[known], target[known]).statistic > 0 else -1


def _recalls(fitted: Any) -> Iterator[MinRecall]:
    """Yield the next recall to ask for of the rarest class."""
    rule_list, samples = fitted.rule_list_, fitted.posed_.learned.samples
    if not rule_list.task.has_labels:
        return
    y = samples.y[samples.counted > 0]
    labels, counts = np.unique(y, return_counts=True)
    rarest = labels[int(np.argmin(counts))]
    predicted = predicted_for_samples(fitted.posed_, fitted.solution_, rule_list)
    recall = float(np.mean(predicted[y == rarest] == rarest))
    wanted = [share for share in RECALLS if share > recall + 1e-9]
    if wanted:
        yield MinRecall({rarest.item() if isinstance(rarest, np.generic) else rarest: wanted[0]})
