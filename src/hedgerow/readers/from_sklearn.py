"""Read scikit-learn's trees and tree ensembles.

Trees compare float32 samples with float64 thresholds, ``x <= t`` goes left; histogram gradient boosting compares in
float64. Bagging renumbers features, gradient boosting has one tree per class and round, AdaBoost weights its trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from sklearn import ensemble, tree
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.utils import get_tags

from hedgerow._support.arrays import AnyArray
from hedgerow._support.lettering import with_article
from hedgerow.exceptions import UnsupportedModelError
from hedgerow.features import Category, Column, Feature, Inputs, make_columns
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree, trees_in_a_row
from hedgerow.readers.checks import check_names, check_readable, unfitted

#: What scikit-learn's trees know of a node up to version 1.9.
_FIELDS_OF_NODES = (
    *("left_child", "right_child", "feature", "threshold", "impurity"),
    *("n_node_samples", "weighted_n_node_samples", "missing_go_to_left"),
)


def read(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted scikit-learn tree or tree ensemble."""
    for kinds, reader in _KINDS:
        if isinstance(model, kinds):
            check_readable(model)
            return reader(model, feature_names)
    known = ", ".join(kind.__name__ for kinds, _ in _KINDS for kind in kinds)
    raise UnsupportedModelError(
        f"Cannot read {with_article(type(model).__qualname__)}. These scikit-learn models, and their subclasses, can "
        f"be read: {known}. Pass a list of them for their union; for other forests, pass a "
        "hedgerow.Forest. To explain a model without trees: RuleListClassifier.faithful(model), or RuleListRegressor."
    )


def inside(model: Any) -> Any:
    """Return the model inside a frozen estimator or a search."""
    if isinstance(model, FrozenEstimator):
        return model.estimator
    if hasattr(model, "best_estimator_"):
        return model.best_estimator_
    if hasattr(model, "cv_results_"):
        raise UnsupportedModelError(f"This {type(model).__qualname__} did not keep a model. Search with refit=True.")
    raise unfitted(model)


def _read_trees(model: Any, names: Sequence[str] | None) -> Forest:
    return _forest(model, _trees(getattr(model, "estimators_", [model])), names)


def _read_bagging(model: Any, names: Sequence[str] | None) -> Forest:
    members, values = list(_only_trees(model)), []
    for member in members:
        own = _values(member)
        if hasattr(model, "classes_"):
            # A bootstrap sample may lack a class; its tree numbers the classes that are present.
            whole = np.zeros((len(own), len(model.classes_)))
            whole[:, np.asarray(member.classes_, dtype=np.intp)] = own
            own = whole
        values.append(own)
    return _forest(model, _trees(members, values, model.estimators_features_), names)


def _read_adaboost_classifier(model: Any, names: Sequence[str] | None) -> Forest:
    n_classes = len(model.classes_)
    n_others = max(1, n_classes - 1)  # a model may know a single class
    members, values = list(_only_trees(model)), []
    for member in members:
        votes = member.classes_[np.argmax(_values(member), axis=1)][:, None] == model.classes_
        # Binary: the two entries, the first negated, add up to 2 or -2.
        values.append(np.where(votes[:, 1:], 2.0, -2.0) if n_classes == 2 else np.where(votes, 1.0, -1 / n_others))
    trees = _trees(members, values)
    link, scale = ("logistic", 1.0) if n_classes == 2 else ("softmax", 1 / n_others)
    return _forest(
        model, trees, names, tree_weights=model.estimator_weights_[: len(trees)], link=link, link_scale=scale
    )


def _read_adaboost_regressor(model: Any, names: Sequence[str] | None) -> Forest:
    trees = _trees(list(_only_trees(model)))
    return _forest(model, trees, names, tree_weights=model.estimator_weights_[: len(trees)], aggregation="median")


def _read_gradient_boosting(model: Any, names: Sequence[str] | None) -> Forest:
    if not (model.init is None or model.init == "zero" or isinstance(model.init, (DummyClassifier, DummyRegressor))):
        raise UnsupportedModelError(
            f"This {type(model).__qualname__} starts from init={type(model.init).__qualname__}, whose predictions "
            "are not constant and have no rules. Train with init=None or init='zero'."
        )
    rounds = model.estimators_
    trees = _trees(rounds.ravel().tolist(), outputs=list(range(rounds.shape[1])) * len(rounds))
    link = "logistic" if rounds.shape[1] == 1 else "softmax"
    return _forest(
        model,
        trees,
        names,
        tree_weights=np.full(len(trees), model.learning_rate),
        aggregation="sum",
        ties_to_second=True,
        base=np.ravel(model._raw_predict_init(np.zeros((1, model.n_features_in_), dtype=np.float32))),
        link_scale=2.0 if model.loss == "exponential" else 1.0,
        link=link if hasattr(model, "classes_") else "identity",
    )


