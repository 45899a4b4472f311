"""How well fitted models are explained: agreement against the number of rules, by rival and by kind of model.

Each of a set's numbers is the mean over its seeds and the kinds of model; the sets count alike, and the tests are over
the sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from benchmarks.explained_models import KINDS
from benchmarks.explainers import EXPLAINERS
from benchmarks.explaining import MOST_LEAVES
from benchmarks.rank_tables import Ranked, rank_scores
from benchmarks.size_tables import budgets_of, compared_cells, mark, proven_share, rank_table
from benchmarks.table_formats import NOTHING, TextTable, plus_minus, span
from benchmarks.tabular_report import ENOUGH

OURS, RIVAL = "faithful", "surrogate"
#: Trees on the rows that our lists learn from.
ON_THE_SAME_ROWS = ("surrogate_rows", "surrogate_taught")
#: What is not compared at equal size: it is there for the paper's measures, as a measure of time, or has no budget.
APART = ("faithful_stable", "deep_forest", "te2rules")
#: How far class shares are from the model's.
_SHARES = {"brier": "Brier score to the model", "divergence": "Kullback-Leibler divergence from the model, in nats,"}
_NOTE = (
    "On the sets, seeds and kinds of model that both have. p: two-sided Wilcoxon test over the sets' means, without "
    "correction for several tests."
)


def task_of(suite: str) -> str:
    """Return the task of a suite of explained models: "classification", "regression", or "others"."""
    return "regression" if suite == "regression" else "classification"


def explaining_tables(suite: str, frame: pd.DataFrame) -> Iterator[tuple[str, TextTable]]:
    """Yield a name and a table for each question."""
    task = task_of(suite)
    yield f"faithful_agreement_{suite}", mean_table(suite, frame, "to_model", measure(task))
    others = [name for name in EXPLAINERS if name not in (OURS, RIVAL, *ON_THE_SAME_ROWS, *APART)]
    for name, rivals in (("surrogates", [RIVAL, *ON_THE_SAME_ROWS]), ("others", others)):
        table = against_table(suite, frame, rivals)
        if table is not None:
            yield f"faithful_against_{name}_{suite}", table
    yield f"faithful_models_{suite}", kind_table(suite, frame)
    ranks = rank_table(suite, ranks_by_budget(suite, frame), EXPLAINERS, "Average ranks by agreement with the model")
    if ranks is not None:
        yield f"faithful_ranks_{suite}", ranks
    truth = "Accuracy" if task == "classification" else "Mean squared error"
    yield f"faithful_scores_{suite}", mean_table(suite, frame, "score", f"{truth} on the true targets")
    for column, title in _SHARES.items():
        if column in frame and frame[column].notna().any():
            yield f"faithful_{column}_{suite}", mean_table(suite, frame, column, title)
    internal = internal_table(suite, frame)
    if internal is not None:
        yield f"faithful_internal_{suite}", internal
    yield f"faithful_seconds_{suite}", seconds_table(suite, frame)
    te2rules = te2rules_table(suite, frame)
    if te2rules is not None:
        yield f"faithful_te2rules_{suite}", te2rules


def measure(task: str) -> str:
    """Return what agreement is, in words."""
    return "Agreement with the model" if task == "classification" else "1 - R² to the model"


def by_explainer(frame: pd.DataFrame, budget: int, column: str) -> pd.DataFrame:
    """Return a measured column at a size: one row per set, seed and kind of model, one column per method."""
    part = frame[frame["budget"] == budget]
    wide = part.pivot_table(index=["name", "seed", "model"], columns="method", values=column)
    return wide[[name for name in EXPLAINERS if name in wide]]


def compared(frame: pd.DataFrame, budget: int, column: str = "to_model") -> pd.DataFrame:
    """Return the same of the methods that are compared."""
    return by_explainer(frame, budget, column).drop(columns=list(APART), errors="ignore")


def shared_means(wide: pd.DataFrame) -> pd.DataFrame:
    """Return the sets' means over the rows that all methods have, but for those measured on few sets."""
    n_sets = wide.notna().groupby("name").any().sum()
    return wide[n_sets.index[n_sets >= ENOUGH * n_sets.max()]].dropna().groupby("name").mean()


def paired(frame: pd.DataFrame, budget: int, rival: str, column: str = "to_model") -> pd.DataFrame | None:
    """Return the sets' means of our lists and of a rival over what both have; None if there is nothing."""
    wide = by_explainer(frame, budget, column)
    if OURS not in wide or rival not in wide:
        return None
    means = wide[[OURS, rival]].dropna().groupby("name").mean()
    return means if len(means) else None


