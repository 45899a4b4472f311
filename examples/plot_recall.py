"""
Find nearly all cases
=====================

How many malignant tumours may be missed is a decision, not a hyperparameter. ``MinRecall`` states it, and ``resolve``
finds the best list that keeps it, on the same candidates. Each further percent has a price.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import train_test_split

from hedgerow import RuleListClassifier
from hedgerow.constraints import MinRecall

data = load_breast_cancer(as_frame=True)
X, X_test, y, y_test = train_test_split(data.data, data.target_names[data.target], test_size=0.4, random_state=0)
rules = RuleListClassifier(max_rules=5, candidates="nodes", stability_weight=0, random_state=0).fit(X, y)

shares = [0.92, 0.94, 0.96, 0.98, 0.99]
lists = [rules] + [rules.resolve(constraints=MinRecall({"malignant": share})) for share in shares]
print(lists[-1].rule_list_)

# %%
# Recall is promised for the training rows; what the held-out rows say is beside it.

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
places = range(len(lists))
for name, score, color in [("recall", recall_score, "#0072B2"), ("precision", precision_score, "#D55E00")]:
    for rows, target, style in [(X, y, "o-"), (X_test, y_test, "s--")]:
        values = [score(target, one.predict(rows), pos_label="malignant") for one in lists]
        ax.plot(places, values, style, color=color, label=f"{name}, {'training' if rows is X else 'held-out'}")
ax.set_xticks(places, ["any", *(f"{share:.0%}" for share in shares)])
ax.set(xlabel="least recall of malignant tumours", ylabel="share")
ax.legend(frameon=False, ncols=2)
plt.show()
