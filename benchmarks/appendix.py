"""The paper's appendix: ``python -m benchmarks.appendix`` writes docs/appendix.md and its pictures.

For each of its two data sets, all methods explain the same forest with at most as many rules. To add a set, add an
:class:`Example`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sklearn.ensemble import RandomForestRegressor

from benchmarks.datasets import find_data, load_complete
from hedgerow import RuleListRegressor
from hedgerow.baselines import FireRegressor, NodeHarvestRegressor, RuleFitRegressor, SirusRegressor

ROOT = Path(__file__).parents[1]
_INTRODUCTION = """# The paper's appendix

What the rules of all methods look like on two data sets. This page is written by `python -m benchmarks.appendix`.

<!-- written by: python -m benchmarks.appendix -->

In our lists and those of NodeHarvest, `then` is what a rule predicts. In the sums (RuleFit, SIRUS, FIRE), `then` is
the mean of the samples that match the rule, for the reader. A rule's contribution is its weight (RuleFit), its weight
times this mean or that of the samples outside (SIRUS), or its weight times the leaf's value in its tree (FIRE).

All methods see the same forest of 500 trees and have the same budget. SIRUS grows a forest of its own, which splits at
quantiles, and uses the whole budget; the rules of RuleFit are refitted without penalty. Both are as in the
[evaluation](evaluation.md). The targets are standardised, and nothing is held out: this is about what the rules look
like.
"""


@dataclass(frozen=True)
class Example:
    """A data set of the appendix, and what the page says about it."""

    title: str
    text: str
    depth: int
    max_rules: int


EXAMPLES = {
    "tecator": Example(
        "Four rules for the fat in meat",
        "The paper's first appendix example: a forest of depth 2 on the tecator data, which predict the fat content\n"
        "of meat from its infrared spectrum, and at most 4 rules. Ours partition the samples. The rules of the other\n"
        "methods overlap, and are summed or averaged.",
        depth=2,
        max_rules=4,
    ),
    "houses": Example(
        "Fifteen rules for the price of houses",
        "The paper's second appendix example: a forest of depth 3 on Californian house prices, and at most 15 rules.",
        depth=3,
        max_rules=15,
    ),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit all methods to each data set and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.appendix", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--sets", nargs="+", choices=EXAMPLES, default=list(EXAMPLES), help="which (default: all)")
    parser.add_argument("--data", type=Path, help="the data directory (default: the usual one if it is there)")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs", help="where the page goes (default: %(default)s)")
    options = parser.parse_args(arguments)
    (options.docs / "images").mkdir(parents=True, exist_ok=True)
    data = find_data(options.data)
    parts = [section(name, *rules_of(name, data), options.docs) for name in options.sets]
    (options.docs / "appendix.md").write_text("\n".join([_INTRODUCTION, *parts]))


def rules_of(name: str, data: Path | None) -> tuple[Any, dict[str, Any]]:
    """Return our fitted estimator and the rules of every method by its name."""
    X, y = load_complete(name, "regression", data)
    y = (y - y.mean()) / y.std()
    depth, budget = EXAMPLES[name].depth, EXAMPLES[name].max_rules
    forest = RandomForestRegressor(500, max_depth=depth, random_state=0).fit(X, y)
    ours = RuleListRegressor(forest, max_rules=budget, candidates="leaves", min_coverage=0.01).fit(X, y)
    others = {
        "RuleFit": RuleFitRegressor(forest, max_rules=budget, linear_terms=False, refit=True),
        "SIRUS": SirusRegressor(max_rules=budget, max_conditions=depth, p0=0, random_state=0),
        "NodeHarvest": NodeHarvestRegressor(forest, max_rules=budget, max_conditions=depth),
        "FIRE": FireRegressor(forest, max_rules=budget, max_conditions=depth),
    }
    return ours, {"hedgerow": ours.rule_list_} | {name: one.fit(X, y).weighted_rules_ for name, one in others.items()}


def section(name: str, ours: Any, lists: dict[str, Any], docs: Path) -> str:
    """Draw our rules and return the section of a data set."""
    import matplotlib

    matplotlib.use("Agg")
    from hedgerow.plotting import plot_tree

    picture = docs / "images" / f"appendix_{name}.png"
    plot_tree(ours).figure.savefig(picture, dpi=110)
    example = EXAMPLES[name]
    lines = [f"## {example.title}", "", example.text, "", f"![Our rules as a tree](images/{picture.name})", ""]
    for method, rules in lists.items():
        lines += [f"**{method}**", "", "```text", str(rules), "```", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
