"""A fold prepares its samples once and gives the lists that the estimator gives."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from small_data import IRIS, small_forest

from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.estimators.validation import check_training
from hedgerow.pipeline import fold as fold_module
from hedgerow.pipeline import prepare as prepare_module
from hedgerow.pipeline.fold import Fold, Setting
from hedgerow.pipeline.pose import pose
from hedgerow.presets import PRESETS
from hedgerow.smoothing import ShrinkToDefault
from hedgerow.tasks import Labels, Numbers
from hedgerow.teachers import Oracle, Teacher


def opened(**given):
    estimator = RuleListClassifier(small_forest(depth=3), **given)
    return Fold(estimator.to_settings(), check_training(estimator, Labels, *IRIS))


@pytest.mark.parametrize("candidates", ["auto", "leaves", "nodes"])
def test_the_lists_are_those_of_the_estimator(candidates):
    budgets, setting = [2, 4, 6], Setting(0.0, 0.5)
    found = dict(opened(candidates=candidates).lists(setting, budgets))
    assert sorted(found) == budgets
    for budget, lists in found.items():
        estimator = RuleListClassifier(small_forest(depth=3), max_rules=budget, candidates=candidates)
        if isinstance(lists, str):
            with pytest.raises(ValueError, match="budget"):
                estimator.fit(*IRIS)
            continue
        fitted = estimator.fit(*IRIS)
        assert lists[None].solution.objective == pytest.approx(fitted.solution_.objective)
        assert len(lists[None].rule_list) <= budget


def test_smoothings_share_one_solution():
    smoothing = ShrinkToDefault(10.0)
    ((_, lists),) = opened(candidates="nodes").lists(Setting(0.0, 0.5), [3], [None, smoothing])
    plain, smoothed = lists[None], lists[smoothing]
    assert plain.solution is smoothed.solution
    assert [rule.conditions for rule in plain.rule_list] == [rule.conditions for rule in smoothed.rule_list]
    assert [r.distribution for r in plain.rule_list] != [r.distribution for r in smoothed.rule_list]


def test_samples_are_prepared_once(monkeypatch):
    fold = opened(candidates="auto")
    calls = []
    taken = fold_module.take_candidates
    monkeypatch.setattr(fold_module, "take_candidates", lambda *given: calls.append(given[2]) or taken(*given))
    for setting in (Setting(0.0, 0.5), Setting(0.01, 0.0)):
        assert len(list(fold.lists(setting, [1, 2, 8]))) == 3
    assert calls == ["nodes"]  # the leaves are there, the nodes are needed for the small budgets


def test_trees_are_pruned_once_to_choose_between_leaves_and_nodes(monkeypatch):
    pruned = []
    of_pool = prepare_module.Unexplained

    def counted(*given):
        pruned.append(1)
        return of_pool(*given)

    monkeypatch.setattr(prepare_module, "Unexplained", counted)
    estimator = RuleListClassifier(RandomForestClassifier(30, max_depth=3, random_state=0), candidates="auto")
    fold = Fold(estimator.to_settings(), check_training(estimator, Labels, *IRIS), [4, 5, 6, 7])
    for part in ([4, 5], [6], [7]):  # some trees fit, but not all
        assert len(list(fold.lists(Setting(0.0, 0.5), part))) == len(part)
    assert len(pruned) == 2  # leaves and nodes


@pytest.mark.parametrize("candidates", ["auto", "nodes"])
def test_budgets_may_be_asked_for_part_by_part(candidates, monkeypatch):
    posed = []
    monkeypatch.setattr(fold_module, "pose", lambda *given, **named: posed.append(1) or pose(*given, **named))
    setting = Setting(0.02, 0.3)
    fold = opened(candidates=candidates)
    memories, found = {}, {}
    for part in ([2, 3], [4, 5, 6], [7, 9]):
        found |= dict(fold.lists(setting, part, memories=memories))
    assert len(posed) == len(memories) == (1 if candidates == "nodes" else 2)
    whole = dict(opened(candidates=candidates).lists(setting, [2, 3, 4, 5, 6, 7, 9]))
    assert found.keys() == whole.keys()
    for budget, lists in whole.items():
        one, other = lists[None].solution, found[budget][None].solution
        assert one.objective == pytest.approx(other.objective)


def test_coverages_that_leave_the_same_candidates_have_the_same_key():
    fold = opened()
    keys = [fold.same_candidates(Setting(share, 0.5)) for share in (0.0, 0.001, 0.006, 0.01)]
    assert keys[0] == keys[1] == keys[2] != keys[3]  # of 150 samples: 1, 1, 1, 2
    assert fold.same_candidates(Setting(0.0, 0.4)) != keys[0]


def test_a_setting_replaces_three_values_only():
    estimator = RuleListClassifier(small_forest(), max_rules=5)
    settings, setting = estimator.to_settings(), Setting(0.1, 0.2, ShrinkToDefault(1.0))
    ((_, found),) = Fold(settings, check_training(estimator, Labels, *IRIS)).lists(setting, [5])
    changed = found[setting.smoothing].posed.settings
    assert (changed.min_coverage, changed.stability_weight, changed.smoothing.strength) == (0.1, 0.2, 1.0)
    same = replace(changed, min_coverage=0.0, stability_weight=0.5, smoothing=None)
    assert same.parameters == settings.parameters


def test_a_preset_prepares_each_budget_and_nothing_twice(monkeypatch):
    calls = {"learn": [], "take_candidates": []}
    for name, seen in calls.items():
        own = getattr(fold_module, name)
        monkeypatch.setattr(
            fold_module, name, lambda *g, _own=own, _seen=seen, **k: _seen.append(g[0]) or _own(*g, **k)
        )
    ensemble = RandomForestClassifier(30, min_samples_leaf=3, random_state=0)
    estimator = RuleListClassifier.accurate(ensemble, random_state=0)
    budgets = [2, 3, 9, 30]
    fold = Fold(estimator.to_settings(), check_training(estimator, Labels, *IRIS), budgets)
    setting = Setting(None, 0.0)
    found = dict(fold.lists(setting, budgets))
    assert dict(fold.lists(setting, budgets)).keys() == found.keys() == set(budgets)
    assert len(calls["learn"]) == 1  # one forest for all
    assert len(calls["take_candidates"]) == 1  # and one pool, because the length of rules does not depend on the budget
    for budget, lists in found.items():
        alone = RuleListClassifier.accurate(ensemble, max_rules=budget, random_state=0).fit(*IRIS)
        assert lists[None].solution.objective == pytest.approx(alone.solution_.objective)
        assert lists[None].posed.settings.min_coverage == alone.settings_.min_coverage == min(0.01, 0.03 / budget)


def test_one_teacher_teaches_all_budgets(monkeypatch):
    lessons = []
    own = fold_module.take_lesson
    monkeypatch.setattr(fold_module, "take_lesson", lambda *given: lessons.append(given) or own(*given))
    estimator = RuleListRegressor.accurate(random_state=0)
    X, y = IRIS[0][:, :3], IRIS[0][:, 3]
    fold = Fold(estimator.to_settings(), check_training(estimator, Numbers, X, y), [2, 4])
    found = dict(fold.lists(Setting(None, 0.0), [2, 4]))
    assert len(lessons) == 1
    leaves = {b: lists[None].posed.learned.ensemble[0].max_leaf_nodes for b, lists in found.items()}
    assert leaves == {2: 4, 4: 8}


def test_a_preset_may_have_another_loss_for_each_budget(monkeypatch):
    ensemble = RandomForestClassifier(20, max_depth=3, random_state=0)
    losses = {2: "gini", 4: "misclassification"}
    monkeypatch.setitem(PRESETS, "accurate", lambda here: {"loss": losses[here.max_rules]})
    estimator = RuleListClassifier.accurate(ensemble)
    fold = Fold(estimator.to_settings(), check_training(estimator, Labels, *IRIS), [2, 4])
    for budget, lists in fold.lists(Setting(None, 0.0), [2, 4]):
        plain = RuleListClassifier(
            ensemble, max_rules=budget, candidates="nodes", stability_weight=0.0, loss=losses[budget]
        )
        assert lists[None].solution.objective == pytest.approx(plain.fit(*IRIS).solution_.objective)


def test_weights_and_presets_leave_each_coverage_its_own_key():
    plain = opened()
    keys = [plain.same_candidates(Setting(share, 0.5)) for share in (0.0, 1 / 150, 2 / 150, 2.5 / 150, 3 / 150)]
    assert keys == [(1, 0.5), (1, 0.5), (2, 0.5), (3, 0.5), (3, 0.5)]
    assert plain.same_candidates(Setting(None, 0.5)) == (None, 0.5)
    estimator = RuleListClassifier(small_forest(depth=3))
    weighted = Fold(estimator.to_settings(), check_training(estimator, Labels, *IRIS, np.full(150, 2.0)))
    assert weighted.same_candidates(Setting(0.01, 0.5)) == (0.01, 0.5)


def test_a_coverage_that_no_rule_has_is_the_reason_why_there_is_no_list():
    found = dict(opened(candidates="leaves").lists(Setting(0.99, 0.5), [2, 4]))
    assert found.keys() == {2, 4}
    assert all("No candidate covers min_coverage=0.99" in why for why in found.values())
    assert dict(opened().lists(Setting(0.0, 0.5), [])) == {}


def test_a_fold_knows_how_often_its_teacher_was_asked():
    asked = []
    model = Oracle(lambda X: asked.append(len(X)) or np.asarray(X)[:, 2], limit=1000, batch=40)
    estimator = RuleListRegressor(small_forest(depth=2), teacher=Teacher(model, share=1, copies=1), random_state=0)
    estimator.ensemble = RandomForestRegressor(5, max_depth=2, random_state=0)
    fold = Fold(estimator.to_settings(), check_training(estimator, Numbers, IRIS[0], IRIS[0][:, 2]))
    assert fold.asked == (sum(asked), len(asked))
    assert len(asked) > 4
    dict(fold.lists(Setting(0.0, 0.0), [2, 3]))
    assert fold.asked == (sum(asked), len(asked))  # the lesson is taken once
    assert opened().asked == (0, 0)
