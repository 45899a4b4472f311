"""Several forests as one, over the same features and in the same precision.

A list of ensembles stands for their union, which has the trees of all of them
and predicts the mean of their predictions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow._support.rounding import round_down
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Feature, Inputs
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree


def union(forests: Sequence[Forest]) -> Forest:
    """Return one forest with the trees of several forests over the same columns."""
    if len(forests) == 1:
        return forests[0]
    if len({len(forest.features) for forest in forests}) == 1:
        forests = _with_common_codes(forests)
    forests = _on_common_features(forests)
    first = forests[0]
    for other in forests[1:]:
        if other.features != first.features:
            raise InvalidDataError(
                "Ensembles in a list must be trained on the same columns, of the same kinds, or on series of the "
                "same shape."
            )
        if other.task.labels != first.task.labels:
            raise InvalidDataError("Ensembles in a list must be trained on the same classes.")
    if len({forest.inputs.dtype for forest in forests}) > 1:
        forests = [in_double(forest) for forest in forests]
    return Forest(
        trees=tuple(tree for forest in forests for tree in forest.trees),
        inputs=replace(
            forests[0].inputs,
            allows_missing=all(forest.inputs.allows_missing for forest in forests),
            allows_infinity=all(forest.inputs.allows_infinity for forest in forests),
            has_names=any(forest.inputs.has_names for forest in forests),
            absent=next((f.inputs.absent for f in forests if f.inputs.absent != "zero"), "zero"),
            delicate=tuple(sorted({name for forest in forests for name in forest.inputs.delicate})),
            notations=tuple(dict(pair for forest in forests for pair in forest.inputs.notations).items()),
        ),
        tree_weights=np.concatenate([forest.tree_weights for forest in forests]),
        base=np.zeros(len(first.task.labels) or 1),
        classes=first.classes,
        members=tuple(forests),
    )


def _with_common_codes(forests: Sequence[Forest]) -> Sequence[Forest]:
    """Return the forests with the same codes for hashed categories; each knows only those that its own trees use."""
    common: dict[int, Feature] = {}
    for i, features in enumerate(zip(*(forest.features for forest in forests), strict=True)):
        if len(set(features)) > 1 and (merged := features[0].merged(features)) is not None:
            common[i] = merged
    return [_recoded(forest, common) for forest in forests] if common else forests


def _recoded(forest: Forest, common: dict[int, Feature]) -> Forest:
    features = tuple(common.get(i, f) for i, f in enumerate(forest.features))
    codes = [feature.n_codes for feature in features]
    # The old code of each new one, -1 past the last; an unknown hash counts as "other".
    old = np.full((len(features), max(codes)), -1)
    for i, feature in enumerate(forest.features):
        old[i, : codes[i]] = feature.codes_of(features[i])

    def recode(tree: Tree) -> Tree:
        if tree.category is None or tree.left_codes is None:
            return tree
        asking = np.flatnonzero(tree.category >= 0)
        looks_at = np.zeros(len(tree.left_codes), dtype=np.intp)
        looks_at[tree.category[asking]] = tree.feature[asking]
        padded = np.pad(tree.left_codes, ((0, 0), (0, 1)))
        return replace(tree, left_codes=np.take_along_axis(padded, old[looks_at], axis=1))

    return replace(forest, trees=tuple(map(recode, forest.trees)), inputs=replace(forest.inputs, features=features))


def _on_common_features(forests: Sequence[Forest]) -> Sequence[Forest]:
    """Return forests with different features of the same columns, each extended to all these features."""
    inputs = [forest.inputs for forest in forests]
    if all(one.features == inputs[0].features for one in inputs) or not _look_at_the_same(inputs):
        return forests
    position = {f: i for i, f in enumerate(dict.fromkeys(f for one in inputs for f in one.features))}
    complete = frozenset(f for one in inputs for f in (one.complete if one.allows_missing else one.features))
    common = {
        "features": tuple(_named_apart(position)),
        "columns": None if inputs[0].of_series else tuple(inputs[0].names),
        "complete": complete,
        "allows_missing": len(complete) < len(position),
    }
    widened = []
    for forest in forests:
        number = np.array([*(position[f] for f in forest.features), -1])
        trees = tuple(replace(t, feature=number[np.where(t.left < 0, -1, t.feature)]) for t in forest.trees)
        widened.append(replace(forest, trees=trees, inputs=replace(forest.inputs, **common)))  # type: ignore[arg-type]
    return widened


def _named_apart(features: Iterable[Feature]) -> Iterator[Feature]:
    """Yield the features; shapelets with the same name are renamed, since every forest numbers its own."""
    seen: set[str] = set()
    for number, feature in enumerate(features, start=1):
        if feature.name in seen:
            feature = feature.with_number(number)
        seen.add(feature.name)
        yield feature


def _look_at_the_same(inputs: Sequence[Inputs]) -> bool:
    """Return whether all take the same columns, or series of the same shape."""
    return len({(one.of_series, one.sample_shape, *one.names) for one in inputs}) == 1


def in_double(forest: Forest) -> Forest:
    """Return the forest with float64 comparisons that route every sample as before.

    Rounding to float32 is monotone, so ``float32(x) <= t`` is ``x <= t'``, where t' is the largest float64 that rounds
    to at most t: halfway to the next float32, or the float64 just below if that rounds up.
    """
    if forest.inputs.dtype is np.float64:
        return forest

    def widen(threshold: FloatArray) -> FloatArray:
        below = round_down(threshold, np.float32)
        with np.errstate(invalid="ignore", over="ignore"):  # infinite thresholds stay as they are
            above = np.nextafter(below, np.float32(np.inf)).astype(np.float64)
            above = np.where(np.isinf(above), 2.0**128, above)  # where the next float32 would be
            half = below + (above - below) / 2
            wide = np.where(half.astype(np.float32) > below, np.nextafter(half, -np.inf), half)
        return np.where(np.isfinite(threshold), wide, threshold)

    trees = tuple(replace(tree, threshold=widen(tree.threshold)) for tree in forest.trees)
    return replace(forest, trees=trees, inputs=replace(forest.inputs, dtype=np.float64))
