"""Everything that a dossier says, assembled from what is given."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow._support.palette import MORE_CLASS_COLORS
from hedgerow.evidence.constraint_prices import price_constraints
from hedgerow.evidence.proof_check import Check, digest_of
from hedgerow.evidence.refits import Stability
from hedgerow.evidence.training_rows import warn_of_training
from hedgerow.exceptions import InvalidParameterError, warn
from hedgerow.exporters.html.dossier.data import DataTable, describe_rows
from hedgerow.exporters.html.dossier.limits import Section, limits_of, sections_of
from hedgerow.exporters.html.dossier.making import settings_of, told_settings, versions
from hedgerow.exporters.html.dossier.origin import Origin, find_origin
from hedgerow.exporters.html.dossier.watching import Baseline, find_baseline
from hedgerow.exporters.html.report.holding import Holding, find_holding
from hedgerow.exporters.html.report.insisting import Insisting, insist
from hedgerow.exporters.html.report.listing import Listing
from hedgerow.exporters.html.report.proof import Proof
from hedgerow.exporters.html.report.samples import HELD_OUT, TESTED, TRAINING, check_samples
from hedgerow.exporters.html.report.series_pictures import SeriesPictures, make_pictures
from hedgerow.exporters.html.report.summary import check_estimator, with_own_rows
from hedgerow.rules.edit import Edit
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value, printable


@dataclass(frozen=True)
class DossierSummary:
    """One member per section, in the order of the page; what is not known is None or empty.

    Attributes
    ----------
    title, subject, row : str
        The subject is what is predicted; a prediction is made for a "row" or a "series".
    created : datetime.date or None
    fingerprint : str
        The SHA-256 of the list as JSON, without the seconds that the search took.
    files : tuple of (str, str)
        Names of files and their SHA-256.
    sections : tuple of Section
        What the dossier has, and what it lacks.
    purpose : tuple of str
        Paragraphs.
    listing : Listing
    pictures : SeriesPictures or None
        The shapelets that rules name.
    tables : tuple of DataTable
    origin : Origin or None
        Whether the rows that are given as training are those of training.
    settings, versions : tuple of (str, str)
    constraints : tuple of str
    prices, wishes : Insisting or None
        What the conditions of the list cost, and what further ones would.
    proof : Proof or None
    check : Check or None
        What an independent check of the proof said.
    holding : Holding or None
    stability : Stability or None
    baseline : Baseline or None
    limits : tuple of str
    edits : tuple of Edit
    classes : tuple of str
    """

    title: str
    subject: str
    row: str
    created: datetime.date | None
    fingerprint: str
    files: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    purpose: tuple[str, ...]
    listing: Listing
    pictures: SeriesPictures | None
    tables: tuple[DataTable, ...]
    origin: Origin | None
    settings: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...]
    constraints: tuple[str, ...]
    prices: Insisting | None
    wishes: Insisting | None
    proof: Proof | None
    check: Check | None
    holding: Holding | None
    stability: Stability | None
    baseline: Baseline | None
    limits: tuple[str, ...]
    edits: tuple[Edit, ...]
    classes: tuple[str, ...]

    @property
    def same_columns(self) -> bool:
        """Whether there are several tables, and all have the same columns."""
        names = {tuple(column.name for column in table.columns) for table in self.tables}
        return len(self.tables) > 1 and len(names) == 1

    @property
    def colored(self) -> tuple[int, ...]:
        """The classes that have a color of their own."""
        return tuple(range(min(len(self.classes), len(MORE_CLASS_COLORS))))


def summarize(
    rule_list: RuleList,
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
    check: Check | None = None,
    stability: Stability | None = None,
    wishes: bool | Iterable[Any] = False,
    settings: Mapping[str, Any] | None = None,
    tables: Sequence[DataTable] | None = None,
    files: Mapping[str, str] | None = None,
    created: datetime.date | None = None,
) -> DossierSummary:
    """Compute everything that a dossier says; :meth:`hedgerow.RuleList.to_dossier` describes the parameters."""
    check_estimator(rule_list, estimator, "to_dossier")
    _check_kinds(check, stability, created)
    check_evidence(rule_list, check, stability)
    given = ((TRAINING, "X", X, y), (TESTED if test_name else HELD_OUT, "X_test", X_test, y_test))
    samples = [found for one in given if (found := check_samples(rule_list, *one)) is not None]
    if tables is None:
        tables = [
            describe_rows(rule_list, name, rows, targets, target)
            for name, _, rows, targets in given
            if rows is not None
        ]
    labels, solution = rule_list.task.labels, rule_list.solution
    subject = printable(str(target)) if target else "the class" if labels else "the number"
    solvable = with_own_rows(estimator, X, y)
    if solvable is not None:
        solvable = estimator if solvable is estimator.without_search else solvable
        solvable = solvable if "posed_" in vars(solvable.without_search) else None
    holding, origin = find_holding(rule_list, samples), find_origin(rule_list, samples)
    known: dict[str, Any] = {
        "listing": Listing.of(rule_list, frozenset().union(*(one.gaps for one in samples))),
        "pictures": make_pictures(rule_list, None),
        "tables": tuple(tables),
        "origin": origin,
        "settings": settings_of(estimator) if estimator is not None else told_settings(settings or {}),
        "versions": versions(estimator),
        "constraints": rule_list.constraints,
        "prices": _prices(rule_list, solvable, X_test, y_test),
        "wishes": insist(rule_list, solvable, wishes, samples, limited=False),
        "proof": None if solution is None else Proof.of(solution, estimator),
        "check": check,
        "holding": holding,
        "stability": stability,
        "baseline": find_baseline(rule_list, samples),
        "edits": rule_list.edits,
        "purpose": tuple(_paragraphs(purpose)),
    }
    _warn(rule_list, origin, holding, X_test, estimator)
    return DossierSummary(
        title=printable(title) if title else f"Dossier: {len(rule_list)} rules that predict {subject}",
        subject=subject,
        row="series" if rule_list.inputs.of_series else "row",
        created=created,
        fingerprint=fingerprint(rule_list),
        files=tuple(sorted((printable(name), digest) for name, digest in (files or {}).items())),
        sections=sections_of(known | {"lacks_rows": estimator is not None and solvable is None}),
        limits=limits_of(rule_list, known),
        classes=tuple(format_value(label) for label in labels),
        **known,
    )


def is_about(stability: Stability, rule_list: RuleList) -> bool:
    """Return whether resamples are those of a list: whether all rows give the same rules."""
    own = [(rule.describe(rule_list.digits), format_value(rule.prediction)) for rule in rule_list]
    return own == [(one.conditions, one.prediction) for one in stability.rules]


def check_evidence(rule_list: RuleList, check: Check | None, stability: Stability | None) -> None:
    """Refuse what was found out about another list."""
    if check is not None and check.digest != fingerprint(rule_list):
        said = "does not tell which list it is about" if not check.digest else "is about another list"
        raise InvalidParameterError(
            f"check {said}. Pass what hedgerow.evidence.check returned for the JSON of this list with its certificate, "
            "or leave it out.",
            parameter="check",
        )
    if stability is not None and not is_about(stability, rule_list):
        raise InvalidParameterError(
            "stability is about another list: learned from all rows, its estimator has other rules than this list. "
            "Pass what hedgerow.evidence.stability returned for the estimator, the rows and the weights of this list, "
            "with a random_state if it grows its own trees; or leave it out.",
            parameter="stability",
        )


def _warn(rule_list: RuleList, origin: Origin | None, holding: Holding | None, X_test: Any, estimator: Any) -> None:
    """Warn of rows that are not what they are said to be; the page says so, too."""
    if origin is not None and origin.fits is False:
        warn(
            f"The rows that are given as training are not those that the list was learned from: {origin.why}. Give "
            "those, or none."
        )
    if holding is not None:
        known = rule_list if estimator is None else estimator
        warn_of_training(known, X_test, holding.is_training, holding.n_rows, "a validation says nothing about new rows")


def fingerprint(rule_list: RuleList) -> str:
    """Return the SHA-256 of a list as JSON, without the time of the search, which differs from run to run."""
    return digest_of(json.loads(rule_list.to_json()))


def _paragraphs(text: str | None) -> list[str]:
    """Return the paragraphs of a text, which empty lines separate."""
    paragraphs = (text or "").replace("\r\n", "\n").split("\n\n")
    return [printable(" ".join(one.split())) for one in paragraphs if one.strip()]


def _prices(rule_list: RuleList, estimator: Any, X_test: Any, y_test: Any) -> Insisting | None:
    """Return what the conditions of the list cost; None if there are none or that cannot be found out."""
    if estimator is None or not rule_list.constraints:
        return None
    tested = (X_test, y_test) if X_test is not None and y_test is not None else (None, None)
    prices = price_constraints(estimator, *tested)
    found = tuple(one for one in prices if one.objective is not None)
    unknown = tuple(one for one in prices if one.objective is None)
    return Insisting(found, (), unknown, rule_list.task.score_name, HELD_OUT if tested[0] is not None else "")


def _check_kinds(check: Any, stability: Any, created: Any) -> None:
    for name, value, kind in (
        ("check", check, Check),
        ("stability", stability, Stability),
        ("created", created, datetime.date),
    ):
        if value is not None and not isinstance(value, kind):
            made = {
                "check": "what hedgerow.evidence.check returned",
                "stability": "what hedgerow.evidence.stability returned",
                "created": "a datetime.date",
            }
            raise InvalidParameterError(f"{name} must be {made[name]}; got {value!r}.", parameter=name)
