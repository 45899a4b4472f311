"""
Four rules for the fat in meat
==============================

The paper's first appendix example: a forest of depth 2 on the tecator data, which tell the fat content of meat from
its infrared spectrum, and at most 4 rules. Ours part the samples; those of the other methods overlap, and are added
up or averaged.

The targets are standardised, and nothing is held out: this is about what the rules look like. The data come from the
directory of the benchmarks, or else from OpenML.
"""

from sklearn.ensemble import RandomForestRegressor

from benchmarks.datasets import find_data, load_complete
from hedgerow import RuleListRegressor
from hedgerow.baselines import FireRegressor, NodeHarvestRegressor, RuleFitRegressor, SirusRegressor
from hedgerow.plotting import plot_tree

X, y = load_complete("tecator", "regression", find_data(None))
y = (y - y.mean()) / y.std()
forest = RandomForestRegressor(500, max_depth=2, random_state=0).fit(X, y)

rules = RuleListRegressor(forest, max_rules=4, candidates="leaves", min_coverage=0.01).fit(X, y)
axes = plot_tree(rules)

# %%
# The other methods with the same forest and budget. SIRUS grows a forest of its own, which splits at quantiles, and
# gives as many rules as it may; the rules of RuleFit are fitted once more without penalty. Both as in the evaluation.

others = {
    "RuleFit": RuleFitRegressor(forest, max_rules=4, linear_terms=False, refit=True),
    "SIRUS": SirusRegressor(max_rules=4, max_conditions=2, p0=0, random_state=0),
    "NodeHarvest": NodeHarvestRegressor(forest, max_rules=4, max_conditions=2),
    "FIRE": FireRegressor(forest, max_rules=4, max_conditions=2),
}
lists = {"hedgerow": rules.rule_list_} | {name: model.fit(X, y).weighted_rules_ for name, model in others.items()}
"\n\n".join(f"{name}\n{rules}" for name, rules in lists.items())
