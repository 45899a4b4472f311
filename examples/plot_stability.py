"""
Would another sample give the same list?
========================================

``stability`` learns the list again on resampled rows. A rule that returns in most of them says something about the
world; one that does not says something about this sample.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier

from hedgerow import RuleListClassifier
from hedgerow.evidence import stability

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target_names[data.target]
estimator = RuleListClassifier(RandomForestClassifier(50, max_depth=3, random_state=0), max_rules=4)
found = stability(estimator, X, y, n=10)
print(found)

# %%
# How much the rows of each rule overlap with those of the most similar rule of each new list, on average.

table = found.to_frame()
figure, ax = plt.subplots(figsize=(8, 2.8), layout="constrained")
bars = ax.barh([f"rule {number}" for number in table["rule"]], table["overlap"], color="#0072B2")
ax.bar_label(bars, fmt="%.2f", padding=4)
ax.set(xlim=(0, 1.08), xlabel="overlap with the lists of ten resamples")
ax.invert_yaxis()
plt.show()
