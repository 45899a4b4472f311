"""From an ensemble and data to a rule list: pure functions, one after the other.

``prepare(settings, samples) -> Prepared``, ``pose(prepared, settings) -> Posed``, a solver for ``posed.problem``,
``build(posed, solution) -> RuleList``. The estimators, cross-validation, the trace over budgets, the report and the
command line all call these.
"""
