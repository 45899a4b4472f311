"""A report with every section, a list of names that are markup, and what a person enters in the form."""

import json
import re
from functools import cache

import numpy as np
import pandas as pd
from rule_lists import numbers, table
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.svm import SVC

from hedgerow import Condition, Rule, RuleList, RuleListClassifier
from hedgerow.features import Category, Column, Inputs

EVIL = "<script>alert(1)</script>"
WORSE = "</script><!--<img src=x onerror=alert(1)>&amp;\"'"


@cache
def fitted():
    X, y = numbers(120)
    X = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    labels = np.array(["no", "yes", "perhaps"])[y + (X["b"].to_numpy() > 1)]
    forest = RandomForestClassifier(10, max_depth=4, random_state=0).fit(X[:80], labels[:80])
    rules = RuleListClassifier(forest, max_rules=5, candidates="nodes").fit(X[:80], labels[:80])
    return rules, X, labels


@cache
def full_report():
    rules, X, y = fitted()
    return rules.rule_list_.to_html(
        title="All sections", estimator=rules, X=X[:80], y=y[:80], X_test=X[80:], y_test=y[80:], budgets=range(1, 7)
    )


@cache
def faithful_list():
    """Return a short list that explains a model without trees, the model, and rows: 200 to learn from, and others."""
    X, y = numbers(320, seed=1)
    X = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    labels = np.array(["no", "yes"])[y]
    model = SVC(C=10).fit(X[:200], labels[:200])
    return RuleListClassifier.faithful(model, max_rules=2, random_state=0).fit(X[:200], labels[:200]), model, X, labels


@cache
def faithful_report():
    rules, _, X, y = faithful_list()
    data = {"X": X[:200], "y": y[:200], "X_test": X[200:], "y_test": y[200:]}
    return rules.rule_list_.to_html(estimator=rules, **data)


def list_with_categories():
    """Return a list on numbers with missing values and on categories, and its training rows."""
    X, y = table(120)
    X = X.rename(columns={'the\n"age"': "age", "größe, {cm}": "size"})
    X["color"] = X["color"].cat.rename_categories(["red", "blue", "green"])
    model = HistGradientBoostingClassifier(max_iter=6, max_depth=3, min_samples_leaf=3)
    model.set_params(categorical_features="from_dtype").fit(X, y)
    return RuleListClassifier(model, max_rules=7).fit(X, y).rule_list_, X, y


def evil_list():
    a, b = Column(0, EVIL), Category(1, WORSE, (EVIL, WORSE, "plain"))
    rules = (
        Rule((Condition(a, upper=5), Condition(b, categories=frozenset({0, 1}))), EVIL, 6, 0.6, (0.25, 0.75)),
        Rule((Condition(a, lower=5),), WORSE, 4, 0.4, (1.0, 0.0)),
    )
    inputs = Inputs((a, b), np.float64, columns=(EVIL, WORSE), has_names=True)
    return RuleList(rules, Rule((), EVIL, distribution=(0.5, 0.5)), inputs, np.array([WORSE, EVIL]), 10)


ASK = """(rows) => {
  const found = [];
  const verdict = document.getElementById("verdict");
  for (const row of rows) {
    row.forEach((value, i) => {
      const input = document.getElementById(`field-${i}`);
      if (input.tagName === "SELECT") input.selectedIndex = value;
      else input.value = value;
    });
    document.getElementById("try").dispatchEvent(new Event("input", {bubbles: true}));
    const fired = [...verdict.querySelectorAll(":scope > .conditions > li")];
    found.push([verdict.dataset.rule ?? verdict.textContent, fired.map((item) => item.dataset.value),
               fired.every((item) => item.className === "holds")]);
  }
  return found;
}"""


def data_of(html):
    """The data block, read as a parser of HTML reads it."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)[1])


def typed(form, rule_list, X):
    """What a person would type for each sample: the shortest digits of each number; missing is left empty."""
    rows = []
    for row in X.itertuples(index=False) if hasattr(X, "itertuples") else X:
        cells = []
        for field in form["fields"]:
            value = row[[str(name) for name in rule_list.inputs.names].index(field["label"])]
            is_missing = value is None or value != value
            if field["kind"] == "choice":
                words = field["options"]
                text = "(missing)" if is_missing else str(value)
                cells.append(words.index(text) if text in words else words.index("(another value)"))
            else:
                cells.append("" if is_missing else repr(float(value)))
        rows.append(cells)
    return rows
