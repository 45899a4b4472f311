"""Options that make no sense are refused with the way out; the others are read as meant."""

import numpy as np
import pytest

from hedgerow import Condition, HedgerowError, InvalidParameterError, Rule, RuleList
from hedgerow.exporters.sql.options import Options
from hedgerow.features import Column, Inputs
from hedgerow.tasks import Labels, Numbers

A, B = Column(0, "a"), Column(1, "b")
LIST = RuleList(
    (Rule((Condition(A, upper=0.5), Condition(B, upper=0.5)), "it's", 6, 0.6, (0.25, 0.75)),),
    Rule((), "no", distribution=(0.45, 0.55)),
    Inputs((A, B)),
    np.array(["no", "it's"]),
)
PLAIN = {
    "dialect": "postgres",
    "table": None,
    "returns": "prediction",
    "label": None,
    "columns": None,
    "booleans": (),
    "alias": None,
}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dialect": "oracle"}, "postgres, sqlite, duckdb, bigquery"),
        ({"returns": "answer"}, "prediction, rule, text, probability"),
        ({"returns": "probability", "label": "maybe"}, r"label.*\['no', \"it's\"\]"),
        ({"label": "no"}, "Leave label out"),
        ({"columns": ["a"]}, "2 names"),
        ({"columns": ["a", "a"]}, "Two columns.*columns="),
        ({"columns": ["a", "A"], "dialect": "duckdb"}, "Two columns"),
        ({"columns": ["a", ""]}, "needs a name"),
        ({"columns": ["a", "b\0"]}, "characters"),
        ({"booleans": ["c"]}, "'c' is not one of them"),
        ({"table": ["a", "b", "c", "d"]}, "catalog"),
        ({"table": ""}, "name"),
        ({"table": ("schema", "")}, "name"),
        ({"table": "t", "alias": ""}, "name"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(HedgerowError, match=message):
        LIST.to_sql(**options)


def test_an_option_that_is_not_there_is_refused():
    with pytest.raises(TypeError, match="schema"):
        LIST.to_sql(schema="s")


@pytest.mark.parametrize(
    ("table", "path"), [(None, ()), ("t", ("t",)), (("s", "t"), ("s", "t")), (["c", "s", "t"], ("c", "s", "t"))]
)
def test_a_table_is_a_name_or_several(table, path):
    assert Options(**PLAIN | {"table": table}).table_path == path


def test_of_two_classes_the_second_is_asked_for_and_of_three_one_must_be_named():
    asked = PLAIN | {"returns": "probability"}
    assert Options(**asked).class_index(Labels(np.array(["no", "yes"]))) == 1
    assert Options(**asked | {"label": "no"}).class_index(Labels(np.array(["no", "yes"]))) == 0
    assert Options(**asked | {"label": 7}).class_index(Labels(np.array([3, 5, 7]))) == 2
    with pytest.raises(InvalidParameterError, match=r"one of \[3, 5, 7\]; got None"):
        Options(**asked).class_index(Labels(np.array([3, 5, 7])))
    with pytest.raises(InvalidParameterError, match="regression list has no probabilities"):
        Options(**asked).class_index(Numbers())


def test_names_in_the_database_only_need_to_differ_where_rules_look():
    asked = Options(**PLAIN | {"columns": ["x", "y", "y"], "booleans": "y"})
    assert asked.column_names(["a", "b", "c"], used=[0, 2]) == ["x", "y", "y"]
    assert asked.boolean_columns(["x", "y", "y"], used=[0, 2]) == {2}
    with pytest.raises(InvalidParameterError, match="'y' and 'y'"):
        asked.column_names(["a", "b", "c"], used=[1, 2])
