"""LightGBM's text format for models, parsed into arrays over all trees.

Lines are ``name=value`` or flags: a header, then ``Tree=0`` and so on, then the
parameters in brackets, then the categories of the data frame's columns.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.exceptions import UnsupportedModelError

# How a node treats missing values: as zeros, or zeros as missing; any other value: by the node's default.
MISSING_IS_ZERO, ZERO_IS_MISSING = range(2)


@dataclass(frozen=True)
class Branches:
    """The branch nodes of all trees, tree after tree.

    Children are numbered within their tree; leaf i is the child ``~i``.
    """

    tree: IntArray
    column: IntArray
    threshold: FloatArray
    left: IntArray
    right: IntArray
    value: FloatArray
    has_set: BoolArray
    default_left: BoolArray
    missing: IntArray


@dataclass(frozen=True)
class ModelText:
    """The lines of the text by name, and their meaning.

    Attributes
    ----------
    called : str
        The name of the model in messages.
    header, parameters : dict
    trees : list of dict
    pandas_categories : list of lists
        The categories of each categorical column of the training data frame, in the order of the columns.
    """

    called: str
    header: dict[str, str]
    trees: list[dict[str, str]]
    parameters: dict[str, str]
    pandas_categories: list[list[Any]]

    @property
    def objective(self) -> list[str]:
        """The objective's name and settings; empty for a custom objective."""
        return self.header.get("objective", "").split()

    @property
    def n_outputs(self) -> int:
        """Number of trees per iteration."""
        return int(self.header["num_tree_per_iteration"])

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return self.header["feature_names"].split(" ")

    @cached_property
    def n_leaves(self) -> IntArray:
        """Number of leaves of each tree."""
        return self.numbers("num_leaves", np.int64)

    @cached_property
    def branches(self) -> Branches:
        """The branch nodes of all trees."""
        self._check_lengths()
        kind = self.numbers("decision_type", np.int64)
        return Branches(
            tree=np.repeat(np.arange(len(self.trees)), self.n_leaves - 1),
            column=self.numbers("split_feature", np.int64),
            threshold=self.numbers("threshold", np.float64),
            left=self.numbers("left_child", np.int64),
            right=self.numbers("right_child", np.int64),
            value=self.numbers("internal_value", np.float64),
            has_set=(kind & 1).astype(bool),
            default_left=(kind & 2).astype(bool),
            missing=(kind >> 2) & 3,
        )

    @cached_property
    def sets(self) -> tuple[IntArray, IntArray]:
        """Branch nodes and codes that go left there, one pair per code of each set.

        A set is a row of bits in 32-bit words; a node's threshold is the number of its set in the tree.
        """
        n_sets = self.numbers("num_cat", np.int64)
        bounds = self.numbers("cat_boundaries", np.int64)
        between_trees = np.cumsum(n_sets[n_sets > 0] + 1)[:-1] - 1
        lengths = np.delete(np.diff(bounds), between_trees)
        words = self.numbers("cat_threshold", np.uint32).astype("<u4")
        filled = np.flatnonzero(words)
        which, bit = np.nonzero(np.unpackbits(words[filled, None].view(np.uint8), axis=1, bitorder="little"))
        word = filled[which]
        owner = np.repeat(np.arange(len(lengths)), lengths)[word]
        code = (word - (np.cumsum(lengths) - lengths)[owner]) * 32 + bit
        nodes = np.flatnonzero(self.branches.has_set)
        number = (np.cumsum(n_sets) - n_sets)[self.branches.tree[nodes]] + self.branches.threshold[nodes]
        node_of_set = np.empty(len(lengths), dtype=np.int64)
        node_of_set[number.astype(np.int64)] = nodes
        return node_of_set[owner], code

    def _check_lengths(self) -> None:
        """Refuse trees whose lines do not have as many numbers as they have nodes, and columns that do not exist."""
        counted = [len(tree.get("leaf_value", "").split()) for tree in self.trees]
        n_branches = sum(counted) - len(counted)
        uneven = [key for key in _PER_BRANCH if sum(len(t.get(key, "").split()) for t in self.trees) != n_branches]
        if self.n_leaves.tolist() != counted or min(counted) < 1 or uneven:
            raise UnsupportedModelError(
                f"{self.called} is not a complete LightGBM model: its lines {', '.join(uneven) or 'leaf_value'} do not "
                "have one number per node. Write it again with Booster.save_model."
            )
        columns = self.numbers("split_feature", np.int64)
        if not ((columns >= 0) & (columns < len(self.names))).all() or len(self._infos) != len(self.names):
            raise UnsupportedModelError(
                f"{self.called} is not a complete LightGBM model: its {len(self.names)} names do not fit its columns. "
                "Write it again with Booster.save_model."
            )

    def numbers(self, key: str, dtype: Any) -> AnyArray:
        """Return the numbers on the lines of this name, tree after tree."""
        return np.array(" ".join([tree.get(key, "") for tree in self.trees]).split(), dtype=dtype)

    def codes(self, column: int) -> list[int]:
        """Return the codes that a categorical column had in training, in increasing order."""
        nodes, codes = self.sets
        known = np.union1d(_codes(self._infos[column]), codes[self.branches.column[nodes] == column])
        return [int(code) for code in known]

    def named_columns(self) -> dict[int, list[Any]]:
        """Return the names of the categories of each column that was categorical in the training data frame.

        LightGBM stores the names without their columns. Unordered columns are declared as categorical; ordered ones
        hold the numbers from 0 to their last code. Only one assignment of names to columns may be possible.
        """
        lists, infos = self.pandas_categories, self._infos
        declared = self.parameters.get("categorical_feature", "").split(",")
        chosen = {int(word) for word in declared if word.isdecimal()} or {
            i for i, info in enumerate(infos) if ":" in info and not info.startswith("[")
        }
        if len(lists) < len(chosen):  # the user declared other, numeric columns as categorical
            possible, needed = sorted(chosen), set()
        else:
            possible, needed = list(range(len(infos))), chosen
        found = _matches([len(names) for names in lists], [_least(info) for info in infos], possible, needed)
        if len(found) != 1:
            raise UnsupportedModelError(
                f"It is ambiguous which columns of {self.called} had the categories {_shortened(lists)}: some are "
                "ordered, or numeric columns were declared as categorical too. Train it with unordered categories "
                "(cat.as_unordered()) or with numbers (cat.codes) throughout."
            )
        return dict(zip(found[0], lists, strict=True))

    @property
    def _infos(self) -> list[str]:
        return self.header["feature_infos"].split(" ")


