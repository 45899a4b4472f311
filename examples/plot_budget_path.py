"""
How many rules?
===============

Each further rule buys accuracy, or fidelity to the forest. The picture shows how much,
next to the forest itself and to a decision tree with as many leaves.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from hedgerow import RuleListClassifier, trace_budgets
from hedgerow.plotting import plot_budget_path

X, X_new, y, y_new = train_test_split(*load_breast_cancer(return_X_y=True, as_frame=True), random_state=0)
forest = RandomForestClassifier(200, max_depth=3, random_state=0).fit(X, y)

trace = trace_budgets(RuleListClassifier(forest, candidates="nodes"), X, y, range(1, 13), validation=(X_new, y_new))
axes = plot_budget_path(trace)
