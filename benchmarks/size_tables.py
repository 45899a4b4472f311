"""Scores against the number of rules: the tables of the suites of sizes, and whether the bars are reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from benchmarks.case import Method
from benchmarks.methods import METHODS
from benchmarks.rank_tables import Ranked, rank_lists
from benchmarks.table_formats import NOTHING, TextTable, plus_minus, span
from benchmarks.tabular_report import ENSEMBLES, by_method, shared_means, shared_sets
from hedgerow.evidence.comparison import signed_rank

OURS = "accurate"
#: Trees that are optimal, or nearly so; the best of them at a budget is the one to beat.
OPTIMAL_TREES = ("contree", "streed", "licketysplit")
#: Trees on what our lists learn from.
TAUGHT = ("cart_taught", "licketysplit_taught")
#: What is said about class shares: the title, and how to read it.
_SHARES = {
    "ece": (
        "Expected calibration error",
        "Of the likeliest class, ten bins of equally many test samples; smaller is better.",
    ),
    "auc": (
        "Area under the ROC curve",
        "One class against the rest, the mean over the classes; larger is better.",
    ),
}


def size_tables(task: str, frame: pd.DataFrame) -> Iterator[tuple[str, TextTable]]:
    """Yield a name and a table for each question."""
    yield f"sizes_scores_{task}", mean_table(task, frame)
    others = [name for name in METHODS if name not in (OURS, "cart", *TAUGHT, *ENSEMBLES)]
    for name, what, rivals in (
        ("cart", "CART", ["cart"]),
        ("best_tree", "the best optimal tree of each size", [None]),
        ("taught", "trees on the same lesson", list(TAUGHT)),
        ("others", "all others", others),
    ):
        table = difference_table(task, frame, what, rivals)
        if table is not None:
            yield f"sizes_against_{name}_{task}", table
    ranks = rank_table(task, ranks_by_budget(task, frame))
    if ranks is not None:
        yield f"sizes_ranks_{task}", ranks
    yield f"sizes_rules_{task}", used_table(task, frame)
    for column in ("ece", "auc"):
        if column in frame and frame[column].notna().any():
            yield f"sizes_{column}_{task}", shares_table(frame, column)
            yield f"sizes_{column}_by_set_{task}", shares_by_set(frame, column)


def budgets_of(frame: pd.DataFrame) -> list[int]:
    """Return the sizes that were measured."""
    return sorted(int(budget) for budget in frame["budget"].unique() if budget > 0)


def at_budget(frame: pd.DataFrame, budget: int) -> pd.DataFrame:
    """Return the rows of one size, with those of whole ensembles, which have none."""
    return frame[frame["budget"].isin([budget, 0])]


def mark(method: str, methods: Mapping[str, Method] = METHODS) -> str:
    """Return a method's name, with a mark if it is a sum of rules."""
    return f"{method} (sum)" if methods[method].is_sum else method


def mean_table(task: str, frame: pd.DataFrame) -> TextTable:
    """Return the mean score by budget and method, over the sets that all methods of enough sets have."""
    wholes = {budget: _means(frame, budget) for budget in budgets_of(frame)}
    methods = [name for name in METHODS if any(name in whole for whole in wholes.values())]
    rows = [
        [mark(name), *(_cell(whole, name) for whole in wholes.values()), _on_few_sets(frame, name)] for name in methods
    ]
    n_sets = span(len(whole) for whole in wholes.values())
    seeds = span(frame.groupby(["name", "budget", "method"])["seed"].nunique().groupby(["name", "budget"]).min())
    return TextTable(
        title=f"{_measure(task)} by the most rules, {task}",
        head=["method", *(f"{budget} rules" for budget in wholes), "sets"],
        rows=rows,
        notes=[
            f"Means over {n_sets} sets, those that all methods have except methods measured on few sets, which are "
            f"blank; for each set, over the seeds that all of them have, {seeds}.",
            "(sum): several rules count for a sample. forest and deep_forest are whole ensembles.",
            *([f"Time limit of rivals: {span(frame['limit'].dropna().astype(int))} s."] if "limit" in frame else []),
        ],
        best=_best_cells(task, wholes, methods),
    )


def _means(frame: pd.DataFrame, budget: int) -> pd.DataFrame:
    """Return the mean scores of the sets, over the seeds that all methods have which are measured on enough sets."""
    scores = by_method(at_budget(frame, budget), "score")
    shared = shared_sets(scores.groupby("name").mean())
    enough = shared.columns[shared.notna().any()]
    return scores[enough].dropna().groupby("name").mean().reindex(columns=scores.columns)


def _cell(whole: pd.DataFrame, method: str) -> str:
    return plus_minus(whole[method].mean(), digits=4) if method in whole else NOTHING


