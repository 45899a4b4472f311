"""Draw what new rows say about each rule of a list, and what has changed between two tables."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from hedgerow import RuleListClassifier
from hedgerow.evidence import drift, validate
from hedgerow.plotting import plot_drift, plot_validation

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"})
X, X_test, y, y_test = train_test_split(X, y, random_state=0)
rules = RuleListClassifier.accurate(max_rules=4, random_state=0).fit(X, y)
plot_validation(validate(rules, X_test, y_test)).figure.savefig("validation.png", dpi=100)
plot_drift(drift(rules, X, X_test[X_test["mean area"] > 450])).figure.savefig("drift.png", dpi=100)
plt.show()
