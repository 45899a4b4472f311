"""What a list learns: the teacher's predictions mixed with the targets, and synthetic rows."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from taught_lists import forest, labels, lesson, rules

from hedgerow import (
    InvalidDataError,
    InvalidParameterError,
    RuleListClassifier,
    UnfittedModelError,
    UnsupportedModelError,
    read_forest,
)
from hedgerow.pipeline.lesson import Lesson, hear, teach
from hedgerow.pipeline.samples import Heard, Samples
from hedgerow.tasks import Labels, Numbers
from hedgerow.teachers import Oracle, Teacher


def test_the_teacher_alone_decides_what_is_learned_if_its_share_is_one(data):
    X, y = data
    taught = rules(Teacher(forest(), share=1, copies=0)).fit(X, y)
    answers = forest().fit(X, y).oob_prediction_
    where = taught.apply(X)
    for i, rule in enumerate(taught.rule_list_):
        assert rule.prediction == pytest.approx(answers[where == i].mean())


def test_class_shares_of_the_teacher_decide_labels_if_its_share_is_one(tumours):
    X, y = tumours
    model = RandomForestClassifier(60, oob_score=True, random_state=0)
    taught = labels(Teacher(model, share=1, copies=0), max_rules=3).fit(X, y)
    shares = clone(model).fit(X, y).oob_decision_function_
    where = taught.apply(X)
    for i, rule in enumerate(taught.rule_list_):
        assert_allclose(rule.distribution, shares[where == i].mean(axis=0))
        assert rule.prediction == taught.classes_[shares[where == i].sum(axis=0).argmax()]
    assert taught.score(X, y) > 0.85


def test_a_fitted_model_is_used_as_it_is_without_its_out_of_bag_predictions(data):
    X, y = data
    fitted = forest().fit(X, y)
    for model in (fitted, FrozenEstimator(fitted), read_forest(fitted)):
        learned = lesson(Teacher(model, share=1, copies=0), X, y)
        assert learned.model is model
        assert_allclose(learned.targets, fitted.predict(X))
    with pytest.raises(UnfittedModelError, match="Fit it first"):
        lesson(Teacher(FrozenEstimator(forest())), X, y)


def test_a_teacher_need_not_be_of_trees(data, tumours):
    X, y = data
    line = LinearRegression()
    learned = lesson(Teacher(line, copies=1), X, y)
    assert_allclose(learned.targets[120:], line.fit(X, y).predict(learned.X[120:]))
    assert_allclose(lesson(Teacher(line, copies=1), X, y).targets, learned.targets)  # fitted before
    assert rules(Teacher(line)).fit(X, y).teacher_ is line
    with pytest.raises(UnsupportedModelError, match="Give an ensemble"):
        rules(Teacher(line), ensemble=None).fit(X, y)
    curve = make_pipeline(LogisticRegression(C=1e-3, max_iter=10_000))
    taught = labels(Teacher(curve, copies=2), ensemble=RandomForestClassifier(5, max_depth=2, random_state=0))
    assert taught.fit(*tumours).score(*tumours) > 0.85


def test_labels_of_three_classes_keep_their_order_with_a_larger_ensemble():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    whole = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, names)
    rows = y > 0
    model = RandomForestClassifier(40, oob_score=True, random_state=0)
    taught = labels(Teacher(model, copies=2), ensemble=whole).fit(X[rows], names[rows])
    assert taught.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert taught.score(X[rows], names[rows]) > 0.9
    three = labels(Teacher(model, copies=2), ensemble=RandomForestClassifier(10, max_depth=2, random_state=0))
    assert three.fit(X, names).score(X, names) > 0.9
    with pytest.raises(InvalidDataError, match="y lacks class 'setosa', which the model knows"):
        labels(Teacher(whole)).fit(X[rows], names[rows])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"teacher": forest()}, "hedgerow.teachers.Teacher"),
        ({"teacher": Teacher(forest()), "target": 0.5}, "Take target='labels'"),
        ({"teacher": Teacher(RandomForestRegressor)}, "pass an instance"),
        (
            {"teacher": Teacher(RandomForestClassifier(5))},
            "learns numbers from a model, but this RandomForestClassifier is a classifier. Give a regressor",
        ),
        ({"teacher": Teacher(object())}, "must be an estimator"),
    ],
)
def test_teachers_that_cannot_teach_are_refused(data, given, said):
    X, y = data
    with pytest.raises(InvalidParameterError, match=said):
        rules(**given).fit(X, y.astype(int))


def test_a_regression_teaches_no_labels(tumours):
    X, y = tumours
    with pytest.raises(
        InvalidParameterError,
        match=r"this LinearRegression has no predict_proba\. Give a classifier with predict_proba",
    ):
        labels(Teacher(LinearRegression())).fit(X, y == "benign")


class Doubles(LinearRegression):
    """A fitted model that says twice the first column."""

    coef_ = np.array([2.0])

    def predict(self, X):
        return 2.0 * np.asarray(X)[:, 0]


#: Three samples of one column and their values.
THREE = Samples(np.array([[1.0], [2.0], [3.0]]), np.array([0.0, 0.0, 10.0]), np.array([1.0, 0.0, 2.0]), Numbers(), 1)


def test_without_a_teacher_the_samples_are_the_lesson():
    learned = Lesson.of(THREE)
    assert learned.X is THREE.X
    assert learned.y is learned.targets is learned.answered is THREE.y
    assert (learned.weight.tolist(), learned.n_samples, learned.model) == ([1.0, 0.0, 2.0], 3, None)


def test_the_share_of_the_teacher_by_hand():
    learned = teach(Teacher(Doubles(), share=0.25, copies=0), THREE, np.random.RandomState(0))
    assert_allclose(learned.targets, [0.25 * 2, 0.25 * 4, 0.75 * 10 + 0.25 * 6])
    assert_allclose(learned.answered, THREE.y)
    assert_allclose(learned.y, learned.targets)


def test_synthetic_rows_have_the_predictions_of_the_teacher_and_a_share_of_the_weight():
    given = {"share": 0, "copies": 3, "swap": 0, "weight": 0.5, "enough": 1}
    learned = teach(Teacher(Doubles(), **given), THREE, np.random.RandomState(0))
    assert learned.n_samples == 3
    made = np.asarray(learned.X)[3:, 0]
    assert len(made) == 6  # three for each of two samples with weight
    assert set(made) <= {1.0, 3.0}
    assert_allclose(learned.targets[3:], 2 * made)
    # Half the weight of the sample it is made from, halved again, because one sample would be enough.
    assert_allclose(learned.weight[3:], np.where(made == 1, 1.0, 2.0) / 4)


def test_synthetic_rows_that_are_copies_get_the_out_of_bag_prediction_of_their_sample():
    X, y = load_iris(return_X_y=True)
    one = X[:, :1]  # a single column: every synthetic row is a copy
    model = RandomForestClassifier(60, oob_score=True, random_state=0)
    learned = lesson(Teacher(model, copies=2, unseen=True), one, y, classes=np.unique(y))
    plain = lesson(Teacher(model, copies=2), one, y, classes=np.unique(y))
    said = {(x, *shares) for x, shares in zip(one[:, 0], learned.model.oob_decision_function_.tolist(), strict=True)}
    made = learned.X[150:, 0]
    assert all((x, *shares) in said for x, shares in zip(made, learned.targets[150:].tolist(), strict=True))
    assert_allclose(plain.targets[150:], learned.model.predict_proba(made[:, None]))
    both = lesson(Teacher(model, copies=2, swap=0.5, unseen=True), X, y, classes=np.unique(y))
    in_bag = both.model.predict_proba(both.X[150:])
    same = (both.targets[150:] == in_bag).all(axis=1)
    is_copy = (both.X[150:, None] == X).all(axis=2).any(axis=1)
    assert same[~is_copy].all()
    assert not same.all()


def test_class_shares_find_their_place_among_more_classes():
    shares = np.array([[0.25, 0.75]])
    learned = Lesson(None, None, None, shares, shares, np.ones(1), 1)
    moved = learned.with_classes(Labels(np.array(["a", "c"])), Labels(np.array(["a", "b", "c"])))
    assert moved.targets.tolist() == moved.answered.tolist() == [[0.25, 0.0, 0.75]]
    assert learned.with_classes(Labels(np.array(["a", "c"])), Labels(np.array(["a", "c"]))) is learned


def test_an_opinion_is_about_labels():
    with pytest.raises(InvalidParameterError, match=r"Teacher\(opinion=...\) is for labels"):
        teach(Teacher(Doubles(), opinion=1.0), THREE, np.random.RandomState(0))


def test_a_model_that_was_heard_is_not_asked_about_the_samples_again():
    asked = []

    def doubles(X):
        asked.append(len(X))
        return 2.0 * np.asarray(X)[:, 0]

    teacher = Teacher(Oracle(doubles, limit=20), share=1, copies=2, swap=0)
    heard = hear(teacher, THREE)
    assert_allclose(heard.said, [2, 4, 6])
    assert sum(asked) == heard.asked[0]
    assert len(asked) == heard.asked[1]
    assert heard.n_left == 20 - sum(asked)
    n_before = sum(asked)
    learned = teach(teacher, replace(THREE, heard=heard), np.random.RandomState(0))
    assert_allclose(learned.targets, 2.0 * np.asarray(learned.X)[:, 0])
    made = len(learned.X) - 3
    assert made > 0
    assert sum(asked) - n_before == learned.asked[0] == made


def test_the_limit_of_what_was_heard_is_the_limit_of_the_synthetic_rows():
    teacher = Teacher(Oracle(lambda X: 2.0 * np.asarray(X)[:, 0], limit=9), share=1, copies=50, swap=0)
    heard = hear(teacher, THREE)
    learned = teach(teacher, replace(THREE, heard=heard), np.random.RandomState(0))
    assert len(learned.X) - 3 == heard.n_left


def test_a_part_of_the_samples_without_some_class_cannot_learn_from_shares_of_all():
    shares = np.array([[0.5, 0.3, 0.2]] * 4)
    heard = Heard(shares, None, "shares", (4, 1))
    samples = Samples(np.zeros((4, 1)), np.array([0, 1, 0, 1]), None, Labels(np.array([0, 1])), 1, heard=heard)
    with pytest.raises(InvalidDataError, match="The model knows 3 classes, but this part of the samples has 2 of them"):
        teach(Teacher(Oracle(lambda X: shares), share=1), samples, np.random.RandomState(0))


def test_labels_that_the_model_is_for_are_grown_on_and_each_class_keeps_a_sample():
    # The model is never for "c": the sample of "c" that it holds most likely to be one stays what it is.
    y = np.array(["a", "b", "c", "c"])
    shares = np.array([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0], [0.6, 0.3, 0.1], [0.5, 0.2, 0.3]])
    samples = Samples(np.arange(4.0)[:, None], y, np.array([1.0, 2.0, 1.0, 1.0]), Labels(np.unique(y)), 1)
    learned = teach(Teacher(Oracle(lambda X: shares), share=1, copies=0), samples, np.random.RandomState(0))
    assert learned.y.tolist() == ["a", "b", "a", "c"]
    assert_allclose(learned.targets, shares)
    assert learned.weight.tolist() == [1.0, 2.0, 1.0, 1.0]
    # For growing, each counts by its lead over the second class.
    assert_allclose(learned.fit_weight, [0.8, 2 * 0.6, 0.3, 0.2])


def test_a_teacher_that_cannot_learn_says_so():
    samples = Samples(np.array([[np.nan], [1.0]]), np.array([0.0, 1.0]), None, Numbers(), 1)
    with pytest.raises(InvalidDataError, match="learns from a LinearRegression, too, which cannot be fitted"):
        teach(Teacher(LinearRegression()), samples, np.random.RandomState(0))


def test_a_model_for_another_task_is_named_without_a_word_about_teachers():
    X, y = load_iris(return_X_y=True)
    numbers = RandomForestRegressor(3, random_state=0).fit(X, y)
    with pytest.raises(InvalidParameterError, match="this RandomForestRegressor is a regressor") as raised:
        RuleListClassifier.accurate(numbers).fit(X, y)
    assert "RuleListRegressor" in str(raised.value)
    assert "teacher" not in str(raised.value)
