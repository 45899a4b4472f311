"""Parameters are checked, and names looked up, before anything else happens."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from small_data import IRIS, small_forest

from hedgerow import (
    InvalidParameterError,
    RuleListClassifier,
)
from hedgerow.optimize.solvers import Exhaustive, RowGeneration
from hedgerow.pipeline.settings import Settings
from hedgerow.tasks import Labels, Numbers
from hedgerow.teachers import Oracle, Teacher


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_rules": 0}, "max_rules must be an integer of at least 1, or None; got 0"),
        ({"max_rules": -3}, "max_rules"),
        ({"max_rules": 2.5}, "max_rules"),
        ({"max_rules": True}, "max_rules"),
        ({"max_rules": "8"}, "max_rules"),
        ({"max_conditions": 0}, "max_conditions"),
        ({"min_coverage": 1.5}, "min_coverage must be a number between 0 and 1"),
        ({"min_coverage": float("nan")}, "min_coverage"),
        ({"stability_weight": -0.1}, "stability_weight"),
        ({"candidates": "trees"}, "candidates must be one of 'auto', 'leaves', 'nodes'"),
        ({"uncovered": "nobody"}, "uncovered must be one of"),
        ({"target": "y"}, "target must be 'labels', 'ensemble', or"),
        ({"target": 1.2}, "target must be"),
        ({"time_limit": 0}, "time_limit must be a positive number"),
        ({"time_limit": "1 min"}, "time_limit"),
        ({"loss": "mean"}, "Unknown loss 'mean'"),
        ({"stability": None}, "stability must be one of"),
        ({"loss": "mse"}, "The loss 'mse' does not go with labels.*Possible: 'misclassification'"),
        ({"solver": "gurobi"}, "solver must be None or have a method solve"),
        ({"target": np.array([0.5, 1.0])}, "target must be"),
    ],
)
def test_invalid_parameters_are_refused(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        RuleListClassifier(small_forest(), **parameters).fit(*IRIS)


def settings_of(task_kind=Labels, **given):
    return Settings.of(task_kind, RuleListClassifier().get_params(deep=False) | given)


def test_settings_keep_the_parameters_that_they_are_given():
    given = RuleListClassifier(max_rules=5, min_coverage=0.1, random_state=3).get_params(deep=False)
    settings = Settings.of(Labels, given)
    assert settings.parameters == given
    assert (settings.max_rules, settings.min_coverage, settings.task_kind) == (5, 0.1, Labels)
    assert not settings.saw_samples
    with pytest.raises(TypeError, match="max_rulez"):
        Settings.of(Labels, given | {"max_rulez": 3})


@pytest.mark.parametrize(("target", "share"), [("labels", 0.0), ("ensemble", 1.0), (0, 0.0), (0.25, 0.25), (1, 1.0)])
def test_a_target_is_a_share_of_the_ensemble(target, share):
    assert settings_of(target=target).ensemble_share == share


def test_the_loss_is_looked_up_for_the_task():
    ((name, _, weight),) = settings_of(Numbers, loss="mse").parsed_loss.parts
    assert (name, weight) == ("mse", 1.0)
    with pytest.raises(InvalidParameterError, match="does not go with labels"):
        settings_of(Labels, loss="mse")


def test_the_solver_is_the_given_one_or_row_generation_whatever_the_seed():
    solver = Exhaustive()
    assert settings_of(solver=solver).chosen_solver() is solver
    assert settings_of(random_state=1).chosen_solver() == settings_of().chosen_solver() == RowGeneration()


def test_a_budget_above_the_number_of_candidates_is_refused():
    with pytest.raises(InvalidParameterError, match="max_candidates=4 is less than max_rules=5"):
        settings_of(max_rules=5, max_candidates=4)
    assert settings_of(max_rules=None, max_candidates=4).max_candidates == 4


class NeverFitted(RandomForestClassifier):
    """An ensemble that must not be fitted."""

    def fit(self, *_, **__):
        raise AssertionError("the ensemble is fitted before the parameters are checked")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"stability": "nonsense"}, "Unknown stability 'nonsense'"),
        ({"stability": [("dice", -1.0)]}, "stability must be finite, not negative"),
        ({"constraints": 3}, "A constraint must have a method rows"),
        ({"constraints": ["sparse"]}, "A constraint must have a method rows"),
        ({"loss": "nonsense"}, "Unknown loss"),
        ({"smoothing": 3}, "smoothing"),
    ],
    ids=["stability", "weight of a stability", "constraints", "one constraint", "loss", "smoothing"],
)
def test_invalid_parameters_are_refused_before_the_ensemble_is_fitted(given, message):
    with pytest.raises(InvalidParameterError, match=message):
        RuleListClassifier(NeverFitted(), **given).fit(*IRIS)


TEACHER = Teacher(RandomForestClassifier(5))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"preset": "exact"}, "preset must be None or one of 'accurate', 'faithful'; got 'exact'"),
        ({"preset": 3}, "preset must be None or one of"),
        ({"teacher": TEACHER, "target": 1}, "target=1 and a teacher both say what is learned"),
        ({"teacher": TEACHER, "target": "ensemble"}, "target='ensemble' and a teacher both say"),
        ({"teacher": "forest"}, "teacher must be None or a hedgerow.teachers.Teacher.*got 'forest'"),
        (
            {"preset": "faithful", "ensemble": small_forest(), "target": 0.5},
            r"target=0.5 contradicts faithful\(model\)",
        ),
        ({"preset": "faithful", "ensemble": small_forest(), "teacher": TEACHER}, "This teacher or target contradicts"),
    ],
)
def test_what_contradicts_itself_is_refused(given, message):
    with pytest.raises(InvalidParameterError, match=message):
        settings_of(**given)


@pytest.mark.parametrize("target", ["labels", 0, 0.0])
def test_a_teacher_goes_with_a_target_that_leaves_the_labels_alone(target):
    assert settings_of(teacher=TEACHER, target=target).teacher is TEACHER


def test_the_model_that_is_explained_may_be_taught_by_itself_alone():
    model = small_forest()
    own, other = (Teacher(Oracle(one), share=1) for one in (model, small_forest(n=3)))
    given = {"preset": "faithful", "ensemble": model}
    assert settings_of(**given, teacher=own).teacher is own
    assert settings_of(**given, teacher=own, target="labels").teacher is own
    for wrong in ({"teacher": other}, {"teacher": own, "target": "ensemble"}, {"teacher": Teacher(model, share=1)}):
        with pytest.raises(InvalidParameterError, match="This teacher or target contradicts"):
            settings_of(**given, **wrong)


def test_other_values_are_checked_and_what_is_known_of_the_samples_stays():
    settings = replace(settings_of(max_rules=5), saw_samples=True)
    changed = settings.changed(max_rules=3, min_coverage=0.25)
    assert (changed.max_rules, changed.min_coverage, changed.saw_samples) == (3, 0.25, True)
    assert changed.parsed_loss is settings.parsed_loss
    assert settings.changed(loss="gini").parsed_loss.parts[0][0] == "gini"
    with pytest.raises(InvalidParameterError, match="max_rules"):
        settings.changed(max_rules=0)


def test_only_row_generation_begins_with_an_excerpt():
    assert settings_of().takes_excerpts
    assert settings_of(solver=RowGeneration()).takes_excerpts
    assert not settings_of(solver=Exhaustive()).takes_excerpts


def test_what_the_preset_is_to_work_out_is_what_was_left_at_none():
    given = {"preset": "accurate", "loss": None, "min_coverage": None, "target": None}
    left = settings_of(**given).left_open
    assert {"loss", "min_coverage"} <= left
    assert settings_of(**given | {"loss": "gini"}).left_open == left - {"loss"}
    assert settings_of(**given | {"teacher": TEACHER}).left_open == left - {"teacher", "target"}
    assert settings_of(**given | {"target": "labels"}).left_open == left - {"teacher", "target"}
    assert settings_of(**given).parameters["loss"] is None
    assert settings_of().left_open == frozenset()
