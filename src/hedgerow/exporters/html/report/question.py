"""What the list is asked: the target, and the rows and columns that it was learned from."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.html.report.form import Form
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value, printable

#: More classes than this are counted, not listed.
_MOST_CLASSES = 6


@dataclass(frozen=True)
class Question:
    """The question that the list is about, and where its data come from.

    Attributes
    ----------
    subject : str
        What is predicted: the name of the target, "class" or "number".
    has_name : bool
        Whether the subject is the name of the target.
    row : str
        What a prediction is made for: "row" or "series".
    classes : tuple of str
        The classes; empty if there are many, or none.
    n_classes : int
        Their number; 0 for regression.
    source : str
        The name of the file; may be empty.
    created : datetime.date
    n_rows : int
        The number of rows that the list was learned from.
    n_test : int
        The number of rows to test it on.
    test_name : str
        Where these come from, if they are not known to be held out; may be empty.
    columns : tuple of str
        The columns that the rules use; empty if they use computed numbers or series.
    n_columns : int
        The number of columns that were to choose from.
    left_out : tuple of (str, str), or None
        Columns that were not used, and why; None if this is not known.
    """

    subject: str
    has_name: bool
    row: str
    classes: tuple[str, ...]
    n_classes: int
    source: str
    created: datetime.date
    n_rows: int
    n_test: int
    test_name: str
    columns: tuple[str, ...]
    n_columns: int
    left_out: tuple[tuple[str, str], ...] | None

    @property
    def title(self) -> str:
        """What the page is about, without the number of rules."""
        return f"What predicts {self.subject if self.has_name else f'the {self.subject}'}"


def pose_question(
    rule_list: RuleList,
    form: Form,
    n_test: int,
    test_name: str | None,
    target: str | None,
    source: str | None,
    created: datetime.date | None,
    left_out: Mapping[str, str] | None,
) -> Question:
    """Return the question; :meth:`hedgerow.RuleList.to_html` describes the parameters."""
    if created is not None and not isinstance(created, datetime.date):
        raise InvalidParameterError(f"created must be a datetime.date; got {created!r}.")
    labels, inputs = rule_list.task.labels, rule_list.inputs
    of_columns = not inputs.of_series and not any(field.is_computed for field in form.fields)
    return Question(
        subject=printable(str(target)) if target else "class" if labels else "number",
        has_name=bool(target),
        row="series" if inputs.of_series else "row",
        classes=tuple(map(format_value, labels)) if len(labels) <= _MOST_CLASSES else (),
        n_classes=len(labels),
        source=printable(str(source)) if source else "",
        created=datetime.date.today() if created is None else created,
        n_rows=rule_list.n_samples,
        n_test=n_test,
        test_name=printable(str(test_name)) if test_name else "",
        columns=tuple(field.label for field in form.fields) if of_columns else (),
        n_columns=len(inputs.names),
        left_out=None if left_out is None else tuple((printable(str(k)), printable(v)) for k, v in left_out.items()),
    )
