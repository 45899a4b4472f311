"""The fuzzer finds what is wrong with a parser, and nothing else; parsers stand a few hundred broken files."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from fuzz import __main__ as command
from fuzz import parsers, worker
from fuzz.mutations import LARGEST, mutated
from fuzz.parsers import PARSERS, Parser
from fuzz.seeds import write_seeds
from hedgerow.exceptions import HedgerowError, InvalidDataError


@pytest.fixture(scope="module")
def seeds(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seeds")
    for name in PARSERS:
        write_seeds(name, folder / name)
    return folder


@pytest.mark.parametrize("name", PARSERS)
@pytest.mark.filterwarnings("ignore:The rules know no value")
def test_the_files_to_start_from_are_valid(name, seeds, tmp_path):
    path = tmp_path / f"model{PARSERS[name].suffix}"
    files = sorted((seeds / name).glob("*.seed"))
    assert len(files) >= 3
    n_used = 0
    for file in files:
        path.write_bytes(file.read_bytes())
        with suppress(InvalidDataError):  # hashed categories do not take the samples, which are numbers
            PARSERS[name].use(path)
            n_used += 1
    assert n_used >= len(files) - 1


@pytest.mark.parametrize("name", PARSERS)
@pytest.mark.filterwarnings("ignore")
def test_a_parser_stands_broken_files(name, seeds, tmp_path):
    random, path = Random(1), tmp_path / f"model{PARSERS[name].suffix}"
    corpus = [file.read_bytes() for file in sorted((seeds / name).glob("*.seed"))]
    for _ in range(60):
        data = mutated(random, PARSERS[name].grammar, corpus)
        assert len(data) <= LARGEST
        path.write_bytes(data)
        assert worker.failure(PARSERS[name], path) is None


def test_the_same_seed_gives_the_same_files(seeds):
    for name, parser in PARSERS.items():
        corpus = [file.read_bytes() for file in sorted((seeds / name).glob("*.seed"))]
        drawn = [[mutated(random, parser.grammar, corpus) for _ in range(20)] for random in (Random(3), Random(3))]
        assert drawn[0] == drawn[1]
        assert len(set(drawn[0])) > 10


def test_only_errors_of_the_package_are_no_failures(tmp_path):
    def fail(error):
        def use(path):
            raise error

        return worker.failure(Parser(".txt", "lines", use), tmp_path)

    assert fail(HedgerowError("no")) is None
    assert fail(InvalidDataError("no")) is None
    assert fail(KeyError("x")).startswith("KeyError at ")
    assert fail(MemoryError()).startswith("MemoryError at ")
    assert fail(RecursionError()).startswith("RecursionError at ")


def test_a_file_that_takes_too_long_is_a_failure(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "SLOW", -1.0)
    assert "processor time" in worker.failure(Parser(".txt", "lines", lambda path: None), tmp_path)


def test_the_command_feeds_a_parser_and_says_how_often(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["fuzz", "csv", "--executions", "30", "--findings", str(tmp_path)])
    assert command.main() == 0
    assert capsys.readouterr().out.split() == ["csv", "30", "executions", "0", "findings"]
    monkeypatch.setattr(sys, "argv", ["fuzz", "pdf"])
    with pytest.raises(SystemExit):
        command.main()


def test_files_that_kill_the_process_are_kept_and_the_next_process_goes_on(tmp_path, monkeypatch):
    real, n_runs = subprocess.run, []

    def run(arguments, **options):
        """Feed one file, and then die as a crash would."""
        n_runs.append(arguments)
        shared = worker.Shared(Path(arguments[4]) / "shared")
        shared.write(7, b"deadly")
        dies = f"import os; os.kill(os.getpid(), {signal.SIGTERM.value})"
        return real([sys.executable, "-S", "-c", dies if len(n_runs) == 1 else ""], check=False)

    monkeypatch.setattr(command.subprocess, "run", run)
    outcome = command.feed("csv", tmp_path, seconds=60, executions=1000, seed=0)
    assert (outcome.executions, outcome.kills) == (14, 1)
    (kept,) = tmp_path.glob("csv-*.csv")
    assert kept.read_bytes() == b"deadly"
    assert "signal 15" in kept.with_suffix(".why").read_text()


def test_a_failure_is_written_once_with_its_reason(tmp_path, monkeypatch):
    def use(path):
        raise KeyError("x" if len(path.read_bytes()) % 2 else "y")

    monkeypatch.setitem(parsers.PARSERS, "csv", Parser(".csv", "lines", use))
    monkeypatch.setattr(worker, "limit_memory", lambda: None)
    monkeypatch.setattr(worker.resource, "setrlimit", lambda *_: None)
    monkeypatch.setattr(worker, "NewLines", lambda: type("None_", (), {"any": lambda self: False})())
    folder = tmp_path / "work"
    write_seeds("csv", folder)
    (folder / "shared").write_bytes(bytes(worker.SHARED_SIZE))
    worker.run("csv", folder, tmp_path / "found", 60, 20, 0)
    (why,) = (tmp_path / "found").glob("*.why")
    assert why.read_text().startswith("KeyError at ")
    assert worker.Shared(folder / "shared").read()[0] == 20
    assert os.path.getsize(why.with_suffix(".csv")) > 0


def test_runs_that_are_recorded_add_up_and_repeat_no_seed(tmp_path, monkeypatch, capsys):
    fed = []

    def feed(name, findings, seconds, executions, seed):
        fed.append((executions, seed))
        return command.Outcome(max(0, min(executions, 60)), kills=0)

    monkeypatch.setattr(command, "feed", feed)
    record = tmp_path / "runs.csv"
    arguments = ["fuzz", "csv", "--executions", "100", "--findings", str(tmp_path), "--record", str(record)]
    for _ in range(3):
        monkeypatch.setattr(sys, "argv", arguments)
        command.main()
    assert fed == [(100, 0), (40, 1), (0, 2)]
    assert record.read_text().count("\n") == 3  # a header and the two runs that fed something
    assert capsys.readouterr().out.split().count("100") == 2
