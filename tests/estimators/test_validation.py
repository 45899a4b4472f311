"""What is given to an estimator is checked before anything is done with it."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from messy_frames import labels, messy
from numpy.testing import assert_array_equal
from scipy import sparse
from six_samples import X as SIX
from six_samples import Y
from sklearn.base import clone
from sklearn.ensemble import (
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from small_data import IRIS, small_forest

from hedgerow import (
    InvalidDataError,
    InvalidParameterError,
    RuleList,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    RuleListRegressorCV,
)
from hedgerow.estimators.validation import check_training, check_weight, models_of
from hedgerow.tables import TableEncoder
from hedgerow.tasks import Labels, Numbers
from hedgerow.teachers import Teacher


@pytest.mark.parametrize("frame", [pd.DataFrame, lambda X, columns: pl.DataFrame(X, schema=columns)])
def test_column_names_of_data_frames_are_kept(frame):
    names = ["sepal length", 'the "width"', "π", "petal\nwidth"]
    X, y = frame(IRIS[0], columns=names), IRIS[1]
    fitted = RuleListClassifier(RandomForestClassifier(10, max_depth=2, random_state=0), max_rules=4).fit(X, y)
    assert fitted.feature_names_in_.tolist() == names
    assert {c.feature.name for rule in fitted.rule_list_ for c in rule.conditions} <= set(names)
    assert_array_equal(fitted.predict(X), fitted.rule_list_.predict(IRIS[0]))


@pytest.mark.parametrize(("value", "message"), [(np.nan, "contains NaN"), (np.inf, "contains infinity")])
def test_values_the_ensemble_cannot_take(value, message):
    X, y = IRIS
    bad = X.copy()
    bad[3, 1] = value
    model = GradientBoostingClassifier(n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match=message):
        RuleListClassifier(model).fit(bad, y)
    fitted = RuleListClassifier(model).fit(X, y)
    with pytest.raises(InvalidDataError, match=message):
        fitted.predict(bad)


def test_empty_data():
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        RuleListClassifier(small_forest()).fit(np.empty((0, 4)), [])
    with pytest.raises(InvalidDataError, match="0 samples"):
        RuleListClassifier(small_forest()).fit(pd.DataFrame(columns=list("abcd"), dtype=float), [])


def test_frames_that_are_not_collected():
    with pytest.raises(InvalidDataError, match=r"LazyFrame.*collect"):
        RuleListClassifier(small_forest()).fit(pl.DataFrame(IRIS[0]).lazy(), IRIS[1])


@pytest.mark.parametrize("estimator", [RuleListClassifier(), RuleListRegressor()])
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (IRIS[1][:-1], "150 rows, but y has 149 targets"),
        (None, "requires y to be passed"),
        (np.column_stack([IRIS[1]] * 2), "y should be a 1d array"),
        (np.where(IRIS[1] == 0, np.nan, 1.0), "Input y contains NaN"),
    ],
    ids=["short", "none", "two columns", "nan"],
)
def test_targets_of_the_wrong_form(estimator, y, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(IRIS[0], y)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.full(150, -1.0), "Negative values"),
        (np.zeros(150), "at least one non-zero"),
        (np.ones(149), "sample_weight has 149 numbers, but X has 150 rows"),
        (np.full(150, np.nan), "NaN"),
    ],
    ids=["negative", "zero", "short", "nan"],
)
def test_weights_that_cannot_be(weight, message):
    with pytest.raises(ValueError, match=message):
        RuleListClassifier(small_forest()).fit(*IRIS, sample_weight=weight)


def test_training_samples_by_hand():
    estimator = RuleListClassifier()
    samples = check_training(estimator, Labels, SIX.tolist(), Y.tolist(), [0, 1, 2, 3, 4, 5])
    assert_array_equal(samples.X, SIX)
    assert_array_equal(samples.y, Y)
    assert samples.weight.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert samples.task.labels == ["a", "b"]
    assert (samples.n_features, samples.names, estimator.n_features_in_) == (1, None, 1)
    numbers = check_training(RuleListRegressor(), Numbers, pd.DataFrame({"x": [1, 2]}), [3, 4])
    assert (numbers.names.tolist(), numbers.weight, numbers.y.dtype) == (["x"], None, np.float64)


def test_samples_of_weight_zero_do_not_count_as_a_second_class():
    with pytest.raises(InvalidDataError, match="class"):
        check_training(RuleListClassifier(), Labels, SIX, Y, [1, 1, 0, 0, 0, 0])


def test_a_sparse_matrix_is_refused_before_anything_is_fitted():
    with pytest.raises(InvalidDataError, match="sparse"):
        check_training(RuleListClassifier(), Labels, sparse.csr_array(SIX), Y)


def test_a_single_weight_is_that_of_every_sample():
    assert check_weight(2, SIX).tolist() == [2.0] * 6


def test_the_models_that_see_the_samples_are_the_ensemble_and_the_teachers():
    trees, teacher = small_forest(), RandomForestClassifier()
    assert models_of(RuleListClassifier()) == []
    assert models_of(RuleListClassifier(trees)) == [trees]
    assert models_of(RuleListClassifier(trees, teacher=Teacher(teacher))) == [trees, teacher]


@pytest.mark.parametrize(
    "estimator",
    [
        RuleListClassifier(random_state=0),
        RuleListClassifier.accurate(random_state=0, time_limit=2),
        RuleListClassifier(
            RandomForestClassifier(9, random_state=0),
            teacher=Teacher(RandomForestClassifier(9, random_state=0), copies=2),
            candidates="nodes",
            time_limit=2,
        ),
        RuleListClassifierCV(RandomForestClassifier(9, max_depth=3, random_state=0), max_rules=[3, 5], cv=2),
    ],
    ids=["default", "accurate", "teacher", "search"],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_frame_with_strings_is_taken_as_it_is(estimator):
    X, new = (messy(5, new=is_new).drop(columns=["built", "seen"]) for is_new in (False, True))
    estimator = clone(estimator).fit(X, labels(messy(5)))
    pools = estimator.ensemble_ if isinstance(estimator.ensemble_, list) else [estimator.ensemble_]
    assert all(isinstance(one[0], TableEncoder) for one in pools)
    reloaded = RuleList.from_json(estimator.rule_list_.to_json())
    for frame in (X, new):
        if len(pools) == 1:
            assert_array_equal(estimator.forest_.predictions(frame), estimator.ensemble_.predict(frame))
        assert_array_equal(estimator.apply(frame), reloaded.apply(frame))
        assert_array_equal(estimator.predict(frame), reloaded.predict(frame))
    used = {condition.feature.name for rule in estimator.rule_list_ for condition in rule.conditions}
    assert used <= set(X.columns)
    with pytest.warns(UserWarning, match="feature names"):
        assert_array_equal(estimator.predict(X.astype(object).to_numpy()), estimator.predict(X))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_regressor_takes_strings_too():
    X = messy(6)[["color", "price", "size"]]
    y = (X["color"] == "red").fillna(False).astype(float) * 3 + X["size"].fillna(0)
    rules = RuleListRegressor.accurate(random_state=0, time_limit=2).fit(X, y)
    assert all(isinstance(one[0], TableEncoder) for one in (*rules.ensemble_, rules.teacher_))
    assert rules.score(X, y) > 0.8


@pytest.mark.parametrize(
    ("X", "why"),
    [
        (np.array([["A11"], ["A12"]] * 3), r"X\[:, 0\] contains strings, such as 'A11'.*table_pipeline"),
        (np.array([["2020-01-01"]] * 6, dtype="M8[D]"), r"X\[:, 0\] contains dates, such as 2020-01-01"),
        ([{"a": 1}] * 6, r"list of dictionaries\. Pass pandas\.DataFrame\(X\)"),
        ("rows.csv", r"pandas\.read_csv\('rows\.csv'\)"),
        (pd.DataFrame(index=range(6)), "X has no columns"),
        (np.arange(6.0), r"Reshape your data: X\.reshape\(1, -1\)"),
    ],
)
def test_samples_that_cannot_be_used_say_the_way_out(X, why):
    with pytest.raises(InvalidDataError, match=why):
        check_training(RuleListClassifier(), Labels, X, Y)


def test_a_table_of_arrow_is_taken_like_a_data_frame():
    frame = pd.DataFrame(IRIS[0], columns=["a", "b", "c", "d"])
    found = RuleListClassifier(small_forest(), max_rules=3).fit(pa.Table.from_pandas(frame), IRIS[1])
    assert found.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert_array_equal(found.predict(pa.Table.from_pandas(frame)), found.predict(frame))
    assert_array_equal(found.predict(pa.RecordBatch.from_pandas(frame)), found.predict(frame))
    assert len(found.explain(pa.Table.from_pandas(frame))) == 150


@pytest.mark.parametrize("kind", [RuleListClassifier, RuleListRegressor, RuleListClassifierCV, RuleListRegressorCV])
def test_a_fit_without_targets_names_the_class(kind):
    with pytest.raises(InvalidDataError, match=rf"^{kind.__name__} requires y to be passed.* Call fit\(X, y\)"):
        kind().fit(IRIS[0])


def test_a_preset_with_an_unknown_parameter_suggests_another():
    with pytest.raises(
        InvalidParameterError, match=r"RuleListClassifier has no parameter 'n_rules'\. Did you mean max_"
    ):
        RuleListClassifier.accurate(n_rules=4)


@pytest.mark.parametrize("kind", [RuleListClassifier, RuleListRegressor, RuleListClassifierCV, RuleListRegressorCV])
def test_an_unknown_parameter_is_refused_by_the_class(kind):
    with pytest.raises(
        TypeError, match=rf"^{kind.__name__}\.__init__\(\) got an unexpected keyword argument 'max_rule'"
    ):
        kind(max_rule=3)


def test_dates_where_numbers_are_needed_are_refused_beside_strings_too():
    X = pd.DataFrame({"x": np.linspace(-1, 1, 60), "c": ["r", "g", "g"] * 20})
    rules = RuleListClassifier(max_rules=4, random_state=0).fit(X, (X["x"] > 0) | (X["c"] == "r"))
    for ask in (rules.predict, rules.rule_list_.predict):
        with pytest.raises(InvalidDataError, match="The column 'x' of X contains dates, such as 2020"):
            ask(X.assign(x=pd.Timestamp("2020")))


@pytest.mark.parametrize("second", ["numbers", "strings"])
def test_columns_called_by_integers_must_come_in_the_same_order(second):
    other = np.random.default_rng(0).normal(size=60) if second == "numbers" else ["r", "g", "g"] * 20
    X = pd.DataFrame({5: np.linspace(-1, 1, 60), 2: other})
    y = np.where(X[5] > 0, "yes", "no")
    rules = RuleListClassifier(max_rules=2, random_state=0).fit(X, y)
    assert "x5 <" in str(rules.rule_list_)
    for ask in (rules.predict, rules.rule_list_.predict):
        assert_array_equal(ask(X), y)
        with pytest.raises(InvalidDataError, match=r"different order than in training, which was: 5, 2\."):
            ask(X[[2, 5]])
