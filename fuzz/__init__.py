"""Fuzzing: the parsers of files from elsewhere, fed with broken variants of valid files.

``python -m fuzz`` runs every parser of :mod:`fuzz.parsers` in a process of its own, under limits of memory and time.
A parser either reads a file or refuses it with an error of :mod:`hedgerow.exceptions`; anything else is a finding, and
is written as a file. To add a parser, add it to ``PARSERS`` and its valid files to :mod:`fuzz.seeds`.
"""
