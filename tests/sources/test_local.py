import os
import signal
import threading
import time

import numpy as np
import pytest
from row_statistics import AsRead, Failing, Rows
from waiting import until

from hedgerow.exceptions import InvalidDataError, UnsupportedModelError
from hedgerow.sources import Chunks
from hedgerow.sources.local import in_order


def chunks(n=20):
    return Chunks(lambda: ((np.full((2, 1), float(i)), [0, 1]) for i in range(n)))


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_results_are_in_order_and_few_pieces_are_in_memory(threads):
    alive, most = set(), []

    def pieces():
        for i in range(30):
            alive.add(i)
            most.append(len(alive))
            yield i

    def task(i):
        time.sleep(0.01 * (i % 3 == 0))
        return i

    seen = []
    for i in in_order(task, pieces(), threads):
        alive.remove(i)
        seen.append(i)
    assert seen == list(range(30))
    assert max(most) <= threads + 2


def test_the_next_chunk_is_read_while_others_are_worked_on():
    read, may_end = [], threading.Event()

    def pieces():
        for i in range(4):
            read.append(i)
            if i == 1:
                may_end.set()
            yield i

    assert list(in_order(lambda i: may_end.wait(10), pieces(), 1)) == [True] * 4


def test_threads_end_with_the_passes():
    passes = chunks().passes(AsRead(), n_jobs=4)
    next(iter(passes.map(lambda chunk: chunk)))
    passes.run(Rows())
    until(lambda: not any(thread.name.startswith("hedgerow-pass") for thread in threading.enumerate()))


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (InvalidDataError("chunk 5: no such class"), InvalidDataError, "^chunk 5: no such class$"),
        (InvalidDataError("no such class"), InvalidDataError, "^chunk 5: no such class$"),
        (KeyError("age"), InvalidDataError, "^chunk 5: KeyError: 'age'$"),
        (UnsupportedModelError("not this one"), UnsupportedModelError, "^not this one$"),
        (MemoryError("all"), MemoryError, "^all$"),
    ],
)
def test_errors_say_where_they_occurred(n_jobs, error, kind, said):
    passes = chunks().passes(Failing(5.0, error), n_jobs=n_jobs)
    with pytest.raises(kind, match=said):
        passes.run(Rows())


def test_a_pass_after_an_error_is_whole():
    failing = Failing(5.0, ValueError("no"))
    passes = chunks().passes(failing)
    with pytest.raises(InvalidDataError):
        passes.run(Rows())
    failing.value = -1.0
    assert len(passes.run(Rows()).values) == 40
    assert (passes.n, passes.n_rows) == (2, 40)


def test_interrupts_end_a_pass_at_once():
    begun = threading.Event()

    class Waiting(AsRead):
        def rows(self, chunk):
            begun.set()
            time.sleep(0.5)
            return chunk

    def interrupt():
        begun.wait(10)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        chunks(1_000).passes(Waiting(), n_jobs=2).run(Rows())
    assert time.monotonic() - started < 5


def test_progress_shows_rows_and_the_pass(capsys):
    passes = chunks().passes(AsRead(), verbose=True)
    passes.run(Rows(), what="coverage")
    passes.run(Rows())
    shown = capsys.readouterr().err.splitlines()
    assert shown[0].startswith("hedgerow: Pass 1, coverage: 40 rows, ")
    assert shown[-1].startswith("hedgerow: Pass 2: 40 of 40 rows, ")
