"""Whether another sample would have given another list: rules, features and predictions over resampled rows."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow._support.checks import check_integer, is_number
from hedgerow._support.progress import track
from hedgerow._support.text_table import aligned
from hedgerow.evidence.wording import written_share
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_number, format_value

#: What a condition looks at besides its thresholds: the name of the feature, and "above", "below", or its categories.
#: Features themselves know what was seen in training, which differs between resamples.
Side = tuple[str, str | frozenset[Any]]


@dataclass(frozen=True)
class RuleStability:
    """How a rule of the list fares when the list is learned again.

    Attributes
    ----------
    rule : int
        Its number, from 1.
    conditions, prediction : str
    returns : float
        The share of the refitted lists that have it: the same features and sides, thresholds up to the tolerance.
    overlap : float
        How much of its rows the most similar rule of a refitted list has: rows that satisfy both, divided by those that
        satisfy either, on average.
    """

    rule: int
    conditions: str
    prediction: str
    returns: float
    overlap: float


@dataclass(frozen=True, eq=False)
class Stability:
    """What :func:`stability` returns; print it for a table.

    Attributes
    ----------
    rules : tuple of RuleStability
        The rules of the list that is learned from all rows.
    features : dict of str to float
        The share of the refitted lists that use each feature, the largest first.
    dice : float
        How alike two refitted lists are, on average: the share of their rules that the other one has, too.
    spread : array
        For each row, the share of the refitted lists that do not predict its most frequent label or, for numbers, the
        standard deviation of the predictions.
    sizes : array of int
        The number of rules of each refitted list.
    lists : tuple of RuleList
        The refitted lists.
    tolerance : float
    """

    rules: tuple[RuleStability, ...]
    features: dict[str, float]
    dice: float
    spread: FloatArray
    sizes: IntArray
    lists: tuple[RuleList, ...]
    tolerance: float

    @property
    def is_labels(self) -> bool:
        """Whether the lists predict classes."""
        return self.lists[0].task.has_labels

    def __str__(self) -> str:
        head = ("rule", "returns", "overlap", "if", "then")
        rows = [
            (str(one.rule), written_share(one.returns), f"{one.overlap:.2f}", one.conditions, one.prediction)
            for one in self.rules
        ]
        return "\n".join([*aligned([head, *rows], right=frozenset((0, 1, 2))), *self.sentences()])

    def sentences(self) -> list[str]:
        """Return what was found about the lists as a whole, in sentences."""
        n = len(self.lists)
        used = ", ".join(f"{name} {written_share(share)}" for name, share in self.features.items())
        found = [f"Two of the {n} refitted lists share {written_share(self.dice)} of their rules on average."]
        found.append(
            f"Features and the share of the lists that use them: {used}." if used else "No list uses a feature."
        )
        mean = float(self.spread.mean())
        if self.is_labels:
            found.append(f"A list predicts another label than most lists for {written_share(mean)} of the rows.")
        else:
            found.append(f"The standard deviation of the predictions for a row is {format_number(mean, 3)} on average.")
        return found

    def to_frame(self) -> Any:
        """Return the rules as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame([asdict(one) for one in self.rules])


