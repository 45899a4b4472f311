"""The text of a LightGBM model, written by hand, becomes arrays."""

import numpy as np
import pytest

from hedgerow import UnsupportedModelError
from hedgerow.readers.lightgbm_text import MISSING_IS_ZERO, ZERO_IS_MISSING, parse

#: Two trees: a stump on a number; and a number (zero counts as missing) above a set of the categories 0, 2 and 33.
TEXT = """tree
version=v4
num_tree_per_iteration=1
feature_names=age color
feature_infos=[0:90] 0:2:33:-1
objective=binary sigmoid:1

Tree=0
num_leaves=2
num_cat=0
split_feature=0
threshold=30.5
decision_type=2
left_child=-1
right_child=-2
leaf_value=0.1 0.2
internal_value=0

Tree=1
num_leaves=3
num_cat=1
split_feature=0 1
threshold=60.5 0
decision_type=4 1
left_child=1 -1
right_child=-2 -3
leaf_value=1 2 3
internal_value=0 0
cat_boundaries=0 2
cat_threshold=5 2

end of trees

parameters:
[boosting: gbdt]
[categorical_feature: 1]
end of parameters

pandas_categorical:null
"""


def test_header_and_parameters():
    text = parse(TEXT, "this model")
    assert text.objective == ["binary", "sigmoid:1"]
    assert text.n_outputs == 1
    assert text.names == ["age", "color"]
    assert text.parameters["boosting"] == "gbdt"
    assert text.n_leaves.tolist() == [2, 3]


def test_branches_of_all_trees_come_one_after_the_other():
    branches = parse(TEXT, "this model").branches
    assert branches.tree.tolist() == [0, 1, 1]
    assert branches.column.tolist() == [0, 0, 1]
    assert branches.threshold.tolist() == [30.5, 60.5, 0.0]
    assert branches.left.tolist() == [-1, 1, -1]
    assert branches.has_set.tolist() == [False, False, True]
    assert branches.default_left.tolist() == [True, False, False]
    assert branches.missing.tolist() == [MISSING_IS_ZERO, ZERO_IS_MISSING, MISSING_IS_ZERO]


def test_sets_are_bits_in_words_of_32():
    nodes, codes = parse(TEXT, "this model").sets
    assert nodes.tolist() == [2, 2, 2]
    assert codes.tolist() == [0, 2, 33]  # 5 is bits 0 and 2; bit 1 of the second word is code 33


def test_the_sets_of_each_tree_are_counted_from_its_first_one():
    # Another tree asks for {1} in its second set, and for {32, 40} in its first one.
    third = TEXT[TEXT.index("Tree=1") : TEXT.index("end of trees")]
    third = (
        third.replace("Tree=1", "Tree=2")
        .replace("num_cat=1", "num_cat=2")
        .replace("split_feature=0 1", "split_feature=1 1")
    )
    third = third.replace("threshold=60.5 0", "threshold=1 0").replace("decision_type=4 1", "decision_type=1 1")
    third = third.replace("cat_boundaries=0 2", "cat_boundaries=0 2 3").replace(
        "cat_threshold=5 2", "cat_threshold=0 257 2"
    )
    nodes, codes = parse(TEXT.replace("end of trees", third + "end of trees"), "this model").sets
    assert list(zip(nodes.tolist(), codes.tolist(), strict=True)) == [(2, 0), (2, 2), (2, 33), (4, 32), (4, 40), (3, 1)]


def test_the_codes_of_a_column_are_those_of_training_and_of_the_sets():
    assert parse(TEXT, "this model").codes(1) == [0, 2, 33]
    assert parse(TEXT.replace("0:2:33:-1", "0:2"), "this model").codes(1) == [0, 2, 33]
    assert parse(TEXT, "this model").codes(0) == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_lines_of_any_system(end):
    assert parse(TEXT.replace("\n", end), "this model").names == ["age", "color"]


def with_categories(infos, lists, declared=""):
    """The columns of a data frame to which lists of categories belong."""
    text = TEXT.replace("feature_names=age color", "feature_names=" + " ".join("abcd"[: len(infos)]))
    text = text.replace("feature_infos=[0:90] 0:2:33:-1", "feature_infos=" + " ".join(infos))
    text = text.replace("[categorical_feature: 1]", f"[categorical_feature: {declared}]")
    return parse(text.replace("pandas_categorical:null", f"pandas_categorical:{lists}"), "this model").named_columns()


def test_names_of_categories_find_their_columns():
    assert with_categories(["[0:90]", "0:1:2"], '[["red", "blue", "green"]]') == {1: ["red", "blue", "green"]}
    # An ordered column is one of numbers, here the only one that fits.
    assert with_categories(["[0.5:90]", "[0:2]", "0:1"], '[["S", "M", "L"], ["x", "y"]]') == {
        1: ["S", "M", "L"],
        2: ["x", "y"],
    }


def test_a_column_of_numbers_up_to_two_needs_three_names():
    assert with_categories(["[0:2]", "[0:1]"], '[["x", "y"]]') == {1: ["x", "y"]}
    assert with_categories(["[0:3]", "[0:2]"], '[["x", "y", "z"]]') == {1: ["x", "y", "z"]}


def test_names_that_fit_several_columns_are_refused():
    with pytest.raises(UnsupportedModelError, match=r"ambiguous.*\{S, M, L\}"):
        with_categories(["[0:2]", "[0:1]"], '[["S", "M", "L"]]')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a complete LightGBM model"),
        (TEXT[:300], "not a complete LightGBM model"),
        (TEXT.replace("version=v4", "version=v2"), "has version v2"),
        (TEXT[: TEXT.index("Tree=0")] + TEXT[TEXT.index("end of trees") :], "has no trees"),
    ],
)
def test_what_is_not_a_whole_model_is_refused(text, message):
    with pytest.raises(UnsupportedModelError, match=f"this model .*{message}|this model {message}"):
        parse(text, "this model")


def test_numbers_of_a_missing_line_are_none():
    assert parse(TEXT, "this model").numbers("leaf_count", np.int64).tolist() == []