def mean_table(suite: str, frame: pd.DataFrame, column: str, title: str) -> TextTable:
    """Return the mean of a column by method and budget; of true targets, the models' own mean below."""
    parts = {b: shared_means(compared(frame, b, column)) for b in budgets_of(frame)}
    names = [name for name in EXPLAINERS if any(name in part for part in parts.values())]
    rows = [[mark(name, EXPLAINERS), *(_mean(part, name) for part in parts.values())] for name in names]
    lower = task_of(suite) == "regression" or column in _SHARES
    best = set()
    for j, part in enumerate(parts.values(), 1):
        means = part.mean()
        if len(means):
            best.add((names.index(means.idxmin() if lower else means.idxmax()), j))
    if column == "score":
        own = frame.groupby(["name", "model", "seed"])["model_score"].first().groupby("name").mean()
        rows.append(["the models", *(plus_minus(own.reindex(part.index).mean(), digits=4) for part in parts.values())])
    n_sets = span(len(part) for part in parts.values())
    return TextTable(
        title=f"{title} by the most rules, {suite}",
        head=["method", *(f"{budget} rules" for budget in parts)],
        rows=rows,
        notes=[
            f"Means over {n_sets} sets, those that all methods have except methods measured on few sets; for each set, "
            f"over {span(frame.groupby('name')['seed'].nunique())} seeds and the kinds of model.",
            "Smaller is better." if lower else "Larger is better.",
        ],
        summary=int(column == "score"),
        best=best,
    )


def _mean(part: pd.DataFrame, method: str) -> str:
    return plus_minus(part[method].mean(), digits=4) if method in part else NOTHING


def against_table(suite: str, frame: pd.DataFrame, rivals: Sequence[str]) -> TextTable | None:
    """Return how our lists compare with rivals in agreement with the model; None if none was measured."""
    rows = []
    for rival in rivals:
        for budget in budgets_of(frame):
            means = paired(frame, budget, rival)
            if means is not None:
                cells = compared_cells(task_of(suite), means[OURS], means[rival])
                rows.append([mark(rival, EXPLAINERS), str(budget), *cells, str(len(means))])
    if not rows:
        return None
    return TextTable(
        title=f"{measure(task_of(suite))}: {OURS} against {', '.join(dict.fromkeys(row[0] for row in rows))}, {suite}",
        head=["rival", "rules", OURS, "rival's mean", _gain(suite), "better on", "worse on", "p", "sets"],
        rows=rows,
        notes=[_NOTE],
    )


def _gain(suite: str) -> str:
    return "difference" if task_of(suite) == "classification" else "geometric mean of ratios"


def kind_table(suite: str, frame: pd.DataFrame) -> TextTable:
    """Return how our lists compare with surrogate CART for each kind of model."""
    rows = []
    for kind in KINDS:
        for budget in budgets_of(frame):
            means = paired(frame[frame["model"] == kind], budget, RIVAL)
            if means is not None:
                cells = compared_cells(task_of(suite), means[OURS], means[RIVAL])
                rows.append([kind, str(budget), *cells, str(len(means))])
    return TextTable(
        title=f"{measure(task_of(suite))} by kind of model: {OURS} against {RIVAL}, {suite}",
        head=["model", "rules", OURS, f"{RIVAL}'s mean", _gain(suite), "better on", "worse on", "p", "sets"],
        rows=rows,
        notes=[_NOTE],
    )


def ranks_by_budget(suite: str, frame: pd.DataFrame) -> dict[int, Ranked]:
    """Return the comparison of all methods by agreement at each size that has enough sets for it."""
    found = {budget: rank_scores(task_of(suite), compared(frame, budget)) for budget in budgets_of(frame)}
    return {budget: each for budget, each in found.items() if each is not None}


def internal_means(frame: pd.DataFrame, budget: int, by: str) -> pd.Series:
    """Return the mean share of the models' trees that the rules of each method represent, over the shared sets."""
    column = f"by_{by}"
    if column not in frame or frame.loc[frame["budget"] == budget, column].isna().all():
        return pd.Series(dtype=float)
    return shared_means(by_explainer(frame, budget, column)).mean()


