"""The text in which LightGBM keeps a model, as arrays over all of its trees.

Lines are ``name=value`` or flags: a header, then ``Tree=0`` and so on, then the
parameters in brackets, then the categories of the data frame's columns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.exceptions import UnsupportedModelError

# How a node treats missing values: as zero, zeros as missing values, by their own default.
MISSING_IS_ZERO, ZERO_IS_MISSING = range(2)


@dataclass(frozen=True)
class Branches:
    """The branch nodes of all trees, one tree after the other.

    Children count from the tree's own first node; leaf i is the child ``~i``.
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
    """The lines of the text by their names, and what they mean.

    Attributes
    ----------
    called : str
        What to call the model in messages.
    header, parameters : dict
    trees : list of dict
    pandas_categories : list of lists
        The categories of each column of categories in the data frame of the training, in the order of the columns.
    """

    called: str
    header: dict[str, str]
    trees: list[dict[str, str]]
    parameters: dict[str, str]
    pandas_categories: list[list[Any]]

    @property
    def objective(self) -> list[str]:
        """The objective's name and settings; no words if it is the user's own."""
        return self.header.get("objective", "").split()

    @property
    def n_outputs(self) -> int:
        """Trees an iteration."""
        return int(self.header["num_tree_per_iteration"])

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return self.header["feature_names"].split(" ")

    @cached_property
    def n_leaves(self) -> IntArray:
        """Leaves of each tree."""
        return self.numbers("num_leaves", np.int64)

    @cached_property
    def branches(self) -> Branches:
        """The branch nodes of all trees."""
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
        """Branch nodes and codes that go left there, one pair a code of each set.

        A set is a row of bits in words of 32; a node's threshold is the number of its set in the tree.
        """
        n_sets = self.numbers("num_cat", np.int64)
        bounds = self.numbers("cat_boundaries", np.int64)
        between_trees = np.cumsum(n_sets[n_sets > 0] + 1)[:-1] - 1
        lengths = np.delete(np.diff(bounds), between_trees)
        words = self.numbers("cat_threshold", np.int64).astype("<u4")
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

    def numbers(self, key: str, dtype: Any) -> AnyArray:
        """The numbers on the lines of this name, trees one after the other."""
        return np.array(" ".join([tree.get(key, "") for tree in self.trees]).split(), dtype=dtype)

    def codes(self, column: int) -> list[int]:
        """The codes that a column of categories had in training, in increasing order."""
        nodes, codes = self.sets
        known = np.union1d(_codes(self._infos[column]), codes[self.branches.column[nodes] == column])
        return [int(code) for code in known]

    def named_columns(self) -> dict[int, list[Any]]:
        """The names of the categories of each column that was one of categories in a data frame.

        LightGBM keeps the names without their columns. Unordered ones are declared as categorical; ordered ones are
        numbers from 0 to their last, which must not leave a choice.
        """
        lists, infos = self.pandas_categories, self._infos
        declared = self.parameters.get("categorical_feature", "").split(",")
        chosen = {int(word) for word in declared if word.isdigit()} or {
            i for i, info in enumerate(infos) if ":" in info and not info.startswith("[")
        }
        if len(lists) < len(chosen):  # others were declared by hand, among columns of numbers
            possible, needed = sorted(chosen), set()
        else:
            possible, needed = list(range(len(infos))), chosen
        found = list(islice(_matches(lists, infos, possible, needed), 2))
        if len(found) != 1:
            raise UnsupportedModelError(
                f"It cannot be told which columns of {self.called} had the categories {_shortened(lists)}: some were "
                "ordered, or others were declared by hand. Train it with unordered categories (cat.as_unordered()) or "
                "with numbers (cat.codes) throughout."
            )
        return dict(zip(found[0], lists, strict=True))

    @property
    def _infos(self) -> list[str]:
        return self.header["feature_infos"].split(" ")


def parse(text: str, called: str) -> ModelText:
    """Take the text of a model apart."""
    text = text.replace("\r\n", "\n")
    before, _, after = text.partition("\nend of trees")
    head, *trees = before.split("\nTree=")
    header = _lines(head)
    if not text.startswith("tree\n") or not after or "feature_names" not in header:
        raise UnsupportedModelError(f"{called} is no whole model of LightGBM. Write one with Booster.save_model.")
    if header.get("version") not in ("v3", "v4"):
        raise UnsupportedModelError(
            f"{called} is of version {header.get('version')} of LightGBM's format; v3 and v4 can be read. "
            "Load it with a current LightGBM and save it again."
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
    """Return the categories in what is said about a column; -1 there is the missing one."""
    if ":" not in info or info.startswith("["):
        return []
    return [int(code) for code in info.split(":") if code != "-1"]


def _matches(
    lists: Sequence[Sequence[Any]], infos: Sequence[str], possible: Sequence[int], needed: set[int]
) -> Iterator[tuple[int, ...]]:
    """Find the ways to give each list a column, in order, so that all needed columns get one."""
    if not lists:
        if not needed:
            yield ()
        return
    for i, column in enumerate(possible):
        if _fits(infos[column], len(lists[0])):
            for rest in _matches(lists[1:], infos, possible[i + 1 :], needed - {column}):
                yield (column, *rest)
        if column in needed:  # what comes later would leave it out
            return


def _fits(info: str, n_categories: int) -> bool:
    """Whether a column can be one of so many categories, by its codes or by the range of its numbers."""
    if info.startswith("["):
        low, high = map(float, info[1:-1].split(":"))
        return low >= 0 and high < n_categories and low.is_integer() and high.is_integer()
    return max(_codes(info), default=0) < n_categories


def _shortened(lists: Sequence[Sequence[Any]]) -> str:
    return ", ".join(f"{{{', '.join(map(str, names[:3]))}{', ...' * (len(names) > 3)}}}" for names in lists[:5])
