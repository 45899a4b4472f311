"""Tables of what explains models, from synthetic rows whose means, winners and verdicts are known."""

import matplotlib
import pandas as pd
import pytest

from benchmarks import tables
from benchmarks.explaining_bars import bar_table, bars
from benchmarks.explaining_pictures import draw_agreement
from benchmarks.explaining_tables import (
    against_table,
    explaining_tables,
    internal_table,
    kind_table,
    mean_table,
    paired,
    seconds_table,
    te2rules_table,
)

matplotlib.use("Agg")
SETS = [f"set{k}" for k in range(8)]
MODELS = ("xgboost", "lightgbm")


def rows(method, budget, values, models=MODELS, **more):
    return [
        {"name": name, "seed": 0, "model": model, "budget": budget, "method": method, "to_model": value}
        | {"score": value, "model_score": 0.95, "rules": budget, "fit_s": 2.0, "cpu_s": 1.0, **more}
        for name, value in zip(SETS, values, strict=False)
        for model in models
    ]


@pytest.fixture
def frame():
    """Ours is better than the surrogate by 0.03 to 0.1 with 8 rules, and by 0.01 with 4."""
    gains = [0.03 + 0.01 * k for k in range(8)]
    ours = {"status": "optimal", "asked": 5000, "asking_s": 1.0, "brier": 0.1, "divergence": 0.2}
    inside = {"by_condition": 0.3, "by_path": 0.1}
    return pd.DataFrame(
        [
            *rows("surrogate", 4, [0.7] * 8, brier=0.2, divergence=0.3),
            *rows("surrogate", 8, [0.8] * 8, brier=0.2, divergence=0.3),
            *rows("faithful", 4, [0.71] * 8, **ours | inside),
            *rows("faithful", 8, [0.8 + gain for gain in gains], **ours | inside),
            *rows("faithful", 8, [0.0] * 8, ("catboost",), **ours),  # no rival explains this model
            *rows("surrogate_rows", 8, [0.9] * 8),
            *rows("cart", 8, [0.8] * 8),
            *rows("paper", 4, [0.6] * 8, by_condition=0.5, by_path=0.3),
            *rows("faithful_stable", 4, [0.7] * 8, by_condition=0.6, by_path=0.2),
            *rows("sirus", 8, [0.99] * 3),
            *rows("te2rules", 0, [0.75] * 2, ("xgboost",)),
            *rows("deep_forest", 0, [0.9] * 8, ("labels",), cpu_s=0.25),
        ]
    )


def cells(table, row, column=0):
    found = next(each for each in table.rows if each[column] == row)
    return dict(zip(table.head, found, strict=True))


def test_a_rival_is_compared_on_the_models_that_both_explain(frame):
    table = against_table("classification", frame, ["surrogate"])
    four, eight = cells(table, "4", 1), cells(table, "8", 1)
    assert (eight["faithful"], eight["difference"], eight["better on"], eight["p"]) == (
        "0.8650",
        "+0.0650",
        "8",
        "0.0078",
    )
    assert (four["difference"], four["sets"]) == ("+0.0100", "8")
    assert paired(frame, 8, "rulefit") is None
    assert against_table("classification", frame, ["rulefit"]) is None


def test_means_leave_out_what_was_measured_on_few_sets_and_what_is_not_compared(frame):
    table = mean_table("classification", frame, "to_model", "Agreement")
    assert cells(table, "faithful")["8 rules"] == "0.8650"
    names = [row[0] for row in table.rows]
    assert not {"sirus (sum)", "faithful_stable", "te2rules", "deep_forest"} & set(names)
    assert {(names[i], table.head[j]) for i, j in table.best} == {
        ("faithful", "4 rules"),
        ("surrogate_rows", "8 rules"),
    }
    assert cells(mean_table("classification", frame, "score", "Accuracy"), "the models")["8 rules"] == "0.9500"
    brier = mean_table("classification", frame, "brier", "Brier")
    assert {brier.rows[i][0] for i, _ in brier.best} == {"faithful"}


def test_each_kind_of_model_has_its_rows(frame):
    table = kind_table("classification", frame)
    assert [row[0] for row in table.rows] == ["xgboost", "xgboost", "lightgbm", "lightgbm"]


def test_seconds_leave_out_the_models_predictions(frame):
    found = cells(seconds_table("classification", frame), "faithful")
    # Half of the fit was asking; the forest took a quarter of a second.
    assert (found["processor seconds"], found["without calls"], found["/ forest"]) == ("1.00", "0.50", "2.00")
    assert (found["proven"], found["rows asked"]) == ("100 %", "5,000")


def test_trees_that_are_represented_and_rules_of_another_size(frame):
    table = internal_table("classification", frame)
    best = {(table.rows[i][0], table.head[j]) for i, j in table.best}
    assert {("faithful_stable", "4 rules, by condition"), ("paper", "4 rules, by path")} <= best
    found = cells(te2rules_table("classification", frame), "xgboost")
    assert (found["its agreement"], found["faithful, 8 rules"], found["sets"]) == ("0.7500", "0.8350", "2")
    assert te2rules_table("regression", frame[frame["method"] != "te2rules"]) is None


def test_bars_are_judged(frame):
    found = {what: (measured, met) for what, measured, _, met in bars("classification", frame)}
    assert found["agreement minus surrogate CART's, 8 rules"] == ("+0.0650, p = 0.0078", True)
    assert found["agreement minus surrogate CART's, 4 rules"][1]
    assert not found["Agreement with the model, against surrogate_rows, 8 rules"][1]
    assert found["accuracy minus CART's on the labels, 8 rules"] == ("+0.0650, p = 0.0078", True)
    assert found["trees represented by condition, 4 rules"] == ("0.600; paper 0.500", True)
    assert not found["trees represented by path, 4 rules"][1]
    assert [met for what, (_, met) in found.items() if what.startswith("seconds")] == [True]
    assert {row[-1] for row in bar_table("classification", frame).rows} == {"met", "not met"}
    others = {what: met for what, *_, met in bars("others", frame)}
    assert others["agreement minus surrogate CART's, both models, 8 rules"]
    assert others["agreement minus surrogate CART's, lightgbm, 4 rules"]


def test_what_is_unexplained_is_judged_by_its_ratio():
    theirs = [0.1 + 0.1 * k for k in range(8)]
    frame = pd.DataFrame([*rows("faithful", 15, [0.9 * x for x in theirs]), *rows("surrogate", 15, theirs)])
    found = {what: (measured, met) for what, measured, _, met in bars("regression", frame)}
    expected = ("0.900 (geometric mean 0.900), p = 0.0078", True)
    assert found["1 - R² to the model / surrogate CART's, 15 rules"] == expected


def test_the_picture_and_all_tables_are_written(frame, tmp_path):
    frame.to_csv(tmp_path / "faithful_classification.csv", index=False)
    assert tables.main(["--results", str(tmp_path)]) == 0
    for name, _ in explaining_tables("classification", frame):
        assert (tmp_path / "tables" / f"{name}.md").exists()
    for name in ("faithful_classification", "faithful_ranks_classification_8_diagram", "faithful_bars_classification"):
        assert (tmp_path / "tables" / f"{name}.png").stat().st_size > 0
    assert not draw_agreement("classification", frame[frame["method"] == "cart"], tmp_path / "none.png")
