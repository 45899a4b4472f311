"""What rules predict is the same before and after the list is built."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wishes import Small, smalls

from hedgerow.pipeline.predictions import default_of, predictions_of
from hedgerow.smoothing import ShrinkToDefault
from hedgerow.teachers import Teacher


@settings(max_examples=30, deadline=None)
@given(small=smalls(), variant=st.sampled_from(["plain", "smoothing", "teacher"]))
def test_what_a_candidate_would_predict_is_what_it_predicts_in_the_list(small, variant):
    more = {"smoothing": ShrinkToDefault(3)} if variant == "smoothing" else {}
    more |= {"teacher": Teacher(small.forest)} if variant == "teacher" else {}
    rules = small.fit(**more, max_rules=None)
    posed, chosen = rules.posed_, rules.solution_.chosen
    told = predictions_of(posed.settings, posed.learned, posed.pool, posed.coverage, chosen)
    listed = {rule.conditions: rule for rule in rules.rule_list_}
    for j, one in zip(chosen, told, strict=True):
        rule = listed[posed.pool.rule(int(j)).conditions]
        assert {name: getattr(rule, name) for name in one} == one
    everything = posed.candidates.predict(np.arange(len(posed.pool)))
    assert [everything[j] for j in chosen] == told


@pytest.mark.parametrize("n_labels", [0, 2, 3])
def test_the_default_is_what_a_single_rule_predicts(n_labels):
    small = Small(1, n_labels, weighted=True)
    posed = small.fit(max_rules=None).posed_
    expected = small.answer(np.ones(small.held.shape[1], dtype=bool))
    found = default_of(posed.settings, posed.learned, posed.coverage)["prediction"]
    assert found == (expected if n_labels else pytest.approx(expected))
