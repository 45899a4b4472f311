"""What the tabular suites compare: a name, and how to make its model for a case.

To add one, write a function ``f(case)`` that returns an unfitted scikit-learn
estimator, and name it in ``METHODS``; if it needs a package that is not among
those of the benchmarks, import that inside the function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.case import Case, Method
from benchmarks.rivals import RIVALS
from hedgerow import RuleListClassifier, RuleListClassifierCV, RuleListRegressor, RuleListRegressorCV
from hedgerow.baselines import (
    FireRegressor,
    NodeHarvestClassifier,
    NodeHarvestRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    SirusClassifier,
    SirusRegressor,
)
from hedgerow.teachers import Teacher

#: The parts of a cross-validation, of which the paper does not say how many.
N_FOLDS = 3


def paper(case: Case) -> Any:
    """The published method: leaves of the paper's forest, λ = 0.5, the minimum coverage by cross-validation."""
    estimator = RuleListClassifierCV if case.labels else RuleListRegressorCV
    return estimator(
        case.forest(),
        max_rules=[case.budget],
        min_coverages=(0.001, 0.01),
        cv=N_FOLDS,
        candidates="leaves",
        time_limit=60,
        random_state=case.seed,
    )


def accurate(case: Case) -> Any:
    """The settings that win at equal size: docs/study.md says how they were found."""
    estimator = RuleListClassifier if case.labels else RuleListRegressor
    return estimator.accurate(max_rules=case.budget, random_state=case.seed)


def distilled(case: Case) -> Any:
    """Rules that learn from a forest and from synthetic rows; for regression, that is ``accurate`` itself."""
    if not case.labels:
        return accurate(case)
    deep = RandomForestClassifier(300, min_samples_leaf=3, oob_score=True, random_state=case.seed)
    return RuleListClassifier(
        teacher=Teacher(deep, share=0.5),
        max_rules=case.budget,
        candidates="nodes",
        max_conditions=3,
        min_coverage=0.02,
        stability_weight=0.0,
        time_limit=10,
        random_state=case.seed,
    )


def rulefit(case: Case) -> Any:
    """RuleFit on the nodes of the paper's forest, λ by cross-validation; no linear terms, which are no rules.

    Its coefficients are fitted once more without penalty: shrunk as far as four rules ask for, they hardly ever
    outvote the more frequent class.
    """
    estimator = RuleFitClassifier if case.labels else RuleFitRegressor
    return estimator(
        case.forest(),
        max_rules=case.budget,
        refit=True,
        linear_terms=False,
        max_conditions=case.depth,
        cv=N_FOLDS,
        random_state=case.seed,
    )


def sirus(case: Case) -> Any:
    """SIRUS with a forest of its own, which splits at 10 quantiles: as many of the most frequent rules as it may have.

    The paper tunes p0 by cross-validation; a p0 that leaves fewer rules makes them worse (docs/evaluation.md).
    """
    estimator = SirusClassifier if case.labels else SirusRegressor
    return estimator(
        max_rules=case.budget,
        max_conditions=case.depth,
        n_quantiles=10,
        n_trees=case.n_trees,
        p0=0.0,
        random_state=case.seed,
    )


def rulefit_plain(case: Case) -> Any:
    """RuleFit with the coefficients that the penalty shrinks, as published."""
    return rulefit(case).set_params(refit=False)


def sirus_tuned(case: Case) -> Any:
    """SIRUS with p0 by cross-validation, as published."""
    return sirus(case).set_params(p0=None, cv=N_FOLDS)


def node_harvest(case: Case) -> Any:
    """NodeHarvest on the nodes of the paper's forest; nothing to tune."""
    estimator = NodeHarvestClassifier if case.labels else NodeHarvestRegressor
    return estimator(case.forest(), max_rules=case.budget, max_conditions=case.depth, random_state=case.seed)


def fire(case: Case) -> Any:
    """FIRE on the leaves of the paper's forest, its penalties by cross-validation. Not in the paper's comparison."""
    return FireRegressor(
        case.forest(), max_rules=case.budget, max_conditions=case.depth, cv=N_FOLDS, random_state=case.seed
    )


def cart(case: Case) -> Any:
    """One tree of scikit-learn with as many leaves as the list has rules."""
    tree = DecisionTreeClassifier if case.labels else DecisionTreeRegressor
    return tree(max_leaf_nodes=case.budget, random_state=case.seed)