#: What a tree has one number of for each branch node.
_PER_BRANCH = (*("split_feature", "threshold", "decision_type", "left_child", "right_child", "internal_value"),)


def parse(text: str, called: str) -> ModelText:
    """Parse the text of a model."""
    text = text.replace("\r\n", "\n")
    before, _, after = text.partition("\nend of trees")
    head, *trees = before.split("\nTree=")
    header = _lines(head)
    if not text.startswith("tree\n") or not after or "feature_names" not in header:
        raise UnsupportedModelError(f"{called} is not a complete LightGBM model. Write one with Booster.save_model.")
    if header.get("version") not in ("v3", "v4"):
        raise UnsupportedModelError(
            f"{called} has version {header.get('version')} of LightGBM's format; v3 and v4 can be read. "
            "Load it with a current version of LightGBM and save it again."
        )
    if not trees:
        raise UnsupportedModelError(f"{called} has no trees. Train it for at least one iteration.")
    settings = after.partition("\nparameters:\n")[2].partition("\nend of parameters")[0]
    _, key, categories = after.rpartition("\npandas_categorical:")
    return ModelText(
        called,
        header,
        [_lines(tree) for tree in trees],
        dict(line[1:-1].split(": ", 1) for line in settings.split("\n") if ": " in line),
        (json.loads(categories) if key else None) or [],
    )


def _lines(text: str) -> dict[str, str]:
    parts = (line.partition("=") for line in text.split("\n"))
    return {name: value for name, _, value in parts}


def _codes(info: str) -> list[int]:
    """Return the category codes in the information on a column, without -1, which stands for missing."""
    if ":" not in info or info.startswith("["):
        return []
    return [int(code) for code in info.split(":") if code != "-1"]


def _matches(
    sizes: Sequence[int], least: Sequence[float], possible: Sequence[int], needed: set[int]
) -> list[tuple[int, ...]]:
    """Return two ways to assign each list to a column, in order, so that all needed columns get one; fewer if there
    are not two.

    From the last list to the first: the ways to assign a list and those after it to the columns from some place on are
    a first column followed by ways that are known already. Searching them one after the other might never end.
    """
    last = max((i for i, column in enumerate(possible) if column in needed), default=-1)
    ways: list[list[Any]] = [[] if i <= last else [()] for i in range(len(possible) + 1)]
    for size in reversed(sizes):
        before, ways = ways, [[] for _ in ways]
        for i in reversed(range(len(possible))):
            here = [(possible[i], rest) for rest in before[i + 1]] if least[possible[i]] <= size else []
            later = [] if possible[i] in needed else ways[i + 1]  # which would skip it
            ways[i] = (here + later)[:2]
    return [_unrolled(way) for way in ways[0]]


def _unrolled(way: Any) -> tuple[int, ...]:
    """Return as one tuple what is nested as (first, (second, (..., ())))."""
    columns = []
    while way:
        first, way = way
        columns.append(first)
    return tuple(columns)


def _least(info: str) -> float:
    """Return how many categories a column must have, judging by its codes or the range of its numbers."""
    if info.startswith("["):
        low, high = map(float, info[1:-1].split(":"))
        return high + 1 if low >= 0 and low.is_integer() and high.is_integer() else math.inf
    return max(_codes(info), default=0) + 1


def _shortened(lists: Sequence[Sequence[Any]]) -> str:
    return ", ".join(f"{{{', '.join(map(str, names[:3]))}{', ...' * (len(names) > 3)}}}" for names in lists[:5])
