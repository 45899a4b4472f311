import pickle

import numpy as np
import pandas as pd
import pytest
from row_statistics import AsRead, Rows

from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.sources import Chunks


def read(*chunks, **settings):
    """Make a pass over chunks."""
    source = Chunks(lambda: iter(chunks), **settings)
    return source.passes(AsRead()).run(Rows(), targets=source.has_targets)


def pair(n=2, value=1.0, columns=2):
    return np.full((n, columns), value), np.arange(n)


@pytest.mark.parametrize("made", [iter([pair()]), (pair() for _ in range(2))])
def test_what_can_be_read_only_once_is_refused(made):
    with pytest.raises(InvalidParameterError, match=r"This (list_iterator|generator) can be read only once.*function"):
        Chunks(made)


@pytest.mark.parametrize("made", [3, None])
def test_what_cannot_be_read_is_refused(made):
    with pytest.raises(InvalidParameterError, match="needs a function that returns a new iterator"):
        Chunks(made)
    with pytest.raises(InvalidParameterError, match=f"make_iterator returned {made} instead of an iterator"):
        _ = Chunks(lambda: made).names


def test_a_list_can_be_read_again():
    passes = Chunks([pair(), pair(1)]).passes(AsRead())
    assert [passes.run(Rows()).targets for _ in range(2)] == [[0, 1, 0]] * 2


@pytest.mark.parametrize(("left", "said"), [(0, "no rows"), (1, "2 rows")])
def test_a_second_read_that_is_shorter_is_refused(left, said):
    chunks = [pair(), pair(), pair()]
    reads = iter([chunks, chunks[:left]])
    passes = Chunks(lambda: iter(next(reads))).passes(AsRead())
    passes.run(Rows())
    with pytest.raises(InvalidDataError, match=rf"changes while it is read: 6 rows in pass 1, {said} in pass 2"):
        passes.run(Rows())


class Once:
    """Looks like something that can be iterated again."""

    def __init__(self, chunks):
        self.iterator = map(tuple, chunks)

    def __iter__(self):
        return self.iterator


def always(iterator):
    return lambda: iterator


@pytest.mark.parametrize("made", [lambda chunks: always(map(tuple, chunks)), Once])
def test_the_same_iterator_again_is_refused_and_the_pass_before_had_all_its_rows(made):
    source = Chunks(made([pair(), pair(3)]))
    assert source.n_features == 2
    passes = source.passes(AsRead())
    assert passes.run(Rows()).targets == [0, 1, 0, 1, 2]
    with pytest.raises(InvalidParameterError, match=r"gave the same map again, which can be read only once"):
        passes.run(Rows())


def test_the_function_is_called_once_per_pass():
    calls = []
    source = Chunks(lambda: calls.append(None) or iter([pair(), pair()]))
    passes = source.passes(AsRead())
    for n in (1, 2, 3):
        assert passes.run(Rows(), targets=source.has_targets).targets == [0, 1, 0, 1]
        assert len(calls) == n


def test_chunks_that_were_looked_at_can_be_pickled():
    source = Chunks([pair(), pair()])
    assert source.names is None
    passes = pickle.loads(pickle.dumps(source)).passes(AsRead())
    assert passes.run(Rows()).targets == [0, 1, 0, 1]


def test_rows_that_change_between_passes_are_refused():
    draws = np.random.default_rng(0)
    passes = Chunks(lambda: [(draws.normal(size=(3, 2)), np.zeros(3))]).passes(AsRead())
    passes.run(Rows())
    with pytest.raises(InvalidDataError, match="values of column 0 in pass 2 are not those of pass 1"):
        passes.run(Rows())


FRAME = pd.DataFrame({"a": [1.0, 2.0], "s": ["x", "y"]})


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (FRAME[["a"]], "chunk 1 lacks the column 's', which chunk 0 has"),
        (FRAME.assign(b=1, c=2), "chunk 0 lacks the columns 'b', 'c', which chunk 1 has"),
        (FRAME.assign(a="1"), "chunk 1: column 'a' has strings or objects, but numbers in chunk 0"),
        (FRAME.assign(a=True), "chunk 1: column 'a' has booleans, but numbers in chunk 0"),
        (FRAME.assign(s=pd.Timestamp("2020")), "chunk 1: column 's' has dates, but strings or objects in chunk 0"),
        (FRAME.to_numpy(), "chunk 1 is an array, but chunk 0 is a data frame"),
    ],
)
def test_a_chunk_with_other_columns_is_refused(second, said):
    with pytest.raises(InvalidDataError, match=said):
        read((FRAME, [0, 1]), (second, [0, 1]))


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (pair(columns=3), "chunk 1 has 3 columns, but chunk 0 has 2"),
        ((np.array([["a", "b"]]), [1]), "chunk 1: X has strings or objects, but numbers in chunk 0"),
        ((FRAME, [0, 1]), "chunk 1 is a data frame, but chunk 0 is an array"),
        ((np.ones(3), [0, 1, 2]), r"chunk 1 has 1 dimension\(s\)"),
        ((np.ones((3, 2)), [0, 1]), "chunk 1 has 3 rows in X, but 2 targets"),
        ((np.ones((1, 2)), 5), "chunk 1 has 1 rows in X, but 1 targets"),
        ((np.ones((1, 2)), ["a"]), "chunk 1: y has strings or objects, but numbers in chunk 0"),
        (np.ones((1, 2)), "chunk 1 has neither y nor weights, but chunk 0 has y but no weights"),
        ((np.ones((1, 2)), [1], [1]), "chunk 1 has y and weights, but chunk 0 has y but no weights"),
        ((np.ones((1, 2)), [1], [1], [1]), "chunk 1 is a tuple of 4"),
    ],
)
def test_a_chunk_that_does_not_fit_is_refused(second, said):
    with pytest.raises(InvalidDataError, match=said):
        read(pair(), second)


