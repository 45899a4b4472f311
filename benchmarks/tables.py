"""The tables and pictures of the evaluation, from stored rows: ``python -m benchmarks.tables``.

Scores, fidelity, ranks with their tests, numbers of rules and seconds, each beside what the paper reports, as Markdown,
LaTeX and pictures. What is not measured yet is left blank; tests are made over the sets that all compared methods have.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
from rich.console import Console

from benchmarks import explaining_bars
from benchmarks.explaining_pictures import draw_agreement
from benchmarks.explaining_tables import explaining_tables
from benchmarks.explaining_tables import ranks_by_budget as ranks_of_explainers
from benchmarks.fidelity_tables import fidelity_table
from benchmarks.generated_page import fill_page
from benchmarks.methods import IN_THE_PAPER
from benchmarks.peer_tables import PEERS, peer_table
from benchmarks.published import paper_table
from benchmarks.rank_tables import Ranked, rank_lists, rank_published, rank_table
from benchmarks.results import DIRECTORY
from benchmarks.size_bars import bar_table
from benchmarks.size_pictures import draw_sizes
from benchmarks.size_tables import ranks_by_budget, size_tables
from benchmarks.table_formats import TextTable, plus_minus
from benchmarks.tabular_report import by_method, score_table, seeds_of, shared_sets

PAGE = Path(__file__).parents[1] / "docs" / "evaluation.md"
#: Columns that are averaged, with the name of the table and its title. Processor time is not disturbed by other work.
AVERAGES = {
    "rules": ("rules", "Number of rules"),
    "fit_s": ("seconds", "Seconds per fit"),
    "cpu_s": ("processor_seconds", "Processor seconds per fit"),
}
TASKS = ("classification", "regression")
#: The suites that explain models, of these two tasks and of models without trees.
EXPLAINING = (*TASKS, "others")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write all tables and pictures; return 1 if there are no results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--results", type=Path, default=DIRECTORY, help="where the rows are (default: %(default)s)")
    parser.add_argument("--tables", type=Path, help="where the tables go (default: tables/ beside the rows)")
    parser.add_argument("--page", type=Path, help="a page to fill (default: docs/evaluation.md for the usual rows)")
    options = parser.parse_args(arguments)
    console = Console(stderr=True)
    target = options.tables or options.results / "tables"
    suites = (*TASKS, "timeseries", *(f"sizes_{task}" for task in TASKS), *(f"faithful_{each}" for each in EXPLAINING))
    if not any(_read(options.results / f"{suite}.csv") is not None for suite in suites):
        console.print(f"There are no results in {options.results}.")
        return 1
    target.mkdir(parents=True, exist_ok=True)
    made = {}
    for name, table in make_tables(options.results, target):
        table.write(target, name)
        made[name] = table.to_markdown()
    page = options.page or (PAGE if options.results == DIRECTORY else None)
    if page is not None:
        fill_page(page, made)
    console.print(f"{len(made)} tables in {target}")
    return 0


def make_tables(results: Path, pictures: Path) -> Iterator[tuple[str, TextTable]]:
    """Yield a name and a table for all that has been measured, and draw the diagrams of ranks."""
    for task in TASKS:
        frame = _read(results / f"{task}.csv")
        if frame is not None:
            peers = peer_table(task, frame)
            if peers is not None:
                yield f"peers_{task}", peers
            frame = frame[~frame["method"].isin(PEERS)]
            yield f"scores_{task}", score_table(task, frame)
            yield from _rank_tables(task, frame, pictures)
            for column, (name, title) in AVERAGES.items():
                if column in frame:
                    yield f"{name}_{task}", average_table(frame, column, f"{title}, {task}")
        fidelity = _read(results / f"{task}_fidelity.csv")
        if frame is not None and fidelity is not None:
            yield f"fidelity_{task}", fidelity_table(task, fidelity, frame)
        sizes = _read(results / f"sizes_{task}.csv")
        if sizes is not None:
            yield from _size_tables(task, sizes, pictures)
    for suite in EXPLAINING:
        explained = _read(results / f"faithful_{suite}.csv")
        if explained is not None and "to_model" in explained:
            yield from _explaining_tables(suite, explained, pictures)
    series = _read(results / "timeseries.csv")
    if series is not None:
        yield "scores_timeseries", series_table(series)


def _size_tables(task: str, frame: pd.DataFrame, pictures: Path) -> Iterator[tuple[str, TextTable]]:
    """Yield the tables of all sizes and of their bars, and draw scores and ranks."""
    draw_sizes(task, frame, pictures / f"sizes_{task}.png")
    for budget, ranked in ranks_by_budget(task, frame).items():
        ranked.draw(pictures / f"sizes_ranks_{task}_{budget}_diagram.png")
    yield from size_tables(task, frame)
    yield f"sizes_bars_{task}", bar_table(task, frame)


def _explaining_tables(suite: str, frame: pd.DataFrame, pictures: Path) -> Iterator[tuple[str, TextTable]]:
    """Yield the tables of what explains models and of their bars, and draw agreement and ranks."""
    draw_agreement(suite, frame, pictures / f"faithful_{suite}.png")
    for budget, ranked in ranks_of_explainers(suite, frame).items():
        ranked.draw(pictures / f"faithful_ranks_{suite}_{budget}_diagram.png")
    yield from explaining_tables(suite, frame)
    yield f"faithful_bars_{suite}", explaining_bars.bar_table(suite, frame)


def _read(path: Path) -> pd.DataFrame | None:
    return pd.read_csv(path) if path.exists() else None


def _rank_tables(task: str, frame: pd.DataFrame, pictures: Path) -> Iterator[tuple[str, TextTable]]:
    """Yield the ranks of all lists of rules, and of those that the paper compares."""
    everything, of_paper = rank_lists(task, frame), rank_lists(task, frame, list(IN_THE_PAPER))
    parts: dict[str, tuple[Ranked | None, str]] = {
        f"ranks_{task}": (everything, "all methods with rules"),
        f"ranks_of_the_paper_{task}": (of_paper, "the methods that the paper compares"),
        f"ranks_published_{task}": (rank_published(task), "from the numbers that the paper reports"),
    }
    for name, (ranked, what) in parts.items():
        if ranked is not None:
            ranked.draw(pictures / f"{name}_diagram.png")
            yield name, rank_table(task, ranked, what)


def average_table(frame: pd.DataFrame, column: str, title: str) -> TextTable:
    """Return the mean of a measured column by set and method."""
    wide = by_method(frame, column)
    means = wide.groupby("name").mean()
    rows = [[name, *(_number(x) for x in means.loc[name]), seeds_of(wide.loc[name])] for name in means.index]
    whole = shared_sets(means)
    rows.append([f"mean of {len(whole)}", *(_number(x) for x in whole.mean()), ""])
    rows.append([f"median of {len(whole)}", *(_number(x) for x in whole.median()), ""])
    return TextTable(title, ["set", *means, "seeds"], rows, summary=2)


def _number(x: float) -> str:
    return plus_minus(x, digits=0 if x >= 100 else 1 if x >= 1 else 2)


def series_table(frame: pd.DataFrame) -> TextTable:
    """Return the accuracies of lists and forests of series beside the paper's."""
    ours = frame.groupby("name").agg(
        mean=("list_accuracy", "mean"),
        std=("list_accuracy", "std"),
        forest=("forest_accuracy", "mean"),
        rules=("rules", "mean"),
        seeds=("seed", "count"),
    )
    published = paper_table("timeseries")["mean"].reindex(ours.index)
    theirs = published[["our method", "full model"]]
    rows = [
        [
            str(row.Index),
            plus_minus(row.mean, row.std),
            plus_minus(theirs.loc[row.Index, "our method"], digits=2),
            plus_minus(row.forest),
            plus_minus(theirs.loc[row.Index, "full model"], digits=2),
            f"{row.rules:.1f}",
            str(row.seeds),
        ]
        for row in ours.itertuples()
    ]
    averages = [ours["mean"].mean(), theirs["our method"].mean(), ours["forest"].mean(), theirs["full model"].mean()]
    rows.append([f"mean of {len(ours)}", *(plus_minus(x) for x in averages), f"{ours['rules'].mean():.1f}", ""])
    head = ["set", "list", "list (paper)", "forest", "forest (paper)", "rules", "seeds"]
    return TextTable("Accuracy on the test series", head, rows, summary=1)


if __name__ == "__main__":
    raise SystemExit(main())
