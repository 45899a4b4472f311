"""The deliverable: ordered rules, first match wins, and a default.

The list is ordered by training coverage, largest first. So the paper's inference (of several matching rules, the one
that covers the most training samples; if none matches, the default) is an if / else if / else.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Feature, Inputs, Notation, frame_or_array
from hedgerow.features.choosing import choose_columns
from hedgerow.features.refusals import why_not_a_table
from hedgerow.forests.forest import Forest
from hedgerow.rules.edit import Edit
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rounding import gap_in, rounded_rules
from hedgerow.rules.rule import Rule
from hedgerow.rules.solution import Solution
from hedgerow.rules.wording import format_bound
from hedgerow.tasks import Task, task_of


@dataclass(frozen=True, eq=False)
class RuleList:
    """Rules that partition the training samples, with their proof.

    Attributes
    ----------
    rules : tuple of Rule
        Ordered by training coverage, largest first.
    default : Rule
        What is predicted where no rule matches.
    inputs : Inputs
        The columns the rules look at, and the precision of comparison.
    classes : array or None
        Labels in the order of the rules' distributions; None for regression.
    n_samples : int
        Number of training samples.
    solution : Solution or None
        Objective, bound and status of the integer program.
    fallback : Forest or None
        What predicts instead of the default where no rule matches.
    constraints : tuple of str
        What the list had to satisfy, in words: the proof is about the lists that do.
    edits : tuple of Edit
        What an expert has changed since the fit, and what that cost.
    """

    rules: tuple[Rule, ...]
    default: Rule
    inputs: Inputs
    classes: AnyArray | None = None
    n_samples: int = 0
    solution: Solution | None = None
    fallback: Forest | None = field(default=None, repr=False)
    constraints: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, i: int) -> Rule:
        return self.rules[i]

    @cached_property
    def task(self) -> Task:
        """What the list predicts: labels or numbers."""
        return task_of(self.classes)

    def evaluate(self, X: Any) -> Evaluation:
        """Look at some samples once: which rules match, what is predicted, and why.

        ``predict``, ``apply``, ``matches``, ``explain`` and ``predict_proba`` each return one part of it; for several
        parts of the same samples, evaluate them and ask the evaluation.

        Parameters
        ----------
        X : array or data frame
            An array has the columns of training. The columns of a data frame are found by their names: their order does
            not matter, others are ignored, and those that no rule uses may be absent. Columns called by integers count
            by their positions; the integers of training in another order are refused.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from hedgerow import RuleListClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y).rule_list_
        >>> looked = rules.evaluate(X)
        >>> looked.matches.shape, looked.fired.shape, len(looked.sentences())
        ((150, 3), (150,), 150)
        """
        used = {condition.feature for rule in self.rules for condition in rule.conditions}
        X = self._chosen(X, used)
        values = self.inputs.values(X, used)
        return Evaluation(self.rules, self.default, self.fallback, self.task, self.digits, X, values)

    def with_notations(self, notations: Mapping[str, Notation]) -> RuleList:
        """Return the list for tables whose columns are written like this, by their names.

        It takes their cells as written, and exports read them in the same way.

        Examples
        --------
        >>> import pandas as pd
        >>> from hedgerow import RuleListClassifier
        >>> from hedgerow.features import Notation
        >>> X = pd.DataFrame({"size": [0.5, 1.5, 2.5, 3.5] * 5})
        >>> rules = RuleListClassifier(max_rules=2, random_state=0).fit(X, X["size"] > 2).rule_list_
        >>> rules.with_notations({"size": Notation(decimal=",")}).predict(pd.DataFrame({"size": ["1,9", "2,1"]}))
        array([False,  True])
        """
        written = tuple((i, notations[name]) for i, name in enumerate(self.inputs.names) if name in notations)
        inputs = replace(self.inputs, notations=written)
        fallback = None if self.fallback is None else replace(self.fallback, inputs=inputs)
        return replace(self, inputs=inputs, fallback=fallback)

    def rounded(self, X: Any) -> RuleList:
        """Return the list with the roundest thresholds that no sample of ``X`` tells from its own.

        Every sample matches the same rules as before. If that makes no difference to any sample, the list compares
        doubles afterwards, so that exported programs contain these very numbers. The parameter ``round_thresholds`` of
        an estimator does the same for its training samples.

        Examples
        --------
        >>> import numpy as np
        >>> from hedgerow import Condition, Rule, RuleList
        >>> from hedgerow.features import Column, Inputs
        >>> age = Column(0, "age")
        >>> rule = Rule((Condition(age, upper=41.37),), "young", 2, 0.5, (0.0, 1.0))
        >>> rules = RuleList((rule,), Rule((), "old"), Inputs((age,)), np.array(["old", "young"]), n_samples=4)
        >>> print(rules.rounded([[28.0], [39.5], [43.0], [60.0]])[0])
        if age <= 40 then young (100 %)
        """
        seen = self.evaluate(X)
        rules = rounded_rules(self.rules, lambda feature, t: gap_in(seen.values[feature], t), self.inputs.dtype)
        rounded = replace(self, rules=rules)
        precise = rounded.in_doubles()
        return precise if np.array_equal(precise.matches(X), seen.matches) else rounded

    def in_doubles(self) -> RuleList:
        """Return the list with the same thresholds, comparing doubles instead of numbers of single precision."""
        return replace(self, inputs=replace(self.inputs, dtype=np.float64))

    def _chosen(self, X: Any, used: Collection[Feature]) -> Any:
        """Return the samples with the columns in order; those that no rule uses may be absent from a data frame."""
        table = frame_or_array(X)
        is_plain = self.inputs.columns is None and not self.inputs.of_series
        if len(table.shape) == 0 or (is_plain and len(table.shape) == 1):
            raise InvalidDataError(why_not_a_table(X) or f"X is {X!r}. Pass an array or a data frame.")
        return choose_columns(table, self.inputs, used if self.fallback is None else None)

    def apply(self, X: Any) -> IntArray:
        """Return the position of the first rule that matches each sample, -1 if none does."""
        return self.evaluate(X).fired

    def matches(self, X: Any) -> BoolArray:
        """Return which rules match each sample, of shape (n_samples, n_rules)."""
        return self.evaluate(X).matches

    def predict(self, X: Any) -> AnyArray:
        """Return the prediction for each sample: a label or a value."""
        return self.evaluate(X).predictions

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the class shares of the rule that makes the prediction for each sample."""
        if not self.task.has_labels:
            raise AttributeError("A regression rule list has no class shares; use predict.")
        return self.evaluate(X).shares

    def explain(self, X: Any) -> list[str]:
        """Return one sentence per sample: which rule makes the prediction, and why."""
        return self.evaluate(X).sentences()

    def feature_importances(self) -> dict[Feature, float]:
        """Return the importance of each feature in use: the share of training samples in rules that look at it."""
        return sum_by_feature(self.rules, [rule.share for rule in self.rules])

    @cached_property
    def digits(self) -> int:
        """The number of digits that tells all thresholds of the list apart, at least 4."""
        thresholds: dict[Feature, set[float]] = {}
        for rule in self.rules:
            for condition in rule.simplified:
                ends = {t for t in (condition.lower, condition.upper) if np.isfinite(t)}
                thresholds.setdefault(condition.feature, set()).update(ends)
        for digits in range(4, 17):
            if all(len({format_bound(t, digits) for t in ts}) == len(ts) for ts in thresholds.values()):
                return digits
        return 17

    def describe_default(self) -> str:
        """Write what is predicted where no rule matches."""
        return self.default.describe_prediction() if self.fallback is None else "what the ensemble says"

    def sentences(self) -> list[str]:
        """Write what each rule says, the default last."""
        return [*(rule.sentence(self.digits) for rule in self.rules), f"otherwise {self.describe_default()}"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return the list as data, one dictionary per rule, the default last.

        ``of_model``, of a list that explains a model, is the model's own mean share of the predicted class, or the
        standard deviation of its predictions.
        """
        records = []
        for i, rule in enumerate((*self.rules, self.default), start=1):
            is_default = rule is self.default
            record = {
                "rule": "default" if is_default else i,
                "conditions": "otherwise" if is_default else rule.describe(self.digits),
                "prediction": rule.prediction,
                "samples": rule.coverage,
                "share": rule.share,
            }
            class_share = rule.class_share if self.task.has_labels else None
            further: dict[str, Any] = {"class_share": class_share, "spread": rule.spread, "of_model": rule.of_model}
            further["kind"] = rule.kind or None
            records.append(record | {name: value for name, value in further.items() if value is not None})
        return records

    def to_text(self, *, show_missing: bool = False) -> str:
        """Return the list as text, one line per rule.

        Parameters
        ----------
        show_missing : bool
            Where a feature was missing in training, conditions that a missing value satisfies end with "or missing".
            If this is set, so do those on features that were never missing there, as far as the list accepts missing
            values: what :meth:`predict`, SQL and the other exports do with them.
        """
        from hedgerow.exporters.to_text import export

        return export(self, show_missing=show_missing)

    def to_frame(self) -> Any:
        """Return the list as a pandas data frame, one row per rule, the default last."""
        from hedgerow.exporters.to_frame import export

        return export(self)

    def to_json(self, indent: int | None = None) -> str:
        """Write the list as JSON that :meth:`from_json` reads on any machine, without the library it came from.

        Parameters
        ----------
        indent : int, optional
            The number of spaces per level; on one line if not given.

        Examples
        --------
        >>> import numpy as np
        >>> from hedgerow import Condition, Rule, RuleList
        >>> from hedgerow.features import Column, Inputs
        >>> age = Column(0, "age")
        >>> rule = Rule((Condition(age, upper=30.0),), "young", 6, 0.6, (0.0, 1.0))
        >>> default = Rule((), "old", distribution=(0.75, 0.25))
        >>> rules = RuleList((rule,), default, Inputs((age,)), np.array(["old", "young"]), n_samples=10)
        >>> again = RuleList.from_json(rules.to_json())
        >>> again.predict([[25.0], [45.0]]).tolist()
        ['young', 'old']
        """
        from hedgerow.exporters.json.to_json import export

        return export(self, indent=indent)

    @staticmethod
    def from_json(text: str) -> RuleList:
        """Read a list that :meth:`to_json` wrote; a document that is not consistent raises an error."""
        from hedgerow.exporters.json.from_json import read

        return read(text)

    def to_sql(
        self,
        dialect: str = "postgres",
        *,
        table: str | Sequence[str] | None = None,
        returns: Literal["prediction", "rule", "text", "probability"] = "prediction",
        label: Any = None,
        columns: Sequence[str] | None = None,
        booleans: Iterable[str] = (),
        alias: str | None = None,
        counts: bool = False,
        target: str | None = None,
    ) -> str:
        """Write the list as SQL: a CASE expression, or a SELECT of a whole table with it.

        The predictions are those of :meth:`predict`, also for missing values (NULL and NaN) and next to thresholds. A
        row that ``predict`` refuses gets NULL. If the list was learned from a text file, the cells are read as they are
        written there, and a comment in the first line names columns that must be loaded as text. This needs sqlglot,
        which quotes names and strings.

        Parameters
        ----------
        dialect : "postgres", "sqlite", "duckdb" or "bigquery"
            The database.
        table : str or sequence of str, optional
            Write a SELECT from this table, or from (schema, table). If not given, only the expression.
        returns : "prediction", "rule", "text" or "probability"
            What the expression returns: the prediction; the position of the rule as in :meth:`apply`, -1 if none
            matches; the rule in words; the share of ``label`` as in :meth:`predict_proba`.
        label : object, optional
            The class whose probability is wanted; by default the second of two.
        columns : sequence of str, optional
            The names of the columns in the database, one per column of X, if they differ.
        booleans : iterable of str
            Columns that are BOOLEAN in the database and that the ensemble saw as 0 and 1.
        alias : str, optional
            The name of the new column; in a SELECT, ``returns`` if not given, with a number if a column is called so.
        counts : bool
            Write a query instead that counts the rows of the table: one row per rule, numbered as in :meth:`apply`,
            with the number of its rows and of those for which each condition of the list holds. Rows that ``predict``
            refuses have no number. :func:`hedgerow.evidence.drift` compares such counts.
        target : str, optional
            With ``counts``, the column of the true labels, which are counted for each rule, or of the true numbers,
            whose number, sum and sum of squares are returned.
        """
        from hedgerow.exporters.sql.to_sql import export

        names = {"table": table, "columns": columns, "booleans": booleans, "alias": alias}
        return export(self, dialect=dialect, returns=returns, label=label, counts=counts, target=target, **names)

    def to_python(self, name: str = "predict") -> str:
        """Write the list as the source of a Python function that needs no library.

        The function takes one row, a dictionary or a sequence, and returns what :meth:`predict` returns for it; where
        that refuses a missing value or an unknown category, it raises a ValueError. Cells may be strings, as Python's
        csv module returns them.

        Parameters
        ----------
        name : str
            The name of the function.
        """
        from hedgerow.exporters.python.to_python import export

        return export(self, name=name)

    def to_latex(self, caption: str | None = None, label: str | None = None) -> str:
        """Write the list as a LaTeX table for the package booktabs.

        Parameters
        ----------
        caption, label : str, optional
            With one of them the table floats. The caption is shown as written: it is not interpreted as LaTeX.
        """
        from hedgerow.exporters.to_latex import export

        return export(self, caption=caption, label=label)

    def to_dot(self) -> str:
        """Write the list as a tree of its conditions (:class:`hedgerow.rules.rule_tree.RuleTree`) for Graphviz."""
        from hedgerow.exporters.to_dot import export

        return export(self)

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        title: str | None = None,
        estimator: Any = None,
        X: Any = None,
        y: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        test_name: str | None = None,
        budgets: Iterable[int] | None = None,
        wishes: bool | Iterable[Any] | None = None,
        alternatives: Any = None,
        target: str | None = None,
        source: str | None = None,
        left_out: Mapping[str, str] | None = None,
        created: datetime.date | None = None,
        company: Any = None,
        show_samples: bool = True,
    ) -> str:
        """Write a report: one page that opens in any browser, offline. Needs ``pip install 'hedgerow[report]'``.

        By itself it shows the list, as a table and as a tree, its proof, and a form that shows which rule matches the
        values that are typed in. Each further argument adds to it.

        Parameters
        ----------
        path : path, optional
            Where to write the page; an existing file is replaced once the new one is complete.
        title : str, optional
            By default, what is predicted and the number of rules.
        estimator : fitted estimator whose ``rule_list_`` this is, optional
            Adds what the list was chosen from, how faithful it is to the ensemble, and how good that is.
        X, y : training samples and their targets, optional
            Add scores, errors, and what is known about each rule. The page keeps a few hundred samples, only the
            columns that rules look at, to compare typed values with.
        X_test, y_test : held-out samples and their targets, optional
            Add how often the list is right on them. With ``estimator``, ``X`` and ``y``, also how often simple rivals
            and the ensemble are.
        test_name : str, optional
            Where ``X_test`` comes from, such as the name of a file, if it is not known whether the list was learned
            from some of these samples. The page then calls them by this name and not held-out.
        budgets : iterable of int, optional
            Adds the best list for each of these budgets, among the candidates of the estimator. The search takes at
            most half a minute for all of them; a list that is not proven by then says so.
        wishes : bool or iterable, optional
            What it would cost to insist on something: constraints (:mod:`hedgerow.constraints`), or dictionaries of
            arguments for :meth:`hedgerow.RuleListClassifier.resolve`. True stands for the most usual ones, which by
            default are priced if the estimator took seconds only and was not unpickled. The search takes at most six
            seconds.
        alternatives : Alternatives, int or bool, optional
            The next best lists beside this one: what :meth:`hedgerow.RuleListClassifier.alternatives` returned, or how
            many lists are to be found, in six seconds at most. By default there are six that differ by at least 5 % of
            the training samples, under the same conditions as for ``wishes``.
        target : str, optional
            The name of what is predicted.
        source : str, optional
            Where the data come from, such as the name of a file.
        left_out : mapping of str to str, optional
            Columns of the data that were not used, and why.
        created : datetime.date, optional
            The date on the page; by default, today.
        company : Company, optional
            The scores of the rivals on the held-out samples, if they are known already
            (:func:`hedgerow.evidence.company.keep_company`).
        show_samples : bool
            Whether the page may contain values of samples. If not, it has no samples to start from and none to compare
            with, no typical series, and no ranges of values.

        Returns
        -------
        str
            The page.
        """
        from hedgerow.exporters.html.to_html import export

        data = {"X": X, "y": y, "X_test": X_test, "y_test": y_test, "test_name": test_name}
        about = {"target": target, "source": source, "left_out": left_out, "created": created, "company": company}
        shown = {"title": title, "estimator": estimator, "budgets": budgets, "wishes": wishes}
        shown |= {"show_samples": show_samples, "alternatives": alternatives}
        return export(self, path=path, **shown, **about, **data)

    def to_dossier(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        title: str | None = None,
        purpose: str | None = None,
        estimator: Any = None,
        X: Any = None,
        y: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        test_name: str | None = None,
        target: str | None = None,
        check: Any = None,
        stability: Any = None,
        wishes: bool | Iterable[Any] = False,
        settings: Mapping[str, Any] | None = None,
        tables: Sequence[Any] | None = None,
        files: Mapping[str, str] | None = None,
        created: datetime.date | None = None,
    ) -> str:
        """Write a dossier: one page for those who sign the list off. Needs ``pip install 'hedgerow[report]'``.

        It has a section for everything that an audit asks about, and says of each what is missing. A browser prints it
        or saves it as PDF. The same list and the same rows make the same file, byte by byte.

        Parameters
        ----------
        path : path, optional
            Where to write the page; an existing file is replaced once the new one is complete.
        title : str, optional
        purpose : str, optional
            What the list is for, and what not, in your words; an empty line starts a new paragraph.
        estimator : fitted estimator whose ``rule_list_`` this is, optional
            Adds the settings and what the conditions of the list cost.
        X, y : training samples and their targets, optional
        X_test, y_test : held-out samples and their targets, optional
            Add the validation of each rule.
        test_name, target : str, optional
            As for :meth:`to_html`.
        check : Check, optional
            What :func:`hedgerow.evidence.check` returned for this list; that of another one is refused.
        stability : Stability, optional
            What :func:`hedgerow.evidence.stability` returned for the estimator of this list, likewise.
        wishes : bool or iterable, optional
            What it would cost to insist on something more, as for :meth:`to_html`. Each wish takes as much time as the
            ``time_limit`` of the estimator allows; what is not proven by then depends on the machine.
        settings : mapping, optional
            Settings to show without an estimator.
        tables : sequence, optional
            Descriptions of the data (``hedgerow.exporters.html.dossier.data``); by default, of ``X`` and ``X_test``.
        files : mapping of str to str, optional
            Names of files and their SHA-256.
        created : datetime.date, optional
            A date to show; by default there is none.

        Returns
        -------
        str
            The page.
        """
        from hedgerow.exporters.html.to_dossier import export

        data = {"X": X, "y": y, "X_test": X_test, "y_test": y_test, "test_name": test_name}
        about = {"target": target, "settings": settings, "tables": tables, "files": files, "created": created}
        shown = {"title": title, "purpose": purpose, "estimator": estimator, "wishes": wishes}
        return export(self, path=path, check=check, stability=stability, **shown, **about, **data)

    def to_onnx(self) -> Any:
        """Return the list as an ONNX model (``onnx.ModelProto``), for lists on numeric columns.

        The model takes a matrix ``X`` of doubles and returns ``prediction``, ``rule`` (as :meth:`apply`), ``refused``
        (whether :meth:`predict` would refuse the row; its prediction is then invalid) and, for classes,
        ``probabilities``. It consists of comparisons of doubles, so its predictions are those of the list.
        """
        from hedgerow.exporters.to_onnx import export

        return export(self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"RuleList({len(self)} rules, {self.n_samples} training samples)"

    def _repr_html_(self) -> str:
        from hedgerow.exporters.to_notebook import export

        return export(self)


def sum_by_feature(rules: Iterable[Rule], amounts: Iterable[float]) -> dict[Feature, float]:
    """Return for each feature the sum of the amounts of the rules that look at it; a column counts as one feature."""
    first_of: dict[Hashable, Feature] = {}
    total: dict[Feature, float] = {}
    for rule, amount in zip(rules, amounts, strict=True):
        for source, feature in {c.feature.source: c.feature for c in rule.conditions}.items():
            known = first_of.setdefault(source, feature)
            total[known] = total.get(known, 0.0) + amount
    return total
