"""The rule list as a LaTeX table, with the lines of the package booktabs."""

from __future__ import annotations

import re

from hedgerow.exceptions import InvalidParameterError
from hedgerow.rule_list import RuleList

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


def export(rule_list: RuleList, caption: str | None = None, label: str | None = None) -> str:
    """Return a tabular, a rule a row, the default last; in a table if it has a caption or a label."""
    if label is not None and set(label) & _NOT_IN_LABELS:
        signs = " ".join(sorted(_NOT_IN_LABELS))
        raise InvalidParameterError(f"label is a key, such as tab:rules, without any of {signs}; got {label!r}.")
    rows = [
        (str(i), rule.describe(rule_list.digits), rule.describe_prediction(), f"{rule.coverage}", _percent(rule.share))
        for i, rule in enumerate(rule_list, start=1)
    ]
    body = [
        rf"\begin{{tabular}}{{@{{}}r{_LINES.format(0.37)}{_LINES.format(0.22)}rr@{{}}}}",
        r"\toprule",
        r" & if & then & samples & share \\",
        r"\midrule",
        *(_row(row) for row in rows),
        r"\midrule",
        _row(("", "otherwise", rule_list.describe_default(), "", "")),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    head = r"% \usepackage{array,booktabs}"
    if caption is None and label is None:
        return "\n".join([head, *body])
    notes = [rf"\caption{{{escaped(caption)}}}"] if caption is not None else []
    notes += [rf"\label{{{label}}}"] if label is not None else []
    return "\n".join([head, r"\begin{table}", r"\centering", *notes, *body, r"\end{table}"])


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


def _row(cells: tuple[str, ...]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
