"""Whether a change of the code changes a result: run the same cases before and after, then compare.

``python -m benchmarks.unchanged write DIR [--case NAME]`` runs the cases of :mod:`benchmarks.unchanged_cases` with the
hedgerow that is importable: set ``PYTHONPATH`` to the ``src`` of another checkout to run that one, with the same cases.
``python -m benchmarks.unchanged compare BEFORE AFTER`` prints one line per case.

Each case has one folder per column of that line:

=========== ============================================================================================
rules       conditions, predictions and coverage of each rule, with every bit of every number
objective   objective, bound, status and chosen candidates; results of searches, paths and traces
predictions ``predict``, ``predict_proba`` and ``apply`` on training and held-out samples
fidelity    what ``fidelity`` returns for both
json, sql   ``to_json``; ``to_sql`` in every dialect
code        ``to_python`` and ``to_onnx``
text        ``to_text``, ``to_latex``, ``to_dot``, ``explain``
=========== ============================================================================================

Where an export is refused, the type of the error is written instead. A column is "same" if all its files are, byte by
byte; the seconds of the solution are left out of JSON. It is "wording only" if the files are the same without what is
there only for people to read:

- json: the sentence ``text`` of each rule and of the default. All else counts, the order of the keys too.
- sql: comments; with ``returns="text"`` the sentences after THEN and ELSE.
- code: of Python comments, docstrings and the messages of errors; of ONNX nothing.
- text: everything but the numbers, which must come in the same order.

Anything else is "different", in rules, objective, predictions and fidelity any other bit; what differs is listed below
the case. The exit status is 1 if something is different in another column than text, or if a case is on one side only.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import shutil
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from threadpoolctl import threadpool_limits

import hedgerow
from benchmarks.unchanged_cases import CASES, Outcome

COLUMNS = ("rules", "objective", "predictions", "fidelity", "json", "sql", "code", "text")
DIALECTS = ("postgres", "sqlite", "duckdb", "bigquery")
#: How many samples are explained, of the training and of the held-out ones.
N_EXPLAINED = 15
#: What is told of a rule, beside its conditions.
OF_RULE = ("prediction", "coverage", "share", "distribution", "spread", "class_share", "kind", "tree", "node")

Files = Iterator[tuple[str, Any]]


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unchanged", description=__doc__.partition("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write", help="run the cases and write their results")
    writing.add_argument("directory", type=Path)
    writing.add_argument("--case", action="append", choices=CASES, help="only this case; may be repeated")
    comparing = commands.add_parser("compare", help="compare what was written by two runs")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    given = parser.parse_args(arguments)
    if given.command == "write":
        return write(given.directory, given.case or list(CASES))
    return compare(given.before, given.after)


# Write


def write(directory: Path, names: list[str]) -> int:
    """Run the cases; return 1 if one failed, of which nothing is then written."""
    console = Console(stderr=True, soft_wrap=True, markup=False, highlight=False)
    console.print(f"hedgerow of {Path(hedgerow.__file__).parent}")
    started, failed = time.perf_counter(), []
    for name in names:
        shutil.rmtree(directory / name, ignore_errors=True)
        began = time.perf_counter()
        try:
            with warnings.catch_warnings(), threadpool_limits(1):
                warnings.simplefilter("ignore")
                files = dict(_files(CASES[name]()))
        except Exception as error:
            failed.append(name)
            console.print(f"{name}: {type(error).__name__}: {error}")
            continue
        for file, content in files.items():
            _store(directory / name / file, content)
        console.print(f"{name}: {time.perf_counter() - began:.1f} s")
    console.print(f"{len(names) - len(failed)} cases written in {time.perf_counter() - started:.0f} s")
    if failed:
        console.print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


def _store(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, np.ndarray):
        np.save(path, content.astype(str) if content.dtype == object else content, allow_pickle=False)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(_exact(content), indent=1), "utf-8")


def _exact(value: Any) -> Any:
    """Return the value as JSON has it, with floating-point numbers as hexadecimal strings."""
    if isinstance(value, np.ndarray | np.generic):
        return _exact(value.tolist())
    if isinstance(value, dict):
        return {str(key): _exact(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_exact(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, float):
        return value.hex()
    return value if value is None or isinstance(value, str | int) else repr(value)


def _files(outcome: Outcome) -> Files:
    """Yield the name and the content of each file of a case."""
    fitted, data = outcome.fitted, outcome.data
    yield from _predictions("", fitted, outcome)
    yield "fidelity/train.json", asdict(fitted.fidelity(data.X, data.y))
    yield "fidelity/test.json", asdict(fitted.fidelity(data.X_test, data.y_test))
    if outcome.numbers:
        yield "objective/numbers.json", outcome.numbers
    if not hasattr(fitted, "rule_list_"):
        yield from _weighted(fitted.weighted_rules_)
        return
    solution = fitted.solution_
    if not solution.optimal:
        raise RuntimeError(f"The search ended early ({solution.status}), so that another run may end elsewhere.")
    proof = {name: getattr(solution, name) for name in ("objective", "bound", "status", "chosen")}
    yield "objective/solution.json", proof | {"n_candidates": len(fitted.pool_)}
    explained = [fitted.explain(X[:N_EXPLAINED]) for X in (data.X, data.X_test)]
    yield "text/explain.txt", "\n".join(sentence for part in explained for sentence in part)
    for name, rule_list in ({"list": fitted.rule_list_} | outcome.lists).items():
        yield from _list(name, rule_list, outcome)


def _predictions(prefix: str, model: Any, outcome: Outcome) -> Files:
    for samples, X in (("train", outcome.data.X), ("test", outcome.data.X_test)):
        for method in ("predict", "predict_proba", "apply"):
            if hasattr(outcome.fitted, method):  # a rule list has them all, but a regression no probabilities
                yield f"predictions/{prefix}{method}_{samples}.npy", getattr(model, method)(X)


def _weighted(rules: Any) -> Files:
    """Yield what is known of rules that are added up or averaged."""
    yield "rules/weighted.json", [_rule(rule) for rule in rules]
    yield "objective/weights.json", [rules.weights, rules.inside, rules.outside, rules.intercept]
    yield "text/weighted.txt", rules.to_text()


def _list(name: str, rules: Any, outcome: Outcome) -> Files:
    """Yield everything that a rule list is written as."""
    yield f"rules/{name}.json", [_rule(rule) for rule in (*rules, rules.default)]
    document = _tried(rules.to_json)
    yield f"json/{name}.json", document
    # What is read back must predict the same, so it counts as predictions.
    read = rules if document.startswith("refused") else hedgerow.RuleList.from_json(document)
    yield from _predictions(f"{name}_read_", read, outcome)
    for dialect in DIALECTS:
        yield f"sql/{name}_{dialect}.sql", _tried(partial(rules.to_sql, dialect))
        yield f"sql/{name}_{dialect}_rule.sql", _tried(partial(rules.to_sql, dialect, table="samples", returns="rule"))
    yield f"sql/{name}_text.sql", _tried(partial(rules.to_sql, "postgres", returns="text"))
    if rules.classes is not None:
        asked = {"returns": "probability", "label": rules.classes[-1]}
        yield f"sql/{name}_probability.sql", _tried(partial(rules.to_sql, "duckdb", **asked))
    yield f"code/{name}.py", _tried(rules.to_python)
    yield f"code/{name}.onnx", _tried(lambda: rules.to_onnx().SerializeToString(deterministic=True))
    yield f"text/{name}.txt", rules.to_text()
    yield f"text/{name}.tex", _tried(rules.to_latex)
    yield f"text/{name}.dot", _tried(rules.to_dot)


def _tried(export: Callable[[], Any]) -> Any:
    try:
        return export()
    except Exception as error:
        return f"refused: {type(error).__name__}"


def _rule(rule: Any) -> dict[str, Any]:
    of_condition = ("lower", "upper", "categories", "missing")
    conditions = [
        {"feature": c.feature.name} | {name: getattr(c, name) for name in of_condition} for c in rule.conditions
    ]
    return {"conditions": conditions} | {name: getattr(rule, name) for name in OF_RULE}


# Compare


def compare(before: Path, after: Path) -> int:
    """Print one line per case; return 1 if there are results that differ."""
    console = Console(soft_wrap=True, markup=False, highlight=False)
    cases = [{path.name for path in side.iterdir() if path.is_dir()} for side in (before, after)]
    names = [name for name in (*CASES, *sorted(set.union(*cases) - set(CASES))) if name in set.union(*cases)]
    if not names:
        raise SystemExit("There is no case in these directories.")
    width, n_failed = max(map(len, names)), 0
    for name in names:
        if not all(name in side for side in cases):
            n_failed += 1
            console.print(f"{name:{width}}  only {'before' if name in cases[0] else 'after'}")
            continue
        verdicts, details = {}, []
        for column in COLUMNS:
            verdicts[column], differing = _verdict(column, before / name / column, after / name / column)
            details += differing
        n_failed += any(verdict == "different" for column, verdict in verdicts.items() if column != "text")
        console.print(f"{name:{width}}  " + "  ".join(f"{column}: {verdict}" for column, verdict in verdicts.items()))
        for detail in details:
            console.print(f"    {detail}")
    console.print(f"{len(names)} cases, {n_failed} with results that differ")
    return 1 if n_failed else 0


def _verdict(column: str, before: Path, after: Path) -> tuple[str, list[str]]:
    """Return how the files of two folders compare, and what is different."""
    here, there = ({path.name for path in side.glob("*")} for side in (before, after))
    if not here and not there:
        return "none", []
    differing = [f"{column}/{name} is only {'before' if name in here else 'after'}" for name in sorted(here ^ there)]
    reworded = False
    for name in sorted(here & there):
        old, new = ((side / name).read_bytes() for side in (before, after))
        if column == "json":
            old, new = _without_seconds(old), _without_seconds(new)
        if old == new:
            continue
        if column in WORDLESS and _means_the_same(column, name, old, new):
            reworded = True
        else:
            differing.append(f"{column}/{name} is different{_distance(before / name, after / name)}")
    return "different" if differing else "wording only" if reworded else "same", differing


def _without_seconds(document: bytes) -> bytes:
    return re.sub(rb'("seconds": ?)[^,}\s]+', rb"\1null", document)


def _means_the_same(column: str, name: str, old: bytes, new: bytes) -> bool:
    if old.startswith(b"refused") or new.startswith(b"refused") or name.endswith(".onnx"):
        return False
    wordless = WORDLESS[column]
    return wordless(name, old.decode()) == wordless(name, new.decode())


def _json_without_text(name: str, document: str) -> str:
    record = json.loads(document)
    for rule in (*record["rules"], record["default"]):
        rule.pop("text", None)
    return json.dumps(record)


def _sql_without_comments(name: str, sql: str) -> str:
    if name.endswith("_text.sql"):
        sql = re.sub(r"\b(THEN|ELSE) '(?:[^']|'')*'", r"\1 ''", sql)
    return " ".join(re.sub(r"/\*.*?\*/", "", sql, flags=re.DOTALL).split())


def _python_without_prose(name: str, source: str) -> str:
    module = ast.parse(source)
    for node in ast.walk(module):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            node.exc.args = []
        if isinstance(node, ast.FunctionDef | ast.Module) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(module)


def _numbers_of(name: str, text: str) -> list[str]:
    return re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?", text)


#: What is left of a file without the words in it that are there for people to read.
WORDLESS: dict[str, Callable[[str, str], Any]] = {
    "json": _json_without_text,
    "sql": _sql_without_comments,
    "code": _python_without_prose,
    "text": _numbers_of,
}


def _distance(before: Path, after: Path) -> str:
    """Say how far two arrays are apart, if these are arrays."""
    if before.suffix != ".npy":
        return ""
    old, new = np.load(before), np.load(after)
    if old.dtype != new.dtype or old.shape != new.shape:
        return f": {old.dtype} {old.shape} became {new.dtype} {new.shape}"
    apart = "" if old.dtype.kind != "f" else f", at most by {np.nanmax(np.abs(old - new)):.3g}"
    return f" in {np.count_nonzero(old != new)} of {old.size} values{apart}"


if __name__ == "__main__":
    sys.exit(main())
