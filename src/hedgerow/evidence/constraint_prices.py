"""What each condition of a list costs: the best list without it, beside the list itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hedgerow.constraints import check_constraints, words_of
from hedgerow.exceptions import TimeLimitError
from hedgerow.pipeline.build import build, training_score
from hedgerow.pipeline.fold import Extracted
from hedgerow.pipeline.pose import Posed, constrained, solve
from hedgerow.pipeline.price import Price


def price_constraints(
    estimator: Any, X_test: Any = None, y_test: Any = None, time_limit: float | None = None
) -> list[Price]:
    """Return how each constraint changes what the list would be without it, the others kept.

    Parameters
    ----------
    estimator : fitted estimator that has its training rows
    X_test, y_test : optional
        Rows that the list was not learned from.
    time_limit : float, optional
        Seconds for each search; by default that of the estimator.

    Returns
    -------
    list of Price
        An ``objective`` above 0 is what the constraint costs; a ``score`` below 0 is what the list is worse for it.
        ``n_rules`` is the number of rules without it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from hedgerow import RuleListClassifier
    >>> from hedgerow.constraints import MaxFeatures
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> rules = RuleListClassifier(max_rules=3, constraints=MaxFeatures(1), random_state=0).fit(X, y)
    >>> [price.wish for price in price_constraints(rules)]
    ['at most 1 feature in all']
    """
    fitted = estimator.without_search
    posed: Posed = fitted.posed_
    given = check_constraints(posed.settings.constraints)
    if posed.free is None or not given:
        return []
    limit = posed.settings.time_limit if time_limit is None else time_limit
    before = training_score(posed, fitted.solution_, fitted.rule_list_)
    prices = []
    for i, one in enumerate(given):
        settings = posed.settings.changed(constraints=(*given[:i], *given[i + 1 :]))
        problem = replace(posed.free.problem, max_rules=settings.max_rules)
        freer = constrained(replace(posed.free, settings=settings, problem=problem))
        try:
            solution = solve(freer, limit)
        except TimeLimitError as error:
            prices.append(Price(words_of(one), reason=str(error), in_time=False))
            continue
        other = Extracted(freer, solution, build(freer, solution))
        lost, size = solution.objective - fitted.solution_.objective, abs(solution.objective)
        without = None if X_test is None else fitted.of(other).score(X_test, y_test)
        prices.append(
            Price(
                wish=words_of(one),
                objective=lost,
                share=lost / size if size else None,
                score=before - training_score(freer, solution, other.rule_list),
                test_score=None if without is None else fitted.score(X_test, y_test) - without,
                n_rules=len(other.rule_list),
                proven=fitted.solution_.optimal and solution.optimal,
            )
        )
    return prices
