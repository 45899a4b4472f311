"""The paper's appendix: ``python -m benchmarks.appendix`` writes docs/appendix.md and its pictures.

It runs the examples of the two data sets and takes their rule lists and pictures, so that page and examples agree.
"""

from __future__ import annotations

import argparse
import os
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.datasets import find_data

ROOT = Path(__file__).parents[1]
EXAMPLES = {"tecator": "plot_tecator.py", "houses": "plot_houses.py"}
_INTRODUCTION = """# The paper's appendix

What the rules of all methods look like on two data sets. This page is written by `python -m benchmarks.appendix`, which
runs [examples/plot_tecator.py](../examples/plot_tecator.py) and [examples/plot_houses.py](../examples/plot_houses.py).

In our lists and those of NodeHarvest, `then` is what a rule predicts. In the sums (RuleFit, SIRUS, FIRE), `then` is
the mean of the samples that match the rule, for the reader. A rule's contribution is its weight (RuleFit), its weight
times this mean or that of the samples outside (SIRUS), or its weight times the leaf's value in its tree (FIRE).
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the examples and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.appendix", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--sets", nargs="+", choices=EXAMPLES, default=list(EXAMPLES), help="which (default: all)")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs", help="where the page goes (default: %(default)s)")
    options = parser.parse_args(arguments)
    data = find_data(None)
    if data is not None:
        os.environ.setdefault("HEDGEROW_DATA", str(data))
    (options.docs / "images").mkdir(parents=True, exist_ok=True)
    parts = [section(name, run_example(ROOT / "examples" / EXAMPLES[name]), options.docs) for name in options.sets]
    (options.docs / "appendix.md").write_text("\n".join([_INTRODUCTION, *parts]))


def run_example(path: Path) -> dict[str, Any]:
    """Return the names that an example leaves behind, with its pictures not shown."""
    import matplotlib

    matplotlib.use("Agg")
    return runpy.run_path(str(path))


def section(name: str, left: dict[str, Any], docs: Path) -> str:
    """Write the picture of an example and return its section of the page."""
    picture = docs / "images" / f"appendix_{name}.png"
    left["axes"].figure.savefig(picture, dpi=110)
    title, text = _told(left["__doc__"])
    lines = [f"## {title}", "", text, "", f"![Our rules as a tree](images/{picture.name})", ""]
    for method, rules in left["lists"].items():
        lines += [f"**{method}**", "", "```text", str(rules), "```", ""]
    return "\n".join(lines)


def _told(docstring: str) -> tuple[str, str]:
    """Return the title and the text of an example's docstring."""
    title, _, *text = docstring.strip().splitlines()
    return title, "\n".join(text).strip()


if __name__ == "__main__":
    main()
