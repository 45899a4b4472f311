"""
The most accurate list of each size
===================================

``accurate`` spends a few rules as well as it can. Here it is beside a decision tree with as many leaves, on three
random splits of handwritten digits: is it a 3?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from hedgerow import RuleListClassifier

X, y = load_digits(return_X_y=True, as_frame=True)
y = np.where(y == 3, "three", "other")
sizes = [4, 8, 15]
scores = {"accurate": np.zeros((3, len(sizes))), "decision tree": np.zeros((3, len(sizes)))}
for seed in range(3):
    parts = train_test_split(X, y, stratify=y, random_state=seed)
    X_train, X_test, y_train, y_test = parts
    for i, size in enumerate(sizes):
        tree = DecisionTreeClassifier(max_leaf_nodes=size, random_state=0).fit(X_train, y_train)
        rules = RuleListClassifier.accurate(max_rules=size, random_state=0).fit(X_train, y_train)
        scores["decision tree"][seed, i] = tree.score(X_test, y_test)
        scores["accurate"][seed, i] = rules.score(X_test, y_test)

# %%
# Mean accuracy on held-out digits; the thin lines are the single splits.

figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
for (name, values), color in zip(scores.items(), ["#0072B2", "#D55E00"], strict=True):
    ax.plot(sizes, values.T, color=color, linewidth=0.6, alpha=0.5)
    ax.plot(sizes, values.mean(axis=0), "o-", color=color, linewidth=2.5, label=name)
ax.set(xlabel="rules, or leaves", ylabel="accuracy on held-out rows", xticks=sizes)
ax.legend(frameon=False)
plt.show()
