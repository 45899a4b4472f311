"""What a dossier has and what it lacks, and what its parts do not show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hedgerow.rules.rule_list import RuleList


@dataclass(frozen=True)
class Section:
    """A section of the page.

    Attributes
    ----------
    anchor, title : str
    is_there : bool
        Whether it has anything to show.
    says : str
        In a line, what it says, or why it is empty and what would fill it.
    """

    anchor: str
    title: str
    is_there: bool
    says: str


def sections_of(known: Mapping[str, Any]) -> tuple[Section, ...]:
    """Return all sections in their order; ``known`` has the members of the summary by their names."""
    listing, holding, proof = known["listing"], known["holding"], known["proof"]
    n = len(listing.rules)
    return (
        Section("purpose", "Purpose", bool(known["purpose"]), "as stated" if known["purpose"] else "not stated"),
        Section("rules", "The rules", True, f"{n} rule{'s' * (n != 1)}"),
        _data(known["tables"], known["origin"]),
        _making(known["settings"]),
        _conditions(known),
        Section("proof", "The proof", proof is not None and not is_refused(known["check"]), _proof(known)),
        Section("validation", "Validation", holding is not None and not holding.is_training, _validation(holding)),
        _stability(known["stability"]),
        _baseline(known["baseline"], known["origin"]),
        Section("limits", "Limits", True, "what is not shown here"),
        Section("changes", "Changes", True, _changes(known["edits"])),
    )


def is_refused(check: Any) -> bool:
    """Return whether the proof was checked again, and the check refused it."""
    return check is not None and not check


def _data(tables: Any, origin: Any) -> Section:
    said = ", ".join(f"{one.name}: {one.n_rows} rows" for one in tables)
    if origin is not None and origin.fits is False:
        said = f"the training rows are not those that the list was learned from: {origin.why}"
        return Section("data", "The data", False, said)
    if origin is not None and origin.fits is None:
        said += "; whether the list was learned from the training rows could not be compared"
    return Section("data", "The data", bool(tables), said or "not described: give the rows")


def _baseline(baseline: Any, origin: Any) -> Section:
    is_there, said = baseline is not None, "shares of each rule"
    if not is_there:
        said = "not known: give rows"
    elif origin is not None and origin.fits is False:
        is_there, said = (
            False,
            "the training rows are not those that the list was learned from: do not compare with them",
        )
    return Section("baseline", "Baseline for drift", is_there, said)


def _making(settings: Any) -> Section:
    said = (
        f"{len(settings)} settings, versions" if settings else "versions only: the settings are those of an estimator"
    )
    return Section("making", "How it was made", bool(settings), said)


def _conditions(known: Mapping[str, Any]) -> Section:
    n = len(known["constraints"])
    if not n:
        return Section("conditions", "Conditions", True, "none")
    prices = known["prices"]
    priced = prices is not None and not prices.unknown
    said = "with their prices" if priced else "not all of their prices are known"
    if prices is None:
        said = "their prices need the estimator"
    if known["lacks_rows"]:
        said = "their prices need the training rows, which the estimator has not: pass estimator.with_rows(X, y)"
    said = f"{n} condition{'s' * (n != 1)}, {said}"
    return Section("conditions", "Conditions", priced, said)


def _proof(known: Mapping[str, Any]) -> str:
    proof, check = known["proof"], known["check"]
    if proof is None:
        return "none: the list was not chosen by an integer program"
    if is_refused(check):
        return "refused when it was checked again: do not rely on it"
    said = "proven optimal" if proof.solution.optimal else "not proven optimal"
    return f"{said}; not checked again here" if check is None else f"{said}; checked again: proven"


def _validation(holding: Any) -> str:
    if holding is None:
        return "none: give rows that the list was not learned from, with their targets"
    if holding.is_training:
        return "on the training rows, which says nothing about new ones"
    rows = f"{holding.n_rows} {holding.of} row{'s' * (holding.n_rows != 1)}"
    n = holding.n_changed
    which = f"{n} of {holding.n_tested} rules" if n else "no rule"
    return f"{which} differ{'s' * (n < 2)} from training by more than chance, on {rows}"


def _stability(stability: Any) -> Section:
    said = "not examined: the list was not learned again on resampled rows"
    if stability is not None:
        said = f"{len(stability.lists)} lists learned again on resampled rows"
    return Section("stability", "Stability", stability is not None, said)


def _changes(edits: Any) -> str:
    return f"{len(edits)} by a person" if edits else "none since the list was learned"


def limits_of(rule_list: RuleList, known: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what the dossier does not show."""
    found = []
    if known["proof"] is not None:
        found.append(
            "The proof is about one objective, these candidate rules and the training rows. It does not say that the "
            "list is right, or that no other method is right more often."
        )
        if not known["proof"].solution.optimal:
            found.append("The list is not proven optimal: a better one may exist among the same candidates.")
        if is_refused(known["check"]):
            found.append(
                "The proof was refused when it was checked again. Nothing here shows that the list is optimal."
            )
        if known["check"] is None:
            found.append("The proof was not checked again by a program that is independent of the search.")
    holding = known["holding"]
    if holding is None:
        found.append(
            "The list was not tested on rows that it was not learned from: how often it is right is not known."
        )
    elif holding.is_training:
        found.append(
            "The list was tested on the rows that it was learned from only: how often it is right on new ones is not "
            "known."
        )
    else:
        found.append(
            "The validation is about rows like those that were tested. It says nothing about rows of another time, "
            "place or population, nor about rules with few of them, whose intervals are wide."
        )
        if holding.of == "tested":
            found.append("It is not known whether the list was learned from some of the rows that it was tested on.")
    if known["stability"] is None:
        found.append("Whether another sample of the same size would give another list was not examined.")
    if rule_list.constraints and known["prices"] is None:
        found.append("What the conditions cost is not known.")
    if rule_list.fallback is not None:
        found.append("Where no rule matches, an ensemble answers. It is not part of the proof, and cannot be read.")
    found.append("Rules describe what goes together in the data. They do not say what would happen if a value changed.")
    found.append(
        "Whether groups of people are treated alike was examined only as far as it is among the conditions. Whether "
        "the data, the target and the purpose are right is for people to judge."
    )
    return tuple(found)