@pytest.mark.parametrize(
    ("weight", "said"),
    [
        ([1.0], "2 rows in X, but 1 weights"),
        ([1.0, -1.0], "chunk 0: a weight is negative"),
        ([1.0, np.nan], "chunk 0: a weight is missing"),
        (["a", "b"], "chunk 0: the weights are not numbers"),
    ],
)
def test_weights_that_are_none_are_refused(weight, said):
    with pytest.raises(InvalidDataError, match=said):
        read((*pair(), weight))


def test_none_is_neither_targets_nor_weights():
    X, y = pair()
    assert read((X, y, None), (X, y)).targets == [0, 1, 0, 1]
    assert not Chunks([(X, y, None)]).has_weights
    assert not Chunks([(X, None)]).has_targets
    with pytest.raises(InvalidDataError, match="chunk 1 has neither y nor weights, but chunk 0 has y but no weights"):
        read((X, y), (X, None))
    with pytest.raises(InvalidDataError, match="chunk 1 has y but no weights, but chunk 0 has y and weights"):
        read((X, y, y), (X, y, None))
    with pytest.raises(InvalidDataError, match="chunk 0 has weights, but its y is None"):
        read((X, None, y))


def test_a_sparse_matrix_is_refused():
    from scipy import sparse

    with pytest.raises(InvalidDataError, match="chunk 0 is a sparse matrix"):
        read((sparse.csr_array(np.eye(2)), [0, 1]))


def test_columns_are_found_by_name():
    rows = read((FRAME, [0, 1]), (FRAME[["s", "a"]], [1, 0]))
    assert rows.values == [[1.0, "x"], [2.0, "y"]] * 2


def test_empty_chunks_and_columns_without_values_are_fine():
    nothing = FRAME.assign(a=[None, None], s=np.nan)
    rows = read((FRAME.head(0), []), (nothing, [0, 1]), (FRAME.head(0), []), (FRAME, [1, 0]))
    assert [row[1] for row in rows.values[2:]] == ["x", "y"]
    assert rows.targets == [0, 1, 1, 0]


@pytest.mark.parametrize("chunks", [[], [pair(0)], [pair(0), pair(0)]])
def test_no_rows_at_all_are_refused(chunks):
    with pytest.raises(InvalidDataError, match=r"has no (rows|chunks)"):
        read(*chunks)


def test_large_chunks_are_cut():
    passes = Chunks([pair(7), pair(2)], batch_rows=3).passes(AsRead())
    places = ["chunk 0, rows 0 to 2", "chunk 0, rows 3 to 5", "chunk 0, row 6", "chunk 1"]
    assert list(passes.map(lambda chunk: chunk.place)) == places


def test_targets_are_asked_for_where_there_are_none():
    passes = Chunks([np.ones((2, 2))]).passes(AsRead())
    assert list(passes.map(lambda chunk: chunk.y)) == [None]
    with pytest.raises(InvalidDataError, match=r"Chunks\(list\) has no targets"):
        passes.run(Rows())


def test_frames_of_polars_are_chunks():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": [1.0, 2.0, 3.0], "s": ["x", None, "y"]})
    source = Chunks([(frame, [0, 1, 2]), (frame.select("s", "a"), [0, 1, 2])], batch_rows=2)
    rows = source.passes(AsRead()).run(Rows())
    assert rows.values == [[1.0, "x"], [2.0, None], [3.0, "y"]] * 2
    assert source.passes(AsRead()).run(Rows(), columns=["s"]).values == [["x"], [None], ["y"]] * 2


def test_errors_while_chunks_are_made_are_those_of_the_user():
    def chunks():
        yield pair()
        raise OSError("the network is down")

    with pytest.raises(OSError, match="the network is down"):
        Chunks(chunks).passes(AsRead()).run(Rows())


@pytest.mark.parametrize("batch_rows", [0, -1, 2.5, "5", True])
def test_a_batch_has_rows(batch_rows):
    with pytest.raises(InvalidParameterError, match="batch_rows must be an integer of at least 1"):
        Chunks([pair()], batch_rows=batch_rows)
