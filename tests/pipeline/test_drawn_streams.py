"""Whatever the rows, the settings and the chunks are: the list is the one from memory, or both are refused."""

import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from hedgerow import RuleListClassifier, RuleListRegressor, budget_path, rule_bounds
from hedgerow.candidates import excerpt
from hedgerow.constraints import (
    Forbid,
    MaxConditions,
    MaxError,
    MaxFeatures,
    MinCoverage,
    MinPrecision,
    MinRecall,
    Monotone,
)
from hedgerow.exceptions import HedgerowError
from hedgerow.losses import cost_matrix
from hedgerow.sources import Chunks, Parquet

NUMBERS = np.array([0.0, -0.0, 1.0, 1 / 3, -2.5, 0.1, 1e-9, 7.0, 1e7 + 0.1])
LABELS = ["no", "yes", "at times"]


@st.composite
def tables(draw):
    """Some rows with ties, gaps and weights, in the order of the targets or not; and labels or numbers to learn."""
    n, n_columns = draw(st.integers(3, 60)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.choice(NUMBERS, (n, n_columns)) if draw(st.booleans()) else np.round(rng.normal(size=(n, n_columns)), 1)
    if draw(st.booleans()):
        y = np.array(LABELS)[(X[:, 0] > 0) * 1 + (rng.random(n) < 0.2) * draw(st.integers(0, 1))]
    else:
        y = np.round(rng.normal(size=n) + X[:, 0], 2) * draw(st.sampled_from([1.0, 1e6, 1e-6]))
        y += draw(st.sampled_from([0.0, 0.1, 1e8]))
    gaps = draw(st.sampled_from(["none", "anywhere", "in the last rows"]))
    if gaps == "anywhere":
        X[rng.random(X.shape) < 0.2] = np.nan
    order = np.argsort(y, kind="stable") if draw(st.booleans()) else np.arange(n)
    X, y = X[order], y[order]
    if gaps == "in the last rows":
        X[-2:, 0] = np.nan
    weight = draw(st.sampled_from([None, "whole", "any"]))
    if weight is not None:
        any_weight = rng.random(n) * 10.0 ** rng.integers(-6, 6)
        weight = rng.integers(0, 3, n).astype(float) if weight == "whole" else any_weight
        weight[rng.integers(n)] = 1.0
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(n_columns)])
    return frame.astype(draw(st.sampled_from(["float64", "float32"]))), y, weight


@st.composite
def estimators(draw, labels):
    """An estimator and an unfitted forest."""
    shared = {
        "max_rules": draw(st.sampled_from([None, 1, 2, 4, 8])),
        "candidates": draw(st.sampled_from(["auto", "leaves", "nodes"])),
        "max_conditions": draw(st.sampled_from([None, 1, 3])),
        "min_coverage": draw(st.sampled_from([0.0, 0.1, 0.3])),
        "stability_weight": draw(st.sampled_from([0.0, 0.3, 0.5, 1.0])),
        "stability": draw(st.sampled_from(["dice", "dice_by_position"])),
        "uncovered": draw(st.sampled_from(["default", "ensemble"])),
        "max_candidates": draw(st.sampled_from([None, 20])),
        "target": draw(st.sampled_from(["labels", 0.3, "ensemble"])),
    }
    some = {"random_state": 0, "max_depth": draw(st.integers(1, 4)), "n_estimators": draw(st.integers(1, 6))}
    costs = cost_matrix({("no", "yes"): 5, ("yes", "no"): 0.1})
    losses = ["misclassification", "log_loss", "gini", costs] if labels else ["mse", "sse"]
    losses.append([(0.25, losses[0]), (1.0, losses[1])])
    shared["loss"] = draw(st.sampled_from(losses))
    some_constraints = [
        (),
        MaxFeatures(1),
        MaxConditions(total=4),
        MinCoverage(0.2),
        Forbid(feature="x1"),
        MaxError(0.4),
    ]
    some_constraints += [MinRecall({"yes": 0.6}), MinPrecision({"no": 0.6})] if labels else [Monotone({"x0": 1})]
    shared["constraints"] = draw(st.just(()) | st.sampled_from(some_constraints))
    kinds = [RandomForestClassifier, ExtraTreesClassifier, GradientBoostingClassifier]
    kind = draw(st.sampled_from(kinds if labels else [RandomForestRegressor, GradientBoostingRegressor]))
    preset = draw(st.booleans())
    estimator = RuleListClassifier if labels else RuleListRegressor
    few = {name: shared[name] for name in ("max_rules", "uncovered")} | {"random_state": 0, "time_limit": None}
    return kind(**some), (lambda forest: estimator.accurate(forest, **few) if preset else estimator(forest, **shared))