def _on_few_sets(frame: pd.DataFrame, method: str) -> str:
    return str(frame.loc[frame["method"] == method, "name"].nunique())


def _best_cells(task: str, wholes: dict[int, pd.DataFrame], methods: Sequence[str]) -> set[tuple[int, int]]:
    """Return the best of each size that is one tree or list."""
    able = [name for name in methods if not METHODS[name].is_sum and name not in ENSEMBLES]
    cells = set()
    for column, whole in enumerate(wholes.values(), 1):
        means = whole.mean().reindex(able).dropna()
        if len(means):
            best = means.idxmax() if task == "classification" else means.idxmin()
            cells.add((list(methods).index(best), column))
    return cells


def best_tree(task: str, frame: pd.DataFrame, budget: int) -> str | None:
    """Return the optimal tree with the best mean at a size, on the sets that all of them have."""
    scores = by_method(at_budget(frame, budget), "score")
    known = [name for name in OPTIMAL_TREES if name in scores]
    means = scores[known].dropna().groupby("name").mean().mean()
    if means.empty or means.isna().all():
        return None
    return str(means.idxmax() if task == "classification" else means.idxmin())


def difference_table(task: str, frame: pd.DataFrame, what: str, rivals: Sequence[str | None]) -> TextTable | None:
    """Return how our lists compare with rivals, size by size; None if none was measured.

    A rival of None is the best optimal tree of each size.
    """
    rows = []
    for rival in rivals:
        for budget in budgets_of(frame):
            name = best_tree(task, frame, budget) if rival is None else rival
            means = paired(frame, budget, name)
            if name is not None and means is not None:
                compared = compared_cells(task, means[OURS], means[name])
                rows.append([mark(name), str(budget), *compared, str(len(means))])
    if not rows:
        return None
    ratio = "difference" if task == "classification" else "geometric mean of ratios"
    return TextTable(
        title=f"{OURS} against {what}, {task}",
        head=["rival", "rules", OURS, "rival's mean", ratio, "better on", "worse on", "p", "sets"],
        rows=rows,
        notes=["On the sets and seeds that both have. p: two-sided Wilcoxon test over the sets' means, not corrected."],
    )


def paired(frame: pd.DataFrame, budget: int, rival: str | None) -> pd.DataFrame | None:
    """Return the means by set of our lists and a rival over the seeds that both have; None if there are none."""
    scores = by_method(at_budget(frame, budget), "score")
    if rival is None or rival not in scores or OURS not in scores:
        return None
    means = shared_means(scores, OURS, rival)
    return means if len(means) else None


def gain(task: str, ours: pd.Series, theirs: pd.Series) -> float:
    """Return the mean difference of accuracies, or the geometric mean of the ratios of errors."""
    if task == "classification":
        return float((ours - theirs).mean())
    return float(np.exp(np.log(ours / theirs).mean()))


def p_value(ours: pd.Series, theirs: pd.Series) -> float:
    """Return the p-value of the two-sided Wilcoxon test; NaN for fewer than two sets."""
    return signed_rank(ours, theirs) if len(ours) > 1 else np.nan


def compared_cells(task: str, ours: pd.Series, theirs: pd.Series) -> list[str]:
    """Return both means, the gain, on how many sets ours is better and worse, and the p-value, as text."""
    better = ours > theirs if task == "classification" else ours < theirs
    found, p = gain(task, ours, theirs), p_value(ours, theirs)
    return [
        plus_minus(ours.mean(), digits=4),
        plus_minus(theirs.mean(), digits=4),
        f"{found:+.4f}" if task == "classification" else f"{found:.3f}",
        str(int(better.sum())),
        str(int((~better & (ours != theirs)).sum())),
        NOTHING if np.isnan(p) else f"{p:.2g}",
    ]


def ranks_by_budget(task: str, frame: pd.DataFrame) -> dict[int, Ranked]:
    """Return the comparison of all methods at each size that has enough sets for it."""
    ranked = {b: rank_lists(task, frame[frame["budget"] == b]) for b in budgets_of(frame)}
    return {budget: each for budget, each in ranked.items() if each is not None}


def rank_table(
    task: str, ranked: dict[int, Ranked], known: Mapping[str, Method] = METHODS, what: str = "Average ranks"
) -> TextTable | None:
    """Return the average ranks by size, with Friedman's p; None if nothing can be ranked."""
    if not ranked:
        return None
    ranks = {b: dict(zip(each.comparison.names, each.comparison.ranks, strict=True)) for b, each in ranked.items()}
    rows = [
        [mark(name, known), *(plus_minus(found.get(name, np.nan), digits=2) for found in ranks.values())]
        for name in known
        if any(name in found for found in ranks.values())
    ]
    rows.append(["Friedman's p", *(f"{each.comparison.friedman:.2g}" for each in ranked.values())])
    rows.append(["sets", *(str(each.comparison.n_sets) for each in ranked.values())])
    left_out = sorted({name for each in ranked.values() for name in each.left_out})
    return TextTable(
        title=f"{what} by the most rules, {task}",
        head=["method", *(f"{budget} rules" for budget in ranked)],
        rows=rows,
        notes=[
            "1 is the best. The diagrams of critical differences join methods that do not differ significantly: "
            "Wilcoxon tests of all pairs with Holm's correction.",
            *([f"Measured on too few sets to be ranked: {', '.join(left_out)}."] if left_out else []),
        ],
        summary=2,
    )


