"""Errors become one line and an exit code."""

import subprocess
import sys

import pytest
from small_tables import error_of

from hedgerow.cli import main


def test_work_that_fails_ends_with_one_and_debug_shows_where(made, monkeypatch, capsys):
    def fail(*_, **__):
        raise RuntimeError("the sky\nfalls")

    monkeypatch.setattr("hedgerow.rules.rule_list.RuleList.evaluate", fail)
    call = ["predict", str(made / "out.json"), str(made / "people.csv")]
    assert main(call) == 1
    assert "the sky falls (--debug" in error_of(capsys.readouterr())
    assert main([*call, "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err
    assert main(["--debug", *call]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_without_typer_one_line_says_how_to_get_it():
    program = "import sys; sys.modules['typer'] = None; from hedgerow.cli import main; sys.exit(main(['demo']))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert shown.returncode == 1
    assert shown.stderr == "hedgerow: error: the command line needs typer: pip install 'hedgerow[cli]'\n"


def test_who_reads_only_the_beginning_gets_no_traceback(made):
    program = "import sys; from hedgerow.cli import main; sys.exit(main(sys.argv[1:]))"
    call = [sys.executable, "-c", program, "predict", str(made / "out.json"), str(made / "people.csv")]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


#: What is asked, what the line says, and what it does not say.
CALLS = {
    "a target that the rules look at": (
        ["report", "rules.json", "table.csv", "-t", "a", "-o", "out.html"],
        "'a' is the target, but the rules also use it",
        "does not have",
    ),
    "a target that the model looks at": (
        ["extract", "table.csv", "-t", "b", "--model", "numbers.skops"],
        "'b' is the target, but the model also takes it",
        "does not have",
    ),
    "a dropped column that the model looks at": (
        ["extract", "table.csv", "-t", "y", "--model", "classes.skops", "--drop", "b"],
        "'b' is dropped, but the model cannot do without it. Drop only columns that the model does not take. Option: "
        "--drop",
        "Name another",
    ),
    "a report of classes on numbers": (
        ["report", "rules.json", "table.csv", "-t", "z", "-o", "out.html"],
        "Name the column with the classes that the rule list predicts",
        "--task",
    ),
    "a model of classes on numbers": (
        ["extract", "table.csv", "-t", "z", "--model", "classes.skops"],
        "Name the column with the classes that the model predicts",
        "--task",
    ),
    "a model of classes as regression": (
        ["extract", "table.csv", "-t", "z", "--model", "classes.skops", "--task", "regression"],
        "--task regression does not fit the model, which predicts classes",
        "RuleList",
    ),
    "a model of numbers as classification": (
        ["extract", "table.csv", "-t", "y", "--model", "numbers.skops", "--task", "classification"],
        "--task classification does not fit the model, which predicts numbers",
        "RuleList",
    ),
    "a format that does not exist": (
        ["export", "rules.json", "--to", "foo"],
        "--to must be one of text, json, sql, python, latex, dot; got 'foo'.",
        "Value error",
    ),
    "answers in a file of unknown kind": (
        ["predict", "rules.json", "table.csv", "-o", "answers.txt"],
        "Tables end in .csv",
        "--separator",
    ),
}


@pytest.mark.parametrize("why", CALLS)
def test_what_does_not_fit_is_said_in_terms_of_the_call(why, folder, capsys):
    call, said, unsaid = CALLS[why]
    assert main(call) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert unsaid not in line


def test_ctrl_c_while_a_module_is_loaded_is_no_import_error(folder, monkeypatch, capsys):
    def interrupted(*_, **__):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:  # as modules that are written with pybind11 do
            raise ImportError("initialization failed") from error

    monkeypatch.setattr("hedgerow.cli.saved_lists.read_table", interrupted)
    assert main(["predict", "rules.json", "table.csv"]) == 130
    assert capsys.readouterr() == ("", "hedgerow: note: Interrupted.\n")


@pytest.mark.parametrize("where", ["hedgerow.cli.saved_lists.read_table", "hedgerow.cli.running.app"])
def test_ctrl_c_during_the_work_ends_with_130_and_one_line(where, folder, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(where, interrupted)
    assert main(["predict", "rules.json", "table.csv"]) == 130
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "hedgerow: note: Interrupted.\n")
