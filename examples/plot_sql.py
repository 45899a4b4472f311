"""
Let a database predict
======================

``to_sql`` writes the list as a query. Here SQLite runs it on the held-out rows and gives the predictions of
``predict``, row by row; PostgreSQL, DuckDB and BigQuery have dialects of their own.
"""

import sqlite3

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from hedgerow import RuleListClassifier

data = load_wine(as_frame=True)
X, X_test, y, y_test = train_test_split(data.data, data.target_names[data.target], random_state=0)
rules = RuleListClassifier.accurate(max_rules=4, random_state=0).fit(X, y)
query = rules.rule_list_.to_sql("sqlite", table="wines")
print(query)

# %%
# The rows go into a table, and the query runs on it.

with sqlite3.connect(":memory:") as database:
    X_test.to_sql("wines", database, index=False)
    answers = pd.read_sql_query(query, database)
print("the same as predict:", (answers["prediction"].to_numpy() == rules.predict(X_test)).all())

# %%
# What the database found.

figure, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
counts = pd.crosstab(answers["prediction"], y_test)
counts.plot.barh(stacked=True, ax=ax)
ax.set(xlabel="held-out wines", ylabel="prediction of the database")
ax.legend(title="cultivar", frameon=False)
plt.show()