def stability(
    estimator: Any,
    X: Any,
    y: Any,
    n: int = 50,
    *,
    weight: Any = None,
    tolerance: float = 0.05,
    n_jobs: int | None = None,
    random_state: int | None = 0,
    verbose: bool = False,
) -> Stability:
    """Learn a list again on resampled rows, and say what stays.

    Parameters
    ----------
    estimator : RuleListClassifier, RuleListRegressor or one with cross-validation
        It is cloned. An ensemble that is fitted already stays as it is: then only the choice of the rules is repeated,
        not the ensemble. Pass an unfitted one, or none, to repeat both.
    X, y : array or data frame, and targets
        All rows. Each resample has as many, drawn with replacement, of each class as many as there are.
    n : int
        The number of resamples.
    weight : array, optional
        Sample weights.
    tolerance : float
        Two thresholds are the same if at most this share of the rows lies between them.
    n_jobs : int, optional
        Lists that are learned at the same time; -1 for all processors.
    random_state : int, optional
        The seed of the resamples.
    verbose : bool
        Whether to show a progress bar.

    Returns
    -------
    Stability

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from hedgerow import RuleListClassifier
    >>> from hedgerow.evidence import stability
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> rules = RuleListClassifier(RandomForestClassifier(10, max_depth=2, random_state=0), max_rules=3)
    >>> found = stability(rules, X, y, n=5)
    >>> len(found.lists), found.spread.shape
    (5, (150,))
    """
    from sklearn.base import clone

    check_integer("n", n, least=2)
    if not is_number(tolerance) or not 0 <= tolerance < 1:
        raise InvalidParameterError(f"tolerance must be a number from 0 to less than 1; got {tolerance!r}.")
    if not hasattr(estimator, "get_params"):
        raise InvalidParameterError(
            f"Only an estimator can be fitted again, not a {type(estimator).__qualname__}. Pass the RuleListClassifier "
            "or RuleListRegressor itself."
        )
    whole = _fitted(clone(estimator), X, y, weight, None)
    rng = np.random.default_rng(random_state)
    targets = np.asarray(y)
    draws = [_resample(targets, whole.task.has_labels, rng) for _ in range(n)]
    lists = tuple(track(_refitted(estimator, X, targets, weight, draws, n_jobs), n, "Refitting", verbose))
    seen = whole.evaluate(X)
    places = _Places(X, (whole, *lists))
    same = places.same(tolerance)
    of_list = np.repeat(np.arange(n + 1), [len(whole), *map(len, lists)])
    rows = [one.evaluate(X) for one in lists]
    overlap = np.mean([_overlaps(seen.matches, one.matches) for one in rows], axis=0)
    returned = _in_lists(same[of_list == 0], of_list, n)
    rules = tuple(
        RuleStability(i + 1, rule.describe(whole.digits), format_value(rule.prediction), float(back), float(shared))
        for i, (rule, back, shared) in enumerate(zip(whole, returned.mean(axis=1), overlap, strict=True))
    )
    return Stability(
        rules=rules,
        features=_features(lists),
        dice=_dice(same[of_list > 0][:, of_list > 0], of_list[of_list > 0] - 1, n),
        spread=_spread([one.predictions for one in rows], whole.task.has_labels),
        sizes=np.array([len(one) for one in lists]),
        lists=lists,
        tolerance=float(tolerance),
    )


def _resample(y: AnyArray, has_labels: bool, rng: np.random.Generator) -> IntArray:
    """Return the positions of as many rows, drawn with replacement; of each label as many as there are."""
    if not has_labels:
        return np.sort(rng.integers(len(y), size=len(y)))
    _, codes = np.unique(y, return_inverse=True)
    parts = [rng.choice(rows, len(rows)) for rows in (np.flatnonzero(codes == k) for k in range(codes.max() + 1))]
    return np.sort(np.concatenate(parts))


def _refitted(estimator: Any, X: Any, y: AnyArray, weight: Any, draws: Sequence[IntArray], n_jobs: int | None) -> Any:
    """Yield the lists in order, as they are made."""
    from joblib import Parallel, delayed
    from sklearn.base import clone

    calls = (delayed(_fitted)(clone(estimator), X, y, weight, rows) for rows in draws)
    return Parallel(n_jobs=n_jobs, return_as="generator")(calls)


def _fitted(estimator: Any, X: Any, y: Any, weight: Any, rows: IntArray | None) -> RuleList:
    from sklearn.utils import _safe_indexing

    if rows is not None:
        X, y = _safe_indexing(X, rows), y[rows]
        weight = None if weight is None else np.asarray(weight)[rows]
    with warnings.catch_warnings():
        if rows is not None:  # what there is to say about the list is said once, about that of all rows
            warnings.simplefilter("ignore")
        fitted = estimator.fit(X, y) if weight is None else estimator.fit(X, y, sample_weight=weight)
    rules = getattr(fitted, "rule_list_", None)
    if not isinstance(rules, RuleList):
        raise InvalidDataError(
            f"A fitted {type(estimator).__qualname__} has no rule_list_. Pass a RuleListClassifier or "
            "RuleListRegressor."
        )
    return rules


