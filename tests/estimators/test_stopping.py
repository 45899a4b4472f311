"""A search stops after some budgets that are no better, and sooner where they are clearly worse."""

import numpy as np
import pytest

from hedgerow.estimators.stopping import Curve, Stopped

#: How far five folds lie from their mean.
FOLDS = np.array([-0.02, -0.01, 0.0, 0.01, 0.02])


def curve(means, patience=6, steady=True, n_folds=5):
    """The scores of one setting; not steady: each budget ranks the folds in another order."""
    rng = np.random.default_rng(0)
    folds = [FOLDS[:n_folds] if steady else 3 * rng.permutation(FOLDS)[:n_folds] for _ in means]
    return Curve(np.array([mean + of_folds for mean, of_folds in zip(means, folds, strict=True)]), patience)


def test_without_patience_all_budgets_are_tried():
    assert curve([0.9, 0.1, 0.1], patience=None).needed() is None
    assert curve([0.9, 0.1, 0.1], patience=None).stopped([2, 3, 4]) is None


def test_of_several_settings_the_one_with_the_highest_mean_counts():
    #          setting 0   setting 1
    scores = [[[0.1, 0.2], [0.3, 0.1]], [[np.nan, 1.0], [0.5, 0.6]]]
    assert Curve.of(np.array(scores), 4).scores.tolist() == [[0.3, 0.1], [0.5, 0.6]]


@pytest.mark.parametrize(("patience", "needed"), [(1, 2), (2, 3), (3, 3), (4, 3), (5, 4), (6, 4), (9, 6)])
def test_the_first_look_is_after_half_of_the_patience(patience, needed):
    nothing = Curve(np.empty((0, 5)), patience)
    assert nothing.needed() == needed
    assert curve([0.5], patience).needed() == needed


def test_scores_that_fall_clearly_stop_the_search_after_half_of_the_patience():
    found = curve([0.7, 0.9, 0.8, 0.8, 0.85])
    assert found.needed() == 5
    assert found.stopped([2, 3, 4, 5, 6, 7]) == Stopped(6, 3, pytest.approx(0.9), 3, clearly=True)
    assert str(found.stopped([2, 3, 4, 5, 6])).endswith(
        "The search stopped at max_rules=6: the mean score of max_rules=3, 0.9, was not exceeded by the next 3 "
        "budgets, which score clearly worse."
    )


@pytest.mark.parametrize(
    "scores",
    [
        curve([0.9, 0.9, 0.9, 0.9]),  # flat
        curve([0.9, 0.899, 0.899, 0.899], steady=False),  # the folds differ more than the budgets
        curve([0.9, 0.8, 0.8, 0.8], n_folds=2),  # two folds say too little
        curve([0.9, 0.8, np.nan, 0.8]),
    ],
)
def test_otherwise_the_search_goes_on_to_the_end_of_the_patience(scores):
    assert scores.needed() == 5
    assert scores.stopped(list(range(20))) is None


def test_at_the_end_of_the_patience_flat_scores_stop_the_search():
    assert curve([0.9] * 6).needed() == 7
    flat = curve([0.9] * 7)
    assert flat.stopped(list(range(2, 20))) == Stopped(8, 2, pytest.approx(0.9), 6)
    assert "by the next 6 budgets." in str(flat.stopped(list(range(2, 20))))


def test_a_new_best_budget_starts_anew():
    assert curve([0.8, 0.7, 0.9]).needed() == 6


def test_as_long_as_no_budget_has_a_score_more_are_tried():
    assert curve([np.nan, np.nan]).needed() == 6
    assert curve([np.nan, np.nan]).stopped([1, 2, 3]) is None
