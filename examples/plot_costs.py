"""
Mistakes that cost differently
==============================

To miss a tumour costs more than a false alarm. ``cost_matrix`` says how much more; a rule then predicts the class of
least cost, and the list minimises the total.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import ConfusionMatrixDisplay
from sklearn.model_selection import train_test_split

from hedgerow import RuleListClassifier
from hedgerow.losses import cost_matrix

data = load_breast_cancer(as_frame=True)
X, X_test, y, y_test = train_test_split(data.data, data.target_names[data.target], test_size=0.4, random_state=0)
settings = {"max_rules": 4, "candidates": "nodes", "stability_weight": 0, "min_coverage": 0.02, "random_state": 0}
plain = RuleListClassifier(**settings).fit(X, y)
careful = RuleListClassifier(loss=cost_matrix({("malignant", "benign"): 20}), **settings).fit(X, y)
print(careful.rule_list_)

# %%
# Both on the same held-out rows.

figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
for ax, rules, name in zip(axes, [plain, careful], ["every mistake costs 1", "a missed tumour costs 20"], strict=True):
    ConfusionMatrixDisplay.from_estimator(rules, X_test, y_test, ax=ax, colorbar=False, cmap="Blues")
    ax.set_title(name)
plt.show()
