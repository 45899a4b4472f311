"""
Do the rules still hold?
========================

New rows test each rule of a list. The picture shows the rate of each rule on new rows with its interval, and that of
training as a mark. Next, a table that has changed: which rules and conditions see other rows than before?
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from hedgerow import RuleListClassifier
from hedgerow.evidence import drift, validate
from hedgerow.plotting import plot_drift, plot_validation

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"})
X, X_test, y, y_test = train_test_split(X, y, random_state=0)
rules = RuleListClassifier.accurate(max_rules=4, random_state=0).fit(X, y)
validation = validate(rules, X_test, y_test)
print(validation)
axes = plot_validation(validation)

# %%
# Small tumours do not come any more.

changed = drift(rules, X, X_test[X_test["mean area"] > 450])
print(*changed.sentences(), sep="\n")
axes = plot_drift(changed)
