"""The parsers of files from elsewhere, and what is done with what they read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from hedgerow import Forest, RuleList, read_forest
from hedgerow.exceptions import HedgerowError
from hedgerow.tables import read_table

Grammar = Literal["json", "ubjson", "lines"]


@dataclass(frozen=True)
class Parser:
    """A parser of files with a suffix, how such files are built, and what reads one and uses what was read."""

    suffix: str
    grammar: Grammar
    use: Callable[[Path], Any]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _use_forest(forest: Forest) -> None:
    forest.answer(_samples(forest.inputs))
    forest.to_json()


def _use_list(rule_list: RuleList) -> None:
    rule_list.predict(_samples(rule_list.inputs))
    rule_list.to_text()
    rule_list.to_json()


def _samples(inputs: Any) -> Any:
    shape = inputs.sample_shape
    if np.prod([float(n) for n in shape]) > 1e6:  # the samples would be what is large
        raise HedgerowError("too large for the fuzzer's own samples")
    return np.ones((2, *shape))


PARSERS: dict[str, Parser] = {
    "forest_json": Parser(".json", "json", lambda path: _use_forest(Forest.from_json(_text(path)))),
    "rule_list_json": Parser(".json", "json", lambda path: _use_list(RuleList.from_json(_text(path)))),
    "lightgbm_text": Parser(".txt", "lines", lambda path: _use_forest(read_forest(path))),
    "xgboost_json": Parser(".json", "json", lambda path: _use_forest(read_forest(path))),
    "xgboost_ubjson": Parser(".ubj", "ubjson", lambda path: _use_forest(read_forest(path))),
    "catboost_json": Parser(".json", "json", lambda path: _use_forest(read_forest(path))),
    "csv": Parser(".csv", "lines", read_table),
}
