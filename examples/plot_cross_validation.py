"""
Let cross-validation choose the size
====================================

``RuleListClassifierCV`` tries each number of rules on five folds and takes the one that scores best on rows it has not
seen. It stops early when more rules no longer help.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier

from hedgerow import RuleListClassifierCV

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
forest = RandomForestClassifier(100, max_depth=3, random_state=0)
search = RuleListClassifierCV(forest, max_rules=range(2, 11), min_coverages=(0.01,), stability_weights=(0,)).fit(X, y)
print(search.rule_list_)
print("best number of rules:", search.best_max_rules_)

# %%
# Mean accuracy on held-out folds, and its standard deviation.

table = pd.DataFrame(search.cv_results_)
table = table[table["mean_test_score"].notna()]
figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
sizes = table["param_max_rules"].astype(int)
ax.errorbar(sizes, table["mean_test_score"], table["std_test_score"], fmt="o-", color="#0072B2", capsize=3)
ax.axvline(search.best_max_rules_, color="#D55E00", linestyle="--", label="chosen")
ax.set(xlabel="rules", ylabel="accuracy", xticks=sizes)
ax.legend(frameon=False)
plt.show()
