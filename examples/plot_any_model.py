"""
Explain what has no trees
=========================

A neural network has no rules to read, but it can be asked. ``faithful`` takes any fitted model, or a function that
answers for a table, and the list learns what it says.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hedgerow import RuleListRegressor

X, X_test, y, y_test = train_test_split(*load_diabetes(return_X_y=True, as_frame=True, scaled=False), random_state=0)
network = MLPRegressor(hidden_layer_sizes=16, alpha=3000, solver="lbfgs", max_iter=5000, random_state=0)
model = make_pipeline(StandardScaler(), network).fit(X, y)

rules = RuleListRegressor.faithful(model, max_rules=8, random_state=0).fit(X, y)
print(rules.rule_list_)

# %%
# Each point is a held-out patient; each level is a rule.

figure, ax = plt.subplots(figsize=(5.5, 5), layout="constrained")
said, meant = rules.predict(X_test), model.predict(X_test)
ax.scatter(meant, said, c=rules.apply(X_test), cmap="tab10", s=24)
ax.axline((150, 150), slope=1, color="#999999", linewidth=1)
ax.set(
    xlabel="the network predicts", ylabel="the list predicts", title=f"R² to the network {rules.agreement(X_test):.2f}"
)
plt.show()
