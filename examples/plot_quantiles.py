"""
A range instead of a number
===========================

With the loss ``pinball(0.9)``, a rule predicts the value that nine in ten of its samples stay below. Two lists, for
10 % and for 90 %, give a range for every patient, and rules that say why it is wide or narrow.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import train_test_split

from hedgerow import RuleListRegressor
from hedgerow.losses import pinball

X, X_test, y, y_test = train_test_split(*load_diabetes(return_X_y=True, as_frame=True, scaled=False), random_state=0)
forest = RandomForestRegressor(200, max_depth=3, min_samples_leaf=15, random_state=0).fit(X, y)
settings = {"max_rules": 5, "candidates": "nodes", "stability_weight": 0, "min_coverage": 0.05}
low, high = (RuleListRegressor(forest, loss=pinball(share), **settings).fit(X, y) for share in (0.1, 0.9))
print(high.rule_list_)

# %%
# The ranges of held-out patients, in the order of their upper ends.

bottom, top = low.predict(X_test), high.predict(X_test)
inside = (y_test >= bottom) & (y_test <= top)
order = np.lexsort((bottom, top))
places = np.arange(len(order))
figure, ax = plt.subplots(figsize=(9, 4), layout="constrained")
ax.fill_between(places, bottom[order], top[order], step="mid", color="#0072B2", alpha=0.2, label="10 % to 90 %")
colors = np.where(inside.iloc[order], "#0072B2", "#D55E00")
ax.scatter(places, y_test.iloc[order], c=colors, s=14, label="what happened")
ax.set(xlabel="held-out patients", ylabel="progression", title=f"{inside.mean():.0%} of them lie in their range")
ax.legend(frameon=False)
plt.show()
