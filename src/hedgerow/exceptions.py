"""What can go wrong, each error also the builtin it refines.

Catch :class:`HedgerowError` for all of them, or ``ValueError``, ``TypeError``
and so on as anywhere else in Python.
"""

import inspect
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

__all__ = [
    "CertificateError",
    "HedgerowError",
    "InfeasibleError",
    "InvalidDataError",
    "InvalidParameterError",
    "MissingRowsError",
    "PoorListWarning",
    "SolverError",
    "TimeLimitError",
    "UnfittedModelError",
    "UnsupportedModelError",
    "UntrustedModelError",
    "each_warning_once",
    "warn",
]


class HedgerowError(Exception):
    """Any error this package raises on purpose.

    Attributes
    ----------
    parameter : str or None
        The name of the parameter that another value would help, if there is one.
    """

    parameter: str | None = None

    def __init__(self, *arguments: object, parameter: str | None = None) -> None:
        super().__init__(*arguments)
        if parameter is not None:
            self.parameter = parameter


class UnsupportedModelError(HedgerowError, TypeError):
    """The model has no rules that can be read."""


class UntrustedModelError(UnsupportedModelError):
    """Loading the model file may run code, and the caller has not declared its source as trusted."""

    parameter = "trust_pickle"


class InvalidParameterError(HedgerowError, ValueError):
    """A parameter has an invalid value."""


class InvalidDataError(HedgerowError, ValueError):
    """The data do not fit the ensemble, or cannot be used at all."""


class MissingRowsError(HedgerowError, AttributeError):
    """A pickled estimator lacks the training rows that this needs."""


@dataclass(frozen=True)
class Conflict:
    """A constraint that contradicts others.

    Attributes
    ----------
    constraint : object
    name : str
        What it is called in the message.
    possible : float or None
        The nearest bound that is possible with the others; None if it has none that would do, or none was found in
        time.
    told : str
        The same in words; empty if there is none.
    proven : bool
        Whether that is certain; if not, the time was up before.
    """

    constraint: Any
    name: str
    possible: float | None
    told: str
    proven: bool = True

    def __str__(self) -> str:
        return f"{self.name}: {self.told}" if self.told else self.name


class InfeasibleError(HedgerowError, ValueError):
    """No list of rules satisfies the budget and the constraints.

    Attributes
    ----------
    conflicts : tuple of Conflict
        Constraints that contradict each other, as few as possible, and how far each would have to give way. Empty if
        constraints are not the reason, or none was looked for.
    """

    conflicts: tuple[Conflict, ...] = ()

    def __init__(self, *arguments: object, parameter: str | None = None, conflicts: tuple[Conflict, ...] = ()) -> None:
        super().__init__(*arguments, parameter=parameter)
        if conflicts:
            self.conflicts = conflicts


class TimeLimitError(HedgerowError, TimeoutError):
    """The time limit was reached before any rule list was found."""


class SolverError(HedgerowError, RuntimeError):
    """A solver's solution failed the check against the data."""


class CertificateError(HedgerowError, RuntimeError):
    """A proof cannot be written down so that others can check it."""


class PoorListWarning(UserWarning):
    """A list explains its model or ensemble poorly, or is no better than a single rule."""


if TYPE_CHECKING:
    from sklearn.exceptions import NotFittedError

    class UnfittedModelError(HedgerowError, NotFittedError):  # type: ignore[misc]
        """The model must be fitted before its rules can be read."""

else:

    def __getattr__(name: str) -> Any:
        """Define UnfittedModelError when it is first used: to refine an error of scikit-learn, it must load that."""
        if name != "UnfittedModelError":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from sklearn.exceptions import NotFittedError

        body = {"__module__": __name__, "__doc__": "The model must be fitted before its rules can be read."}
        # Two threads may get here at once, but only one class is kept.
        return globals().setdefault(name, type(name, (HedgerowError, NotFittedError), body))


@contextmanager
def each_warning_once() -> Iterator[None]:
    """Issue a warning that is raised several times inside only once: several models may see the same samples."""
    caught: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            yield
    finally:
        for one in {(str(w.message), w.category): w for w in caught}.values():
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno, source=one.source)


def warn(message: str, category: type[UserWarning] = UserWarning) -> None:
    """Warn at the innermost line of code outside this package."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "hedgerow":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
