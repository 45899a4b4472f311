"""Lists that explain a fitted model, whatever it is made of."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine, make_friedman1
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from hedgerow import (
    InvalidDataError,
    InvalidParameterError,
    RuleList,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    RuleListRegressorCV,
    UnfittedModelError,
)
from hedgerow.teachers import Oracle, Teacher

pytestmark = pytest.mark.filterwarnings("error::hedgerow.exceptions.PoorListWarning")


@pytest.fixture(scope="module")
def tumours():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return train_test_split(X.iloc[:, 20:28], np.where(y == 1, "benign", "malignant"), train_size=150, random_state=0)


@pytest.fixture(scope="module")
def explained(tumours):
    X, _, y, _ = tumours
    model = HistGradientBoostingClassifier(max_iter=30, random_state=0).fit(X, y)
    return model, RuleListClassifier.faithful(model, max_rules=5, random_state=0).fit(X, y)


def test_the_list_predicts_what_the_model_predicts(explained, tumours):
    model, rules = explained
    _, X, _, y = tumours
    agreement = np.mean(rules.predict(X) == model.predict(X))
    assert agreement > 0.9
    assert rules.agreement(X) == agreement
    assert rules.solution_.optimal
    found = rules.fidelity(X, y)
    assert found.disagreement == pytest.approx(1 - agreement)
    assert found.agreements[0].value == agreement
    assert (found.score, found.ensemble_score) == (rules.score(X, y), model.score(X, y))
    shares, expected = rules.predict_proba(X), model.predict_proba(X)
    assert found.brier == pytest.approx(((shares - expected) ** 2).sum(axis=1).mean())


def test_a_rule_tells_the_models_opinion_beside_what_the_samples_say(tumours):
    X, more, y, of_more = tumours
    X, y = pd.concat([X, more[:100]]), np.concatenate([y, of_more[:100]])
    model, asked = HistGradientBoostingClassifier(max_iter=30, random_state=0).fit(X, y), []

    def ask(rows):
        asked.append(rows)
        return model.predict_proba(rows)

    # The steadiness check asks twice about 100 samples; then come the samples, then the synthetic rows.
    oracle = Oracle(ask, batch=1000, limit=1050)
    rules = RuleListClassifier.faithful(oracle, max_rules=2, random_state=0).fit(X, y)
    assert [len(rows) for rows in asked] == [100, 100, 250, 600]
    assert rules.n_rows_asked_ == 1050
    rows = pd.concat([X, asked[-1]])
    weight = np.r_[np.ones(250), np.full(600, rules.settings_.teacher.weight)]
    said, where = model.predict_proba(rows), rules.apply(rows)
    coverages = [rule.coverage for rule in rules.rule_list_]
    assert coverages[0] >= 100 > coverages[1]
    for i, rule in enumerate(rules.rule_list_):
        mine, k = where[:250] == i, list(rules.classes_).index(rule.prediction)
        assert rule.coverage == np.count_nonzero(mine)
        assert rule.class_share == pytest.approx(np.mean(y[mine] == rule.prediction))
        # With 100 samples or more, these alone say what the model predicts here.
        told = slice(0, 250) if rule.coverage >= 100 else slice(None)
        here = where[told] == i
        expected = np.average(said[told][here], axis=0, weights=weight[told][here])
        assert_allclose(rule.distribution, expected)
        assert rule.of_model == pytest.approx(expected[k])
        assert f"({100 * rule.class_share:.0f} %, model {100 * rule.of_model:.0f} %)" in str(rule)
    again = RuleList.from_json(rules.rule_list_.to_json())
    assert [rule.of_model for rule in again] == [rule.of_model for rule in rules.rule_list_]


def test_stable_rules_are_the_models_own(explained, tumours):
    model, rules = explained
    X, _, y, _ = tumours
    assert rules.forest_.n_trees > model.n_iter_  # trees on its predictions
    stable = RuleListClassifier.faithful(model, max_rules=5, stability_weight=0.5, random_state=0).fit(X, y)
    assert stable.forest_.n_trees == model.n_iter_
    assert stable.fidelity(X).trees_by_condition > rules.fidelity(X).trees_by_condition


def test_the_model_is_never_fitted_again(explained, tumours):
    model, rules = explained
    X, _, y, _ = tumours
    assert clone(rules).ensemble.model is model
    search = RuleListClassifierCV.faithful(Oracle(model, limit=600), max_rules=[3], cv=2, random_state=0).fit(X, y)
    assert search.teacher_ is model
    assert clone(search).ensemble.model is model
    # What counts is agreement: with a model that is always wrong, the list is as good as with one that is right.
    opposite = Oracle(lambda rows: np.where(model.predict(rows) == "benign", "malignant", "benign"), limit=600)
    wrong = RuleListClassifierCV.faithful(opposite, max_rules=[3], cv=2, random_state=0).fit(X, y)
    assert wrong.best_score_ > 0.85
    assert wrong.score(X, y) < 0.15


@pytest.mark.parametrize("how", ["estimator", "labels", "shares", "share"])
def test_any_model_can_be_explained(how, tumours):
    X, X_test, y, _ = tumours
    model = make_pipeline(StandardScaler(), LogisticRegression() if how in ("shares", "share") else SVC()).fit(X, y)
    asked = {
        "estimator": model,
        "labels": model.predict,
        "shares": lambda rows: model.predict_proba(rows),
        "share": lambda rows: model.predict_proba(rows)[:, 1],
    }[how]
    rules = RuleListClassifier.faithful(Oracle(asked, limit=1500), max_rules=6, random_state=0).fit(X, y)
    assert rules.agreement(X_test) > 0.88
    assert rules.fidelity(X_test).trees_by_path is None
    tree = DecisionTreeClassifier(max_leaf_nodes=6, random_state=0).fit(X, model.predict(X))
    assert rules.agreement(X) > np.mean(tree.predict(X) == model.predict(X)) - 0.03


def test_numbers_of_any_model():
    X, y = make_friedman1(400, random_state=0)
    line = LinearRegression().fit(X[:300], y[:300])
    rules = RuleListRegressor.faithful(Oracle(line, limit=1500), max_rules=8, random_state=0).fit(X[:300], y[:300])
    found = rules.fidelity(X[300:])
    said = line.predict(X[300:])
    assert found.r2 == pytest.approx(1 - np.mean((rules.predict(X[300:]) - said) ** 2) / said.var())
    assert found.r2 == pytest.approx(rules.agreement(X[300:]))
    assert found.r2 > 0.5
    where, in_training = rules.apply(X[:300]), line.predict(X[:300])
    for i, rule in enumerate(rules.rule_list_):
        mine = where == i
        assert rule.prediction == pytest.approx(in_training[mine].mean(), abs=0.1 * said.std())
        assert rule.of_model == pytest.approx(in_training[mine].std(), abs=0.2 * said.std())
        assert rule.spread == pytest.approx(np.sqrt(np.mean((y[:300][mine] - rule.prediction) ** 2)))
    assert "(model ± " in str(rules.rule_list_)
    forest = Oracle(RandomForestRegressor(5, max_depth=4, random_state=0).fit(X, y), limit=600)
    search = RuleListRegressorCV.faithful(forest, max_rules=[2, 6], cv=2, random_state=0)
    assert search.fit(X[:150], y[:150]).best_max_rules_ == 6


def test_shares_of_classes_one_and_two_stay_shares(tumours):
    X, X_test, y, _ = tumours
    numbered = np.where(y == "benign", 2, 1)
    forest = RandomForestClassifier(20, random_state=0).fit(X, numbered)

    def share(rows):
        return forest.predict_proba(rows)[:, 1]

    sure = X_test[share(X_test) == 1]
    for kind, budget in ((RuleListClassifier, 4), (RuleListClassifierCV, [4])):
        rules = kind.faithful(Oracle(share, limit=2000), max_rules=budget, random_state=0).fit(X, numbered)
        assert rules.agreement(sure) == np.mean(rules.predict(sure) == 2) > 0.9
        assert rules.ensemble.returns is None  # what was given stays as it is
    with pytest.raises(InvalidDataError, match="Say which"):
        RuleListClassifier.faithful(lambda rows: np.ones(len(rows))).fit(X, numbered)


@pytest.mark.parametrize("stability_weight", [0.0, 0.5])
def test_the_classes_of_a_model_that_knows_numbers_have_names(stability_weight, tumours):
    X, X_test, y, y_test = tumours
    names = ["malignant", "benign"]  # not the sorted order
    forest = RandomForestClassifier(20, max_depth=4, random_state=0).fit(X, np.where(y == "benign", 1, 0))
    oracle = Oracle(forest, classes=names, limit=2000)
    given = {"max_rules": 4, "stability_weight": stability_weight, "random_state": 0}
    rules = RuleListClassifier.faithful(oracle, **given).fit(X, y)
    expected = np.array(names)[forest.predict(X_test)]
    assert rules.agreement(X_test) == np.mean(rules.predict(X_test) == expected) > 0.8
    found = rules.fidelity(X_test, y_test)
    assert found.ensemble_score == np.mean(expected == y_test)
    assert found.brier < 0.3
    assert len(rules.disagreements(X_test)) == np.count_nonzero(rules.predict(X_test) != expected)


def test_medians_of_a_model_tell_its_spread_too():
    X, y = make_friedman1(400, random_state=0)
    line = LinearRegression().fit(X, y)
    rules = RuleListRegressor.faithful(line, max_rules=2, loss="mae", random_state=0).fit(X, y)
    said, where = line.predict(X), rules.apply(X)
    large = [i for i, rule in enumerate(rules.rule_list_) if rule.coverage >= 100]
    assert large
    for i in large:  # smaller rules count the synthetic rows, too
        rule = rules.rule_list_[i]
        assert rule.of_model == pytest.approx(said[where == i].std())
        assert rule.prediction == pytest.approx(np.median(said[where == i]), abs=0.1)
    lines = str(rules.rule_list_).splitlines()[: len(rules.rule_list_)]
    assert all("then median " in line and "(model ± " in line for line in lines)


def test_targets_for_other_rows_are_refused_in_words(explained, tumours):
    _, rules = explained
    _, X, _, y = tumours
    with pytest.raises(InvalidDataError, match=f"X has {len(X)} rows, but y has 5 targets"):
        rules.fidelity(X, y[:5])


def test_a_model_with_trees_says_itself_what_is_wrong_with_the_rows(explained, tumours):
    model, _ = explained
    X, _, y, _ = tumours
    with pytest.raises(InvalidDataError, match=r"^X has 4 columns") as caught:
        RuleListClassifier.faithful(model, max_rules=2).fit(X.iloc[:, :4].to_numpy(), y)
    assert "failed" not in str(caught.value)


def test_more_rows_than_the_limit_are_too_many_for_a_later_question(tumours):
    X, more, y, _ = tumours
    ask = Oracle(lambda rows: np.where(rows["worst area"] > 900, "malignant", "benign"), limit=300)
    rules = RuleListClassifier.faithful(ask, max_rules=2, random_state=0).fit(X, y)
    with pytest.raises(InvalidParameterError, match="Raise the limit of the Oracle, or pass fewer rows"):
        rules.agreement(more)


def test_rules_see_through_the_steps_of_a_pipeline():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    frame = X.assign(sex=np.where(X["sex"] > 0, "f", "m"), age=np.where(X["age"] > 0, "old", None))
    from sklearn.compose import make_column_transformer

    encode = make_column_transformer((OneHotEncoder(), ["sex", "age"]), remainder="passthrough")
    model = make_pipeline(encode, RandomForestClassifier(20, random_state=0)).fit(frame, y > 150)
    rules = RuleListClassifier.faithful(model, max_rules=5, random_state=0).fit(frame, y > 150)
    assert {c.feature.name for rule in rules.rule_list_ for c in rule.conditions} <= set(frame)
    assert rules.agreement(frame) > 0.7


def test_a_class_that_the_model_never_predicts_stays_a_class():
    X, y = load_wine(return_X_y=True)
    rules = RuleListClassifier.faithful(lambda rows: (np.asarray(rows)[:, 0] > 13).astype(int), max_rules=3).fit(X, y)
    assert rules.classes_.tolist() == [0, 1, 2]
    assert set(rules.predict(X)) == {0, 1}
    assert rules.agreement(X) > 0.97


def test_questions_are_batched_counted_and_limited(tumours):
    X, _, y, _ = tumours
    sizes = []

    def ask(rows):
        sizes.append(len(rows))
        return np.where(rows["worst area"] > 900, "malignant", "benign")

    rules = RuleListClassifier.faithful(Oracle(ask, batch=250, limit=1000), max_rules=2, random_state=0).fit(X, y)
    assert max(sizes) <= 250
    assert sum(sizes) == rules.n_rows_asked_ <= 1000
    assert len(sizes) == rules.n_calls_
    assert rules.agreement(X) > 0.97
    with pytest.raises(InvalidParameterError, match="Raise the limit"):
        RuleListClassifier.faithful(Oracle(ask, limit=100), max_rules=2).fit(X, y)


@pytest.mark.parametrize(
    ("given", "limit"),
    [({}, 1000), ({}, 150), ({}, 255), ({}, None), ({"max_rules": None, "patience": 1}, 700), ({"n_jobs": 2}, 1000)],
)
def test_a_search_has_one_limit_and_one_count(given, limit, tumours, tmp_path):
    X, _, y, _ = tumours
    log = tmp_path / "asked"  # which processes share

    def ask(rows):
        with log.open("a") as file:
            file.write(f"{len(rows)}\n")
        return np.where(rows["worst area"] > 900, "malignant", "benign")

    oracle = Oracle(ask, limit=limit)
    given = {"max_rules": [2, 3], "cv": 3, "random_state": 0} | given
    search = RuleListClassifierCV.faithful(oracle, **given).fit(X, y)
    sizes = [int(line) for line in log.read_text().split()]
    assert search.n_rows_asked_ == sum(sizes) <= (limit or np.inf)
    assert search.n_calls_ == len(sizes)
    if limit == 150:
        assert sizes == [150]
    n_fits = 5 if given["max_rules"] is None else 4
    assert len(sizes) <= 3 + n_fits  # the check of steadiness, the samples, and the synthetic rows of each fit
    expected = np.where(X["worst area"] > 900, "malignant", "benign")
    assert np.mean(search.predict(X) == expected) > 0.95


def test_a_fold_scores_the_agreement_on_the_rows_that_it_leaves_out(tumours):
    X, _, y, _ = tumours
    for model in (SVC().fit(X, y), HistGradientBoostingClassifier(max_iter=10, random_state=0).fit(X, y)):
        splitter = StratifiedKFold(2)
        search = RuleListClassifierCV.faithful(model, max_rules=[3], cv=splitter, random_state=0).fit(X, y)
        for i, (train, test) in enumerate(splitter.split(X, y)):
            alone = RuleListClassifier.faithful(model, max_rules=3, random_state=0).fit(X.iloc[train], y[train])
            agreement = alone.agreement(X.iloc[test])
            assert search.cv_results_[f"split{i}_test_score"].tolist() == [agreement]
        whole = RuleListClassifier.faithful(model, max_rules=3, random_state=0).fit(X, y)
        assert str(search.rule_list_) == str(whole.rule_list_)


def test_models_that_cannot_be_explained_are_refused(tumours):
    X, _, y, _ = tumours
    other = RandomForestClassifier(5, random_state=0).fit(X, y == "benign")
    with pytest.raises(InvalidDataError, match="other labels than y has"):
        RuleListClassifier.faithful(other).fit(X, y)
    with pytest.raises(UnfittedModelError, match="not fitted"):
        RuleListClassifier.faithful(RandomForestClassifier()).fit(X, y)
    with pytest.raises(InvalidParameterError, match="cannot be asked"):
        RuleListClassifier.faithful(42).fit(X, y)
    with pytest.raises(InvalidParameterError, match="Pass it"):
        RuleListClassifier(preset="faithful").fit(X, y)
    with pytest.raises(InvalidParameterError, match="fitted instance"):
        RuleListClassifier.faithful(RandomForestClassifier)


@pytest.mark.parametrize(
    "given",
    [
        {"target": "ensemble"},
        {"target": "labels"},
        {"target": 0.5},
        {"teacher": Teacher(RandomForestClassifier())},
        {"teacher": Teacher(Oracle(LogisticRegression()), share=1)},
    ],
)
def test_what_would_replace_the_model_is_refused(given, explained, tumours):
    X, _, y, _ = tumours
    model, _ = explained
    for kind in (RuleListClassifier, RuleListClassifierCV, RuleListRegressor):
        refused = pytest.raises(InvalidParameterError, match=r"contradicts faithful\(model\)")
        with refused:
            kind.faithful(model, **given).fit(X, y)
        with refused:
            kind.faithful(model).set_params(**given).fit(X, y)
    half = Teacher(Oracle(model), share=0.5)
    with pytest.raises(InvalidParameterError, match="share=1"):
        RuleListClassifier.faithful(model, teacher=half).fit(X, y)
    for name in ("ensemble", "preset"):
        with pytest.raises(InvalidParameterError, match=f"takes no {name}"):
            RuleListClassifier.faithful(model, **{name: None})


def test_a_list_with_a_teacher_of_its_own_is_still_compared_with_the_model(tumours):
    X, X_test, y, _ = tumours
    model = SVC().fit(X, y)
    for kind, budget in ((RuleListClassifier, 3), (RuleListClassifierCV, [3])):
        rules = kind.faithful(model, teacher=Teacher(Oracle(model), share=1, copies=1), max_rules=budget).fit(X, y)
        assert rules.agreement(X_test) == np.mean(rules.predict(X_test) == model.predict(X_test))


def test_a_model_that_fails_on_synthetic_rows_can_be_explained_without_them(tumours):
    X, _, y, _ = tumours
    known = set(X["worst area"] * X["worst texture"])

    def ask(rows):
        if not set(rows["worst area"] * rows["worst texture"]) <= known:
            raise KeyError("no such tumour")
        return np.where(rows["worst area"] > 900, "malignant", "benign")

    with pytest.raises(InvalidDataError, match=r"a synthetic row \(worst radius=.* 'no such tumour'.*copies=0"):
        RuleListClassifier.faithful(ask, max_rules=2, random_state=0).fit(X, y)
    teacher = Teacher(Oracle(ask), share=1, copies=0)
    rules = RuleListClassifier.faithful(ask, max_rules=2, random_state=0, teacher=teacher).fit(X, y)
    assert rules.agreement(X) > 0.97


def test_a_model_that_cannot_decide_anywhere_is_explained_by_any_list(tumours):
    X, _, y, _ = tumours
    undecided = Oracle(lambda rows: np.full((len(rows), 2), 0.5), limit=500)
    rules = RuleListClassifier.faithful(undecided, max_rules=2, random_state=0).fit(X, y)
    assert_allclose(rules.predict_proba(X), 0.5)


def test_frames_of_polars_reach_a_function_as_they_are(tumours):
    polars = pytest.importorskip("polars")
    X, _, y, _ = tumours
    frame = polars.DataFrame({name: X[name].to_numpy() for name in X})
    rules = RuleListClassifier.faithful(
        lambda rows: (rows["worst area"] > 900).replace_strict({True: "malignant", False: "benign"}), max_rules=2
    ).fit(frame, y)
    assert rules.agreement(frame) > 0.97


def test_frames_reach_a_function_as_frames(tumours):
    X, _, y, _ = tumours
    seen = set()

    def ask(rows):
        seen.add(type(rows))
        return np.where(rows["worst area"] > 900, "malignant", "benign")

    rules = RuleListClassifier.faithful(ask, max_rules=2, random_state=0).fit(X, y)
    assert seen == {pd.DataFrame}
    assert_array_equal(rules.predict(X), ask(X))
