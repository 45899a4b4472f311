"""The demo shows the product at its best."""

import re

import pytest

from hedgerow.cli import main

pytest.importorskip("typer")


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    import contextlib
    import io

    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        assert main(["demo"]) == 0
    return output.getvalue()


def test_the_demo_is_a_short_proven_list_without_rules_of_few_samples(shown):
    assert "proven optimal" in shown
    samples = [int(count) for count in re.findall(r"(\d+) samples  +\d", shown)]
    assert 2 <= len(samples) <= 5
    assert min(samples) >= 10
    assert sum(samples) == 426  # each training sample in exactly one rule


def test_the_score_of_the_demo_is_close_to_that_of_the_forest(shown):
    forest, of_list = (float(re.search(rf"{name} +\d+ +(0\.\d+)", shown)[1]) for name in ("the forest", "the list"))
    assert of_list >= forest - 0.05


def test_the_budget_of_the_demo_can_be_chosen(capsys):
    assert main(["demo", "--max-rules", "2"]) == 0
    shown = capsys.readouterr().out
    assert "2.  if " in shown
    assert "3.  if " not in shown
