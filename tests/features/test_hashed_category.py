"""Categories that are known by their hashes only."""

import json

import numpy as np
import pytest

from hedgerow import InvalidDataError
from hedgerow.features import HashedCategory, NumberSet, from_record
from hedgerow.features.cityhash import city_hash


def hashed(*values):
    return HashedCategory.of(0, "color", [city_hash(value.encode()) for value in values])


def column(*values):
    return np.array(values, dtype=object).reshape(-1, 1)


def test_values_are_found_by_their_hashes():
    color = hashed("red", "7", "1")
    assert color.compute(column("red", 7, True, "7", b"red", "blue")).tolist() == [0, 1, 2, 1, 0, 3]
    assert color.n_codes == 4


@pytest.mark.parametrize(("bad", "what"), [(None, "missing values"), (2.5, r"2\.5, which is not an integer")])
def test_missing_values_and_fractions_are_refused(bad, what):
    with pytest.raises(InvalidDataError, match=f"color contains {what}"):
        hashed("red").compute(column("red", bad))


def test_values_that_are_seen_replace_the_hashes_in_text_alone():
    before = hashed("red", "blue")
    after = before.with_values_seen(column("blue", "green"))
    assert before.categories[1].startswith("#")
    assert after.categories == (before.categories[0], "blue")
    assert after == before


def test_a_cell_is_compared_with_the_values_that_were_seen():
    color = hashed("red", "blue", "7").with_values_seen(column("red", "blue", 7))
    only, rest = color.cell_test(NumberSet.of((0, 0)), False), color.cell_test(NumberSet.of((2, 3)), False)
    assert [only.passes(value) for value in ("red", "blue", "new")] == [True, False, False]
    assert [rest.passes(value) for value in ("red", "blue", 7, "new")] == [False, False, True, True]
    with pytest.raises(InvalidDataError, match="known only by its hash, #"):
        hashed("red").cell_test(NumberSet.of((0, 0)), False)
    assert color.refused_cells(is_complete=False).passes(None)


def test_merged_codes_lead_back_to_the_old_ones():
    first, second = hashed("red", "blue"), hashed("green", "red")
    merged = first.merged([first, second])
    values = column("red", "blue", "green", "new")
    for feature in (first, second):
        old = feature.codes_of(merged)
        assert [old[int(code)] for code in merged.compute(values)] == feature.compute(values).tolist()


def test_a_record_has_a_hash_per_category():
    color = hashed("red", "blue")
    record = json.loads(json.dumps(color.to_record()))
    assert from_record(record) == color
    with pytest.raises(InvalidDataError, match="feature has 1 hashes for 2 categories"):
        from_record(record | {"hashes": [1]})