class _Places:
    """The thresholds of all rules, as shares of the rows that lie below them."""

    def __init__(self, X: Any, lists: Sequence[RuleList]) -> None:
        self.rules: list[dict[Side, float]] = []
        sorted_values: dict[str, FloatArray] = {}
        for one in lists:
            used = {condition.feature for rule in one for condition in rule.simplified}
            values = one.inputs.values(one.inputs.as_samples(X), {f for f in used if f.name not in sorted_values})
            for feature, column in values.items():
                sorted_values.setdefault(feature.name, np.sort(column[~np.isnan(column)]))
            self.rules += [_sides(rule, sorted_values) for rule in one]

    def same(self, tolerance: float) -> BoolArray:
        """Return which rules are the same but for so much in their thresholds, a row and a column per rule."""
        kinds: dict[frozenset[Side], list[int]] = {}
        for i, sides in enumerate(self.rules):
            kinds.setdefault(frozenset(sides), []).append(i)
        same = np.zeros((len(self.rules), len(self.rules)), dtype=bool)
        for kind, members in kinds.items():
            at = np.array([[self.rules[i][side] for side in kind] for i in members]).reshape(len(members), len(kind))
            apart = np.abs(at[:, None] - at[None]).max(axis=2, initial=0.0)
            same[np.ix_(members, members)] = apart <= tolerance
        return same


def _sides(rule: Rule, sorted_values: dict[str, FloatArray]) -> dict[Side, float]:
    """Return what a rule looks at, and the share of the rows below each threshold; 0 for categories."""
    found: dict[Side, float] = {}
    for condition in rule.simplified:
        feature, values = condition.feature, sorted_values[condition.feature.name]
        if condition.categories is not None:
            levels = feature.levels or ()
            passing = frozenset(levels[code] if code < len(levels) else None for code in condition.categories)
            found[feature.name, passing] = 0.0
            continue
        for name, bound in (("above", condition.lower), ("below", condition.upper)):
            if math.isfinite(bound):
                below = float(np.searchsorted(values, bound, side="right"))
                found[feature.name, name] = below / max(1, len(values))
    return found


def _in_lists(same: BoolArray, of_list: IntArray, n: int) -> BoolArray:
    """Return whether each rule is in each refitted list."""
    return np.column_stack([same[:, of_list == k].any(axis=1) for k in range(1, n + 1)])


def _overlaps(one: BoolArray, other: BoolArray) -> FloatArray:
    """Return for each rule of one list how much it has in common with the most similar rule of another."""
    a, b = one.astype(np.float64), other.astype(np.float64)
    both = a.T @ b
    either = a.sum(axis=0)[:, None] + b.sum(axis=0)[None] - both
    shared: FloatArray = np.divide(both, either, out=np.zeros_like(both), where=either > 0)
    return shared.max(axis=1, initial=0.0)


def _dice(same: BoolArray, of_list: IntArray, n: int) -> float:
    """Return the mean over all pairs of lists of the share of their rules that the other one has, too."""
    sizes = np.bincount(of_list, minlength=n)
    has = np.column_stack([same[:, of_list == k].any(axis=1) for k in range(n)]).astype(np.float64)
    shared = np.vstack([has[of_list == k].sum(axis=0) for k in range(n)])
    pairs = np.triu_indices(n, 1)
    total = sizes[:, None] + sizes[None]
    return float(((shared + shared.T) / total)[pairs].mean())


def _features(lists: Sequence[RuleList]) -> dict[str, float]:
    used = Counter(name for one in lists for name in {c.feature.name for rule in one for c in rule.conditions})
    return {name: count / len(lists) for name, count in sorted(used.items(), key=lambda pair: (-pair[1], pair[0]))}


def _spread(predictions: Sequence[AnyArray], has_labels: bool) -> FloatArray:
    said = np.array(predictions)
    if not has_labels:
        return np.asarray(said.std(axis=0, ddof=1), dtype=np.float64)
    _, codes = np.unique(said, return_inverse=True)
    codes = codes.reshape(said.shape)
    counts = np.array([(codes == k).sum(axis=0) for k in range(codes.max() + 1)])
    return np.asarray(1 - counts.max(axis=0) / len(said), dtype=np.float64)
