"""
Rules that cut up the plane
===========================

With two measurements, a rule is a rectangle. Each training sample lies in exactly one of them. The forest on the left
has hundreds of overlapping rectangles; the list on the right keeps five, and is proven to be the best five there are
among its candidates.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import DecisionBoundaryDisplay

from hedgerow import RuleListClassifier

COLORS = ["#0072B2", "#E69F00", "#009E73"]
X, y = load_wine(return_X_y=True, as_frame=True)
X = X[["proline", "flavanoids"]]
forest = RandomForestClassifier(300, max_depth=4, random_state=0).fit(X, y)
rules = RuleListClassifier.faithful(forest, max_rules=5, random_state=0).fit(X, y)
print(rules.rule_list_)

# %%
# What each of them predicts.

figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained", sharey=True)
for ax, model, name in zip(axes, [forest, rules], ["300 trees", f"{len(rules.rule_list_)} rules"], strict=True):
    DecisionBoundaryDisplay.from_estimator(
        model,
        X,
        response_method="predict",
        grid_resolution=300,
        alpha=0.3,
        ax=ax,
        plot_method="pcolormesh",
        multiclass_colors=COLORS,
    )
    for label in np.unique(y):
        ax.scatter(*X[y == label].T.to_numpy(), s=12, color=COLORS[label], label=f"cultivar {label}")
    ax.set_title(f"{name}: right on {model.score(X, y):.1%}")
axes[1].legend(loc="lower right")
plt.show()
