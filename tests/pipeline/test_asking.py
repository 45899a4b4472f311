"""A model is asked in batches, the questions are counted, and what it says is checked."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.svm import SVC

from hedgerow import InvalidDataError, InvalidParameterError, UnfittedModelError, read_forest
from hedgerow.pipeline.asking import Questions, forest_of, predictions_of
from hedgerow.tasks import Labels, Numbers
from hedgerow.teachers import Oracle

AB = Labels(np.array(["a", "b"]))
ROWS = np.arange(10.0)[:, None]


def ask(function, X=ROWS, task=None, **given):
    return Questions(function, Numbers() if task is None else task, Oracle(function, **given))(X)


def test_rows_go_out_in_batches_and_are_counted():
    sizes = []

    def double(X):
        sizes.append(len(X))
        return 2 * X[:, 0]

    questions = Questions(double, Numbers(), Oracle(double, batch=4))
    assert_allclose(questions(ROWS), 2 * ROWS[:, 0])
    assert sizes == [4, 4, 4, 4, 2]  # the first four twice, to see whether the predictions are the same
    assert (questions.n_rows, questions.n_calls) == (18, 5)
    questions(ROWS[:3])
    assert (questions.n_rows, questions.n_calls) == (21, 6)


def test_a_limit_leaves_less_for_the_second_look_and_then_refuses():
    questions = Questions(lambda X: X[:, 0], Numbers(), Oracle(len, limit=13))
    questions(ROWS)
    assert questions.n_left == 1  # one row was asked about twice before
    with pytest.raises(InvalidParameterError, match="Raise the limit"):
        questions(ROWS)


def test_frames_are_asked_about_as_frames():
    frame = pd.DataFrame({"x": np.arange(5.0), "color": list("rgbrg")})
    said = ask(lambda X: np.where(X["color"] == "r", X["x"], -1.0), frame, batch=2)
    assert said.tolist() == [0, -1, -1, 3, -1]


@pytest.mark.parametrize("row", [0, 5, 4999])
def test_the_row_on_which_a_model_fails_is_named(row):
    def fails(X):
        if (X[:, 0] == row).any():
            raise RuntimeError("no such customer")
        return X[:, 0]

    with pytest.raises(InvalidDataError, match=rf"failed on row {row} of 6000: RuntimeError: no such customer"):
        ask(fails, np.arange(6000.0)[:, None], batch=1000)


def test_a_model_that_fails_on_several_rows_together_only():
    def fails(X):
        if len(X) > 1:
            raise ValueError("one at a time")
        return X[:, 0]

    with pytest.raises(InvalidDataError, match="failed on rows 0 to 9 together: ValueError: one at a time"):
        ask(fails)
    assert_allclose(ask(fails, batch=1), ROWS[:, 0])


def test_a_failure_that_passes_is_told_from_one_of_the_rows():
    n_calls = []

    def loses_its_connection(X):
        n_calls.append(len(X))
        if len(n_calls) == 4:  # two calls find out whether it is steady
            raise ConnectionError("reset by peer")
        return X[:, 0]

    said = r"failed once on rows 3 to 5, but not when asked about them again: ConnectionError: .*\(It may be a passing"
    with pytest.raises(InvalidDataError, match=said):
        ask(loses_its_connection, batch=3)
    n_calls.clear()
    with pytest.raises(InvalidDataError, match=r"failed once on rows 1 to 1, but not when asked"):
        ask(loses_its_connection, batch=1)


@pytest.mark.parametrize("limit", [40, 70, 100, 150])
def test_the_search_for_the_row_that_fails_keeps_to_the_limit(limit):
    asked = []

    def fails(X):
        asked.append(len(X))
        if (X[:, 0] == 21).any():
            raise RuntimeError("no such customer")
        return X[:, 0]

    named = "row 21 of 32:" if limit >= 100 else rf"one of rows \d+ to \d+: .*limit={limit}"
    with pytest.raises(InvalidDataError, match=named):
        ask(fails, np.arange(32.0)[:, None], limit=limit)
    assert sum(asked) <= limit


@pytest.mark.parametrize("limit", [10, 11, 12])
def test_a_limit_that_suffices_for_the_rows_alone_is_no_error(limit):
    questions = Questions(lambda X: X[:, 0], Numbers(), Oracle(len, limit=limit))
    assert_allclose(questions(ROWS), ROWS[:, 0])
    assert questions.n_rows == (10 if limit < 12 else 12)

    def fails(X):
        if (X[:, 0] == 7).any():
            raise RuntimeError("no such customer")
        return X[:, 0]

    with pytest.raises(InvalidDataError, match="no such customer"):
        ask(fails, limit=limit)


@pytest.mark.parametrize("size", [1e-9, 1e-4, 1.0, 1e6])
@pytest.mark.parametrize("shift", [0.0, 1.0])
def test_predictions_that_change_by_little_are_refused_if_that_is_much_for_them(size, shift):
    rng = np.random.default_rng(0)
    if shift and size < 1e-5:
        return  # in single precision, that is rounding
    with pytest.raises(InvalidDataError, match="something else each time"):
        ask(lambda X: shift + size * (X[:, 0] + 0.1 * rng.normal(size=len(X))))
    rounded = ask(lambda X: size * (X[:, 0] + 1e-8 * rng.normal(size=len(X))))
    assert_allclose(rounded, size * ROWS[:, 0], atol=1e-6 * size)


def test_predictions_that_change_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(InvalidDataError, match="something else each time: asked twice about row 0"):
        ask(lambda X: rng.normal(size=len(X)))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda X: np.where(X[:, 0] == 7, "c", "a"), "other labels than y has: 'c' for row 7"),
        (lambda X: np.where(X[:, 0] == 7, np.nan, 0.5), "nan for row 7 of 10; .* the share of the second"),
        (lambda X: X[:, 0] - 5, "-5.0 for row 0 of 10; .* between 0 and 1"),
        (lambda X: pd.array(["a"] * 9 + [None]), "row 9 of 10"),
        (lambda X: np.where(X[:, :1] == 3, [0.5, 0.6], [0.5, 0.5]), r"row 3 of 10 are \[0.5, 0.6\]; .* sum to 1"),
        (lambda X: np.where(X[:, :1] == 3, [-0.5, 1.5], [0.5, 0.5]), "row 3 .* at least 0"),
        (lambda X: np.full((len(X), 2), np.nan), "row 0"),
        (lambda X: np.full((len(X), 3), 1 / 3), "3 class shares per row, but y has 2 classes"),
        (lambda X: ["a"], "asked about 10 rows and returned 1 prediction. It must"),
        (lambda X: "a", "returned the single value 'a'"),
        (lambda X: 0.5, "returned the single value 0.5"),
        (lambda X: np.float64(1), "returned the single value np.float64"),
        (lambda X: None, "returned None. It must return one prediction per row"),
        (lambda X: {"prediction": X}, "returned a dict"),
        (lambda X: np.full((len(X), 2, 2), 0.5), "2 x 2 class shares per row"),
        (lambda X: np.full((len(X), 2), "a"), "shares must be numbers"),
    ],
)
def test_predictions_that_are_no_labels_or_shares_are_refused(function, said):
    with pytest.raises(InvalidDataError, match=said):
        ask(function, task=AB)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda X: np.full(len(X), "high"), "must predict numbers here; for row 0 of 10 it predicts 'high'"),
        (lambda X: np.where(X[:, 0] == 7, np.inf, 1), "inf for row 7"),
        (lambda X: np.ones((len(X), 2)), "one number per row; it returned 2"),
    ],
)
def test_predictions_that_are_no_numbers_are_refused(function, said):
    with pytest.raises(InvalidDataError, match=said):
        ask(function)


def test_labels_shares_and_the_share_of_the_second_class_are_all_shares():
    assert ask(lambda X: np.where(X[:, 0] > 4, "b", "a"), task=AB)[[0, 9]].tolist() == [[1, 0], [0, 1]]
    assert_allclose(ask(lambda X: X[:, 0] / 10, task=AB)[[0, 9]], [[1, 0], [0.1, 0.9]])
    shares = np.column_stack([ROWS[:, 0] / 10, 1 - ROWS[:, 0] / 10])
    assert_allclose(ask(lambda X: shares[: len(X)], task=AB), shares)
    assert_allclose(ask(lambda X: shares[: len(X)], task=AB, classes=["b", "a"]), shares[:, ::-1])
    with pytest.raises(InvalidDataError, match="other labels"):
        ask(lambda X: shares, task=AB, classes=["b", "c"])


ONE_TWO = Labels(np.array([1, 2]))


@pytest.mark.parametrize("batch", [1, 3, 100])
def test_a_batch_of_shares_that_are_all_one_is_no_batch_of_labels(batch):
    def share(X):
        return np.minimum(X[:, 0] / 4, 1.0)

    questions = Questions(share, ONE_TWO, Oracle(share, batch=batch))
    assert_allclose(questions(ROWS)[:, 1], share(ROWS))
    assert_allclose(questions(ROWS[6:]), [[0, 1]] * 4)  # as was found before
    whole = ask(lambda X: np.where(X[:, 0] > 4, 1.0, 2.0), task=ONE_TWO, batch=batch)
    assert whole[:, 0].tolist() == [0] * 5 + [1] * 5
    with pytest.raises(InvalidDataError, match=r"1.0 is a label of y, and as a share it stands for 2. Say which"):
        ask(lambda X: np.ones(len(X)), task=ONE_TWO, batch=batch)
    assert ask(lambda X: np.ones(len(X)), task=ONE_TWO, returns="labels").tolist() == [[1, 0]] * 10
    assert ask(lambda X: np.ones(len(X)), task=ONE_TWO, returns="shares").tolist() == [[0, 1]] * 10
    assert ask(lambda X: np.ones(len(X), dtype=int), task=ONE_TWO).tolist() == [[1, 0]] * 10  # no share is an integer
    for labels in ([0, 1], [-1, 1], [False, True]):
        assert ask(lambda X: np.ones(len(X)), task=Labels(np.array(labels))).tolist() == [[0, 1]] * 10


def test_what_numbers_stand_for_may_be_said():
    with pytest.raises(InvalidDataError, match="other labels"):
        ask(lambda X: X[:, 0] / 10, task=AB, returns="labels")
    with pytest.raises(InvalidDataError, match=r"2\.0 for row 0 of 10; it must be the share"):
        ask(lambda X: np.full(len(X), 2.0), task=ONE_TWO, returns="shares")
    with pytest.raises(InvalidParameterError, match="returns of an Oracle must be"):
        Oracle(len, returns="share")


class Tensor(list):
    """What a network returns: it must be detached before it is an array."""

    def detach(self):
        return np.array(self)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda shares: pd.DataFrame(shares[:, ::-1], columns=["b", "a"]),  # in the order of its own names
        lambda shares: pd.DataFrame(shares, columns=["p", "q"]),
        lambda shares: shares.tolist(),
        Tensor,
        lambda shares: iter(shares.tolist()),
        lambda shares: shares[:, 1],
        lambda shares: shares[:, 1:].astype(np.float32),  # as a network with one output returns it
    ],
)
def test_shares_may_come_in_many_forms(wrap):
    shares = np.column_stack([ROWS[:, 0] / 10, 1 - ROWS[:, 0] / 10])
    assert_allclose(ask(lambda X: wrap(shares[: len(X)]), task=AB), shares, atol=1e-6)


@pytest.mark.parametrize(
    "wrap",
    [list, iter, pd.Series, pd.Categorical, lambda y: pd.Series(y, dtype="string"), lambda y: y[:, None], pd.DataFrame],
)
def test_labels_may_come_in_many_forms(wrap):
    said = ask(lambda X: wrap(np.where(X[:, 0] > 4, "b", "a")), task=AB)
    assert said[:, 1].tolist() == [0] * 5 + [1] * 5


def test_booleans_integers_and_floats_are_the_same_labels():
    for classes in ([False, True], [0, 1], [0.0, 1.0]):
        for kind in (bool, int, float, object):
            said = ask(lambda X, kind=kind: (X[:, 0] > 4).astype(int).astype(kind), task=Labels(np.array(classes)))
            assert said[:, 1].tolist() == [0] * 5 + [1] * 5


def test_a_model_that_changes_its_rows_changes_a_copy():
    frame = pd.DataFrame({"x": ROWS[:, 0]})

    def spoils(X):
        X -= 5
        return np.asarray(X)[:, 0]

    for rows in (ROWS.copy(), frame):
        assert_allclose(ask(spoils, rows), ROWS[:, 0] - 5)
        assert_allclose(np.asarray(rows), ROWS)


def test_a_synthetic_row_is_shown_and_said_to_be_one():
    def fails(X):
        if (X["size"] > 7).any():
            raise KeyError("no such size")
        return np.zeros(len(X))

    frame = pd.DataFrame({"size": np.arange(10.0), "color": "red"})
    questions = Questions(fails, Numbers(), Oracle(fails))
    with pytest.raises(InvalidDataError, match=r"a synthetic row \(size=8.0, color='red'\): KeyError.*copies=0"):
        questions(frame, synthetic=True)
    with pytest.raises(InvalidDataError, match=r"failed on all 2 rows of a call: KeyError: 'no such size'$"):
        questions(frame[8:])


def test_a_decision_function_says_which_label():
    X, y = load_iris(return_X_y=True)

    class Scorer:
        def __init__(self, model):
            self.classes_, self.decision_function = model.classes_, model.decision_function

    for kept in (y >= 0, y > 0):
        model = SVC().fit(X[kept], y[kept])
        said = Questions(Scorer(model), Labels(np.unique(y[kept])), Oracle(Scorer(model)))(X[kept])
        assert_array_equal(model.classes_[said.argmax(axis=1)], model.predict(X[kept]))


def test_a_model_of_the_other_task_is_refused():
    X, y = load_iris(return_X_y=True)
    task = Labels(np.unique(y))
    for model in (LinearRegression().fit(X, y), read_forest(RandomForestRegressor(2).fit(X, y))):
        with pytest.raises(InvalidParameterError, match="is a regressor; use RuleListRegressor"):
            Questions(model, task, Oracle(model))
    for model in (SVC().fit(X, y), read_forest(RandomForestClassifier(2).fit(X, y))):
        with pytest.raises(InvalidParameterError, match="is a classifier; use RuleListClassifier"):
            Questions(model, Numbers(), Oracle(model))


def test_a_model_that_is_not_fitted_is_refused():
    with pytest.raises(UnfittedModelError, match="The model is not fitted"):
        ask(LinearRegression())


def test_an_estimator_without_class_shares_is_asked_for_labels():
    X, y = load_iris(return_X_y=True)
    model = SVC().fit(X, y)
    task = Labels(np.unique(y))
    assert_array_equal(Questions(model, task, Oracle(model))(X).argmax(axis=1), model.predict(X))


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(InvalidParameterError, match="A list cannot be asked"):
        ask([1, 2])
    with pytest.raises(InvalidParameterError, match="pass a fitted instance"):
        Oracle(SVC)
    for given in ({"batch": 0}, {"limit": 0}):
        with pytest.raises(InvalidParameterError, match="at least 1"):
            Oracle(len, **given)


def test_predictions_of_models_with_trees_and_without():
    X, y = load_iris(return_X_y=True)
    names = np.array(["s", "e", "i"])[y]
    forest, task = RandomForestClassifier(5, random_state=0).fit(X, names), Labels(np.unique(names))
    for model in (forest, Oracle(forest)):
        labels, shares = predictions_of(model, forest_of(model), task, X)
        assert_array_equal(labels, forest.predict(X))
        assert_allclose(shares, forest.predict_proba(X))
    assert forest_of(Oracle(read_forest(forest))) is not None
    line = LinearRegression().fit(X, y)
    assert forest_of(Oracle(line)) is None
    values, shares = predictions_of(Oracle(line), None, Numbers(), X)
    assert_allclose(values, line.predict(X))
    assert shares is None
    curve = Oracle(SVC().fit(X, names))
    assert_array_equal(predictions_of(curve, None, task, X)[0], curve.model.predict(X))
