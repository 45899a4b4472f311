"""Rules of an expert are read, made candidates and scored; those of the ensemble do not notice."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from small_data import IRIS, small_forest

from hedgerow import Condition, InvalidParameterError, Rule, RuleListClassifier
from hedgerow.features import Column, Inputs
from hedgerow.pipeline.experts import Scored, read_rule, read_rules, with_rules

INPUTS = Inputs((Column(0, "age"), Column(1, "income")))


def fitted(**parameters):
    return RuleListClassifier(small_forest(), max_rules=4, candidates="nodes", **parameters).fit(*IRIS)


def added(rules, *texts):
    posed = rules.posed_
    known = Scored(posed.pool, posed.coverage, posed.scores)
    return with_rules(known, posed.learned, posed.settings, read_rules(texts, posed.learned.forest.inputs))


def test_rules_come_as_text_or_as_rules_alone_or_several():
    rule = Rule((Condition(INPUTS.features[0], lower=3.0),))
    assert read_rules("age > 3", INPUTS) == read_rules([rule], INPUTS) == read_rules(rule, INPUTS) == [rule]
    assert read_rules((), INPUTS) == []
    for wrong, message in ((3, "a text such as"), (Rule(()), "at least one condition")):
        with pytest.raises(InvalidParameterError, match=message):
            read_rule(wrong, INPUTS)


@pytest.mark.parametrize("loss", ["misclassification", [("misclassification", 1), ("gini", 2)]])
@pytest.mark.parametrize("stability", ["dice", [("dice", 1), ("dice_by_position", 1)]])
def test_a_rule_that_the_ensemble_has_already_scores_the_same(loss, stability):
    rules = fitted(loss=loss, stability=stability)
    long = np.flatnonzero(rules.pool_.n_conditions == 2)
    j = int(next(k for k in long if len(rules.pool_.rule(int(k)).simplified) == 2))
    found = added(rules, rules.pool_.rule(j).describe(17))
    own = int(np.flatnonzero(np.all([found.coverage.counts == found.coverage.counts[j]], axis=0))[-1])
    twins = [
        k
        for k in range(len(rules.pool_), len(found.pool))
        if found.pool.rule(k).simplified == found.pool.rule(own).simplified
    ]
    place = next(k for k in twins if np.array_equal(found.coverage.holds(k), found.coverage.holds(j)))
    assert_allclose(found.scores.loss[place], rules.scores_.loss[j], atol=1e-12)
    n = len(rules.pool_)
    assert_array_equal(found.scores.total[:n], rules.scores_.total)


def test_its_stability_comes_from_the_splits_that_it_shares():
    rules = fitted()
    known = next(r for r in map(rules.pool_.rule, range(len(rules.pool_))) if len(r.conditions) == 1)
    shared = added(rules, known.describe(17))
    alone = added(rules, "x3 > 0.987")
    n = len(rules.pool_)
    of_shared = [k for k in range(n, len(shared.pool)) if len(shared.pool.rule(k).conditions) == 1]
    of_alone = [k for k in range(n, len(alone.pool)) if len(alone.pool.rule(k).conditions) == 1]
    assert shared.scores.raw_stability[of_shared].min() > 0
    assert (alone.scores.raw_stability[of_alone] == 0).all()


def test_a_rule_below_the_minimum_coverage_is_refused():
    with pytest.raises(InvalidParameterError, match=r"less than min_coverage=0\.2\. Lower min_coverage"):
        added(fitted(min_coverage=0.2), "x0 > 7")


def test_several_rules_leave_lists_with_all_of_them():
    rules = fitted().resolve(pin=["x3 > 1.7 and x2 > 4.9", "x3 <= 0.7"], max_rules=8)
    written = [rule.describe() for rule in rules.rule_list_]
    assert {"x3 > 1.7 and x2 > 4.9", "x3 <= 0.7"} <= set(written)
