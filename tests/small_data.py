"""Embedded data sets, and small ensembles on them."""

from sklearn.datasets import load_diabetes, load_digits, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier

IRIS = load_iris(return_X_y=True)
WINE = load_wine(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
DIGITS = load_digits(return_X_y=True)


def small_forest(X=IRIS[0], y=IRIS[1], depth=2, n=20):
    return RandomForestClassifier(n, max_depth=depth, random_state=0).fit(X, y)


def unfitted_forest(n=15, depth=2):
    return RandomForestClassifier(n, max_depth=depth, random_state=0)