def cut(draw, n):
    """Return where chunks begin and end; some have no rows."""
    cuts = sorted(draw(st.lists(st.integers(0, n), max_size=6)))
    return list(zip([0, *cuts], [*cuts, n], strict=True))


def as_chunks(X, y, weight, bounds, folder):
    def chunks():
        for start, stop in bounds:
            rows = slice(start, stop)
            yield (X.iloc[rows], y[rows]) if weight is None else (X.iloc[rows], y[rows], weight[rows])

    return (Chunks(chunks, batch_rows=17),), Chunks(lambda: (X.iloc[start:stop] for start, stop in bounds))


def as_parquet(X, y, weight, bounds, folder):
    frame = X.assign(y=y, w=1.0 if weight is None else weight)
    for k, (start, stop) in enumerate(bounds):
        frame.iloc[start:stop].to_parquet(Path(folder) / f"{k}.parquet", row_group_size=5)
    own = {} if weight is None else {"weight": "w"}
    columns = list(X.columns)
    return (Parquet(folder, "y", **own, columns=columns, batch_rows=11),), Parquet(folder, columns=columns)


def as_dask(X, y, weight, bounds, folder):
    dd, delayed = pytest.importorskip("dask.dataframe"), pytest.importorskip("dask").delayed
    frame = X.assign(y=y, w=1.0 if weight is None else weight)
    parts = [delayed(frame.iloc[start:stop]) for start, stop in bounds]
    whole = dd.from_delayed(parts, meta=frame.iloc[:0], verify_meta=False)
    if weight is None:
        return (whole.drop(columns="w"), "y"), whole[list(X.columns)]
    return (whole, "y", "w"), whole[list(X.columns)]


def outcome(estimator, *rows):
    """Return the fitted estimator, or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows that are not at hand give fewer warnings
        try:
            return estimator.fit(*rows)
        except HedgerowError as error:
            return error


WAYS = {"chunks": as_chunks, "Parquet": as_parquet, "Dask": as_dask}


@settings(max_examples=40, deadline=None)
@given(data=st.data(), table=tables(), way=st.sampled_from(["chunks", "chunks", "chunks", "Parquet", "Dask"]))
def test_the_list_from_chunks_is_the_one_from_memory(data, table, way):
    X, y, weight = table
    forest, make = data.draw(estimators(y.dtype.kind == "U"))
    if X.isna().any(axis=None) and "Boosting" in type(forest).__name__:
        X = X.fillna(-1)
    known = LABELS if y.dtype.kind == "U" else [0.0]  # to the forest, if not to the rows
    forest.fit(pd.concat([X, *[X[:1].fillna(0)] * len(known)]), np.append(y, known))
    bounds = cut(data.draw, len(y))
    few = data.draw(st.sampled_from([1, 4, 20, 1000]))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(excerpt, "MOST_ROWS", few)
        rows, features = WAYS[way](X, y, weight, bounds, folder)
        expected, found = outcome(make(forest), X, y, weight), outcome(make(forest), *rows)
        if isinstance(expected, Exception):
            assert type(found) is type(expected)
            assert str(found) == str(expected)
            return
        assert not isinstance(found, Exception), found
        assert found.rule_list_.rules == expected.rule_list_.rules
        assert found.rule_list_.default == expected.rule_list_.default
        assert found.rule_list_.n_samples == expected.rule_list_.n_samples
        for name in ("objective", "bound", "status"):
            assert getattr(found.solution_, name) == getattr(expected.solution_, name)
        assert_array_equal(found.scores_.total, expected.scores_.total)
        assert_array_equal(found.predict(features), expected.predict(X))
        assert rule_bounds(found.problem_) == rule_bounds(expected.problem_)
        one, other = (budget_path(rules.problem_, [len(expected.rule_list_) + 1]) for rules in (expected, found))
        assert [path.objective for path in one] == [path.objective for path in other]