def forest(case: Case) -> Any:
    """The whole forest of the paper: what a short list gives up."""
    return case.forest()


def deep_forest(case: Case) -> Any:
    """A forest of as many trees with scikit-learn's settings: what class shares are measured by."""
    kind = RandomForestClassifier if case.labels else RandomForestRegressor
    return kind(case.n_trees, random_state=case.seed)


def imodels_rulefit(case: Case) -> Any:
    """RuleFit of imodels, with boosted trees of its own and no linear terms."""
    from benchmarks.peers import make_imodels

    return make_imodels(case.labels, case.budget, case.seed)


def sirus_package(case: Case) -> Any:
    """SIRUS of the package ``sirus``: the most frequent rules of a forest of its own, without a choice of p0."""
    from benchmarks.peers import make_sirus

    return make_sirus(case.labels, case.budget, case.depth, case.n_trees, case.seed)


def ruleopt(case: Case) -> Any:
    """RUX of ruleopt on the leaves of the paper's forest; the heaviest rules predict, because it has no budget."""
    from benchmarks.peers import HeaviestRules

    return HeaviestRules(case.forest(), case.budget, case.seed)


METHODS: dict[str, Method] = {
    "paper": Method(paper),
    "accurate": Method(accurate),
    "distilled": Method(distilled),
    "rulefit": Method(rulefit, on_forest=True, is_sum=True),
    "sirus": Method(sirus, is_sum=True),
    "node_harvest": Method(node_harvest, on_forest=True, is_sum=True),
    "fire": Method(fire, task="regression", on_forest=True, is_sum=True),
    "rulefit_plain": Method(rulefit_plain, on_forest=True, is_sum=True),
    "sirus_tuned": Method(sirus_tuned, is_sum=True),
    "imodels_rulefit": Method(imodels_rulefit, most_classes=2, packages=("imodels", "six"), is_sum=True),
    "sirus_package": Method(sirus_package, most_classes=2, packages=("sirus",), is_sum=True),
    "ruleopt": Method(ruleopt, task="classification", packages=("ruleopt",), is_sum=True),
    "cart": Method(cart),
    **RIVALS,
    "forest": Method(forest, has_budget=False),
    "deep_forest": Method(deep_forest, has_budget=False),
}
#: What is measured if nothing is said: all that needs no package of its own, but those that another way does better.
DEFAULT = ("paper", "accurate", "rulefit", "sirus", "node_harvest", "fire", "cart", "forest")
#: What the suites of sizes measure if nothing is said, as far as it is installed.
OF_SIZES = ("accurate", "cart", *RIVALS, "fire", "forest", "deep_forest")
#: The four that the paper compares, by the names that it gives them.
IN_THE_PAPER = {"paper": "our method", "rulefit": "RuleFit", "sirus": "SIRUS", "node_harvest": "NodeHarvest"}


def complaint(names: Iterable[str]) -> str | None:
    """Say what is wrong with a choice of methods, if anything."""
    return wrong_choice(names, METHODS)


def wrong_choice(names: Iterable[str], known: Mapping[str, Method]) -> str | None:
    """Say which names are not known, or not installed, if any."""
    names = list(names)
    unknown = [name for name in names if name not in known]
    if unknown:
        return f"no method {', '.join(unknown)}; there are {', '.join(known)}"
    missing = [name for name in names if not known[name].installed]
    if missing:
        packages = " ".join(dict.fromkeys(package for name in missing for package in known[name].packages))
        return f"{', '.join(missing)}: not installed. Leave it out of --methods, or pip install {packages}"
    return None


def rules_of(model: Any) -> Any:
    """Return the rules of a fitted model whose fidelity can be measured; None if it has no such form."""
    return getattr(model, "rule_list_", getattr(model, "weighted_rules_", None))


def count_rules(model: Any) -> int:
    """Return how many rules a fitted model has: those of a list, terms of a sum, or leaves."""
    if hasattr(model, "weighted_rules_"):
        return int(model.weighted_rules_.n_terms)
    if hasattr(model, "rule_list_"):
        return len(model.rule_list_)
    if hasattr(model, "n_rules_"):
        return int(model.n_rules_)
    if hasattr(model, "estimators_"):
        return int(np.sum([tree.get_n_leaves() for tree in model.estimators_]))
    return int(model.get_n_leaves())