def _read_hist_gradient_boosting(model: Any, names: Sequence[str] | None) -> Forest:
    features, position = _hist_features(model, names)
    rounds = model._predictors
    trees = [_hist_tree(member, position, features, output=k) for row in rounds for k, member in enumerate(row)]
    if hasattr(model, "classes_"):
        link = "logistic" if model.n_trees_per_iteration_ == 1 else "softmax"
    else:
        link = "exp" if model.loss in ("poisson", "gamma") else "identity"
    has_names, base = _has_names(model, names), np.ravel(model._baseline_prediction)
    inputs = Inputs(features, np.float64, allows_missing=True, allows_infinity=True, has_names=has_names)
    return _forest(model, trees, names, inputs=inputs, aggregation="sum", base=base, link=link)


def _trees(
    members: Sequence[Any],
    values: Sequence[AnyArray] | None = None,
    columns: Sequence[AnyArray] | None = None,
    outputs: Sequence[int] | None = None,
) -> list[Tree]:
    """Return the trees of some members; by default with their own values, features and the output 0."""
    if not members:
        return []
    sizes, nodes = np.array([member.tree_.node_count for member in members]), _nodes(members)
    for member in members:
        _check_thresholds(member)
    _check_thresholds(members[0], nodes)
    feature = np.where(nodes["feature"] < 0, -1, nodes["feature"])
    if columns is not None:
        n_columns = np.array([len(own) for own in columns])
        starts = np.repeat(np.cumsum(n_columns) - n_columns, sizes)
        feature = np.where(feature < 0, -1, np.concatenate(columns)[starts + np.maximum(feature, 0)])
    return trees_in_a_row(
        sizes,
        left=nodes["left_child"].astype(np.int64),
        right=nodes["right_child"].astype(np.int64),
        feature=feature.astype(np.int64),
        threshold=_thresholds(nodes),
        missing_left=nodes["missing_go_to_left"].astype(bool),
        value=np.concatenate([_values(member) for member in members] if values is None else values),
        outputs=outputs,
    )


def _thresholds(nodes: AnyArray) -> AnyArray:
    """Return the thresholds; before 1.9, some are NaN: no value is at most NaN, so that only missing ones go left."""
    threshold = nodes["threshold"].astype(np.float64)
    return np.where(np.isnan(threshold), -np.inf, threshold)


def _nodes(members: Sequence[Any]) -> AnyArray:
    """Return what scikit-learn knows of the nodes of some trees, tree after tree."""
    found = [member.tree_.__getstate__()["nodes"] for member in members]
    # As bytes, because numpy puts records together field by field.
    return np.concatenate([nodes.view(np.uint8) for nodes in found]).view(found[0].dtype)


def _check_thresholds(model: Any, nodes: Any = None) -> None:
    """Refuse splits that are not thresholds: versions after 1.9 have sets of categories, in further fields of nodes."""
    declared = getattr(model, "is_categorical_", None)
    names = () if nodes is None else nodes.dtype.names
    further = [nodes[name][nodes["left_child"] >= 0] for name in names if name not in _FIELDS_OF_NODES]
    if (declared is not None and np.any(declared)) or any(values.any() for values in further):
        raise UnsupportedModelError(
            f"This {type(model).__qualname__} splits on categories natively, which cannot be read yet. Train it "
            "without categorical_features, in a pipeline behind an OrdinalEncoder or OneHotEncoder, or use a "
            "HistGradientBoostingClassifier or HistGradientBoostingRegressor, whose categories can be read."
        )


def _values(member: Any) -> AnyArray:
    return member.tree_.value[:, 0, :]


