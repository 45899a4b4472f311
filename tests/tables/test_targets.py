"""Labels are tidied, and what is doubtful about a target is told."""

import numpy as np
import pandas as pd
import pytest

from hedgerow.tables.targets import notes_on_classes, tidy_labels, warnings_on_targets


def tidied(values, **given):
    column, notes = tidy_labels(pd.Series(values, dtype=object), **given)
    return column.tolist(), [str(note) for note in notes]


def test_blanks_around_labels_are_ignored_and_told():
    values, notes = tidied(["no", "no ", " yes", " ", None])
    assert values == ["no", "no", "yes", None, None]
    assert notes == ["blanks at the ends of labels are ignored: 'no ', ' yes'"]


@pytest.mark.parametrize("mark", ["NA", "?", "n/a", "null", "#N/A", "nan"])
def test_the_usual_marks_are_missing_labels(mark):
    values, (note,) = tidied(["no", "yes", mark])
    assert values == ["no", "yes", None]
    assert note == f"the target {mark} is read as missing (na=[''] to keep it as a class)"
    assert tidied(["no", "yes", mark], na=[""]) == (["no", "yes", mark], [])
    assert tidied(["no", "yes", mark], classes=["no", "yes", mark]) == (["no", "yes", mark], [])


def test_marks_that_name_a_class_stay_and_are_told():
    values, (note,) = tidied(["None", "mild", "severe"])
    assert values == ["None", "mild", "severe"]
    assert note == "the target None is a class (na=['None'] to leave out these rows)"
    assert tidied(["+", "-"])[0] == ["+", "-"]


def test_a_mark_is_a_class_if_there_is_only_one_other():
    assert tidied(["yes", "NA"])[0] == ["yes", "NA"]


def test_other_targets_are_not_touched():
    for column in (
        pd.Series([1.0, np.nan]),
        pd.Series([[1], [2]], dtype=object),
        pd.Series([True, None], dtype=object),
    ):
        assert tidy_labels(column)[1] == []
        pd.testing.assert_series_equal(tidy_labels(column)[0], column)


def test_classes_are_listed_by_their_counts():
    labels = np.array(["b", "a", "b", *"cdefghijklm"])
    (note,) = notes_on_classes(labels, "y")
    assert str(note).startswith("classes of y: b (2 rows), a (1 row), c (1 row)")
    assert str(note).endswith("and 3 more")


def test_few_rows_and_rare_classes_are_warned_of():
    assert warnings_on_targets(np.array([0, 1] * 20), True) == []
    few, rare = map(str, warnings_on_targets(np.array(["a"] * 9 + ["b"]), True))
    assert "only 10 rows" in few
    assert "a single row has the target b" in rare
    assert len(warnings_on_targets(np.arange(10.0), False)) == 1


def test_several_marks_are_told_in_the_plural():
    _, (note,) = tidied(["no", "yes", "NA", "?"])
    assert note == "the targets ? and NA are read as missing (na=[''] to keep them as classes)"
    _, (note,) = tidied(["None", "-", "mild", "severe"])
    assert note == "the targets - and None are classes (na=['-', 'None'] to leave out these rows)"
