"""A picture of a search shows its log, and how it ended."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_wine

from hedgerow import InvalidParameterError, RuleListClassifier, Solution
from hedgerow.plotting import plot_search
from hedgerow.rules.solution import Step

LOG = (
    Step("relaxation", 0.5, 62, 5331, 4.0, None),
    Step("pruned trees", 1.0, 0, 7108, 4.0, 2.5),
    Step("relaxation", 2.0, 100, 789, 3.5, 3.0),
)
STOPPED = Solution(np.array([1, 4]), 3.0, 3.2, "time_limit", 6.0, LOG)


def lines_of(axes):
    return {line.get_label(): line.get_xydata() for line in axes.get_lines()}


def test_the_picture_has_the_bound_and_the_best_list_at_each_step():
    lines = lines_of(plot_search(STOPPED))
    assert_allclose(lines["bound: no list is better"], [[0.5, 4.0], [1.0, 4.0], [2.0, 3.5], [6.0, 3.2]])
    assert_allclose(lines["best list so far"], [[0.5, np.nan], [1.0, 2.5], [2.0, 3.0], [6.0, 3.0]])


def test_the_title_says_how_it_ended():
    assert plot_search(STOPPED).get_title("left") == f"gap {100 * STOPPED.gap:.2g} % after 6 s"
    proven = Solution(np.array([1, 4]), 3.0, 3.0, "optimal", 6.0, LOG)
    assert plot_search(proven).get_title("left") == "proven optimal after 6 s"


def test_the_lines_of_a_fit_meet_where_it_is_proven():
    rules = RuleListClassifier(max_rules=5, candidates="nodes", random_state=0).fit(*load_wine(return_X_y=True))
    bound, best = lines_of(plot_search(rules.solution_)).values()
    assert_allclose(bound[-1], best[-1])
    assert (np.diff(bound[:, 0]) >= 0).all()
    assert np.nanmin(bound[:, 1] - best[:, 1]) >= -1e-9


def test_it_draws_where_it_is_told_to():
    figure, axes = plt.subplots()
    assert plot_search(STOPPED, axes=axes).figure is figure


@pytest.mark.parametrize("given", [Solution(np.array([0]), 1.0, 1.0, "optimal", 0.1), None])
def test_what_has_no_log_is_refused(given):
    with pytest.raises(InvalidParameterError, match="Other solvers keep no log"):
        plot_search(given)
