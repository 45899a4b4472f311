"""Whether methods differ over several data sets: ranks and statistical tests.

The procedure of Demšar (2006) with the changes of Benavoli et al. (2016): average ranks and Friedman's test over all
methods, then the two-sided Wilcoxon signed-rank test for each pair, with p-values corrected by Holm's step-down
procedure.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.stats import PermutationMethod, friedmanchisquare, rankdata, wilcoxon

from hedgerow._support.arrays import FloatArray
from hedgerow._support.text_table import aligned
from hedgerow.evidence.statistics import holm
from hedgerow.exceptions import InvalidParameterError

#: Scores relative to the largest are rounded to this many digits: smaller differences are rounding errors.
_DIGITS = 12
#: The most pairs whose signs are all tried by the test of two methods: 8192 ways.
_FEW_PAIRS = 13


@dataclass(frozen=True, eq=False)
class Comparison:
    """What :func:`compare_methods` returns; print it for a table, the best method first.

    Attributes
    ----------
    names : tuple of str
        The methods, in order of their average ranks.
    ranks : array of shape (n_methods,)
        Average rank of each method; 1 is the best.
    friedman : float
        p-value of Friedman's test that all methods are equal; NaN for fewer than three methods.
    p_values : array of shape (n_methods, n_methods)
        For each pair, corrected for the number of pairs; 1 on the diagonal.
    n_sets : int
        Number of data sets.
    """

    names: tuple[str, ...]
    ranks: FloatArray
    friedman: float
    p_values: FloatArray
    n_sets: int

    def __str__(self) -> str:
        head = ("", "rank", *(f"against {name}" for name in self.names))
        rows = [
            (name, f"{self.ranks[i]:.2f}", *("–" if i == j else f"{p:.3g}" for j, p in enumerate(self.p_values[i])))
            for i, name in enumerate(self.names)
        ]
        lines = aligned([head, *rows], right=frozenset(range(1, len(head))))
        known = "" if np.isnan(self.friedman) else f"; Friedman's p = {self.friedman:.2g}"
        return "\n".join([*lines, f"{self.n_sets} data sets{known}"])


def compare_methods(scores: Any, *, larger_is_better: bool = True) -> Comparison:
    """Rank methods over data sets and test which of them differ.

    Parameters
    ----------
    scores : mapping or data frame
        For each method, by name, its scores: one number per data set, in the same order for all methods.
    larger_is_better : bool
        Whether the scores are gains (such as accuracy) or losses (such as errors).

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from hedgerow.evidence.comparison import compare_methods
    >>> scores = {"list": [0.9, 0.8, 0.7, 0.9, 0.8], "tree": [0.85, 0.7, 0.65, 0.88, 0.79]}
    >>> print(compare_methods(scores))
          rank  against list  against tree
    list  1.00             –        0.0625
    tree  2.00        0.0625             –
    5 data sets
    """
    names = [str(name) for name in scores]
    table = np.array([np.asarray(scores[name], dtype=float) for name in scores])
    if len(names) < 2:
        raise InvalidParameterError(f"A comparison needs at least two methods; got {len(names)}.")
    if table.ndim != 2 or table.shape[1] < 2:
        raise InvalidParameterError(
            "A comparison needs one score per data set for every method, and at least two data sets; "
            f"got scores of shape {table.shape}."
        )
    if not np.isfinite(table).all():
        raise InvalidParameterError("Some scores are missing. Leave out data sets without a score of every method.")
    table = np.round(table / (np.abs(table).max() or 1.0), _DIGITS)
    places = np.mean([rankdata(-column if larger_is_better else column) for column in table.T], axis=0)
    order = np.argsort(places, kind="stable")
    table = table[order]
    tested = len(names) > 2 and (table != table[0]).any()
    return Comparison(
        names=tuple(names[i] for i in order),
        ranks=places[order],
        friedman=float(friedmanchisquare(*table).pvalue) if tested else np.nan,
        p_values=_pairwise(table),
        n_sets=table.shape[1],
    )


def signed_rank(a: Any, b: Any) -> float:
    """Return the p-value of the two-sided Wilcoxon signed-rank test of two methods' scores; 1 if they are equal.

    Differences that differ only by rounding count as equal: 0.32 - 0.31 is not 0.02 - 0.01 to the last digit.
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    # Fewer digits than rounded scores have: the rounding errors of both add up in their difference.
    differences = np.round((a - b) / (max(np.abs(a).max(), np.abs(b).max()) or 1.0), _DIGITS - 3)
    sizes = np.abs(differences)
    # Where some are alike or 0, newer releases of scipy try all signs of few; the older ones must be told.
    alike = not sizes.all() or len(np.unique(sizes)) < len(sizes)
    method = PermutationMethod() if alike and len(sizes) <= _FEW_PAIRS else "auto"
    return float(wilcoxon(differences, method=method).pvalue) if differences.any() else 1.0


def _pairwise(table: FloatArray) -> FloatArray:
    """Return the corrected p-values of Wilcoxon's test for all pairs."""
    pairs = list(combinations(range(len(table)), 2))
    raw = [signed_rank(table[i], table[j]) for i, j in pairs]
    p_values = np.ones((len(table), len(table)))
    for (i, j), p in zip(pairs, holm(raw), strict=True):
        p_values[i, j] = p_values[j, i] = p
    return p_values
