"""What the command line returns to the shell."""

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130
