"""The demo: a forest on a data set that comes with scikit-learn, and its best rule list."""

from __future__ import annotations

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from hedgerow.cli.console import say, show_rules
from hedgerow.estimators.classifier import RuleListClassifier
from hedgerow.readers import read_forest


def demonstrate(max_rules: int) -> None:
    """Show the whole way from a forest to a list, its proof and its fidelity."""
    data = load_breast_cancer()
    X, X_test, y, y_test = train_test_split(
        data.data, data.target_names[data.target], random_state=0, stratify=data.target
    )
    model = RandomForestClassifier(500, max_depth=3, random_state=0, n_jobs=-1).fit(X, y)
    forest = read_forest(model, data.feature_names)
    say(f"A random forest of {forest.n_trees} trees of depth 3, trained on {len(X)} tumours")
    say(f"(the Wisconsin breast cancer data), becomes a list of at most {max_rules} rules:\n")
    rules = RuleListClassifier(forest, max_rules=max_rules, random_state=0).fit(X, y)
    solution = rules.solution_
    show_rules(rules.rule_list_)
    say(f"found and proved in {solution.seconds:.2f} s among {rules.problem_.n_rules} rules of the forest")
    say(f"\nOn {len(X_test)} tumours that neither has seen (score: accuracy):\n")
    say(str(rules.fidelity(X_test, y_test)))
    say(f"\nWhy the first of them is {rules.predict(X_test[:1])[0]}:")
    say(rules.explain(X_test[:1])[0])
