"""The rule list, or weighted rules, as a LaTeX table for the packages array and booktabs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.rows import rows_of
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.weighted_rules import WeightedRules

#: What has a meaning in LaTeX, or is not in its old fonts, and how to write it.
_ESCAPES = {
    "<=": r"$\leq$",
    ">=": r"$\geq$",
    "<": "$<$",
    ">": "$>$",
    "±": r"$\pm$",
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_\allowbreak{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "[": "{[}",
    "]": "{]}",
}
#: Characters of which two form a ligature; a minus before a number; and all of the above.
_SPECIAL = re.compile(
    r"(?P<double>[-'`,?!])(?=[-'`,])|(?P<minus>(?<![\w.])-(?=\d))|" + "|".join(map(re.escape, _ESCAPES))
)
#: What has a meaning in LaTeX even in a label.
_NOT_IN_LABELS = set("\\{}%#$&^~")
#: A column of wrapped text, as wide as this share of the line.
_LINES = r">{{\raggedright\arraybackslash}}p{{{}\linewidth}}"

#: The columns of wrapped text and their widths: in a rule list, with one weight per rule, with one weight per class.
#: Any other column is as wide as its widest cell.
_WIDTHS = {"if": 0.37, "then": 0.22}
_WIDTHS_WITH_ONE = {"if": 0.32, "then": 0.16, "else": 0.13}
_WIDTHS_WITH_MANY = {"weight": 0.14, "if": 0.25, "then": 0.14, "else": 0.11}


def export(rules: RuleList | WeightedRules, caption: str | None = None, label: str | None = None) -> str:
    """Return a tabular with one row per rule, then the default or other terms; a table if captioned or labelled."""
    if label is not None and set(label) & _NOT_IN_LABELS:
        signs = " ".join(sorted(_NOT_IN_LABELS))
        raise InvalidParameterError(f"label must be a key such as tab:rules, without any of {signs}; got {label!r}.")
    body = _tabular(*rows_of(rules))
    head = r"% \usepackage{array,booktabs}"
    if caption is None and label is None:
        return "\n".join([head, *body])
    notes = [rf"\caption{{{escaped(caption)}}}"] if caption is not None else []
    notes += [rf"\label{{{label}}}"] if label is not None else []
    return "\n".join([head, r"\begin{table}", r"\centering", *notes, *body, r"\end{table}"])


def _tabular(head: list[str], rows: list[list[str]]) -> list[str]:
    """Return the lines of a tabular, with a horizontal line below the numbered rows."""
    widths = _WIDTHS
    if "weight" in head:
        has_many = any(" " in row[head.index("weight")] for row in rows)
        widths = _WIDTHS_WITH_MANY if has_many else _WIDTHS_WITH_ONE
    columns = "".join(_LINES.format(widths[name]) if name in widths else "r" for name in head)
    rules, others = ([_row(row) for row in rows if bool(row[0]) is numbered] for numbered in (True, False))
    return [
        rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
        r"\toprule",
        _row(head),
        r"\midrule",
        *rules,
        *[r"\midrule"] * bool(rules and others),
        *others,
        r"\bottomrule",
        r"\end{tabular}",
    ]


def escaped(text: str) -> str:
    r"""Return the source that LaTeX shows as this text.

    >>> print(escaped("a_b <= -5 & 60 %"))
    a\_\allowbreak{}b $\leq$ $-$5 \& 60~\%
    """
    return _SPECIAL.sub(_escape, text).replace(r" \%", r"~\%")


def _escape(found: re.Match[str]) -> str:
    if found["double"]:
        return f"{found[0]}{{}}"
    return "$-$" if found["minus"] else _ESCAPES[found[0]]


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"
