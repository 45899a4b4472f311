"""The command extract: from a table, and perhaps a trained model, to a rule list and its score on held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow._support.whole_file import WholeFiles
from hedgerow.cli.console import note, say, show, show_rules, stages, tell
from hedgerow.cli.learning import Learning
from hedgerow.cli.writing import check_names_for_sql, ended, given, output_files, sql_text
from hedgerow.exceptions import InvalidParameterError
from hedgerow.readers import read_forest
from hedgerow.readers.model_files import load_model
from hedgerow.rules.rule_list import RuleList
from hedgerow.tables.samples import Samples, Source, read_samples

#: A report shows the best list of every budget up to the first number, or up to the list's own size if that is larger,
#: but at most up to the second.
_BUDGETS, _MOST_BUDGETS = 12, 30


@dataclass(frozen=True)
class Outputs:
    """What to write."""

    report: Path | None
    sql: Path | None
    json: Path | None
    dialect: str | None
    table: str | None
    title: str | None = None
    show_samples: bool = True

    def __post_init__(self) -> None:
        if self.sql is None and (self.dialect is not None or self.table is not None):
            raise InvalidParameterError("--dialect and --table need SQL to write; name its file with --sql FILE.")
        if self.report is None and (self.title is not None or not self.show_samples):
            raise InvalidParameterError("--title and --no-samples need a report; name its file with --report FILE.")


def extract(source: Source, learning: Learning, outputs: Outputs) -> None:
    """Learn a list from a table, test it, write it and print it."""
    paths = given(outputs.report, outputs.sql, outputs.json)
    with output_files(paths, given(source.path, learning.model)) as files:
        with stages(4) as stage:
            stage.start("reading")
            model = None if learning.model is None else load_model(learning.model, learning.trust_pickle)
            samples = _read_samples(source, model)
            if outputs.sql is not None and hasattr(samples.X, "columns"):
                check_names_for_sql(samples.X.columns, outputs.dialect, "leave one of them out with --drop")
            stage.start("learning")
            estimator = learning.estimator(samples.task, samples.X, model)
            estimator.fit(samples.X, samples.y, samples.weight)
            estimator.rule_list_ = estimator.rule_list_.with_notations(samples.notations)
            stage.start("testing")
            scores = _scores(estimator, samples)
            stage.start("writing")
            _write(files, outputs, estimator, samples, source)
        show_rules(estimator.rule_list_)
        say("\n" + scores)
    for path in paths:
        note(f"wrote {path}")


def _read_samples(source: Source, model: Any) -> Samples:
    forest = None if model is None else read_forest(model)
    if forest is not None and source.task not in (None, forest.task.name):
        predicted = "classes" if forest.task.has_labels else "numbers"
        raise InvalidParameterError(
            f"--task {source.task} does not fit the model, which predicts {predicted}. Leave out --task, or give "
            "another --model."
        )
    samples = read_samples(source, forest)
    show(samples.summary.to_text())
    tell(samples.notes)
    tell(samples.warnings, "warning")
    return samples


def _scores(estimator: Any, samples: Samples) -> str:
    """Return the scores of the list and of its ensemble on the held-out rows."""
    if samples.X_test is None or samples.y_test is None:
        return "no rows were held out, so there is no score for new rows"
    task, seen = estimator.rule_list_.task, estimator.rule_list_.evaluate(samples.X_test)
    n_matching, by_ensemble = seen.matches.sum(axis=1), estimator.forest_.predictions(samples.X_test)
    of_list, of_ensemble = (
        task.score(samples.y_test, predictions, samples.weight_test) for predictions in (seen.predictions, by_ensemble)
    )
    return (
        f"learned from {len(samples.y)} rows, tested on {len(samples.y_test)} held out:\n"
        f"{task.score_name} of the list {of_list:.4f}, of the ensemble {of_ensemble:.4f}\n"
        f"rows covered by no rule {100 * np.mean(n_matching == 0):.2f} %, by several "
        f"{100 * np.mean(n_matching > 1):.2f} %"
    )


def _write(files: WholeFiles, outputs: Outputs, estimator: Any, samples: Samples, source: Source) -> None:
    rules: RuleList = estimator.rule_list_
    if outputs.json is not None:
        files.write(outputs.json, ended(rules.to_json(indent=2)))
    if outputs.sql is not None:
        files.write(outputs.sql, sql_text(rules, outputs.dialect, outputs.table))
    if outputs.report is not None:
        page = rules.to_html(
            estimator=estimator,
            X=samples.X,
            y=samples.y,
            X_test=samples.X_test,
            y_test=samples.y_test,
            budgets=_budgets(len(rules)),
            title=outputs.title,
            target=source.target,
            source=source.path.name,
            left_out={**dict.fromkeys(source.drop, "left out on request"), **samples.summary.left_out},
            show_samples=outputs.show_samples,
        )
        files.write(outputs.report, page)


def _budgets(n_rules: int) -> list[int]:
    """Return the budgets that a report shows: the small ones, and the size of the list itself."""
    return sorted({*range(1, max(_BUDGETS, min(n_rules, _MOST_BUDGETS)) + 1), n_rules})
