"""
What a wish costs
=================

Fewer features, shorter rules, no use of one measurement: ``prices`` solves the problem again under each wish and says
what it costs, before anyone argues about it.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from hedgerow import RuleListClassifier
from hedgerow.constraints import Forbid, MaxConditions, MaxFeatures, MinCoverage, MinRecall

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target_names[data.target]
rules = RuleListClassifier(max_rules=5, candidates="nodes", stability_weight=0, random_state=0).fit(X, y)
wishes = {
    "at most 3 features": MaxFeatures(3),
    "at most 2 features": MaxFeatures(2),
    "rules of at most 2 conditions": MaxConditions(each=2),
    "every rule covers 5 %": MinCoverage(0.05),
    "no worst perimeter": Forbid(feature="worst perimeter"),
    "98 % of the malignant found": MinRecall({"malignant": 0.98}),
}
prices = [rules.price(wish) for wish in wishes.values()]
print(*prices, sep="\n")

# %%
# The share of the training samples that the wish costs.

figure, ax = plt.subplots(figsize=(7.5, 3.4), layout="constrained")
bars = ax.barh(list(wishes), [100 * -price.score for price in prices], color="#0072B2")
ax.bar_label(bars, fmt="%.2f", padding=4)
ax.invert_yaxis()
ax.margins(x=0.12)
ax.set_xlabel("points of training accuracy")
plt.show()
