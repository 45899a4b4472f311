"""The demo: a forest on a data set that ships with scikit-learn, and its best rule list."""

from __future__ import annotations

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from hedgerow._support.text_table import aligned
from hedgerow.cli.console import say, show_rules, stages
from hedgerow.estimators.classifier import RuleListClassifier
from hedgerow.evidence.fidelity import summarize
from hedgerow.readers import read_forest


def demonstrate(max_rules: int, published: bool) -> None:
    """Show the way from a forest to a list, its proof, its accuracy on held-out samples and an explanation."""
    make = RuleListClassifier if published else RuleListClassifier.accurate
    data = load_breast_cancer(as_frame=True)
    X, X_test, y, y_test = train_test_split(
        data.data, data.target_names[data.target], random_state=0, stratify=data.target
    )
    with stages(1) as stage:
        stage.start("learning")
        rules = make(max_rules=max_rules, random_state=0, n_jobs=-1).fit(X, y)
    forest = read_forest(rules.ensemble_ if published else rules.teacher_)
    fidelity = summarize(rules.rule_list_, forest, X_test, y_test)
    say(f"A random forest of {forest.n_trees} trees, trained on {len(X)} tumours (the Wisconsin breast cancer data),")
    how = "becomes" if published else "teaches"
    say(f"{how} a list of at most {max_rules} rules, chosen from {rules.problem_.n_rules} candidates:\n")
    show_rules(rules.rule_list_)
    rows = [
        ("", "rules", "accuracy"),
        ("the forest", str(sum(tree.n_leaves for tree in forest.trees)), f"{fidelity.ensemble_score:.3f}"),
        ("the list", str(len(rules.rule_list_)), f"{fidelity.score:.3f}"),
    ]
    say(f"\nOn {len(X_test)} held-out tumours:\n")
    say("\n".join(aligned(rows, right=frozenset({1, 2}))))
    say(f"\nThey agree on {100 * (1 - fidelity.disagreement):.1f} % of them. The prediction for the first, explained:")
    say(rules.explain(X_test[:1])[0])
