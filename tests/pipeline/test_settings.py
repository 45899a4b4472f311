"""Parameters are checked, and names looked up, before anything else happens."""

import numpy as np
import pytest
from small_data import IRIS, small_forest

from hedgerow import (
    InvalidParameterError,
    RuleListClassifier,
)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_rules": 0}, "max_rules must be an integer of at least 1, or None; got 0"),
        ({"max_rules": -3}, "max_rules"),
        ({"max_rules": 2.5}, "max_rules"),
        ({"max_rules": True}, "max_rules"),
        ({"max_rules": "8"}, "max_rules"),
        ({"max_conditions": 0}, "max_conditions"),
        ({"min_coverage": 1.5}, "min_coverage must be a number between 0 and 1"),
        ({"min_coverage": float("nan")}, "min_coverage"),
        ({"stability_weight": -0.1}, "stability_weight"),
        ({"candidates": "trees"}, "candidates must be one of 'auto', 'leaves', 'nodes'"),
        ({"uncovered": "nobody"}, "uncovered must be one of"),
        ({"target": "y"}, "target must be 'labels', 'ensemble', or"),
        ({"target": 1.2}, "target must be"),
        ({"time_limit": 0}, "time_limit must be a positive number"),
        ({"time_limit": "1 min"}, "time_limit"),
        ({"loss": "mean"}, "Unknown loss 'mean'"),
        ({"stability": None}, "stability must be one of"),
        ({"loss": "mse"}, "The loss 'mse' does not go with labels.*Possible: 'misclassification'"),
        ({"solver": "gurobi"}, "solver must be None or have a method solve"),
        ({"target": np.array([0.5, 1.0])}, "target must be"),
    ],
)
def test_invalid_parameters_are_refused(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        RuleListClassifier(small_forest(), **parameters).fit(*IRIS)
