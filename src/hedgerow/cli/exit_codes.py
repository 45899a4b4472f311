"""The exit codes of the command line."""

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130