def used_table(task: str, frame: pd.DataFrame) -> TextTable:
    """Return the rules that are used, the share of proven answers and the seconds of a fit, by size and method."""
    rows = []
    spent = frame[frame["method"].isin(ENSEMBLES)].pivot_table(index=["name", "seed"], columns="method", values="cpu_s")
    for method in [name for name in METHODS if (frame["method"] == name).any() and name not in ENSEMBLES]:
        for budget in budgets_of(frame):
            part = frame[(frame["method"] == method) & (frame["budget"] == budget)]
            if part.empty:
                continue
            times = part.groupby("name")["fit_s"].mean()
            ratio = forest_ratio(part, spent, "forest")
            proven = proven_share(part)
            rows.append(
                [
                    mark(method),
                    str(budget),
                    f"{part.groupby('name')['rules'].mean().mean():.1f}",
                    NOTHING if np.isnan(proven) else f"{100 * proven:.0f} %",
                    f"{times.median():.2f}",
                    f"{times.max():.1f}",
                    NOTHING if np.isnan(ratio) else f"{ratio:.2f}",
                ]
            )
    return TextTable(
        title=f"Rules, proofs and seconds, {task}",
        head=["method", "rules", "rules used", "proven", "seconds, median", "seconds, largest", "fit / forest's fit"],
        rows=rows,
        notes=[
            "Medians over the sets. Seconds are by the clock and depend on what else was running; fit / forest's fit "
            "is of processor time. forest: 500 trees of the paper's depth.",
            "The seconds of taught trees include their teacher's.",
        ],
    )


def proven_share(part: pd.DataFrame) -> float:
    """Return the mean over the sets of the share of fits that are proven optimal; NaN if none says so."""
    if "status" not in part or part["status"].isna().all():
        return np.nan
    return float((part["status"] == "optimal").groupby(part["name"]).mean().mean())


def forest_ratio(part: pd.DataFrame, spent: pd.DataFrame, forest: str) -> float:
    """Return the median over the sets of a fit's processor time, divided by that of a forest on the same split."""
    if forest not in spent:
        return np.nan
    own = part.set_index(["name", "seed"])["cpu_s"]
    return float((own / spent[forest].reindex(own.index)).groupby("name").median().median())


def shares_table(frame: pd.DataFrame, column: str) -> TextTable:
    """Return calibration or ranking quality by size and method."""
    wholes = {b: shared_sets(by_method(at_budget(frame, b), column).groupby("name").mean()) for b in budgets_of(frame)}
    methods = [name for name in METHODS if any(name in whole for whole in wholes.values())]
    rows = [[mark(name), *(_cell(whole, name) for whole in wholes.values())] for name in methods]
    head = ["method", *(f"{budget} rules" for budget in wholes)]
    return TextTable(f"{_SHARES[column][0]} by the most rules", head, rows, notes=[_SHARES[column][1]])


def shares_by_set(frame: pd.DataFrame, column: str) -> TextTable:
    """Return the same by set: our lists beside CART's trees of each size, and beside whole forests."""
    budgets = budgets_of(frame)
    means = frame.pivot_table(index="name", columns=["method", "budget"], values=column)
    # A row of means at the end, over the sets that all have.
    columns = [*((method, b) for b in budgets for method in (OURS, "cart")), *((name, 0) for name in ENSEMBLES)]
    means = means.reindex(columns=pd.MultiIndex.from_tuples(columns))
    means.loc["mean"] = means.dropna(axis=1, how="all").dropna().mean()
    rows = [
        [
            str(name),
            *(" / ".join(plus_minus(row[method, b]) for method in (OURS, "cart")) for b in budgets),
            *(plus_minus(row[name_of, 0]) for name_of in ENSEMBLES),
        ]
        for name, row in means.iterrows()
    ]
    head = ["set", *(f"{budget} rules" for budget in budgets), *ENSEMBLES]
    notes = [f"{OURS} / cart. {_SHARES[column][1]}"]
    return TextTable(f"{_SHARES[column][0]} by set", head, rows, notes=notes, summary=1)


def _measure(task: str) -> str:
    return "Accuracy" if task == "classification" else "Mean squared error"
