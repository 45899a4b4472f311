"""Small rule lists about people, whose spreads are known, and a person to ask them about."""

import numpy as np
import pandas as pd

from hedgerow import Rule, RuleList
from hedgerow.features import Category, Column, Inputs

AGE, DEBT, JOB = Column(0, "age"), Column(1, "debt"), Category(2, "job", ("chef", "clerk", "smith"))
#: The spread of both numbers is 9.
REFERENCE = pd.DataFrame({"age": np.linspace(-0.5, 9.5, 101), "debt": np.linspace(-0.5, 9.5, 101), "job": "chef"})


def small_list(rules, default="no", dtype=np.float64, classes=("no", "yes", "perhaps"), **inputs):
    """A list whose rules are conditions with a prediction."""
    made = tuple(Rule(tuple(conditions), said, 1, 0.1, spread=None) for conditions, said in rules)
    known = Inputs((AGE, DEBT, JOB), dtype, columns=("age", "debt", "job"), has_names=True, **inputs)
    return RuleList(made, Rule((), default), known, None if classes is None else np.array(sorted(classes)), 10)


def person(age=1.0, debt=1.0, job="chef"):
    return pd.DataFrame({"age": [age], "debt": [debt], "job": pd.Series([job], dtype=object)})


def shown(found, answer="yes"):
    (one,) = (other for other in found.others if other.answer == answer)
    return [(change.values, round(change.distance, 6)) for change in one.changes]
