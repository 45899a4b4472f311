"""The scores come with what they mean; warnings say what a reader would otherwise find out too late."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import accuracy_score, r2_score
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.cli.scoring import (
    Explained,
    agreement_text,
    explain,
    scores_text,
    warnings_about,
    warnings_about_agreement,
    warnings_about_size,
)
from hedgerow.evidence.agreement import Agreement
from hedgerow.evidence.company import Company, Surrogate
from hedgerow.evidence.disagreements import Disagreements, Region

GOOD = Company(
    score_name="accuracy",
    n_rows=400,
    of_list=0.875,
    of_ensemble=0.9,
    of_tree=0.85,
    of_majority=0.5,
    n_rules=4,
    tree_leaves=4,
    n_right=350,
    error_to_tree=0.01,
    error_to_majority=0.02,
    uncovered=0.0125,
    overlapping=0.0,
)


def test_each_rival_has_a_line_with_its_score():
    assert scores_text(GOOD, 1200).splitlines() == [
        "learned from 1200 rows, tested on 400 held out:",
        "                             accuracy",
        "this list of 4 rules           0.8750",
        "a decision tree of 4 leaves    0.8500",
        "the whole ensemble             0.9000",
        "the majority class alone       0.5000",
        "the list is right on 350 of 400 rows",
        "rows covered by no rule 1.25 %, by several 0.00 %",
    ]


def test_a_list_that_explains_a_model_is_beside_the_model_and_may_be_worse_than_a_tree():
    explains = replace(GOOD, explains=True, of_tree=0.99)
    assert "the model                      0.9000" in scores_text(explains, 1200).splitlines()
    assert warnings_about(explains, published=False) == []


def test_how_far_list_and_model_agree_is_said_with_the_interval_and_the_regions():
    labels = Disagreements(
        n_samples=40,
        rows=np.array([3, 5]),
        of_list=np.array(["a", "a"]),
        of_model=np.array(["b", "b"]),
        rules=np.array([0, 0]),
        agreement=Agreement("all", 40, 0.95, 0.835, 0.986),
        places=(Region("x > 1", 4, 2), Region("x <= 1", 36, 0)),
    )
    assert agreement_text(Explained(labels, Surrogate(4, 0.925), "a", 0.6)).splitlines() == [
        "the list agrees with the model on 38 of 40 held-out rows, 95.0 % (95 % interval: 83.5 % to 98.6 %)",
        "a decision tree of 4 leaves that is grown on the model's predictions agrees on 92.5 %",
        "differ  rows  where",
        "50.0 %     4  x > 1",
        " 0.0 %    36  x <= 1",
    ]
    numbers = replace(labels, mean_difference=2.5, places=(), r2=Agreement("all", 40, 0.8, 0.7, 0.9))
    assert agreement_text(Explained(numbers, Surrogate(1, 0.0), 7.0, 0.0, held_out=False)).splitlines() == [
        "the list differs from the model by 2.5 on average on 40 training rows; R² to the model is 0.800 (95 % "
        "interval: 0.700 to 0.900)",
        "a decision tree of 1 leaf that is grown on the model's predictions has R² 0.0000 to it",
        "No region stands out.",
    ]


def of_labels(agreement, of_tree, of_constant, **more):
    rows = np.arange(round(200 * (1 - agreement)))
    found = Disagreements(200, rows, rows, rows, rows, Agreement("all", 200, agreement, agreement, agreement))
    return Explained(found, Surrogate(4, of_tree), "b", of_constant, **more)


def test_a_list_that_explains_its_model_well_has_no_warning():
    assert warnings_about_agreement(of_labels(0.8, 0.8, 0.5)) == []


def test_a_poor_explanation_and_a_better_tree_are_warned_of_with_the_figures_and_the_option():
    (text,) = warnings_about_agreement(of_labels(0.6, 0.5, 0.5))
    assert "it agrees with the model on 60.0 % of the held-out rows, and always predicting b on 50.0 %" in text
    assert "--max-rules" in text
    (text,) = warnings_about_agreement(of_labels(0.8, 0.81, 0.5, held_out=False))
    assert "it agrees with the model on 81.0 % of the training rows, and the list on 80.0 %" in text
    assert "--max-rules" in text
    numbers = of_labels(0.8, 0.35, 0.0)
    numbers = replace(
        numbers, found=replace(numbers.found, mean_difference=2.5, r2=Agreement("all", 200, 0.3, 0.2, 0.4))
    )
    poor, tree = warnings_about_agreement(numbers)
    assert "its R² to the model is 0.300 on the held-out rows, and that of always predicting b is 0.000" in poor
    assert "its R² to the model is 0.350 on the held-out rows, and that of the list is 0.300" in tree


def test_a_model_that_seems_to_know_the_rows_is_warned_of():
    (text,) = warnings_about_agreement(of_labels(0.8, 0.8, 0.5, model_knows=True))
    assert "probably trained on them" in text


@pytest.mark.parametrize("has_labels", [True, False])
def test_list_tree_and_constant_are_compared_with_what_the_model_itself_predicts(has_labels):
    X, y = make_classification(300, 5, random_state=0) if has_labels else make_regression(300, 5, random_state=0)
    kinds = (SVC, RuleListClassifier) if has_labels else (SVR, RuleListRegressor)
    model = kinds[0]().fit(X, y)
    estimator = kinds[1].faithful(model, max_rules=3, random_state=0).fit(X[:200], y[:200])
    explained = explain(estimator, X[:200], X[200:], True, False)
    said, score = model.predict(X[200:]), accuracy_score if has_labels else r2_score
    assert explained.of_list == pytest.approx(score(said, estimator.predict(X[200:])))
    tree = (DecisionTreeClassifier if has_labels else DecisionTreeRegressor)(max_leaf_nodes=3, random_state=0)
    assert explained.surrogate.agreement == pytest.approx(
        score(said, tree.fit(X[:200], model.predict(X[:200])).predict(X[200:]))
    )
    constant = DummyClassifier() if has_labels else DummyRegressor()
    assert explained.of_constant == pytest.approx(score(said, constant.fit(X[200:], said).predict(X[200:])))


def test_a_score_that_is_not_defined_is_not_a_number():
    alone = replace(GOOD, score_name="R²", n_rows=1, n_right=None, of_list=np.nan, of_tree=np.nan, of_majority=np.nan)
    assert "this list of 4 rules         undefined" in scores_text(alone, 3)
    assert "right on" not in scores_text(alone, 3)
    assert len(warnings_about(alone, published=False)) == 1


def test_a_good_list_has_no_warning():
    assert warnings_about(GOOD, published=False) == []


def test_a_tree_that_is_better_is_warned_of_and_whether_by_chance():
    (text,) = warnings_about(replace(GOOD, of_tree=0.89), published=False)
    assert "higher by 0.0150, which may be chance on 400 rows" in text
    (text,) = warnings_about(replace(GOOD, of_tree=0.9), published=False)
    assert "more than chance explains" in text
    assert "decision tree of the same size" in text
    assert "higher by 0.0250" in text
    assert "--max-rules" in text
    assert "--published" not in text
    (text,) = warnings_about(replace(GOOD, of_tree=0.9), published=True)
    assert "try without --published" in text
    (text,) = warnings_about(replace(GOOD, of_tree=0.9), published=True, constrained=True)
    assert text.endswith("but the tree need not satisfy your constraints")


def test_few_rows_and_a_list_that_learned_nothing_are_said():
    (text,) = warnings_about(replace(GOOD, n_rows=3, n_right=3, of_list=1.0), published=False)
    assert "only 3 held-out rows" in text
    (text,) = warnings_about(replace(GOOD, of_majority=0.875), published=False)
    assert "no better on the held-out rows than always predicting the majority class" in text


@pytest.fixture(scope="module")
def three_classes():
    X = np.repeat(np.arange(3.0), 20)[:, None]
    y = np.repeat(["a", "b", "c"], 20)
    return RuleListClassifier(max_rules=2, candidates="nodes", random_state=0).fit(X, y).rule_list_


def test_fewer_rules_than_classes_are_said(three_classes):
    (text,) = warnings_about_size(three_classes, 2, proven=True)
    assert "fewer rules (2) than there are classes (3)" in text
    assert "never predicts 1 of them" in text
    assert "--max-rules" in text


def test_a_budget_that_is_not_used_is_said_and_why(three_classes):
    proven, _ = warnings_about_size(three_classes, 8, proven=True)
    assert "2 of the 8 rules allowed: one more of the candidate rules would change too little" in proven
    unproven, _ = warnings_about_size(three_classes, 8, proven=False)
    assert "--time-limit" in unproven
    assert not any("allowed" in text for text in warnings_about_size(three_classes, None, proven=True))
