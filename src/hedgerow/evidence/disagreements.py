"""Where a rule list and the model that it explains part: the rows, and the regions.

Labels differ or they do not. Numbers nearly always differ: the rows are then the tenth that differs most.

The regions are a rule list of their own, learned from whether (or how far) list and model differ. Its candidates are
the nodes of small trees on the features of the explaining list, so that both speak of the same columns. A rule of it
has a price: it must tell more about the differences than a split that is chosen among all columns and thresholds tells
by chance. If none does, there are no regions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray, ValueArray
from hedgerow._support.checks import check_integer
from hedgerow._support.text_table import aligned
from hedgerow.candidates.rooted_trees import RootedTrees
from hedgerow.candidates.value_trees import grow_trees
from hedgerow.estimators.classifier import RuleListClassifier
from hedgerow.estimators.regressor import RuleListRegressor
from hedgerow.evidence.agreement import Agreement
from hedgerow.forests.forest import Forest
from hedgerow.losses import priced
from hedgerow.pipeline.asking import forest_of, predictions_of
from hedgerow.pipeline.build import build
from hedgerow.pipeline.pose import pose
from hedgerow.pipeline.prepare import Learned, take_candidates
from hedgerow.pipeline.samples import Samples
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_number

#: What regions call rows on which list and model say the same, and others.
AGREE, DIFFER = "agree", "differ"
#: For numbers, the share of the rows that are listed: those with the largest differences.
_LARGEST = 0.1
#: A region has at least so many rows, and at least this share of them.
_FEWEST, _SMALLEST = 5, 0.01
#: How many first splits are tried, on how many rows at most, and for how many seconds the regions are searched.
_ROOTS, _MOST_ROWS, _SECONDS = 20, 20_000, 5.0
#: The longest rule of a region: there are few rules, and they are to be read.
_LONGEST = 4


@dataclass(frozen=True)
class Region:
    """Rows of which a rule tells how often list and model differ.

    Attributes
    ----------
    conditions : str
        What the rows have in common.
    n_samples, n_differing : int
        Number of rows, and of those among the disagreements.
    mean_difference : float or None
        Of numbers, the mean absolute difference between list and model.
    """

    conditions: str
    n_samples: int
    n_differing: int
    mean_difference: float | None = None

    @property
    def share(self) -> float:
        """The share of the rows that are among the disagreements."""
        return self.n_differing / self.n_samples

    @property
    def amount(self) -> float:
        """How much they differ here: the mean difference of numbers, otherwise the share."""
        return self.share if self.mean_difference is None else self.mean_difference


@dataclass(frozen=True, eq=False)
class Disagreements:
    """What ``estimator.disagreements(X)`` returns; print it for a summary.

    Attributes
    ----------
    n_samples : int
        Number of rows that were compared.
    rows : int array
        The positions of those on which list and model differ: in the order of ``X`` for labels; for numbers, the tenth
        with the largest differences, the largest first.
    of_list, of_model : array
        What each of them predicts for these rows.
    rules : int array
        The rule that makes the list's prediction, as ``apply`` returns it: -1 if none matches.
    agreement : Agreement
        The share of equal labels, or the mean squared difference, over all rows, with its interval.
    mean_difference : float or None
        Of numbers, the mean absolute difference over all rows.
    r2 : Agreement or None
        Of numbers, R² to the model with its interval; None if the model predicts the same for all rows.
    regions : RuleList or None
        Where they differ: a list that predicts "agree" or "differ", or the absolute difference of numbers. Every row is
        covered by exactly one of its rules. None if nothing more can be told than how often they differ.
    places : tuple of Region
        What the rules of ``regions`` say, the one with the most disagreement first.
    """

    n_samples: int
    rows: IntArray
    of_list: AnyArray
    of_model: AnyArray
    rules: IntArray
    agreement: Agreement
    mean_difference: float | None = None
    r2: Agreement | None = None
    regions: RuleList | None = None
    places: tuple[Region, ...] = ()

    @property
    def share(self) -> float:
        """The share of the rows that are listed."""
        return len(self.rows) / self.n_samples

    def to_frame(self) -> Any:
        """Return a pandas data frame with one row per disagreement.

        ``row`` is its position in ``X``, ``rule`` the number of the rule as it is printed, 0 for the default.
        """
        import pandas as pd

        found = {"row": self.rows, "rule": self.rules + 1, "list": self.of_list, "model": self.of_model}
        if self.mean_difference is not None:
            found["difference"] = self.of_list - self.of_model
        return pd.DataFrame(found)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return "\n".join([self._headline, *self.describe_places()])

    @property
    def _headline(self) -> str:
        rows = f"{self.n_samples} row{'s' * (self.n_samples != 1)}"
        if self.mean_difference is not None:
            of_model = "" if self.r2 is None else f" R² to the model is {self.r2.value:.3f}."
            return f"List and model differ by {format_number(self.mean_difference)} on average over {rows}.{of_model}"
        low, high = 100 * (1 - self.agreement.high), 100 * (1 - self.agreement.low)
        often = f"{100 * self.share:.1f} % (95 % interval: {low:.1f} % to {high:.1f} %)"
        return f"List and model differ on {len(self)} of {rows}, {often}."

    def describe_places(self) -> list[str]:
        """Write where they differ, one line per region."""
        if not len(self):
            return []
        if not self.places:
            return ["No region stands out."]
        of_numbers = self.mean_difference is not None
        heads = ("by" if of_numbers else "differ", "rows", "where")
        said = [
            format_number(one.mean_difference) if one.mean_difference is not None else f"{100 * one.share:.1f} %"
            for one in self.places
        ]
        rows = [(text, str(one.n_samples), one.conditions) for text, one in zip(said, self.places, strict=True)]
        return aligned([heads, *rows], right=frozenset({0, 1}))


def find_disagreements(
    rules: RuleList,
    model: Any,
    X: Any,
    forest: Forest | None = None,
    *,
    max_rules: int = 4,
    seen: Evaluation | None = None,
    expected: AnyArray | None = None,
) -> Disagreements:
    """Return where a list and a model differ.

    Parameters
    ----------
    rules : RuleList
    model : estimator, pipeline, booster, path, Forest, list of them, or Oracle
        What the list is compared with.
    X : array or data frame
        The rows.
    forest : Forest, optional
        The model's neutral form, if already read.
    max_rules : int
        The largest number of regions.
    seen, expected : optional
        What the list makes of ``X`` and what the model predicts for it, if that is known already.
    """
    check_integer("max_rules", max_rules)
    seen = rules.evaluate(X) if seen is None else seen
    if expected is None:
        expected, _ = predictions_of(model, forest_of(model) if forest is None else forest, rules.task, X)
    said, is_numeric = seen.predictions, not rules.task.has_labels
    apart: AnyArray = np.abs(said - expected) if is_numeric else said != expected
    rows = _largest(apart) if is_numeric else np.flatnonzero(apart)
    agreement = Agreement.of_numbers("all", apart**2) if is_numeric else Agreement.of_labels("all", ~apart)
    spread = float(np.var(expected)) if is_numeric else 0.0
    found = Disagreements(
        n_samples=len(apart),
        rows=rows,
        of_list=said[rows],
        of_model=expected[rows],
        rules=seen.fired[rows],
        agreement=agreement,
        mean_difference=float(apart.mean()) if is_numeric else None,
        r2=agreement.as_r2(spread) if spread > 0 else None,
    )
    regions = _regions(rules, seen.X, apart, max_rules)
    if regions is None:
        return found
    return replace(found, regions=regions, places=_places(regions, seen.X, rows, is_numeric))


def _largest(apart: AnyArray) -> IntArray:
    """Return the tenth of the rows with the largest differences, the largest first; rows without one never count."""
    order = np.argsort(-apart, kind="stable")[: int(np.ceil(_LARGEST * len(apart)))]
    return order[apart[order] > 0]


def _regions(rules: RuleList, X: Any, apart: AnyArray, max_rules: int) -> RuleList | None:
    """Return the list that tells where differences are; None if it has nothing to tell."""
    n, fewest = len(apart), max(_FEWEST, int(np.ceil(_SMALLEST * len(apart))))
    if max_rules < 2 or n < 2 * fewest or (apart == apart[0]).all():
        return None
    values = rules.inputs.matrix(X)
    y: AnyArray = apart if apart.dtype != bool else np.where(apart, DIFFER, AGREE)
    estimator = _estimator(y, values, max_rules, fewest)
    inputs = rules.inputs.with_missing_seen(values).with_values_seen(X)
    drawn = np.arange(n) if n <= _MOST_ROWS else np.random.default_rng(0).choice(n, _MOST_ROWS, replace=False)
    task, y = estimator.task_kind.of(y, "")
    tree = estimator.task_kind.tree(max_leaf_nodes=2 * max_rules, min_samples_leaf=fewest, random_state=0)
    targets = _tamed(y) if y.dtype.kind == "f" else y
    forest = grow_trees(RootedTrees(tree, _ROOTS), inputs, values[drawn], targets[drawn])
    settings = estimator.to_settings()
    samples = Samples(X, y, None, task, len(inputs.names))
    loss = settings.parsed_loss.among(task.classes)
    learned = Learned(samples, task, loss, forest, None, forest, values, targets, y, np.ones(n), n)
    posed = pose(take_candidates(settings, learned, "nodes"), settings)
    found = build(posed, settings.chosen_solver().solve(posed.problem, settings.time_limit))
    return found if len(found) > 1 else None


def _tamed(apart: FloatArray) -> FloatArray:
    """Return differences of which a few huge ones do not decide alone: those beyond the largest tenth count as it."""
    most = np.quantile(apart, 1 - _LARGEST)
    return np.minimum(apart, most) if most > 0 else (apart > 0).astype(np.float64)


def _estimator(y: AnyArray, values: ValueArray, max_rules: int, fewest: int) -> Any:
    """Return an unfitted estimator with the settings of the list of regions.

    In nats, a rule costs log(n · d): its split is one of about n thresholds in d columns.
    """
    n, n_columns = values.shape
    cost = np.log(n * n_columns)
    given: dict[str, Any] = {"max_rules": max_rules, "candidates": "nodes", "max_conditions": _LONGEST}
    given |= {"min_coverage": fewest / n, "stability_weight": 0.0, "time_limit": _SECONDS}
    if y.dtype.kind == "f":  # of a normal distribution, squares that fall by their share s are n s / 2 nats
        return RuleListRegressor(loss=priced("sse", float(2 * cost / n)), **given)
    share = float(np.mean(y == DIFFER))
    nats = -n * (share * np.log(share) + (1 - share) * np.log(1 - share))
    return RuleListClassifier(loss=priced("log_loss", float(cost / nats)), **given)


def _places(regions: RuleList, X: Any, rows: IntArray, is_numeric: bool) -> tuple[Region, ...]:
    fired = regions.apply(X)
    listed = np.bincount(fired[rows], minlength=len(regions))
    found = [
        Region(
            conditions=rule.describe(regions.digits),
            n_samples=rule.coverage,
            n_differing=int(listed[i]),
            mean_difference=float(rule.prediction) if is_numeric else None,
        )
        for i, rule in enumerate(regions)
    ]
    return tuple(sorted(found, key=lambda one: -one.amount))
