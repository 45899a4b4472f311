"""
Where list and model part ways
==============================

Two rules cannot predict three cultivars, so this list must miss one. ``disagreements`` finds the rows on which list and
model differ, and describes the regions as rules.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.svm import SVC

from hedgerow import RuleListClassifier

X, y = load_wine(return_X_y=True, as_frame=True)
model = SVC().fit(X, y)
rules = RuleListClassifier.faithful(model, max_rules=2, random_state=0).fit(X, y)
found = rules.disagreements(X)
print(rules.rule_list_)
print(found)

# %%
# One feature tells it all. Rings are rows on which the two differ.

differ = found.to_frame()["row"]
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
for label in range(3):
    rows = model.predict(X) == label
    ax.scatter(X["proline"][rows], X["alcohol"][rows], s=18, label=f"the model says {label}")
ax.scatter(X["proline"].iloc[differ], X["alcohol"].iloc[differ], s=70, facecolors="none", edgecolors="black")
ax.set(xlabel="proline", ylabel="alcohol", title=f"they differ on {len(differ)} of {len(X)} rows")
ax.legend(frameon=False)
plt.show()
