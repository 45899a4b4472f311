"""The commands on a saved rule list: predict, export, report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.cli.console import note, stages
from hedgerow.cli.writing import check_names_for_sql, ended, given, output_files, sql_text
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.readers.model_files import read_bytes, refuse_pickle
from hedgerow.rules.rule_list import RuleList
from hedgerow.tables.columns import are_texts, as_labels, fit_columns, take_targets, text_columns
from hedgerow.tables.files import check_table_name, read_table, write_table


def predict(
    rules: Path, data: Path, output: Path | None, separator: str | None, explain: bool, with_data: bool
) -> None:
    """Predict each row of a table."""
    import pandas as pd

    if output is not None:
        check_table_name(output)
    with output_files(given(output), [rules, data]) as files:
        with stages(2) as stage:
            stage.start("reading")
            rule_list = _read_rules(rules)
            frame = read_table(data, separator, text_columns(rule_list.inputs))
            X = _columns_for(rule_list, frame)
            stage.start("predicting")
            seen = rule_list.evaluate(X)
            # Rules are numbered from 1, and 0 is the default.
            table = pd.DataFrame({"prediction": seen.predictions, "rule": np.maximum(seen.fired + 1, 0)})
            if explain:
                table["why"] = seen.sentences()
        if with_data:
            table = pd.concat([frame.drop(columns=list(table), errors="ignore"), table], axis=1)
        if output is not None:
            files.write(output, write_table(table, output))
        else:
            table.to_csv(sys.stdout, index=False, lineterminator="\n")


def export(rules: Path, form: str, output: Path | None, dialect: str | None, table: str | None) -> None:
    """Write a list in another form."""
    if form != "sql" and (dialect is not None or table is not None):
        raise InvalidParameterError("--dialect and --table need --to sql.")
    with output_files(given(output), [rules]) as files:
        rule_list = _read_rules(rules)
        if form == "sql":
            names = {condition.feature.name for rule in rule_list for condition in rule.conditions}
            check_names_for_sql(sorted(names), dialect, "learn the list without one of them")
            text = sql_text(rule_list, dialect, table)
        elif form == "json":
            text = ended(rule_list.to_json(indent=2))
        else:
            text = ended(getattr(rule_list, f"to_{form}")())
        if output is not None:
            files.write(output, text)
        else:
            sys.stdout.write(text)


def report(
    rules: Path,
    data: Path,
    target: str,
    output: Path,
    title: str | None,
    separator: str | None,
    show_samples: bool = True,
) -> None:
    """Write a page about a list and its quality on a table."""
    with output_files([output], [rules, data]) as files, stages(2) as stage:
        stage.start("reading")
        rule_list = _read_rules(rules)
        texts = [target] if are_texts(rule_list.classes) else []
        frame = read_table(data, separator, [*text_columns(rule_list.inputs), *texts])
        targets = take_targets(frame, target, rule_list.task.name, "the rule list")
        X = _columns_for(rule_list, frame.iloc[targets.rows].drop(columns=target), target)
        stage.start("writing")
        labels = as_labels(targets.values, rule_list.classes)
        page = rule_list.to_html(
            title=title, X_test=X, y_test=labels, target=target, source=data.name, show_samples=show_samples
        )
        files.write(output, page)
    note(f"wrote {output}")


def _read_rules(path: Path) -> RuleList:
    content = read_bytes(path)
    refuse_pickle(path, content, "a rule list", "Give a rule list written by extract --json.")
    try:
        return RuleList.from_json(content.decode())
    except UnicodeDecodeError:
        raise InvalidDataError(f"{path} is not a rule list: it is not text in UTF-8.") from None
    except InvalidDataError as error:
        raise InvalidDataError(f"{path}: {error}") from None


def _columns_for(rule_list: RuleList, frame: Any, target: str | None = None) -> Any:
    """Return the columns that the list takes; those that no rule uses may be missing from the table."""
    used = {condition.feature for rule in rule_list for condition in rule.conditions}
    taken = {} if target is None else {target: "the target"}
    return fit_columns(frame, rule_list.inputs, used if rule_list.fallback is None else None, taken)
