"""
Four rules for the fat in meat
==============================

The paper's first appendix example: a forest of depth 2 on the tecator data, which predict the fat content of meat
from its infrared spectrum, and at most 4 rules. Ours partition the samples. The rules of the other methods overlap,
and are summed or averaged.

The targets are standardised, and nothing is held out: this is about what the rules look like. The data are read from
the directory in the environment variable HEDGEROW_DATA if it is set, and fetched from OpenML otherwise.
"""

import os

import pandas as pd
from sklearn.datasets import fetch_openml
from sklearn.ensemble import RandomForestRegressor

from hedgerow import RuleListRegressor
from hedgerow.baselines import FireRegressor, NodeHarvestRegressor, RuleFitRegressor, SirusRegressor
from hedgerow.plotting import plot_tree

if "HEDGEROW_DATA" in os.environ:
    X = pd.read_csv(f"{os.environ['HEDGEROW_DATA']}/tabular/tecator.csv.gz")
    y = X.pop("target")
else:
    X, y = fetch_openml(data_id=505, return_X_y=True, as_frame=True)
X, y = X.astype(float), ((y - y.mean()) / y.std(ddof=0)).to_numpy()
forest = RandomForestRegressor(500, max_depth=2, random_state=0).fit(X, y)

rules = RuleListRegressor(forest, max_rules=4, candidates="leaves", min_coverage=0.01).fit(X, y)
axes = plot_tree(rules)

# %%
# The other methods, with the same forest and budget. SIRUS grows a forest of its own, which splits at quantiles, and
# uses the whole budget; the rules of RuleFit are refitted without penalty. Both are as in the evaluation.

others = {
    "RuleFit": RuleFitRegressor(forest, max_rules=4, linear_terms=False, refit=True),
    "SIRUS": SirusRegressor(max_rules=4, max_conditions=2, p0=0, random_state=0),
    "NodeHarvest": NodeHarvestRegressor(forest, max_rules=4, max_conditions=2),
    "FIRE": FireRegressor(forest, max_rules=4, max_conditions=2),
}
lists = {"hedgerow": rules.rule_list_} | {name: model.fit(X, y).weighted_rules_ for name, model in others.items()}
"\n\n".join(f"{name}\n{rules}" for name, rules in lists.items())
