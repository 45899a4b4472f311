"""The rule list, or weighted rules, as a LaTeX table, with the lines of the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.to_notebook import HasCells
from hedgerow.rules.rule_list import RuleList

#: What means something to LaTeX, or is not in its old fonts, and how to get it.
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
#: Signs of which two become another one; a minus before a number; and all of the above.
_SPECIAL = re.compile(
    r"(?P<double>[-'`,?!])(?=[-'`,])|(?P<minus>(?<![\w.])-(?=\d))|" + "|".join(map(re.escape, _ESCAPES))
)
#: What means something to LaTeX even in a key.
_NOT_IN_LABELS = set("\\{}%#$&^~")
#: A column whose texts go over several lines, this share of the page wide.
_LINES = r">{{\raggedright\arraybackslash}}p{{{}\linewidth}}"


#: The columns whose texts go over several lines: without weights, with one a rule, with one a class.
_WIDTHS = {"if": 0.37, "then": 0.22}
_WIDTHS_WITH_ONE = {"if": 0.32, "then": 0.16, "else": 0.13}
_WIDTHS_WITH_MANY = {"weight": 0.14, "if": 0.25, "then": 0.14, "else": 0.11}


def export(rules: RuleList | HasCells, caption: str | None = None, label: str | None = None) -> str:
    """Return a tabular, a rule a row, what is no rule last; in a table if it has a caption or a label."""
    if label is not None and set(label) & _NOT_IN_LABELS:
        signs = " ".join(sorted(_NOT_IN_LABELS))
        raise InvalidParameterError(f"label is a key, such as tab:rules, without any of {signs}; got {label!r}.")
    body = _of_list(rules) if isinstance(rules, RuleList) else _of_cells(rules)
    head = r"% \usepackage{array,booktabs}"
    if caption is None and label is None:
        return "\n".join([head, *body])
    notes = [rf"\caption{{{escaped(caption)}}}"] if caption is not None else []
    notes += [rf"\label{{{label}}}"] if label is not None else []
    return "\n".join([head, r"\begin{table}", r"\centering", *notes, *body, r"\end{table}"])


def _of_list(rule_list: RuleList) -> list[str]:
    rows = [
        (str(i), rule.describe(rule_list.digits), rule.describe_prediction(), f"{rule.coverage}", _percent(rule.share))
        for i, rule in enumerate(rule_list, start=1)
    ]
    others = [("", "otherwise", rule_list.describe_default(), "", "")]
    return _tabular(("", "if", "then", "samples", "share"), rows, others, _WIDTHS)


def _of_cells(rules: HasCells) -> list[str]:
    head, rows = rules.cells()
    of_rules, others = ([row for row in rows if bool(row[0]) is numbered] for numbered in (True, False))
    has_many = any(" " in row[head.index("weight")] for row in rows)  # one weight a class
    return _tabular(head, of_rules, others, _WIDTHS_WITH_MANY if has_many else _WIDTHS_WITH_ONE)


def _tabular(
    head: Sequence[str], rules: Sequence[Sequence[str]], others: Sequence[Sequence[str]], widths: Mapping[str, float]
) -> list[str]:
    """Return the lines of a table; columns that have no width are as wide as their widest cell."""
    columns = "".join(_LINES.format(widths[name]) if name in widths else "r" for name in head)
    return [
        rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
        r"\toprule",
        _row(head),
        r"\midrule",
        *map(_row, rules),
        *[r"\midrule"] * bool(rules),
        *map(_row, others),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def escaped(text: str) -> str:
    r"""Return a text that LaTeX shows as it is.

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


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
