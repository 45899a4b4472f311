"""Partition problems in files: the arrays of a problem in one .npz each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from scipy import sparse

from hedgerow.candidates.coverage import Coverage, Ends
from hedgerow.optimize.problem import LinearRows, PartitionProblem

CACHE = Path(__file__).parent / "cache"
#: Part of every file's name; raise it when the same name stands for another problem.
VERSION = 2


def path_of(name: str, cache: Path) -> Path:
    """Return where an instance is kept."""
    return cache / f"{name.replace('/', '__')}.{VERSION}.npz"


def kept(name: str, cache: Path) -> PartitionProblem | None:
    """Return an instance that is in the cache, or None."""
    path = path_of(name, cache)
    if not path.exists():
        return None
    try:
        # numpy leaves a file open that it has opened itself and cannot read.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return unpacked(dict(arrays))
    except (BadZipFile, KeyError, OSError, ValueError):  # such as a file that was cut off
        return None


def keep(problem: PartitionProblem, name: str, cache: Path) -> None:
    """Write an instance into the cache; it is there only once it is whole."""
    path = path_of(name, cache)
    cache.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **packed(problem))
    part.replace(path)


def packed(problem: PartitionProblem) -> dict[str, Any]:
    """Return the arrays of a problem, with the groups that its rules use only."""
    coverage, rows = problem.coverage, problem.rows
    used, group = np.unique(coverage.group, return_inverse=True)
    arrays: dict[str, Any] = {
        "ranks": coverage.ends.ranks[:, used],
        "n_ranks": coverage.ends.n_ranks[used],
        "group": group.astype(np.int32),
        "first": coverage.first.astype(np.int32),
        "last": coverage.last.astype(np.int32),
        "scores": problem.scores,
        "budget": -1 if problem.max_rules is None else problem.max_rules,
    }
    if problem.preference is not None:
        arrays["preference"] = problem.preference
    if rows is not None:
        matrix = rows.matrix
        arrays |= {"row_data": matrix.data, "row_indices": matrix.indices, "row_starts": matrix.indptr}
        arrays |= {"row_lower": rows.lower, "row_upper": rows.upper, "row_names": np.array(rows.names, dtype=str)}
    return arrays


def unpacked(arrays: dict[str, Any]) -> PartitionProblem:
    """Return the problem of some arrays."""
    group, first, last = (arrays[name].astype(np.int64) for name in ("group", "first", "last"))
    ends = Ends(np.asfortranarray(arrays["ranks"]), arrays["n_ranks"].astype(np.int64))
    rows = None
    if "row_data" in arrays:
        entries = tuple(arrays[f"row_{part}"] for part in ("data", "indices", "starts"))
        matrix = sparse.csr_array(entries, shape=(len(arrays["row_lower"]), len(group)))
        rows = LinearRows(matrix, arrays["row_lower"], arrays["row_upper"], tuple(arrays["row_names"].tolist()))
    budget = int(arrays["budget"])
    return PartitionProblem(
        arrays["scores"],
        Coverage(ends, group, first, last),
        None if budget < 0 else budget,
        rows,
        arrays.get("preference"),
    )
