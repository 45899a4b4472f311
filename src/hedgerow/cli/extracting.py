"""The command extract: from a table, and perhaps a trained model, to a rule list and its score on held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow._support.whole_file import WholeFiles
from hedgerow.cli.class_names import check_labels, named
from hedgerow.cli.console import note, say, show, show_rules, stages, tell
from hedgerow.cli.learning import Learning
from hedgerow.cli.scoring import (
    Explained,
    agreement_text,
    explain,
    scores_text,
    warnings_about,
    warnings_about_agreement,
    warnings_about_size,
)
from hedgerow.cli.writing import check_dates_for_sql, check_names_for_sql, ended, given, output_files, sql_text
from hedgerow.evidence import stability
from hedgerow.evidence.company import Company, keep_company
from hedgerow.exceptions import InvalidParameterError, UnsupportedModelError
from hedgerow.exporters.html.dossier.data import file_digest
from hedgerow.exporters.html.dossier.summary import is_about
from hedgerow.forests.forest import Forest
from hedgerow.readers import read_forest
from hedgerow.readers.model_files import load_model
from hedgerow.rules.rule_list import RuleList
from hedgerow.tables.any_model import AnyModel
from hedgerow.tables.files import is_read_in_chunks
from hedgerow.tables.known_rows import seems_to_know
from hedgerow.tables.large_tables import read_in_chunks
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
    certificate: Path | None = None
    dossier: Path | None = None
    purpose: str | None = None
    stability: int | None = None

    @property
    def needs_all_rows(self) -> str | None:
        """Why all rows must be in memory; None if they need not."""
        if self.certificate is not None:
            return "--certificate proves the list by all rows, which must be in memory"
        return None if self.dossier is None else "--dossier describes all rows, which must be in memory"

    def __post_init__(self) -> None:
        if self.certificate is not None and self.json is None:
            raise InvalidParameterError("--certificate needs a list to prove; name its file with --json FILE.")
        if self.sql is None and (self.dialect is not None or self.table is not None):
            raise InvalidParameterError("--dialect and --table need SQL to write; name its file with --sql FILE.")
        if self.report is None and (self.title is not None or not self.show_samples):
            raise InvalidParameterError("--title and --no-samples need a report; name its file with --report FILE.")
        if self.dossier is None and (self.purpose is not None or self.stability is not None):
            raise InvalidParameterError("--purpose and --stability need a dossier; name its file with --dossier FILE.")


def extract(source: Source, learning: Learning, outputs: Outputs) -> None:
    """Learn a list from a table, test it, write it and print it."""
    if outputs.certificate is not None and learning.settings.get("round_thresholds"):
        raise InvalidParameterError(
            "--certificate and --round-thresholds cannot be combined: only exact thresholds can be proved again."
        )
    paths = given(outputs.report, outputs.sql, outputs.json, outputs.certificate, outputs.dossier)
    with output_files(paths, given(source.path, learning.model)) as files:
        with stages(4) as stage:
            stage.start("reading")
            model = _model(learning)
            read = _read_samples(source, model, learning, outputs.needs_all_rows)
            if outputs.sql is not None and hasattr(read.X, "columns"):
                check_names_for_sql(read.X.columns, outputs.dialect, "leave one of them out with --drop")
                check_dates_for_sql(read.X if model is None else ())
            stage.start("learning")
            samples = learning.screened(read, source.keep)
            learning = learning.without_granted(samples)
            estimator = learning.fit(samples, model)
            estimator.rule_list_ = estimator.rule_list_.with_notations(samples.notations)
            stage.start("testing")
            company = _company(estimator, samples)
            explained = _explained(estimator, samples, company) if learning.explain else None
            stage.start("writing")
            about = {"target": source.target, "source": source.path.name, "left_out": _left_out(source, read, samples)}
            _write(files, outputs, estimator, samples, company, about)
            if outputs.dossier is not None:
                files.write(outputs.dossier, _dossier(outputs, estimator, samples, source))
            if outputs.certificate is not None:
                files.write(outputs.certificate, _training_rows(samples, source))
        show_rules(estimator.rule_list_)
        if company is None:
            say("\nno rows were held out, so there is no score for new rows")
        else:
            say("\n" + scores_text(company, _n_learned(samples, estimator)))
        if explained is not None:
            say("\n" + agreement_text(explained))
    _warn(estimator, company, learning.published, explained)
    for path in paths:
        note(f"wrote {path}")


def _model(learning: Learning) -> Any:
    """Return the model in the file, if there is one, with its classes named as in the table."""
    if learning.model is None:
        return None
    model = load_model(learning.model, learning.trust_pickle)
    return model if learning.classes is None else named(model, learning.classes)


def _n_learned(samples: Samples, estimator: Any) -> int:
    """Return from how many rows the list was learned."""
    return len(samples.y) if samples.rows is None else int(estimator.rule_list_.n_samples)


def _read_samples(source: Source, model: Any, learning: Learning, needs_all_rows: str | None) -> Samples:
    forest = None if model is None else _known(model, learning.explain)
    if forest is not None and source.task not in (None, forest.task.name):
        predicted = "classes" if forest.task.has_labels else "numbers"
        raise InvalidParameterError(
            f"--task {source.task} does not fit the model, which predicts {predicted}. Leave out --task, or give "
            "another --model."
        )
    samples = _read(source, forest, learning, needs_all_rows)
    show(samples.summary.to_text())
    tell(samples.notes)
    tell(samples.warnings, "warning")
    if forest is not None:
        tested = [] if samples.y_test is None else [samples.y_test]
        check_labels(forest.classes, np.concatenate([samples.y, *tested]), source.target)
    return samples


def _read(source: Source, forest: Forest | AnyModel | None, learning: Learning, needs_all_rows: str | None) -> Samples:
    """Return the samples of a table, in memory or, if it is large, in chunks."""
    if not is_read_in_chunks(source.path, learning.stream):
        return read_samples(source, forest)
    reason = None
    if learning.explain:
        reason = "--explain asks the model about rows mixed from all rows, which must be in memory"
    elif needs_all_rows is not None:
        reason = needs_all_rows
    elif isinstance(forest, Forest) and forest.inputs.of_series:
        reason = "time series must be in memory"
    if reason is None:
        assert not isinstance(forest, AnyModel)
        return read_in_chunks(source, forest, learning.settings.get("n_jobs", 1))
    if not source.path.is_file():
        raise InvalidParameterError(
            f"{source.path} is a folder or a pattern, which is read piece by piece, but {reason}. Name a single file"
            f"{', without --stream' if learning.stream else ''}."
        )
    if learning.stream:
        raise InvalidParameterError(f"--stream reads {source.path} piece by piece, but {reason}. Leave out --stream.")
    note(f"the table is large, but it is read into memory: {reason}")
    return read_samples(source, forest)


def _known(model: Any, explain: bool) -> Forest | AnyModel:
    """Return what is known about a model: its trees or, if it is to be explained and has none, columns and classes."""
    try:
        return read_forest(model)
    except UnsupportedModelError as error:
        if explain:
            return AnyModel.of(model)
        raise UnsupportedModelError(f"{error} To explain a model without trees, add --explain.") from None


def _explained(estimator: Any, samples: Samples, company: Company | None) -> Explained:
    """Return how far list and model agree; on the held-out rows if there are any."""
    if company is None:
        return explain(estimator, samples.X, samples.X, held_out=False, model_knows=False)
    knows = seems_to_know(company.of_ensemble, company.of_list, estimator.rule_list_.task)
    return explain(estimator, samples.X, samples.X_test, held_out=True, model_knows=knows)


def _company(estimator: Any, samples: Samples) -> Company | None:
    """Return the scores of the list and of its rivals on the held-out rows, if there are any."""
    if samples.X_test is None:
        return None
    return keep_company(
        estimator, samples.X, samples.y, samples.X_test, samples.y_test, samples.weight, samples.weight_test
    )


def _warn(estimator: Any, company: Company | None, published: bool, explained: Explained | None) -> None:
    rules, proven = estimator.rule_list_, estimator.solution_.optimal
    texts = [] if company is None else warnings_about(company, published, bool(rules.constraints))
    texts += [] if explained is None else warnings_about_agreement(explained)
    for text in texts + warnings_about_size(rules, estimator.max_rules, proven):
        note(text, "warning")


def _write(
    files: WholeFiles,
    outputs: Outputs,
    estimator: Any,
    samples: Samples,
    company: Company | None,
    about: dict[str, Any],
) -> None:
    rules: RuleList = estimator.rule_list_
    if outputs.json is not None:
        files.write(outputs.json, ended(estimator.to_json(2, certificate=outputs.certificate is not None)))
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
            company=company,
            show_samples=outputs.show_samples,
            **about,
        )
        files.write(outputs.report, page)


def _dossier(outputs: Outputs, estimator: Any, samples: Samples, source: Source) -> str:
    rules: RuleList = estimator.rule_list_
    again = None
    if outputs.stability is not None:
        again = stability(estimator, samples.X, samples.y, n=outputs.stability, weight=samples.weight)
        if not is_about(again, rules):  # which a time limit can bring about
            note(
                "the dossier shows no stability: learned from the same rows again, the list has other rules", "warning"
            )
            again = None
    return rules.to_dossier(
        purpose=outputs.purpose,
        estimator=estimator,
        X=samples.X,
        y=samples.y,
        X_test=samples.X_test,
        y_test=samples.y_test,
        target=source.target,
        stability=again,
        files={source.path.name: file_digest(source.path)},
    )


def _training_rows(samples: Samples, source: Source) -> str:
    """Return the rows that the list was learned from as CSV, as plain as the checker reads them."""
    others = {source.target: samples.y}
    if source.weight is not None and samples.weight is not None:
        others[source.weight] = samples.weight
    return str(samples.X.assign(**others).to_csv(index=False, lineterminator="\n"))


def _left_out(source: Source, read: Samples, used: Samples) -> dict[str, str]:
    """Return the columns that the list cannot use, and why."""
    unhelpful = [] if used.X is read.X else [name for name in read.X if name not in used.X]
    return {
        **dict.fromkeys(source.drop, "left out on request"),
        **read.summary.left_out,
        **dict.fromkeys(unhelpful, "it does not improve predictions on unseen rows"),
    }


def _budgets(n_rules: int) -> list[int]:
    """Return the budgets that a report shows: the small ones, and the size of the list itself."""
    return sorted({*range(1, max(_BUDGETS, min(n_rules, _MOST_BUDGETS)) + 1), n_rules})
