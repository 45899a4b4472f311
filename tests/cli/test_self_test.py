"""The self-test passes where all is well, and a step that goes wrong says how."""

import time
from dataclasses import replace

import pytest

from hedgerow.cli import self_test as module
from hedgerow.cli.self_test import self_test
from hedgerow.estimators.classifier import RuleListClassifier
from hedgerow.evidence import checker
from hedgerow.rules.rule_list import RuleList


def test_it_solves_proves_checks_and_reads_in_two_seconds_of_the_processor():
    started = time.process_time()
    steps = self_test()
    assert time.process_time() - started < 2
    assert [(step.name, step.passed) for step in steps] == [
        (name, True) for name in ("solve", "prove", "check", "read")
    ]


def test_a_list_that_is_not_the_best_is_found_out(monkeypatch):
    fit = RuleListClassifier.fit

    def worse(self, X, y):
        fit(self, X, y)
        self.solution_ = replace(self.solution_, objective=self.solution_.objective - 0.5)
        return self

    monkeypatch.setattr(RuleListClassifier, "fit", worse)
    *_, last = self_test()
    assert (last.name, last.passed) == ("prove", False)
    assert "was called optimal" in last.found


def test_a_list_without_a_proof_is_found_out(monkeypatch):
    fit = RuleListClassifier.fit

    def stopped(self, X, y):
        fit(self, X, y)
        self.solution_ = replace(self.solution_, status="time_limit", bound=self.solution_.objective + 1)
        return self

    monkeypatch.setattr(RuleListClassifier, "fit", stopped)
    *_, last = self_test()
    assert (last.name, last.passed) == ("prove", False)
    assert last.found.startswith("the list is not proven")


@pytest.mark.parametrize(
    ("script", "said"),
    [("raise SystemExit('no float has 64 bits here')", "no float has 64 bits here"), ("", "accepts an objective that")],
)
def test_a_checker_that_refuses_or_accepts_everything_is_found_out(script, said, monkeypatch, tmp_path):
    (tmp_path / "checker.py").write_text(script)
    monkeypatch.setattr(checker, "__file__", str(tmp_path / "checker.py"))
    *_, last = self_test()
    assert (last.name, last.passed) == ("check", False)
    assert said in last.found


def test_a_saved_list_that_predicts_something_else_is_found_out(monkeypatch):
    read = RuleList.from_json
    monkeypatch.setattr(RuleList, "from_json", lambda text: read(text.replace('"yes"', '"so"')))
    *_, last = self_test()
    assert (last.name, last.passed) == ("read", False)


def test_what_a_broken_library_raises_is_told(monkeypatch):
    def broken(made):
        raise ImportError("libhighs.so: undefined symbol")

    monkeypatch.setitem(module._STEPS, "solve", broken)
    (only,) = self_test()
    assert (only.passed, only.found) == (False, "ImportError: libhighs.so: undefined symbol")
