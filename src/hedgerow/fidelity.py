"""Measures of how faithful rules are to their ensemble, from :mod:`hedgerow.evidence.fidelity`."""

from hedgerow.evidence.fidelity import (
    Fidelity,
    disagreement,
    ensemble_score,
    feature_f1,
    importance_correlation,
    represented_trees,
    summarize,
)

__all__ = [
    "Fidelity",
    "disagreement",
    "ensemble_score",
    "feature_f1",
    "importance_correlation",
    "represented_trees",
    "summarize",
]
