"""Columns are traced through nested steps; what cannot be inverted is computed, and a warning says so."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from pipelines import SMALL, Sums, binned, check, conditions, mixed, numbers, on_thresholds, texts
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    RandomForestClassifier,
)
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.feature_selection import SelectFromModel, SelectKBest
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    PolynomialFeatures,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier

from hedgerow import (
    read_forest,
)
from hedgerow.features import Word
from hedgerow.readers.tracing import Table, trace


@pytest.mark.parametrize(
    "columns",
    [
        [["age", "rooms"], "income"],
        [[0, 4], slice(1, 2)],
        [slice("age", "income"), [True, False, False, False, True]],
        [make_column_selector(dtype_include="number"), ["age"]],
        [lambda frame: ["income"], np.array([0])],
        [[-1], [0, 1]],
    ],
    ids=["names", "numbers", "slice and mask", "selector", "callable and array", "from the end"],
)
def test_columns_chosen_in_every_way(columns):
    X, y = mixed(missing=False)
    first, second = columns
    second = [second] if isinstance(second, str) else second
    model = make_pipeline(
        ColumnTransformer([("a", StandardScaler(), first), ("b", MinMaxScaler(), second), ("c", "drop", ["city"])]),
        SelectKBest(k=2),
        RandomForestClassifier(**SMALL),
    ).fit(X, y)
    check(model, on_thresholds(check(model, X), X))


def test_the_rest_of_the_columns():
    X, y = mixed(missing=False)
    for rest in ("passthrough", StandardScaler()):
        columns = ColumnTransformer([("cat", OneHotEncoder(), ["color", "city"])], remainder=rest)
        model = make_pipeline(columns, RandomForestClassifier(**SMALL)).fit(X, y)
        forest = check(model, X)
        assert {f.name for f in forest.features} == set(X.columns)
        check(model, on_thresholds(forest, X), forest)


def test_nested_pipelines_selections_and_frames_between_steps():
    X, y = mixed()
    inside = ColumnTransformer(
        [("scaled", StandardScaler(), ["age"]), ("again", make_pipeline("passthrough", MinMaxScaler()), ["income"])],
        verbose_feature_names_out=False,
    )
    model = make_pipeline(
        ColumnTransformer(
            [
                ("num", make_pipeline(SimpleImputer(), inside), ["income", "age"]),
                ("cat", OneHotEncoder(sparse_output=False), make_column_selector(dtype_exclude="number")),
            ],
        ),
        SelectFromModel(DecisionTreeClassifier(random_state=0), threshold=-1, max_features=5),
        RandomForestClassifier(**SMALL),
    ).set_output(transform="pandas")
    model.fit(X, y)
    check(model, on_thresholds(check(model, X), X))


@pytest.mark.parametrize(
    ("steps", "names", "said"),
    [
        ([StandardScaler(), PCA(2)], {"pca0", "pca1"}, r"pca \(PCA\) computes pca"),
        ([PCA(2), StandardScaler()], {"pca0", "pca1"}, r"pca \(PCA\)"),
        ([PolynomialFeatures(2, interaction_only=True)], {"x0", "x1", "x2", "x0 x1", "x0 x2", "x1 x2"}, "x0 x1"),
        ([StandardScaler(), Sums()], {"sums0", "sums1"}, r"sums \(Sums\)"),
        ([KNNImputer()], {f"knnimputer__x{i}" for i in range(3)}, r"knnimputer \(KNNImputer\) computes knnimputer__x"),
        ([IterativeImputer(), StandardScaler()], {f"iterativeimputer__x{i}" for i in range(3)}, "IterativeImputer"),
        ([FunctionTransformer(np.square)], {"functiontransformer0"}, "FunctionTransformer"),
        ([FunctionTransformer(lambda X: X * 2)], {"functiontransformer0"}, "FunctionTransformer"),
        ([Normalizer()], {f"normalizer__x{i}" for i in range(3)}, "Normalizer"),
        ([FeatureUnion([("n", Normalizer()), ("p", "passthrough")])], {"n__x0", "x0"}, "Normalizer"),
        ([binned(3)], {"x0_0.0"}, "KBinsDiscretizer"),
    ],
    ids=lambda given: "-".join(type(step).__name__ for step in given) if isinstance(given, list) else "",
)
def test_what_cannot_be_inverted_is_computed_and_said(steps, names, said):
    X, y = numbers()
    model = make_pipeline(*steps, RandomForestClassifier(**SMALL)).fit(X, y)
    with pytest.warns(UserWarning, match=said) as caught:
        forest = read_forest(model)
    assert [warning.filename for warning in caught] == [__file__]
    assert names <= {f.name for f in forest.features}
    check(model, X, forest)


def test_a_step_that_cannot_be_inverted_runs_once_for_all_its_outputs():
    X, y = numbers()

    class Counted(PCA):
        runs = 0

        def transform(self, X):
            Counted.runs += 1
            return super().transform(X)

    model = make_pipeline(Counted(3), RandomForestClassifier(**SMALL)).fit(X, y)
    with pytest.warns(UserWarning, match="Counted"):
        forest = read_forest(model)
    Counted.runs = 0
    forest.apply(X)
    assert Counted.runs == 1


def test_computed_features_are_equal_when_read_again_or_pickled():
    X, y = numbers()
    model = make_pipeline(StandardScaler(), PCA(3), RandomForestClassifier(**SMALL)).fit(X, y)
    with pytest.warns(UserWarning, match="PCA"):
        forest, again = read_forest(model), read_forest(model)
    assert forest.features == again.features
    loaded = pickle.loads(pickle.dumps(forest))
    assert loaded.features == forest.features
    assert set(loaded.features) == set(forest.features)
    assert_array_equal(loaded.apply(X), forest.apply(X))


@pytest.mark.parametrize("kind", [list, np.array, pd.Series])
def test_words_are_contained_or_not(kind):
    found, y = texts()
    found = kind(found)
    model = make_pipeline(CountVectorizer(), RandomForestClassifier(**SMALL, max_depth=3)).fit(found, y)
    forest = check(model, found)
    assert all(isinstance(f, Word) for f in forest.features)
    stump = make_pipeline(CountVectorizer(), DecisionTreeClassifier(max_depth=1))
    labels = [int("refund" in text) for text in found]
    stump.fit(found, labels)
    assert conditions(read_forest(stump)) == ['text does not contain "refund"', 'text contains "refund"']
    assert conditions(read_forest(stump, ["note"])) == ['note does not contain "refund"', 'note contains "refund"']


def test_a_text_that_is_one_column_of_several():
    found, y = texts()
    X = pd.DataFrame({"amount": np.arange(len(found)) / 7, "message": found})
    columns = ColumnTransformer([("text", CountVectorizer(), "message"), ("num", StandardScaler(), ["amount"])])
    model = make_pipeline(columns, RandomForestClassifier(**SMALL)).fit(X, y)
    check(model, on_thresholds(check(model, X), X))
    stump = make_pipeline(columns, DecisionTreeClassifier(max_depth=1)).fit(X, ["refund" in t for t in found])
    assert conditions(read_forest(stump)) == ['message does not contain "refund"', 'message contains "refund"']


def test_counts_above_one_are_counts():
    found, _ = texts()
    y = [text.count("refund") > 1 for text in found]
    model = make_pipeline(CountVectorizer(), DecisionTreeClassifier(max_depth=1)).fit(found, y)
    assert conditions(check(model, found)) == ['count of "refund" <= 1', 'count of "refund" > 1']


@pytest.mark.parametrize("norm", ["l2", None])
def test_weights_of_words_are_contained_or_not_only_if_that_is_exact(norm):
    found, _ = texts()
    y = ["refund" in text for text in found]
    weigh = [TfidfVectorizer(norm=norm)], [CountVectorizer(), TfidfTransformer(norm=norm)]
    for steps in weigh:
        model = make_pipeline(*steps, DecisionTreeClassifier(max_depth=1)).fit(found, y)
        left, right = conditions(check(model, found))
        if norm is None:
            assert (left, right) == ('text does not contain "refund"', 'text contains "refund"')
        else:
            assert left.startswith('tf-idf of "refund" <= 0.')


def test_hashed_words_are_computed():
    found, y = texts()
    model = make_pipeline(HashingVectorizer(n_features=16), RandomForestClassifier(**SMALL)).fit(found, y)
    with pytest.warns(UserWarning, match="HashingVectorizer"):
        forest = read_forest(model)
    check(model, found, forest)


def test_of_many_words_only_those_in_the_trees_are_features():
    rng = np.random.default_rng(0)
    found = [" ".join(f"w{i}" for i in rng.integers(0, 10000, 100)) for _ in range(300)]
    model = make_pipeline(CountVectorizer(), RandomForestClassifier(20, max_depth=4, random_state=0))
    model.fit(found, rng.integers(0, 2, 300))
    forest = check(model, found)
    assert 0 < len(forest.features) <= 20 * 15


def traced(step, *names):
    """The names, bases and moves of the columns after a step on a table of these columns."""
    X = np.arange(12.0).reshape(4, 3)[:, : len(names)] % 5
    step = step.fit(pd.DataFrame(X, columns=names))
    table = trace(step, Table.of_columns(names), "step")
    return table, [(column.base, [type(move).__name__ for move in column.moves]) for column in table.columns]


def test_columns_keep_their_names_and_moves_in_the_order_of_the_output():
    columns = ColumnTransformer(
        [("scaled", make_pipeline(SimpleImputer(), StandardScaler()), ["c"]), ("kept", "passthrough", ["a"])]
    )
    table, found = traced(columns, "a", "b", "c")
    assert table.names == ["c", "a"]
    assert found == [(2, ["Fill", "Monotone"]), (0, [])]
    assert table.computed == {}


def test_a_step_that_cannot_be_inverted_starts_new_columns():
    table, found = traced(make_pipeline(StandardScaler(), PCA(2), MinMaxScaler()), "a", "b", "c")
    assert [base.name for base, _ in found] == ["pca0", "pca1"]
    assert [moves for _, moves in found] == [["Monotone"]] * 2
    assert [computed.name for computed in table.computed.values()] == ["pca (PCA)"]


def test_a_part_of_a_table_is_some_columns_or_one_vector():
    table = Table.of_columns(["a", "b", "c"])
    assert table.part((2, 0), "some").names == ["c", "a"]
    assert table.part((2, 0), "some").prefix == "some__"
    assert table.part((2, 0), "some").text is None
    assert table.part(1, "one").text == "b"


def test_what_is_computed_from_a_selection_of_computed_columns():
    X, y = numbers()
    chosen = ColumnTransformer([("pca", PCA(1), [0, 1]), ("norm", Normalizer(), [2, 3])])
    model = make_pipeline(PolynomialFeatures(2), PCA(5), chosen, RandomForestClassifier(**SMALL)).fit(X, y)
    with pytest.warns(UserWarning, match="PolynomialFeatures|PCA"):
        forest = read_forest(model)
    check(model, X, forest)
    fresh = numbers(300, seed=5)[0]
    check(model, fresh, forest)
