"""
Which shapes decide?
====================

From raw series to rules that can be seen: a forest of shapelet trees learns to distinguish
series with a sharp bump, series with a wide bump, and noise. The list keeps a few of its
shapelets; the pictures show the list as a tree, and where its shapelets match.
"""

import numpy as np
from wildboar.ensemble import ShapeletForestClassifier

from hedgerow import RuleListClassifier
from hedgerow.plotting import plot_shapelets, plot_tree

random = np.random.default_rng(0)
y = np.repeat(["noise", "sharp", "wide"], 40)
X = random.normal(scale=0.2, size=(len(y), 100))
steps = np.arange(100)
for series, kind in zip(X, y, strict=True):
    if kind != "noise":
        middle, width = random.integers(25, 75), 3 if kind == "sharp" else 10
        series += 2 * np.exp(-(((steps - middle) / width) ** 2))

forest = ShapeletForestClassifier(50, max_depth=3, n_shapelets=20, max_shapelet_size=0.4, random_state=0).fit(X, y)
rules = RuleListClassifier(forest, max_rules=4).fit(X, y).rule_list_

plot_tree(rules)

# %%
# Each column shows a series that is typical of its class, each row a shapelet where it matches best.

axes = plot_shapelets(rules, X, y)
