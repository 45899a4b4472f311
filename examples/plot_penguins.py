"""
A table as it is: strings and missing values
============================================

A data frame with islands and sexes as strings and some cells empty goes in as it is. Rules speak of its own values, and
say what happens where one is missing.
"""

import sys
from pathlib import Path

import pandas as pd
from sklearn.model_selection import train_test_split

from hedgerow import RuleListClassifier
from hedgerow.plotting import plot_tree

penguins = pd.read_csv(Path(sys.argv[0]).parent / "penguins.csv")  # it lies beside this program
X, X_test, y, y_test = train_test_split(penguins.drop(columns=["species", "year"]), penguins["species"], random_state=0)
rules = RuleListClassifier.accurate(max_rules=4, random_state=0).fit(X, y)
print(rules.rule_list_)
print(f"right on {rules.score(X_test, y_test):.1%} of the held-out penguins")

# %%
# The list as a tree.

axes = plot_tree(rules)
