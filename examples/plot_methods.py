"""
Five methods, one forest
========================

Each method explains the same forest of depth 2 with at most four rules: which measurements tell how far diabetes has
progressed a year later? Ours partition the samples. The rules of the other methods overlap, and are summed or averaged.
"""

from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestRegressor

from hedgerow import RuleListRegressor
from hedgerow.baselines import FireRegressor, NodeHarvestRegressor, RuleFitRegressor, SirusRegressor
from hedgerow.plotting import plot_tree

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
forest = RandomForestRegressor(100, max_depth=2, random_state=0).fit(X, y)

rules = RuleListRegressor(forest, max_rules=4).fit(X, y)
axes = plot_tree(rules)

# %%
# The other methods have the same forest and budget, except SIRUS: it grows a forest of its own, which splits at
# quantiles.

others = {
    "RuleFit": RuleFitRegressor(forest, max_rules=4, linear_terms=False),
    "SIRUS": SirusRegressor(n_trees=200, max_rules=4, p0=0, random_state=0),
    "NodeHarvest": NodeHarvestRegressor(forest, max_rules=4),
    "FIRE": FireRegressor(forest, max_rules=4),
}
lists = {"hedgerow": rules.rule_list_} | {name: model.fit(X, y).weighted_rules_ for name, model in others.items()}
print(*(f"{name}\n{rules}" for name, rules in lists.items()), sep="\n\n")
