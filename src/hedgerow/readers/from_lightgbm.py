"""Read LightGBM's models from the text format in which the library itself stores them.

``x <= threshold`` goes left, in float64; values that are nearly zero count as zero. Each node states where missing
values go: by its own default, with zero, or, with ``zero_as_missing``, together with zeros. Sets of categories go left;
everything else, including missing and unknown values, goes right.

A tree's branch nodes keep LightGBM's numbers and its leaves follow: in a tree of n leaves, leaf i is node n - 1 + i.
The leaves include the learning rate (and what ``dart`` makes of it), the first ones also the initial value, so every
tree has weight 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow._support.lettering import with_article
from hedgerow.exceptions import UnsupportedModelError
from hedgerow.features import Column, ColumnOfNonzeros, Feature, Inputs, NumberedCategory, WholeCategory
from hedgerow.forests.forest import Forest, Link
from hedgerow.forests.tree import Tree, check_masks
from hedgerow.readers.checks import check_names, unfitted
from hedgerow.readers.lightgbm_text import MISSING_IS_ZERO, ZERO_IS_MISSING, ModelText, parse

#: From the raw score to the prediction, by objective.
_LINKS: dict[str, Link] = {
    **dict.fromkeys(("regression", "regression_l1", "huber", "fair", "quantile", "mape"), "identity"),
    **dict.fromkeys(("lambdarank", "rank_xendcg"), "identity"),
    **dict.fromkeys(("poisson", "gamma", "tweedie"), "exp"),
    **dict.fromkeys(("binary", "cross_entropy", "multiclassova"), "logistic"),
    "cross_entropy_lambda": "softplus",
    "multiclass": "softmax",
}

# How a column is used: as numbers, as numbers without zero, as categories by code, as categories by name.
_NUMBERS, _NONZEROS, _CODES, _NAMES = range(4)


def read(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted model of LightGBM's scikit-learn interface, or a Booster.

    As in the library's own ``predict``, trees after the best iteration do not count. The raw scores of a custom
    objective are taken as log odds if the model is a classifier, as values otherwise.
    """
    import lightgbm

    name = type(model).__qualname__
    if isinstance(model, lightgbm.LGBMModel):
        if not model.__sklearn_is_fitted__():
            raise unfitted(model)
        text = parse(model.booster_.model_to_string(), f"this {name}")
        return _forest(text, getattr(model, "classes_", None), feature_names)
    if isinstance(model, lightgbm.Booster):
        text = parse(model.model_to_string(), f"this {name}")
        return _forest(text, _numbered_classes(text), feature_names)
    raise UnsupportedModelError(
        f"Cannot read {with_article(name)}. These LightGBM models, and their subclasses, can be read: LGBMClassifier, "
        "LGBMRegressor, LGBMRanker, Booster. For a CVBooster, pass its list of boosters for their union."
    )


