"""The optimal trees of pystreed, behind labels of any kind.

The package is not among those of ``bench``, because it asks for others in turn;
``pip install pystreed`` brings it.
"""

from __future__ import annotations

from benchmarks.coded_labels import CodedLabels


class OptimalTreeClassifier(CodedLabels):
    """pystreed's tree of the highest accuracy; it takes numbers as labels only."""

    def get_n_leaves(self) -> int:
        """Return how many leaves the tree has."""
        return int(self.model_.get_n_leaves())
