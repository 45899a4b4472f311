"""Rules see through skrub's TableVectorizer where they can, and route every row as the pipeline does."""

import numpy as np
import pandas as pd
import pytest
from messy_frames import labels, messy
from numpy.testing import assert_array_equal
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hedgerow import RuleList, RuleListClassifier, read_forest
from hedgerow.features import Category, Column, DatePart, Output
from hedgerow.readers.inversions import Encode, Rounded, TakePart
from hedgerow.readers.skrub_moves import moves_of_skrub

skrub = pytest.importorskip("skrub")

PLAIN = ["color", "size", "rooms", "balcony", "heating", "zip"]


def forest(**others):
    return RandomForestClassifier(**{"n_estimators": 12, "max_depth": 4, "random_state": 0} | others)


def frame(seed, new=False):
    """Return columns that can be seen through, one of them of strings that are numbers."""
    X = messy(seed, new=new)
    written = [f"{x:.3f}" if x == x else "NA" for x in X["size"]]
    written[:3] = [" 5", "?", "soon"] if new else [" 5", "7 ", ""]
    return X[PLAIN].assign(written=pd.Series(written, dtype=object))


@pytest.mark.filterwarnings("ignore:Found unknown categories")
@pytest.mark.parametrize("seed", range(6))
def test_every_row_is_routed_as_in_the_pipeline(seed):
    X, y = frame(seed), labels(messy(seed), seed)
    model = make_pipeline(skrub.TableVectorizer(), forest(random_state=seed)).fit(X, y)
    read = read_forest(model)
    assert {type(feature) for feature in read.features} <= {Column, Category}
    rules = RuleListClassifier(model, max_rules=6, candidates="nodes", time_limit=2).fit(X, y).rule_list_
    reloaded = RuleList.from_json(rules.to_json())
    for rows in (X, frame(seed, new=True)):
        assert_array_equal(read.apply(rows), model[-1].apply(model[0].transform(rows)))
        assert_array_equal(reloaded.apply(rows), rules.apply(rows))


def test_numbers_next_to_a_threshold_go_where_skrub_sends_them():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.normal(size=200)})
    model = make_pipeline(skrub.TableVectorizer(), forest()).fit(X, (X["a"] > X["b"]).astype(int))
    read = read_forest(model)
    near = read.nodes.threshold[read.nodes.left >= 0]
    X = pd.DataFrame({name: np.concatenate([np.nextafter(near, end) for end in (-9, 0, 9)] + [near]) for name in "ab"})
    assert_array_equal(read.apply(X), model[-1].apply(model[0].transform(X)))


def test_parts_of_times_are_seen_and_the_others_are_computed():
    X = messy(0)[["seen", "size"]]
    y = np.where(X["seen"].dt.dayofweek > 4, "free", "busy")
    dates = skrub.DatetimeEncoder(add_weekday=True)
    model = make_pipeline(skrub.TableVectorizer(datetime=dates), forest()).fit(X, y)
    with pytest.warns(UserWarning, match="Rules are about columns that the pipeline computes.*seen_total_seconds"):
        read = read_forest(model)
    assert {type(feature) for feature in read.features} == {Column, DatePart, Output}
    rows = messy(1)[["seen", "size"]]
    assert_array_equal(read.apply(rows), model[-1].apply(model[0].transform(rows)))


def test_long_strings_and_written_dates_are_computed():
    X = pd.DataFrame({"name": [f"person {i} of {i % 7}" for i in range(150)], "day": messy(0)["built"]})
    model = make_pipeline(skrub.TableVectorizer(high_cardinality=skrub.StringEncoder(4)), forest())
    model.fit(X, labels(messy(0)))
    with pytest.warns(UserWarning, match="Rules are about columns that the pipeline computes.*name_"):
        read = read_forest(model)
    assert {type(feature) for feature in read.features} == {Output}
    assert_array_equal(read.apply(X), model[-1].apply(model[0].transform(X)))


def test_categories_of_numbers_are_computed():
    X = messy(0)[["floor"]]
    model = make_pipeline(skrub.TableVectorizer(), forest()).fit(X, labels(messy(0)))
    with pytest.warns(UserWarning, match="Rules are about columns that the pipeline computes"):
        read = read_forest(model)
    assert_array_equal(read.apply(X), model[-1].apply(model[0].transform(X)))


def test_moves_are_those_of_the_outputs():
    X = messy(0)[["color", "size", "seen", "balcony"]].assign(name=[f"a {i}" for i in range(150)])
    vectorizer = skrub.TableVectorizer().fit(X)
    moves = dict(zip(vectorizer.get_feature_names_out(), moves_of_skrub(vectorizer), strict=True))
    assert {name: type(move) for name, move in moves.items() if name[:4] in ("colo", "size", "balc")} == {
        **dict.fromkeys([f"color_{one}" for one in ("black", "blue", "it's green", "red", "nan")], Encode),
        "size": Rounded,
        "balcony": Rounded,
    }
    assert type(moves["seen_year"]) is type(moves["seen_month"]) is TakePart
    assert moves["seen_hour"] is moves["seen_total_seconds"] is moves["name_00"] is None
    assert moves_of_skrub(StandardScaler()) is None


def test_pipelines_of_skrub_itself_are_read():
    X, y = frame(0).drop(columns="zip"), labels(messy(0))
    model = skrub.tabular_pipeline("classifier").fit(X, y)
    read = read_forest(model)
    assert_array_equal(read.predictions(X), model.predict(X))
    new = frame(0, new=True).drop(columns="zip")
    assert_array_equal(read.predictions(new), model.predict(new))
