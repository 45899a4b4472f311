"""A signal ends a command in order: no temporary file stays, and one line says so."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from small_tables import people
from waiting import until

from hedgerow.cli import main
from hedgerow.cli.stopping import Stopped, stoppable


def started(folder, *before):
    """Start an extraction that takes long, and wait until it has prepared the files that it will write."""
    people().to_csv(folder / "people.csv", index=False)
    files = ["--report", "out.html", "--json", "out.json"]
    call = ["-m", "hedgerow", "extract", "people.csv", "-t", "says", "--trees", "200000", "--jobs", "1", *files]
    process = subprocess.Popen([*before, sys.executable, *call], cwd=folder, stderr=subprocess.PIPE, text=True)
    until(lambda: len(list(folder.glob(".*.part"))) == 2)
    return process


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_removes_the_temporary_files_and_is_told_by_the_exit_code(name, tmp_path):
    (tmp_path / "out.json").write_text("old")
    process = started(tmp_path)
    time.sleep(1.0)  # into the work
    process.send_signal(getattr(signal, name))
    _, shown = process.communicate(timeout=60)
    assert process.returncode == 128 + getattr(signal, name)
    assert shown.splitlines()[-1] == "hedgerow: note: Terminated."
    assert sorted(os.listdir(tmp_path)) == ["out.json", "people.csv"]
    assert (tmp_path / "out.json").read_text() == "old"


def test_what_is_to_be_ignored_stays_ignored(tmp_path):
    process = started(tmp_path, "nohup")
    process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 143


def test_a_signal_is_an_exception_inside_the_context_only():
    def work():
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(5)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)  # a second one does not disturb the end
            cleared.append(True)

    before, cleared = signal.getsignal(signal.SIGTERM), []
    with pytest.raises(Stopped) as stopped, stoppable():
        work()
    assert cleared
    assert stopped.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_thread_may_run_a_command():
    codes = []
    thread = threading.Thread(target=lambda: codes.append(main(["--version"])))
    thread.start()
    thread.join()
    assert codes == [0]
