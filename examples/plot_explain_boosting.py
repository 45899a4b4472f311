"""
Explain a boosted model in four rules
=====================================

The model is a boosting ensemble of hundreds of trees. ``faithful`` returns the rules that predict what the model
predicts, and the held-out rows say how far the two agree.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split

from hedgerow import RuleListClassifier
from hedgerow.plotting import plot_tree

data = load_breast_cancer(as_frame=True)
X, X_test, y, y_test = train_test_split(data.data, data.target_names[data.target], random_state=0)
model = HistGradientBoostingClassifier(random_state=0).fit(X, y)

rules = RuleListClassifier.faithful(model, max_rules=4, random_state=0).fit(X, y)
print(rules.rule_list_)
print(f"list and model agree on {rules.agreement(X_test):.1%} of the held-out rows")

# %%
# The same list as a tree. The bars are shares of the training samples.

axes = plot_tree(rules)

# %%
# One sentence says why a row gets its prediction.

print(*rules.explain(X_test.head(2)), sep="\n")
