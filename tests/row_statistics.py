"""Statistics of rows whose result shows the order in which they were added; workers of Dask import them, too."""

import time
from pathlib import Path

import numpy as np


class AsRead:
    """A reader that leaves chunks as they are."""

    def rows(self, chunk):
        return chunk


class Rows:
    """All values of the columns, the targets and the weights, in order."""

    def __init__(self):
        self.values, self.targets, self.weights = [], [], []

    def empty(self):
        return Rows()

    def add(self, chunk):
        assert len(chunk.X)
        self.values += np.asarray(chunk.X).tolist()
        self.targets += [] if chunk.y is None else chunk.y.tolist()
        self.weights += [] if chunk.weight is None else chunk.weight.tolist()

    def merge(self, other):
        self.values += other.values
        self.targets += other.targets
        self.weights += other.weights


class Slow(AsRead):
    """A reader that says that it has begun, and takes its time."""

    def __init__(self, sign, seconds):
        self.sign, self.seconds = sign, seconds

    def rows(self, chunk):
        Path(self.sign).touch()
        time.sleep(self.seconds)
        return chunk


class Failing(AsRead):
    """A reader that fails at a value."""

    def __init__(self, value, error):
        self.value, self.error = value, error

    def rows(self, chunk):
        if (np.asarray(chunk.X) == self.value).any():
            raise self.error
        return chunk
