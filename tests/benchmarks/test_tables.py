"""Tables of synthetic rows whose averages, ranks and best cells are known."""

import matplotlib
import pandas as pd
import pytest

from benchmarks import tables
from benchmarks.fidelity_tables import fidelity_table
from benchmarks.generated_page import fill_page
from benchmarks.peer_tables import peer_table
from benchmarks.rank_tables import rank_lists
from benchmarks.table_formats import TextTable, span
from benchmarks.tabular_report import score_table

matplotlib.use("Agg")
SETS = ["wdbc", "ilpd", "musk", "diabetes", "banknote"]


def rows(method, scores, seed=0):
    return [
        {"name": n, "seed": seed, "method": method, "score": s, "rules": 4, "fit_s": 2.0}
        for n, s in zip(SETS, scores, strict=False)
    ]


@pytest.fixture
def frame():
    return pd.DataFrame(
        [
            *rows("paper", [0.9, 0.7, 0.8, 0.6, 0.5]),
            *rows("paper", [0.8, 0.6, 0.7, 0.5, 0.4], seed=1),
            *rows("cart", [0.8, 0.8, 0.7, 0.5, 0.4]),
            *rows("forest", [1.0] * 5),
            *rows("sirus", [0.99, 0.99]),
        ]
    )


def cells(table, row):
    found = next(each for each in table.rows if each[0] == row)
    return dict(zip(table.head, found, strict=True))


def test_scores_stand_beside_the_papers_and_what_is_missing_is_blank(frame):
    table = score_table("classification", frame)
    wdbc, musk = cells(table, "wdbc"), cells(table, "musk")
    assert wdbc["paper"] == "0.850 ± 0.071"
    assert wdbc["our method (paper)"] == "0.95 ± 0.03"
    assert wdbc["seeds"] == "1–2"
    assert musk["sirus"] == "–"
    last = cells(table, "mean of 5")
    assert (last["paper"], last["cart"], last["sirus"]) == ("0.6500", "0.6400", "–")  # of sirus there are two sets


def test_the_last_row_is_of_the_sets_that_all_methods_of_many_sets_have(frame):
    table = score_table("classification", pd.concat([frame, pd.DataFrame(rows("accurate", [1.0] * 4))]))
    last = cells(table, "mean of 4")
    assert (last["paper"], last["accurate"], last["sirus"]) == ("0.7000", "1.0000", "–")


def test_another_package_is_compared_on_the_sets_and_seeds_that_it_has(frame):
    peer = pd.DataFrame([*rows("ruleopt", [0.7, 0.9, 0.5]), *rows("ruleopt", [0.5], seed=7)])
    accurate = pd.DataFrame([*rows("accurate", [0.8, 0.7, 0.9, 0.6, 0.5]), *rows("accurate", [0.1] * 5, seed=1)])
    table = peer_table("classification", pd.concat([frame, peer, accurate]))
    said = cells(table, "ruleopt")
    assert (said["its mean"], said["accurate"], said["paper"], said["cart"]) == ("0.7000", "0.8000", "0.8000", "0.7667")
    assert (said["accurate better on"], said["sets"], said["seeds"]) == ("2 of 3", "3", "1")
    assert (
        said["p"] == "0.75"
    )  # signs + - +, ranks 1 2 3: six of the eight signings are at least as far from the middle
    assert peer_table("classification", frame) is None


def test_the_best_list_is_bold_and_the_forest_never(frame):
    table = score_table("classification", frame)
    best = {(table.rows[i][0], table.head[j]) for i, j in table.best}
    assert {("wdbc", "sirus"), ("ilpd", "sirus"), ("musk", "paper"), ("diabetes", "paper")} <= best
    assert not any(method == "forest" for _, method in best)


def test_ranks_are_of_shared_seeds_without_the_forest_and_without_methods_of_few_sets(frame):
    ranked = rank_lists("classification", frame)
    # With seed 0 alone paper wins four of five sets.
    assert ranked.comparison.names == ("paper", "cart")
    assert ranked.comparison.ranks == pytest.approx([1.2, 1.8])
    assert (ranked.seeds, ranked.left_out, ranked.comparison.n_sets) == ("1", ["sirus"], 5)
    assert rank_lists("classification", frame[frame["name"] == "wdbc"]) is None


