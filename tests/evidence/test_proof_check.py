"""Rows in memory, of any kind of table, are checked as those of a file are."""

import json

import numpy as np
import polars
import pytest
from certified_lists import BY_NAME, certified
from small_data import IRIS, unfitted_forest

from hedgerow import InvalidDataError, RuleListClassifier
from hedgerow.evidence import Check, check


@pytest.fixture(scope="module")
def case():
    return certified(BY_NAME["categories"], 0)


def test_a_verdict_is_true_or_false_and_says_why(case):
    found, refused = check(case.text, *case.rows), check(case.text, case.X[::-1], case.y)
    assert isinstance(found, Check)
    assert (bool(found), bool(refused)) == (True, False)
    assert str(found).startswith("proven: ")
    assert str(refused) == "not proven: these are not the training rows"


def test_the_document_may_be_text_or_its_content(case):
    assert check(case.document, *case.rows) == check(case.text, *case.rows)


def test_columns_are_found_by_their_names_in_frames_of_any_library(case):
    shuffled = case.X[case.X.columns[::-1]].assign(another=1.0)
    assert check(case.text, shuffled, case.y)
    assert check(case.text, polars.DataFrame(case.X.to_dict("list")), case.y)
    assert check(case.text, case.X.to_numpy(), case.y)


def test_labels_may_be_numbers_of_another_type():
    X, y = IRIS
    rules = RuleListClassifier(unfitted_forest(), max_rules=4).fit(X, y)
    assert check(rules.to_json(certificate=True), X.astype(np.float32), y.astype(float))


@pytest.mark.parametrize("document", ["{}", "[]", '{"format": "hedgerow.rule_list"}', {}])
def test_a_document_without_a_certificate_is_refused(document):
    with pytest.raises(InvalidDataError, match="no certificate"):
        check(document, *IRIS)


def test_a_document_that_lacks_something_is_not_proven(case):
    for name in case.document["certificate"]:
        document = case.document
        del document["certificate"][name]
        verdict = check(document, *case.rows)
        assert str(verdict).startswith("not proven: ")
    document = json.loads(case.text.replace('"rules"', '"lines"', 1))
    assert not check(document, *case.rows)


def test_what_does_not_fit_the_document_is_named(case):
    X, y = case.X, np.asarray(case.y)
    lacking = str(check(case.text, X.iloc[:, :1], y))
    assert lacking.startswith(f"not proven: the list was learned from {X.shape[1]} columns, X has 1; pass ")
    assert str(check(case.text, X, y[:5])).startswith(f"not proven: the numbers of rows differ: {len(X)} in X, 5 in y")
    unknown = check(case.text, X, [None] * len(y))
    assert str(unknown).endswith("y contains None, which is not a class of the list")
    with pytest.raises(InvalidDataError, match=r"y must be an array, with one target per row; its shape is \(\)"):
        check(case.text, X, None)
    with pytest.raises(InvalidDataError, match="The document is not JSON: Expecting"):
        check("{", X, y)
    numbers = certified(BY_NAME["numbers"], 0)
    lacking = [*np.asarray(numbers.y).tolist()[:-1], None]
    assert str(check(numbers.text, numbers.X, lacking)).endswith("not the training rows: y has missing values")
