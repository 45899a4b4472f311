"""The rivals of today at equal size: optimal and nearly optimal trees, sums of rules, and trees on the same lesson.

Each is a function of a case, as in :mod:`benchmarks.methods`, where they are named. The packages come with
``pip install '.[peers]'``, all but ruleboost: what it asks for (numpy below 2.3) the others do not take.
``pip install --no-deps ruleboost optikon`` brings it.
"""

from __future__ import annotations

from typing import Any

from benchmarks.case import Case, Method
from hedgerow import RuleListClassifier, RuleListRegressor

#: STreeD looks at so many thresholds a column.
STREED_THRESHOLDS = 10
#: OSRT needs minutes for more rows, whatever its time limit.
OSRT_ROWS = 1500
#: A list whose lesson is taken is not used itself: it need not be proven.
_SOLVER_SECONDS = 1.0


def streed(case: Case) -> Any:
    """The optimal tree of pystreed with as many leaves, over quantiles of each column."""
    from pystreed import STreeDClassifier, STreeDRegressor

    from benchmarks.optimal_trees import OptimalTreeClassifier, OptimalTreeRegressor

    settings: dict[str, Any] = {
        # Of 4 leaves, every shape; of more, what is searched within a minute on small sets.
        "max_depth": min(case.budget - 1, max(3, case.budget.bit_length())),
        "max_num_nodes": case.budget - 1,
        "n_thresholds": STREED_THRESHOLDS,
        "time_limit": case.seconds,
        "random_seed": case.seed,
    }
    if case.labels:
        return OptimalTreeClassifier(STreeDClassifier("accuracy", **settings))
    return OptimalTreeRegressor(STreeDRegressor("regression", **settings))


def contree(case: Case) -> Any:
    """The optimal tree of pycontree, limited by its depth and, where that is not enough, by a penalty per leaf."""
    from benchmarks.optimal_trees import ConTreeClassifier

    return ConTreeClassifier(case.budget, case.seconds)


def licketysplit(case: Case) -> Any:
    """LicketySPLIT, with the smallest penalty per leaf for which the leaves fit."""
    from benchmarks.lickety_trees import LicketyClassifier, LicketyRegressor

    return (LicketyClassifier if case.labels else LicketyRegressor)(case.budget, case.seconds, case.seed)


def osrt(case: Case) -> Any:
    """The optimal regression tree of OSRT, with the smallest penalty per leaf for which the leaves fit."""
    from benchmarks.lickety_trees import OsrtRegressor

    return OsrtRegressor(case.budget, case.seconds, case.seed)


def cart_taught(case: Case) -> Any:
    """CART on the rows, targets and weights that ``accurate`` learns from."""
    from benchmarks.taught_trees import TaughtCart

    return TaughtCart(_lists(case), case.budget, case.seconds, case.seed)


def licketysplit_taught(case: Case) -> Any:
    """LicketySPLIT on the rows, targets and weights that ``accurate`` learns from."""
    from benchmarks.taught_trees import TaughtLickety

    return TaughtLickety(_lists(case), case.budget, case.seconds, case.seed)


def _lists(case: Case) -> Any:
    kind = RuleListClassifier if case.labels else RuleListRegressor
    return kind.accurate(max_rules=case.budget, random_state=case.seed, time_limit=_SOLVER_SECONDS)


def figs(case: Case) -> Any:
    """FIGS of imodels: a sum of trees with as many splits as one tree of as many leaves."""
    from benchmarks.rule_sums import make_figs

    return make_figs(case.labels, case.budget, case.seed)


def ruleboost(case: Case) -> Any:
    """Rules boosted by ruleboost: as many as the budget, and an intercept."""
    from benchmarks.rule_sums import make_ruleboost

    return make_ruleboost(case.labels, case.budget)


RIVALS: dict[str, Method] = {
    "streed": Method(streed, packages=("pystreed",)),
    "contree": Method(contree, task="classification", packages=("pycontree",)),
    "licketysplit": Method(licketysplit, packages=("licketysplit",)),
    "osrt": Method(osrt, task="regression", packages=("osrt", "licketysplit"), most_rows=OSRT_ROWS),
    "cart_taught": Method(cart_taught),
    "licketysplit_taught": Method(licketysplit_taught, packages=("licketysplit",)),
    "figs": Method(figs, packages=("imodels", "six"), is_sum=True),
    "ruleboost": Method(ruleboost, most_classes=2, packages=("ruleboost", "optikon"), is_sum=True),
}