def test_fidelity_is_averaged_over_the_sets_that_all_have_and_its_best_cells_are_those_of_one_forest(frame):
    measured = [("paper", "forest", 0.4, 0.2), ("accurate", "forest", 0.3, 0.1), ("accurate", "own", 0.9, 0.0)]
    fidelity = pd.DataFrame(
        {"name": n, "seed": 0, "method": m, "of": of, "trees_by_condition": share + 0.1 * i, "disagreement": apart}
        for i, n in enumerate(SETS[:2])
        for m, of, share, apart in measured
    )
    more = pd.DataFrame(
        [{"name": "musk", "seed": 0, "method": "paper", "of": "forest", "trees_by_condition": 1.0, "disagreement": 1.0}]
    )
    table = fidelity_table("classification", pd.concat([fidelity, more]), frame)
    by_condition, apart = (cells(table, name) for name in ("trees represented by a condition", "disagreement"))
    assert by_condition["paper"] == "0.450"  # of two sets, not of musk
    assert by_condition["our method (paper)"] == "0.355"
    assert apart["accurate (own ensemble)"] == "0.000"
    best = {(table.rows[i][0], table.head[j]) for i, j in table.best}
    assert best == {("trees represented by a condition", "paper"), ("disagreement", "accurate")}


def test_all_forms_are_written_and_the_page_is_filled(frame, tmp_path):
    frame.to_csv(tmp_path / "classification.csv", index=False)
    page = tmp_path / "page.md"
    page.write_text("Before\n<!-- table: rules_classification -->\nold\n<!-- end of table -->\nAfter\n")
    assert tables.main(["--results", str(tmp_path), "--page", str(page)]) == 0
    for name in ("scores", "rules", "seconds", "ranks", "ranks_published"):
        for form in ("md", "tex", "png"):
            assert (tmp_path / "tables" / f"{name}_classification.{form}").stat().st_size > 0
    assert (tmp_path / "tables" / "ranks_classification_diagram.png").exists()
    text = page.read_text()
    assert "old" not in text
    assert "**Number of rules, classification**" in text
    assert text.startswith("Before\n")
    assert text.endswith("After\n")
    assert tables.main(["--results", str(tmp_path / "nothing")]) == 1


def test_a_part_of_a_page_that_is_not_measured_says_so(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- table: a -->\n<!-- end of table -->\n")
    fill_page(page, {})
    once = page.read_text()
    assert "Not measured yet" in once
    fill_page(page, {})
    assert page.read_text() == once


def test_long_notes_are_wrapped_and_stay_one_item_of_the_list():
    note = "two-sided " * 30 + "end"
    *_, first, second, third = TextTable("t", ["a"], [["b"]], [note]).to_markdown().split("\n")
    assert max(map(len, (first, second, third))) < 120
    assert (first[:2], second[:2], third[:2]) == ("- ", "  ", "  ")
    assert " ".join(line[2:] for line in (first, second, third)) == note


def test_latex_escapes_and_has_the_rules_of_booktabs():
    table = TextTable("50 % of a_b", ["set", "x_1"], [["a&b", "1 ± 2"], ["all", "3"]], summary=1, best={(0, 1)})
    text = table.to_latex()
    assert r"a\&b & \textbf{1 $\pm$ 2} \\" in text
    assert text.count(r"\midrule") == 2
    assert r"50 \% of a\_b" in text


def test_a_span_is_one_number_or_two():
    assert [span([3, 3]), span([5, 2, 3]), span([])] == ["3", "2–5", "–"]


def test_without_results_nothing_is_written(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- table: scores_classification -->\nas it is\n<!-- end of table -->\n")
    before = page.read_text()
    assert tables.main(["--results", str(tmp_path), "--page", str(page)]) == 1
    assert page.read_text() == before
    assert [path.name for path in tmp_path.iterdir()] == ["page.md"]


def test_only_a_table_that_is_wider_than_a_page_is_made_narrower():
    narrow, wide = (TextTable("t", ["a"] * n, [["0.123 ± 0.045"] * n]).to_latex() for n in (4, 9))
    assert r"\resizebox" not in narrow
    assert r"\resizebox{\linewidth}{!}{%" in wide
    assert wide.count("{") == wide.count("}")
