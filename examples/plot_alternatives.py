"""
The lists that are nearly as good
=================================

The best list is proven, but others may come close, with other measurements. ``alternatives`` has the next best, in
order and without a gap; ``differ_by`` leaves out those that differ on few samples only.
"""

from sklearn.datasets import load_breast_cancer

from hedgerow import RuleListClassifier
from hedgerow.plotting import plot_alternatives

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
rules = RuleListClassifier(max_rules=5, candidates="nodes", random_state=0).fit(X, y)
others = rules.alternatives(8, differ_by=0.05)
print(others.to_frame().round(3))

# %%
# On the left, how good each list is. On the right, how much the lists rely on each feature: a long bar says that a good
# list may use it or do without.

axes = plot_alternatives(others)
