"""The problem has the candidates that cover enough, with the scores that are maximised."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from six_samples import samples_of, settings_of
from sklearn.ensemble import (
    RandomForestClassifier,
)
from small_data import DIGITS, IRIS, small_forest
from wishes import kinds_for, smalls

from hedgerow import (
    InfeasibleError,
    InvalidParameterError,
    LinearRows,
    RuleListClassifier,
)
from hedgerow.pipeline.pose import pose
from hedgerow.pipeline.prepare import prepare


def test_scores_are_kept_and_are_what_was_maximised():
    fitted = RuleListClassifier(small_forest(), max_rules=4, stability_weight=0.3).fit(*IRIS)
    scores = fitted.scores_
    assert len(scores.total) == len(fitted.pool_) == fitted.problem_.n_rules
    assert scores.stability.min() == scores.loss.min() == 0
    assert scores.stability.max() == scores.loss.max() == 1
    assert_allclose(scores.total, 0.3 * scores.stability - 0.7 * scores.loss)
    assert_allclose(fitted.solution_.objective, scores.total[fitted.solution_.chosen].sum())


def test_min_coverage_is_kept():
    fitted = RuleListClassifier(small_forest(depth=3), max_rules=6, min_coverage=0.1).fit(*IRIS)
    assert min(rule.coverage for rule in fitted.rule_list_) >= 15
    assert fitted.problem_.coverage.counts.min() >= 15


@pytest.mark.parametrize("scale", [1 / 150, 0.01, 1000.0])
def test_min_coverage_does_not_depend_on_the_scale_of_the_weights(scale):
    estimator = RuleListClassifier(small_forest(depth=3), max_rules=6, min_coverage=0.05)
    plain = estimator.fit(*IRIS).solution_.chosen
    assert_array_equal(estimator.fit(*IRIS, sample_weight=np.full(150, scale)).solution_.chosen, plain)


def test_loss_and_stability_of_ones_own():
    base = RuleListClassifier(small_forest(), max_rules=3).fit(*IRIS)
    mine = RuleListClassifier(
        small_forest(),
        max_rules=3,
        loss=lambda y: len(y) - np.unique(y, return_counts=True)[1].max(),
        stability=[("dice", 1.0)],
    ).fit(*IRIS)
    assert_array_equal(mine.solution_.chosen, base.solution_.chosen)
    short = RuleListClassifier(
        small_forest(depth=3), candidates="nodes", stability=lambda rule: -len(rule.conditions), stability_weight=1.0
    ).fit(*IRIS)
    assert sum(len(rule.conditions) for rule in short.rule_list_) <= 4


def test_a_loss_that_fails_names_the_rule():
    def broken(y):
        return np.nan if len(y) < 20 else 1.0

    with pytest.raises(InvalidParameterError, match=r"'broken' returned nan for rule \d+ \(tree \d+, node \d+: .*x\d"):
        RuleListClassifier(small_forest(), max_rules=4, loss=broken).fit(*IRIS)


def test_a_constraint_of_ones_own():
    class WithoutFeature:
        def __init__(self, index):
            self.index = index

        def __repr__(self):
            return f"without x{self.index}"

        def rows(self, pool, coverage, y):
            rule, branch, _, _ = pool.conditions
            uses = np.zeros(len(pool))
            uses[rule[pool.forest.nodes.feature[branch] == self.index]] = 1
            return LinearRows(uses, -np.inf, 0.0)

    free = RuleListClassifier(small_forest(), max_rules=4).fit(*IRIS)
    used = free.rule_list_[0].conditions[0].feature.index
    without = RuleListClassifier(small_forest(), max_rules=4, constraints=[WithoutFeature(used)]).fit(*IRIS)
    assert used not in {c.feature.index for rule in without.rule_list_ for c in rule.conditions}
    assert without.solution_.optimal
    with pytest.raises(InfeasibleError, match="These contradict each other: without x1; without x2; without x3"):
        RuleListClassifier(small_forest(), max_rules=4, constraints=[WithoutFeature(i) for i in range(4)]).fit(*IRIS)
    with pytest.raises(InvalidParameterError, match="has none"):
        RuleListClassifier(small_forest(), constraints=["x0"]).fit(*IRIS)


def test_a_coverage_that_no_rule_has():
    with pytest.raises(InfeasibleError, match=r"min_coverage=0.9.*Lower min_coverage"):
        RuleListClassifier(small_forest(), candidates="leaves", min_coverage=0.9).fit(*IRIS)
    deep = RandomForestClassifier(5, max_depth=3, min_samples_split=2, random_state=0).fit(*DIGITS)
    with pytest.raises(InfeasibleError, match="raise max_conditions"):
        RuleListClassifier(deep, candidates="leaves", max_conditions=1).fit(*DIGITS)


def posed(weight=None, **given):
    settings = settings_of(**given)
    return pose(prepare(settings, samples_of(weight=weight)), settings)


def test_scores_by_hand():
    found = posed(stability_weight=0.25)
    assert_allclose(found.scores.raw_loss, [0, 0, 2, 0, 0, 0])
    assert_allclose(found.scores.raw_stability, [3, 3, 1, 1, 3, 3])
    assert_allclose(found.problem.scores, [0.25, 0.25, -0.75, 0, 0.25, 0.25])
    assert_array_equal(found.problem.coverage.counts, [2, 4, 4, 2, 2, 4])
    assert found.problem.max_rules == 2
    weighted = posed(weight=np.array([1, 1, 0.5, 1, 1, 1]))
    assert_allclose(weighted.scores.raw_loss, [0, 0, 1.5, 0, 0, 0])


def test_rules_that_cover_too_little_are_left_out_before_the_scores_are_scaled():
    found = posed(stability_weight=0.25, min_coverage=0.5)
    assert found.pool.node.tolist() == [2, 4, 8]  # x > 1.5, x <= 3.5, x > 1.5
    assert_allclose(found.problem.scores, [0.25, -0.75, 0.25])
    only = posed(stability_weight=0.25, min_coverage=0.5, loss=lambda y: 7.0)
    assert_allclose(only.scores.loss, 0)  # what is the same for all candidates does not count


def test_a_constraint_is_a_row_of_the_problem():
    class AtMostOneLong:
        def rows(self, pool, coverage, y):
            return LinearRows(coverage.counts > 3, -np.inf, 1.0)

    rows = posed(constraints=[AtMostOneLong()]).problem.rows
    assert_array_equal(rows.matrix.toarray(), [[0, 1, 1, 0, 0, 1]])
    assert (rows.lower, rows.upper, rows.names) == (-np.inf, 1.0, ("AtMostOneLong",))
    assert posed().problem.rows is None


def test_screening_keeps_the_scores_of_the_candidates_that_stay():
    settings = settings_of(small_forest(depth=3), candidates="nodes", max_rules=4)
    prepared = prepare(settings, samples_of(*IRIS))
    every, some = (pose(prepared, replace(settings, max_candidates=most)) for most in (None, 30))
    assert len(some.pool) == some.problem.n_rules == 30
    known = dict(zip(every.pool.node.tolist(), every.scores.total.tolist(), strict=True))
    assert_allclose(some.scores.total, [known[node] for node in some.pool.node.tolist()])


@settings(max_examples=60, deadline=None)
@given(data=st.data(), small=smalls())
def test_of_the_best_lists_under_wishes_the_shortest_with_the_widest_margins_is_taken(data, small):
    kinds = data.draw(st.lists(st.sampled_from(kinds_for(small)), max_size=2, unique=True))
    wishes = [kind(small, data.draw) for kind in kinds]
    try:
        rules = small.fit([constraint for constraint, _ in wishes])
    except InfeasibleError:
        return
    scores, preference = small.free.problem.scores, small.free.problem.preference
    granted = [list(chosen) for chosen in small.lists() if all(means(small, chosen) for _, means in wishes)]
    best = max(scores[chosen].sum() for chosen in granted)
    place = {int(node): j for j, node in enumerate(small.free.pool.node)}
    taken = [place[int(node)] for node in rules.posed_.pool.node[rules.solution_.chosen]]

    def key(chosen):
        return len(chosen), round(float(preference[chosen].sum()), 9)

    assert key(taken) == min(key(chosen) for chosen in granted if scores[chosen].sum() >= best - 1e-9)