def read_file(path: str | Path, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a file written by ``Booster.save_model``; the library itself is not needed."""
    path = Path(path)
    text = parse(path.read_text(encoding="utf-8", errors="replace"), repr(path.name))
    return _forest(text, _numbered_classes(text), feature_names)


def _numbered_classes(text: ModelText) -> AnyArray | None:
    objective = text.objective[:1]
    if objective == ["binary"]:
        return np.arange(2)
    return np.arange(text.n_outputs) if objective in (["multiclass"], ["multiclassova"]) else None


def _forest(text: ModelText, classes: AnyArray | None, names: Sequence[str] | None) -> Forest:
    _check_readable(text, classes, names)
    own_names = _own_names(text)
    features, feature = _features(text, own_names if names is None else names)
    n_columns = len(text.names)
    return Forest(
        trees=tuple(_trees(text, features, feature)),
        inputs=Inputs(
            features,
            np.float64,
            allows_missing=True,
            allows_infinity=True,
            # Names passed by the user are for display; only those of the training data bind the columns of X.
            has_names=names is None and own_names is not None,
            columns=tuple(f.name for f in features[:n_columns]) if len(features) > n_columns else None,
        ),
        tree_weights=np.ones(len(text.trees)),
        aggregation="mean" if "average_output" in text.header else "sum",
        base=np.zeros(text.n_outputs),
        classes=classes,
        link=_link(text, classes),
        link_scale=float(dict(word.partition(":")[::2] for word in text.objective).get("sigmoid", 1)),
    )


def _check_readable(text: ModelText, classes: AnyArray | None, names: Sequence[str] | None) -> None:
    if any(tree.get("is_linear", "0") != "0" for tree in text.trees):
        raise UnsupportedModelError(
            f"The leaves of {text.called} hold linear models, which a rule cannot predict with. "
            "Train it with linear_tree=False."
        )
    if text.objective and text.objective[0] not in _LINKS:
        raise UnsupportedModelError(
            f"The objective {text.objective[0]!r} of {text.called} is not supported. "
            f"Train it with one of: {', '.join(_LINKS)}."
        )
    possible = {1} if classes is None else {1, 2} if len(classes) == 2 else {len(classes)} - {1}
    if text.n_outputs not in possible:
        kind = "a regressor" if classes is None else f"a classifier of {len(classes)} classes"
        raise UnsupportedModelError(
            f"The trees of {text.called}, {kind}, give {text.n_outputs} scores. Train a regressor of one value, "
            "or a classifier of at least two classes without setting num_class."
        )
    check_names(names, len(text.names))


def _link(text: ModelText, classes: AnyArray | None) -> Link:
    if "sqrt" in text.objective:
        return "signed_square"
    if text.objective:
        return _LINKS[text.objective[0]]
    if classes is None:
        return "identity"
    return "logistic" if text.n_outputs == 1 else "softmax"


def _own_names(text: ModelText) -> list[str] | None:
    """Return the names of the columns, unless LightGBM generated them."""
    return None if text.names == [f"Column_{i}" for i in range(len(text.names))] else text.names


def _features(text: ModelText, names: Sequence[str] | None) -> tuple[tuple[Feature, ...], IntArray]:
    """Return a feature for each column, and the number of the feature at each branch node.

    A model whose training was continued on other data may use a column in
    several ways; additional features then follow.
    """
    names = [f"x{i}" for i in range(len(text.names))] if names is None else [str(name) for name in names]
    categories = text.named_columns()
    branches = text.branches
    way = np.where(branches.missing == ZERO_IS_MISSING, _NONZEROS, _NUMBERS)
    way[branches.has_set] = _CODES
    way[np.isin(branches.column, list(categories))] = _NAMES
    used_as = branches.column * 4 + way
    used = np.unique(used_as)
    columns, first = np.unique(used // 4, return_index=True)
    main = np.full(len(names), _NUMBERS)
    main[list(categories)] = _NAMES
    main[columns] = used[first] % 4
    main += np.arange(len(names)) * 4
    every = np.concatenate([main, np.setdiff1d(used, main)])
    features: list[Feature] = []
    for column, way_of in zip((every // 4).tolist(), (every % 4).tolist(), strict=True):
        if way_of == _NAMES:
            features.append(NumberedCategory(column, names[column], tuple(categories[column])))
        elif way_of == _CODES:
            features.append(WholeCategory(column, names[column], tuple(text.codes(column)), other=True))
        else:
            features.append((ColumnOfNonzeros if way_of == _NONZEROS else Column)(column, names[column]))
    order = np.argsort(every)
    return tuple(features), order[np.searchsorted(every, used_as, sorter=order)]


def _trees(text: ModelText, features: Sequence[Feature], feature: IntArray) -> Iterator[Tree]:
    """Yield the trees, made at once with branches before leaves and then split."""
    branches, n_leaves = text.branches, text.n_leaves
    category, left_codes = _left_codes(text, features, feature)
    missing_left = np.where(branches.missing == MISSING_IS_ZERO, branches.threshold >= 0, branches.default_left)
    missing_left[branches.has_set] = False
    offsets = np.concatenate([[0], np.cumsum(2 * n_leaves - 1)])
    is_leaf = np.ones(offsets[-1], dtype=bool)
    is_leaf[np.arange(len(feature)) + (np.cumsum(n_leaves) - n_leaves)[branches.tree]] = False

    def spread(values: AnyArray, at_leaves: Any) -> AnyArray:
        whole = np.empty(len(is_leaf), dtype=values.dtype)
        whole[~is_leaf], whole[is_leaf] = values, at_leaves
        return whole

    def child(numbers: IntArray) -> IntArray:
        return spread(np.where(numbers < 0, n_leaves[branches.tree] - 1 + ~numbers, numbers), -1)

    arrays = {
        "left": child(branches.left),
        "right": child(branches.right),
        "feature": spread(feature, -1),
        "threshold": spread(_past_zero(branches.threshold), np.nan),
        "missing_left": spread(missing_left, False),
        "value": spread(branches.value, text.numbers("leaf_value", np.float64))[:, None],
        "category": spread(category, -1),
    }
    for k, (start, stop) in enumerate(pairwise(offsets)):
        parts = {name: array[start:stop] for name, array in arrays.items()}
        rows = parts.pop("category")
        if (rows >= 0).any():
            first, last = rows[rows >= 0][[0, -1]]
            parts["category"], parts["left_codes"] = np.where(rows < 0, -1, rows - first), left_codes[first : last + 1]
        yield Tree(**parts, output=k % text.n_outputs)


def _past_zero(threshold: FloatArray) -> FloatArray:
    """Return thresholds that send values that are nearly zero where they send zero."""
    end = ColumnOfNonzeros.nearly_zero
    raised = np.where((threshold >= 0) & (threshold < end), end, threshold)
    return np.where((threshold < 0) & (threshold >= -end), np.nextafter(-end, -np.inf), raised)


def _left_codes(text: ModelText, features: Sequence[Feature], feature: IntArray) -> tuple[IntArray, BoolArray]:
    """Return the row of each branch node on categories, -1 elsewhere, and per row a mask of the codes that go left."""
    branches = text.branches
    sizes = np.array([f.n_codes for f in features])
    nodes = np.flatnonzero(sizes[feature])
    category = np.full(len(feature), -1)
    category[nodes] = np.arange(len(nodes))
    check_masks(len(nodes), int(sizes.max(initial=0)))
    left_codes = np.zeros((len(nodes), sizes.max(initial=0)), dtype=bool)
    set_nodes, codes = text.sets
    for i in np.unique(feature[set_nodes]):
        here = feature[set_nodes] == i
        known = features[i]
        numbers = np.array(known.categories) if isinstance(known, WholeCategory) else np.arange(sizes[i])
        left_codes[category[set_nodes[here]], np.searchsorted(numbers, codes[here])] = True
    ordered = nodes[~branches.has_set[nodes]]
    if len(ordered):
        left_codes[category[ordered]] = _codes_below(text, ordered, sizes[feature[ordered]], left_codes.shape[1])
    return category, left_codes


def _codes_below(text: ModelText, nodes: IntArray, n_codes: IntArray, width: int) -> BoolArray:
    """Return masks of the codes that thresholds send left: LightGBM compares ordered categories as numbers."""
    branches, codes = text.branches, np.arange(width)
    below = (codes <= branches.threshold[nodes, None]) & (codes < n_codes[:, None])
    zero_is_missing = branches.missing[nodes] == ZERO_IS_MISSING
    below[zero_is_missing, 0] = branches.default_left[nodes][zero_is_missing]
    return below
