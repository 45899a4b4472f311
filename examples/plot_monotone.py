"""
Predictions that only rise
==========================

A heavier patient with higher blood pressure should never get a better prognosis because of it. ``Monotone`` makes that
hold for every pair of points, not only for the samples; the list is the best one among those for which it does. The
problem is solved already, so ``resolve`` adds the wish to it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from hedgerow import RuleListRegressor
from hedgerow.constraints import Monotone

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
settings = {"candidates": "nodes", "stability_weight": 0, "loss": "sse", "min_coverage": 0.02}
free = RuleListRegressor(max_rules=8, **settings, random_state=0).fit(X, y)
tied = free.resolve(constraints=Monotone({"bmi": +1, "bp": +1}))
print(tied.rule_list_)

# %%
# Raise the body mass index of each patient and see what happens to the prediction. Where a line
# is red, the patient would do better on paper for being heavier.

steps = np.linspace(18, 42, 49)
figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", sharey=True)
for ax, rules, name in zip(axes, [free, tied], ["without a constraint", "monotone in bmi and bp"], strict=True):
    paths = np.array([rules.predict(X.assign(bmi=step)) for step in steps])
    falls = (np.diff(paths, axis=0) < 0).any(axis=0)
    ax.plot(steps, paths[:, ~falls], color="#0072B2", alpha=0.05)
    ax.plot(steps, paths[:, falls], color="#D55E00", alpha=0.1)
    ax.set(title=f"{name}\nfalls for {falls.sum()} of {len(X)} patients, R² {rules.score(X, y):.2f}", xlabel="bmi")
axes[0].set_ylabel("predicted progression")
plt.show()
