"""Exit codes are those that shells and other programs expect."""

import argparse
import signal

import pytest

from hedgerow.cli import exit_codes


def test_exit_codes_follow_the_conventions(capsys):
    with pytest.raises(SystemExit) as ended:
        argparse.ArgumentParser().parse_args(["--unknown"])
    assert ended.value.code == exit_codes.WRONG
    assert signal.SIGINT + 128 == exit_codes.INTERRUPTED
    assert (exit_codes.DONE, exit_codes.FAILED) == (0, 1)