def _hist_features(model: Any, names: Sequence[str] | None) -> tuple[tuple[Feature, ...], AnyArray]:
    """Return one feature per column, and the column of each of the model's own feature numbers."""
    columns = _columns(model, names)
    if model._preprocessor is None:
        return columns, np.arange(len(columns))
    is_categorical = model.is_categorical_
    # The model's preprocessing puts categorical columns first.
    position = np.concatenate([np.flatnonzero(is_categorical), np.flatnonzero(~is_categorical)])
    known = iter(model._preprocessor.named_transformers_["encoder"].categories_)
    return tuple(
        Category(c.index, c.name, _without_missing(next(known))) if categorical else c
        for c, categorical in zip(columns, is_categorical, strict=True)
    ), position


def _without_missing(categories: AnyArray) -> tuple[Any, ...]:
    return tuple(c for c in categories.tolist() if c is not None and c == c)


def _hist_tree(predictor: Any, position: AnyArray, features: Sequence[Feature], output: int) -> Tree:
    nodes = predictor.nodes
    is_leaf = nodes["is_leaf"].astype(bool)
    is_categorical = nodes["is_categorical"].astype(bool) & ~is_leaf
    n_codes = max((f.n_codes for f in features), default=0)
    bits = np.unpackbits(predictor.raw_left_cat_bitsets.astype("<u4").view(np.uint8), axis=1, bitorder="little")
    return Tree(
        left=np.where(is_leaf, -1, nodes["left"].astype(np.int64)),
        right=np.where(is_leaf, -1, nodes["right"].astype(np.int64)),
        feature=np.where(is_leaf, -1, position[np.where(is_leaf, 0, nodes["feature_idx"])]),
        threshold=nodes["num_threshold"].copy(),
        missing_left=nodes["missing_go_to_left"].astype(bool),
        value=nodes["value"][:, None].copy(),
        category=np.where(is_categorical, nodes["bitset_idx"].astype(np.int64), -1) if n_codes else None,
        left_codes=bits[:, :n_codes].astype(bool) if n_codes else None,
        output=output,
    )


def _forest(model: Any, trees: list[Tree], names: Sequence[str] | None, **settings: Any) -> Forest:
    classes = getattr(model, "classes_", None)
    n_outputs = max(t.output + t.value.shape[1] for t in trees) if trees else 1
    if "inputs" not in settings:
        _check_thresholds(model)
        allows_missing, has_names = get_tags(model).input_tags.allow_nan, _has_names(model, names)
        settings["inputs"] = Inputs(_columns(model, names), allows_missing=allows_missing, has_names=has_names)
    usual = {"tree_weights": np.ones(len(trees)), "base": np.zeros(n_outputs)}
    return Forest(tuple(trees), classes=classes, **usual | settings)


def _has_names(model: Any, names: Sequence[str] | None) -> bool:
    # Names passed by the user are for display; only those the model was trained with bind the columns of X.
    return names is None and hasattr(model, "feature_names_in_")


def _columns(model: Any, names: Sequence[str] | None) -> tuple[Column, ...]:
    check_names(names, model.n_features_in_)
    return make_columns(model.n_features_in_, getattr(model, "feature_names_in_", None) if names is None else names)


def _only_trees(model: Any) -> Iterable[Any]:
    for member in model.estimators_:
        if not isinstance(member, (tree.DecisionTreeClassifier, tree.DecisionTreeRegressor)):
            raise UnsupportedModelError(
                f"This {type(model).__qualname__} has a {type(member).__qualname__}, which is not a decision tree. "
                "Train it with a DecisionTreeClassifier or DecisionTreeRegressor as its estimator."
            )
        yield member


_KINDS: tuple[tuple[tuple[type, ...], Callable[[Any, Sequence[str] | None], Forest]], ...] = (
    ((tree.DecisionTreeClassifier, tree.DecisionTreeRegressor), _read_trees),
    ((ensemble.RandomForestClassifier, ensemble.RandomForestRegressor), _read_trees),
    ((ensemble.ExtraTreesClassifier, ensemble.ExtraTreesRegressor), _read_trees),
    ((ensemble.GradientBoostingClassifier, ensemble.GradientBoostingRegressor), _read_gradient_boosting),
    ((ensemble.HistGradientBoostingClassifier, ensemble.HistGradientBoostingRegressor), _read_hist_gradient_boosting),
    ((ensemble.AdaBoostClassifier,), _read_adaboost_classifier),
    ((ensemble.AdaBoostRegressor,), _read_adaboost_regressor),
    ((ensemble.BaggingClassifier, ensemble.BaggingRegressor), _read_bagging),
)
