"""What the commands do: read, call the library, show, write."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, r2_score

from hedgerow._support.output_files import OutputFiles
from hedgerow.cli.console import note, say, show_rules, stages
from hedgerow.cli.learning import make_estimator
from hedgerow.cli.options import DEFAULT_DIALECT, table_names
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.exporters.sql.dialects import DIALECTS
from hedgerow.readers import read_forest
from hedgerow.readers.model_files import load_model, read_bytes, refuse_pickle
from hedgerow.rules.rule_list import RuleList
from hedgerow.tables.columns import (
    Task,
    are_texts,
    as_labels,
    check_columns,
    fit_columns,
    take_targets,
    text_columns,
)
from hedgerow.tables.files import check_table_name, read_table, write_table
from hedgerow.tables.samples import Columns, Samples, read_samples

#: A report shows the best list of each budget up to this one, or up to the list's own, but never of more than so many.
_BUDGETS, _MOST_BUDGETS = 12, 30


@dataclass(frozen=True)
class Source:
    """Where the samples come from."""

    data: Path
    columns: Columns
    separator: str | None
    task: Task | None
    test_size: float
    seed: int


@dataclass(frozen=True)
class Learning:
    """From which ensemble, and how."""

    model: Path | None
    trust_pickle: bool
    accurate: bool
    trees: int | None
    depth: int | None
    settings: dict[str, Any]

    def check(self) -> None:
        """Refuse options that nothing reads."""
        if self.model is not None and (self.trees is not None or self.depth is not None):
            raise InvalidParameterError("--trees and --depth are of the forest that is trained without --model.")
        if self.model is None and self.trust_pickle:
            raise InvalidParameterError("--trust-pickle is for a model that is a pickle; say which with --model FILE.")


@dataclass(frozen=True)
class Wanted:
    """What to write."""

    report: Path | None
    sql: Path | None
    json: Path | None
    dialect: str | None
    table: str | None

    def check(self) -> None:
        """Refuse options that nothing reads."""
        if self.sql is None and (self.dialect is not None or self.table is not None):
            raise InvalidParameterError("--dialect and --table say how to write SQL; say where to with --sql FILE.")


def extract(source: Source, learning: Learning, wanted: Wanted) -> None:
    """Learn a list from a table, show it, test it, write it."""
    wanted.check()
    learning.check()
    files = _given(wanted.report, wanted.sql, wanted.json)
    with OutputFiles(files, _given(source.data, learning.model)) as outputs:
        with stages(4) as stage:
            stage.start("reading")
            model = None if learning.model is None else load_model(learning.model, learning.trust_pickle)
            samples = _samples(source, model)
            if wanted.sql is not None and hasattr(samples.X, "columns"):
                _check_names_for_sql(samples.X.columns, wanted.dialect, "leave one of them out with --drop")
            stage.start("learning")
            estimator = make_estimator(
                samples.task,
                samples.X,
                model=model,
                accurate=learning.accurate,
                trees=learning.trees,
                depth=learning.depth,
                **learning.settings,
            ).fit(samples.X, samples.y, samples.weight)
            stage.start("testing")
            lines = _scores(estimator, samples)
            stage.start("writing")
            _write(outputs, wanted, estimator, samples)
        _show(estimator, samples, lines)
    for path in files:
        note(f"wrote {path}")


def predict(
    rules: Path, data: Path, output: Path | None, separator: str | None, explain: bool, with_data: bool
) -> None:
    """Answer each row of a table."""
    import pandas as pd

    if output is not None:
        check_table_name(output)
    with OutputFiles(_given(output), [rules, data]) as outputs:
        with stages(2) as stage:
            stage.start("reading")
            rule_list = _rule_list(rules)
            frame = read_table(data, separator, text_columns(rule_list.inputs))
            X = _for_list(rule_list, frame)
            stage.start("answering")
            numbers = rule_list.apply(X) + 1
            answers: dict[str, Any] = {"prediction": rule_list.predict(X), "rule": np.where(numbers > 0, numbers, 0)}
            if explain:
                answers["why"] = rule_list.explain(X)
        table = pd.DataFrame(answers)
        if with_data:
            table = pd.concat([frame.drop(columns=list(answers), errors="ignore"), table], axis=1)
        if output is not None:
            outputs.write(output, write_table(table, output))
        else:
            table.to_csv(sys.stdout, index=False, lineterminator="\n")


def export(rules: Path, form: str, output: Path | None, dialect: str | None, table: str | None) -> None:
    """Write a list in another form."""
    if form != "sql" and (dialect is not None or table is not None):
        raise InvalidParameterError("--dialect and --table are for --to sql.")
    with OutputFiles(_given(output), [rules]) as outputs:
        rule_list = _rule_list(rules)
        if form == "sql":
            names = {condition.feature.name for rule in rule_list for condition in rule.conditions}
            _check_names_for_sql(sorted(names), dialect, "learn the list without one of them")
            text = _sql(rule_list, dialect, table)
        elif form == "json":
            text = rule_list.to_json(indent=2)
        else:
            text = getattr(rule_list, f"to_{form}")()
        if output is not None:
            outputs.write(output, _ended(text))
        else:
            sys.stdout.write(_ended(text))


def report(rules: Path, data: Path, target: str, output: Path, title: str | None, separator: str | None) -> None:
    """Make a page about a list and how good it is on a table."""
    with OutputFiles([output], [rules, data]) as outputs, stages(2) as stage:
        stage.start("reading")
        rule_list = _rule_list(rules)
        texts = [target] if are_texts(rule_list.classes) else []
        frame = read_table(data, separator, [*text_columns(rule_list.inputs), *texts])
        check_columns(frame, [target])
        targets = take_targets(frame, target, _task(rule_list.classes), "the rule list")
        X = _for_list(rule_list, frame.iloc[targets.rows].drop(columns=target), target)
        stage.start("writing")
        page = rule_list.to_html(title=title, X_test=X, y_test=as_labels(targets.values, rule_list.classes))
        outputs.write(output, page)
    note(f"wrote {output}")


def _samples(source: Source, model: Any) -> Samples:
    forest = None if model is None else read_forest(model)
    task = source.task if forest is None else _task(forest.classes)
    if source.task not in (None, task):
        predicted = "classes" if task == "classification" else "numbers"
        raise InvalidParameterError(
            f"--task {source.task} is not what the model is for, which predicts {predicted}. Leave --task out, or give "
            "another --model."
        )
    samples = read_samples(
        source.data,
        source.columns,
        separator=source.separator,
        task=task,
        inputs=None if forest is None else forest.inputs,
        classes=None if forest is None else forest.classes,
        test_size=source.test_size,
        seed=source.seed,
    )
    for text in samples.notes:
        note(text)
    return samples


def _task(classes: Any) -> Task:
    """Return the task of an ensemble or a list with these labels, None if it has none."""
    return "regression" if classes is None else "classification"


def _scores(estimator: Any, samples: Samples) -> list[str]:
    """Return lines that say how good the list and its ensemble are on the rows held out."""
    if samples.X_test is None:
        return ["no rows were held out, so nothing is known about new ones"]
    fidelity = estimator.fidelity(samples.X_test, samples.y_test)
    name, score = ("accuracy", accuracy_score) if samples.task == "classification" else ("R²", r2_score)
    own, of_ensemble = (
        float(score(samples.y_test, said, sample_weight=samples.weight_test))
        for said in (estimator.predict(samples.X_test), _ensemble_says(estimator, samples))
    )
    return [
        f"learned from {len(samples.y)} rows, tested on {len(samples.y_test)} held out:",  # type: ignore[arg-type]
        f"{name} of the list {own:.4f}, of the ensemble {of_ensemble:.4f}",
        f"rows covered by no rule {100 * fidelity.uncovered:.2f} %, by several {100 * fidelity.overlapping:.2f} %",
    ]


def _ensemble_says(estimator: Any, samples: Samples) -> Any:
    forest = estimator.forest_
    return forest.answer(samples.X_test) if forest.classes is None else forest.labels(samples.X_test)


def _show(estimator: Any, samples: Samples, lines: Iterable[str]) -> None:
    show_rules(estimator.rule_list_)
    say("")
    for line in lines:
        say(line)


def _write(outputs: OutputFiles, wanted: Wanted, estimator: Any, samples: Samples) -> None:
    rules: RuleList = estimator.rule_list_
    if wanted.json is not None:
        outputs.write(wanted.json, _ended(rules.to_json(indent=2)))
    if wanted.sql is not None:
        outputs.write(wanted.sql, _ended(_sql(rules, wanted.dialect, wanted.table)))
    if wanted.report is not None:
        page = rules.to_html(
            estimator=estimator,
            X=samples.X,
            y=samples.y,
            X_test=samples.X_test,
            y_test=samples.y_test,
            budgets=_budgets(len(rules)),
        )
        outputs.write(wanted.report, page)


def _budgets(n_rules: int) -> list[int]:
    """Return the budgets that a report shows: the small ones, and that of the list itself."""
    return sorted({*range(1, max(_BUDGETS, min(n_rules, _MOST_BUDGETS)) + 1), n_rules})


def _rule_list(path: Path) -> RuleList:
    content = read_bytes(path)
    refuse_pickle(path, content, "a rule list", "A rule list is what extract --json wrote.")
    try:
        return RuleList.from_json(content.decode())
    except UnicodeDecodeError:
        raise InvalidDataError(f"{path} is no rule list: it is no text in UTF-8.") from None
    except InvalidDataError as error:
        raise InvalidDataError(f"{path}: {error}") from None


def _for_list(rule_list: RuleList, frame: Any, target: str | None = None) -> Any:
    """Return the columns that the list takes; those that no rule looks at need not be in the table."""
    used = {condition.feature for rule in rule_list for condition in rule.conditions}
    taken = {} if target is None else {target: "the target"}
    return fit_columns(frame, rule_list.inputs, used if rule_list.fallback is None else None, taken)


def _check_names_for_sql(names: Iterable[str], dialect: str | None, way_out: str) -> None:
    """Refuse columns of which a database knows one only; ``way_out`` besides new names."""
    spoken = dialect or DEFAULT_DIALECT
    twins = DIALECTS[spoken].twins(names)
    if twins is not None:
        raise InvalidDataError(
            f"The columns {twins[0]!r} and {twins[1]!r} are the same to {spoken}, which does not look at upper and "
            f"lower case. Rename one of them in the table, or {way_out}."
        )


def _sql(rule_list: RuleList, dialect: str | None, table: str | None) -> str:
    return rule_list.to_sql(dialect or DEFAULT_DIALECT, table=None if table is None else table_names(table))


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _given(*paths: Path | None) -> list[Path]:
    return [path for path in paths if path is not None]
