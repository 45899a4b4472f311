"""The command line: parse, call, print."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from hedgerow import __version__
from hedgerow.estimators import RuleListClassifier
from hedgerow.readers import read_forest


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="hedgerow", description="Short, provably optimal rule lists from trained tree ensembles."
    )
    parser.add_argument("--version", action="version", version=f"hedgerow {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = commands.add_parser("demo", help="train a forest on an embedded data set and print its best rule list")
    demo.add_argument("--max-rules", type=_positive, default=8, metavar="N", help="the most rules (default: 8)")
    demo.set_defaults(run=_demo)
    options = parser.parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # who reads has had enough, as `head` has; nothing more can be written, not even at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    return code


def _demo(options: argparse.Namespace) -> int:
    data = load_breast_cancer()
    X, X_test, y, y_test = train_test_split(
        data.data, data.target_names[data.target], random_state=0, stratify=data.target
    )
    model = RandomForestClassifier(500, max_depth=3, random_state=0, n_jobs=-1).fit(X, y)
    forest = read_forest(model, data.feature_names)
    print(f"A random forest of {forest.n_trees} trees of depth 3, trained on {len(X)} tumours")
    print(f"(the Wisconsin breast cancer data), becomes a list of at most {options.max_rules} rules:\n")
    rules = RuleListClassifier(forest, max_rules=options.max_rules, random_state=0).fit(X, y)
    solution = rules.solution_
    print(rules.rule_list_)
    print(f"found and proved in {solution.seconds:.2f} s among {rules.problem_.n_rules} rules of the forest")
    print(f"\nOn {len(X_test)} tumours that neither has seen (score: accuracy):\n")
    print(rules.fidelity(X_test, y_test))
    print(f"\nWhy the first of them is {rules.predict(X_test[:1])[0]}:")
    print(rules.explain(X_test[:1])[0])
    return 0


def _positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, not {text!r}")
    return value
