"""Row numbers and identifiers are recognized, values are not taken for them."""

import numpy as np
import pandas as pd
import pytest

from hedgerow.tables.identifiers import identifiers

N = 100
SHUFFLED = np.random.default_rng(0).permutation(N) + 1000


@pytest.mark.parametrize("start", [0, 1, 501])
def test_integers_in_order_are_row_numbers(start):
    assert identifiers(pd.DataFrame({"x": np.arange(start, start + N)})) == {"x": "it looks like a row number"}
    assert not identifiers(pd.DataFrame({"x": np.arange(start, start + N)}), keep=["x"])


@pytest.mark.parametrize(
    "name", ["id", "ID", "customer_id", "customerId", "Order No", "row", "index", "Unnamed: 0", "key"]
)
def test_distinct_integers_with_such_a_name_are_identifiers(name):
    assert "identifier" in identifiers(pd.DataFrame({name: SHUFFLED}))[name]
    assert not identifiers(pd.DataFrame({name: SHUFFLED // 2}))  # not distinct


@pytest.mark.parametrize("name", ["paid", "grid", "income", "number of rooms", "noise", "keyboard", "x"])
def test_distinct_integers_with_another_name_are_values(name):
    assert not identifiers(pd.DataFrame({name: SHUFFLED}))


def test_a_few_rows_may_have_no_number():
    in_order = [1, 2, np.nan, *range(4, N), np.nan]
    assert identifiers(pd.DataFrame({"x": in_order, "id": [np.nan, *SHUFFLED[1:]]})).keys() == {"x", "id"}


def test_other_columns_and_short_tables_are_not_questioned():
    columns = {"id": SHUFFLED + 0.5, "key": [f"a{i}" for i in range(N)], "row": [*[np.nan] * 10, *SHUFFLED[10:]]}
    assert not identifiers(pd.DataFrame(columns))
    assert not identifiers(pd.DataFrame({"id": np.arange(10)}))
