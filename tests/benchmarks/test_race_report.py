"""Ratios, shares and disagreements of a race, on rows that fit on a hand."""

import math

import numpy as np
import pandas as pd
import pytest

from benchmarks.race_report import disagreement, draw_profile, markdown, profile, proven, proven_table, summary, timed

LABELS = ("ours", "gurobi")


def row(name, left, right, left_status="optimal", right_status="optimal", **more):
    sides = {"left": (left, left_status), "right": (right, right_status)}
    found = {
        "name": name,
        "family": name.partition("/")[0],
        "budget": 4,
        "limit": 10.0,
        "stretch": 1.0,
        "free_licence": True,
    }
    for side, (seconds, status) in sides.items():
        found |= {f"{side}_cpu": seconds, f"{side}_clock": seconds, f"{side}_status": status}
        found |= {f"{side}_objective": 1.0, f"{side}_bound": 1.0, f"{side}_size": 1.0}
    return found | more


FRAME = pd.DataFrame(
    [
        row("paper/a/0", 1.0, 4.0),
        row("paper/b/0", 2.0, 2.0 / 9, "infeasible", "infeasible"),
        row("nodes/c/0", 3.0, 5.0, right_status="time_limit", budget=None),
    ]
)


def test_a_run_without_a_proof_takes_the_whole_limit():
    assert timed(FRAME)["right"].tolist() == [4.0, 2.0 / 9, 10.0]


def test_a_proof_that_took_more_than_the_limit_of_the_processor_counts_as_none():
    late = pd.DataFrame([row("paper/a/0", 11.0, 9.0, stretch=4.0)])
    assert proven(late).iloc[0].tolist() == [False, True]
    assert timed(late).iloc[0].tolist() == [11.0, 9.0]


def test_the_summary_has_the_geometric_means_and_who_is_faster():
    shown = "\n".join(summary(FRAME, LABELS))
    every = math.exp(np.mean(np.log([4, 1 / 9, 10 / 3])))
    assert f"geometric mean of all: {every:.3g}" in shown
    assert f"of the 2 that both prove: {math.sqrt(4 / 9):.3g}" in shown
    assert "gurobi is faster on 1 of 3 = 33.3 %" in shown
    assert shown.index("paper/b/0: 2 s") < shown.index("nodes/c/0: 3 s")


def test_proofs_are_counted_per_family_and_budget():
    table = proven_table(FRAME, LABELS).set_index(["family", "budget"])
    assert table.loc[("paper", "all"), ["ours proves", "gurobi proves"]].tolist() == [2, 2]
    assert table.loc[("nodes", "all"), ["ours proves", "gurobi proves"]].tolist() == [1, 0]
    assert markdown(FRAME, LABELS, 10).splitlines()[-1].startswith("| all | 3 | 3 | 2 |")


def test_the_profile_says_how_many_are_solved_within_a_factor():
    factors, share = profile(timed(FRAME), proven(FRAME))["right"]
    np.testing.assert_allclose(factors, [1, 4])
    np.testing.assert_allclose(share, [1 / 3, 2 / 3])


def test_the_profile_is_drawn_even_if_a_side_proves_nothing(tmp_path):
    draw_profile(FRAME, LABELS, tmp_path / "some.png", 10)
    draw_profile(FRAME.tail(1), LABELS, tmp_path / "none.png", 10)
    assert all((tmp_path / f"{name}.png").stat().st_size > 10_000 for name in ("some", "none"))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, ""),
        ({"right_objective": 1.0 + 1e-7, "right_bound": 1.0 + 1e-7}, ""),
        ({"right_objective": 2.0, "right_bound": 2.0}, "gurobi has a list of 2.0, but ours says 1.0, proven"),
        ({"left_objective": 2.0, "left_bound": 2.0}, "ours has a list of 2.0, but gurobi says 1.0, proven"),
        ({"right_objective": 2.0, "right_bound": 2.0, "left_bound": 1.5, "left_status": "time_limit"}, "a bound"),
        ({"right_objective": 0.5, "right_bound": 1.5, "right_status": "time_limit"}, ""),
        ({"left_status": "infeasible"}, "ours says that there is no list, but gurobi has one"),
        ({"left_status": "optimal", "right_status": "no list"}, ""),
        ({"left_status": "infeasible", "right_status": "infeasible"}, ""),
    ],
)
def test_contradictions_are_named(more, said):
    found = disagreement(row("a/b/0", 1.0, 1.0) | more, LABELS)
    assert said in found
    assert bool(found) == bool(said)
