"""A data frame has one row per record."""

import pytest

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.to_frame import export
from hedgerow.features import Column, Inputs

A = Column(0, "a")
LIST = RuleList((Rule((Condition(A, upper=5),), 2.5, 3, 1.0, spread=0.5),), Rule((), 1.0, spread=2.0), Inputs((A,)))


def test_the_default_is_the_last_row():
    frame = LIST.to_frame()
    assert frame["rule"].tolist() == [1, "default"]
    assert frame["conditions"].tolist() == ["a <= 5", "otherwise"]
    assert frame["prediction"].tolist() == [2.5, 1.0]
    assert frame["spread"].tolist() == [0.5, 2.0]


def test_the_models_own_share_or_spread_is_a_column_of_a_list_that_explains_one():
    explained = RuleList(
        (Rule((Condition(A, upper=5),), 2.5, 3, 1.0, spread=0.5, of_model=0.25),),
        Rule((), 1.0, spread=2.0, of_model=1.5),
        Inputs((A,)),
    )
    assert explained.to_frame()["of_model"].tolist() == [0.25, 1.5]
    assert "of_model" not in LIST.to_frame()


def test_whatever_has_records_becomes_a_frame():
    class Records:
        def to_records(self):
            return [{"x": 1}, {"x": 2, "y": "b"}]

    frame = export(Records())
    assert frame["x"].tolist() == [1, 2]
    assert frame["y"].isna().tolist() == [True, False]


def test_without_pandas_the_error_names_the_way_out(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install pandas.*to_records"):
        LIST.to_frame()