def _where_stable(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of those sets, seeds and models for which stable rules were measured; all if there are none."""
    cases = frame.loc[frame["method"] == "faithful_stable", ["name", "seed", "model"]].drop_duplicates()
    return frame if cases.empty else frame.merge(cases)


def internal_table(suite: str, frame: pd.DataFrame) -> TextTable | None:
    """Return the paper's measures of fidelity in structure by method and budget; None if they were not measured."""
    frame = _where_stable(frame)
    columns = {(b, by): internal_means(frame, b, by) for b in budgets_of(frame) for by in ("condition", "path")}
    columns = {key: means for key, means in columns.items() if len(means)}
    if not columns:
        return None
    names = [name for name in EXPLAINERS if any(name in means for means in columns.values())]
    best = {(names.index(means.idxmax()), j) for j, means in enumerate(columns.values(), 1)}
    return TextTable(
        title=f"Share of the model's trees that the rules represent, {suite}",
        head=["method", *(f"{budget} rules, by {by}" for budget, by in columns)],
        rows=[[name, *(plus_minus(means.get(name, np.nan)) for means in columns.values())] for name in names],
        notes=[
            f"{frame['name'].nunique()} sets; models: {', '.join(sorted(frame['model'].unique()))}.",
            "By condition: the rules have a condition of the tree. By path: they have a whole path of it.",
            f"Models of more than {MOST_LEAVES:,} leaves are left out; so are trees of CART, whose thresholds are "
            "hardly ever the model's.",
            "faithful_stable is faithful with the paper's λ = 0.5.",
        ],
        best=best,
    )


def beyond_calls(frame: pd.DataFrame) -> pd.Series:
    """Return the processor seconds of fits without the model's predictions.

    These are measured by the clock, so they count by their share of the whole fit.
    """
    asking = frame["asking_s"].fillna(0) if "asking_s" in frame else 0.0
    return frame["cpu_s"] * (1 - asking / frame["fit_s"]).clip(lower=0)


def forest_ratio(frame: pd.DataFrame, method: str = OURS) -> pd.Series:
    """Return the medians by budget of those seconds, divided by the fit of a forest of 500 trees on the same rows."""
    forest = frame[frame["method"] == "deep_forest"].set_index(["name", "seed"])["cpu_s"]
    own = frame[frame["method"] == method]
    own = own.assign(beyond=beyond_calls(own)).set_index(["name", "seed"])
    ratio = own["beyond"] / forest.reindex(own.index)
    return ratio.groupby([own["budget"], own.index.get_level_values("name")]).median().groupby(level=0).median()


def seconds_table(suite: str, frame: pd.DataFrame) -> TextTable:
    """Return the rules that are used, the proofs, and the seconds beyond the model's fit, by method and budget."""
    rows = []
    for method in [name for name in EXPLAINERS if (frame["method"] == name).any() and EXPLAINERS[name].has_budget]:
        ratios = forest_ratio(frame, method)
        for budget in budgets_of(frame):
            part = frame[(frame["method"] == method) & (frame["budget"] == budget)]
            if part.empty:
                continue
            proven = proven_share(part)
            asked = part["asked"].mean() if "asked" in part else np.nan
            rows.append(
                [
                    mark(method, EXPLAINERS),
                    str(budget),
                    f"{part.groupby('name')['rules'].mean().mean():.1f}",
                    NOTHING if np.isnan(proven) else f"{100 * proven:.0f} %",
                    NOTHING if np.isnan(asked) else f"{asked:,.0f}",
                    f"{part.groupby('name')['cpu_s'].median().median():.2f}",
                    f"{beyond_calls(part).groupby(part['name']).median().median():.2f}",
                    plus_minus(ratios.get(budget, np.nan), digits=2),
                ]
            )
    head = ["method", "rules", "rules used", "proven", "rows asked", "processor seconds", "without calls", "/ forest"]
    notes = [
        "Medians over the sets of the processor seconds beyond the model's own fit; without calls, its predictions do "
        "not count. / forest: that, divided by the fit of a random forest of 500 trees on the same rows and thread.",
        "Of the trees on the same rows, one asks the model for all.",
    ]
    return TextTable(f"Rules, proofs and seconds of what explains models, {suite}", head, rows, notes=notes)


def te2rules_table(suite: str, frame: pd.DataFrame) -> TextTable | None:
    """Return TE2Rules at its own size beside our lists of each size, by kind of model; None if it was not measured."""
    keys = ["name", "seed", "model"]
    theirs = frame[frame["method"] == "te2rules"].set_index(keys)
    if theirs.empty:
        return None
    budgets = budgets_of(frame)
    ours = frame[frame["method"] == OURS].pivot_table(index=keys, columns="budget", values="to_model")
    ours = ours.reindex(theirs.index)
    rows = []
    for kind, part in theirs.groupby("model"):
        beside = ours.loc[part.index].groupby("name").mean().mean()
        own = part.groupby("name")[["rules", "to_model", "cpu_s"]].mean()
        agreed, rules = plus_minus(own["to_model"].mean(), digits=4), f"{own['rules'].mean():.1f}"
        seconds = f"{own['cpu_s'].median():.1f}"
        cells = [plus_minus(beside.get(budget, np.nan), digits=4) for budget in budgets]
        rows.append([str(kind), rules, agreed, seconds, *cells, str(len(own))])
    return TextTable(
        title=f"TE2Rules at its own size, and {OURS}, {suite}",
        head=["model", "its rules", "its agreement", "its seconds", *(f"{OURS}, {b} rules" for b in budgets), "sets"],
        rows=rows,
        notes=[
            "Two classes; sets that it does within its limits of rows and time. Its rules combine nodes of up to two "
            "trees or, where that takes too long, are those of single nodes."
        ],
    )
