"""Several processes: fits and predictions in them give what one process gives."""

import subprocess
import sys

import numpy as np
import pytest
from joblib import Parallel, delayed
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score

from hedgerow import RuleListClassifier, RuleListClassifierCV

X, Y = load_wine(return_X_y=True)
FOREST = RandomForestClassifier(30, max_depth=3, random_state=0)

# The process has solved a problem before it starts others: what HiGHS keeps for its threads must not be taken along.
PROGRAM = """
import multiprocessing, pickle, sys
from concurrent.futures import ProcessPoolExecutor
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from hedgerow import RuleListClassifier

X, Y = load_wine(return_X_y=True)

def fitted(budget):
    forest = RandomForestClassifier(30, max_depth=3, random_state=0)
    return RuleListClassifier(forest, max_rules=budget, n_jobs=2).fit(X, Y)

def rules_of(budget):
    return str(fitted(budget).rule_list_)

def predicted(pickled, start):
    return pickle.loads(pickled).predict(X[start:]).tolist()

if __name__ == "__main__":
    first = fitted(4)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(sys.argv[1])) as pool:
        found = list(pool.map(rules_of, [3, 4, 5]))
        answers = list(pool.map(predicted, [pickle.dumps(first)] * 4, range(0, 120, 30)))
    assert answers == [first.predict(X[start:]).tolist() for start in range(0, 120, 30)]
    assert found == [rules_of(budget) for budget in (3, 4, 5)]
    print("the same")
"""


@pytest.mark.parametrize("start", ["fork", "spawn", pytest.param("forkserver", marks=pytest.mark.slow)])
def test_a_pool_of_processes_fits_and_predicts_what_one_process_does(start, tmp_path):
    if sys.platform == "win32" and start != "spawn":
        pytest.skip("Windows can only spawn")
    (tmp_path / "program.py").write_text(PROGRAM)
    ran = subprocess.run(
        [sys.executable, "program.py", start], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert (ran.returncode, ran.stdout) == (0, "the same\n"), ran.stderr


def rules_of(estimator):
    return str(estimator.fit(X, Y).rule_list_)


def test_fits_in_processes_of_joblib_give_the_lists_of_fits_one_after_the_other():
    estimators = [RuleListClassifier(FOREST, max_rules=budget) for budget in (3, 4, 5)]
    expected = [rules_of(clone(estimator)) for estimator in estimators]
    assert Parallel(n_jobs=2)(delayed(rules_of)(estimator) for estimator in estimators) == expected


def test_a_cross_validation_in_processes_scores_what_one_process_scores():
    estimator = RuleListClassifier(FOREST, max_rules=4)
    expected = cross_val_score(estimator, X, Y, cv=4)
    assert_array_equal(cross_val_score(estimator, X, Y, cv=4, n_jobs=2), expected)
    search = RuleListClassifierCV(FOREST, max_rules=[2, 3, 4], cv=3)
    alone, together = clone(search).fit(X, Y), clone(search).set_params(n_jobs=2).fit(X, Y)
    assert str(together.rule_list_) == str(alone.rule_list_)
    assert_allclose(together.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])


def test_a_grid_search_in_processes_finds_what_one_process_finds():
    grid = {"max_rules": [3, 5], "stability_weight": [0.0, 0.5]}
    alone, together = (
        GridSearchCV(RuleListClassifier(FOREST), grid, cv=3, n_jobs=jobs).fit(X, Y) for jobs in (None, 2)
    )
    assert together.best_params_ == alone.best_params_
    assert_array_equal(together.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])
    assert str(together.best_estimator_.rule_list_) == str(alone.best_estimator_.rule_list_)
    assert np.all(together.predict(X) == alone.predict(X))
