"""The rule list as a report: one page of HTML that needs no other file and no network.

:mod:`hedgerow.exporters.html.report` computes what is said; this file and ``templates/`` only say
it. Names and labels are escaped by Jinja2; what the page's script needs is data in
a JSON block, and a policy in the head lets no other script run and nothing be loaded.
"""

from __future__ import annotations

import base64
import hashlib
import math
import os
import re
from dataclasses import asdict
from typing import Any

from hedgerow._support.json_field import number_record
from hedgerow._support.whole_file import write_whole
from hedgerow.exporters.html.charts import draw_budgets, draw_examples, draw_histogram
from hedgerow.exporters.html.report import ReportSummary, summarize
from hedgerow.exporters.html.report.what_if import WhatIf
from hedgerow.exporters.html.tree_svg import curve, draw_tree
from hedgerow.plotting.style import class_colors
from hedgerow.rules.rule import format_number
from hedgerow.rules.rule_list import RuleList

#: So many classes have a colour of their own; more would not be told apart.
_N_COLORS = 6


def export(rule_list: RuleList, path: str | os.PathLike[str] | None = None, **given: Any) -> str:
    """Return the page; write it to a file if a path is given."""
    environment = _environment()  # before anything is computed, if it is not installed
    html = _render(environment, summarize(rule_list, **given), rule_list.digits)
    if path is not None:
        write_whole(path, html)
    return html


def _environment() -> Any:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise ImportError("The report needs Jinja2: pip install 'hedgerow[report]'.") from None
    environment = Environment(
        loader=PackageLoader("hedgerow.exporters.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": format_number,
        "count": lambda n: f"{n:,}".replace(",", "\u202f"),
        "percent": _percent,
        "color": _color,
        "histogram": draw_histogram,
        "examples": draw_examples,
        "curve": curve,
        "unbroken": lambda text: re.sub("(<=|>=|<|>) ", "\\1\u00a0", text),
    }
    return environment


def _render(environment: Any, report: ReportSummary, digits: int) -> str:
    # The script is not escaped; it is a file of this package and has nothing of the list in it.
    script = environment.loader.get_source(environment, "report.js")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    html: str = environment.get_template("report.html").render(
        report=report,
        script=script,
        policy=f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'",
        tree=draw_tree(report.tree, report.listing, digits),
        chart=None if report.budgets is None else draw_budgets(report.budgets),
        what_if=_record(report.what_if, report),
    )
    return html.strip() + "\n"


def _record(what_if: WhatIf, report: ReportSummary) -> dict[str, Any]:
    """Return what the script of the page needs, as data for JSON."""
    rows = (*report.listing.rules, report.listing.default)
    record: dict[str, Any] = _plain(asdict(what_if))
    answers = [row.answer + (f" ({row.certainty})" if row.certainty else "") for row in rows]
    return record | {"answers": answers, "asks_ensemble": report.listing.asks_ensemble}


def _plain(value: Any) -> Any:
    """Return data without NaN and infinity, which JSON does not have."""
    if isinstance(value, float):
        return number_record(value)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _percent(share: float, digits: int = 1) -> str:
    """Write a share; what is not nothing is never written as 0."""
    if math.isnan(share):
        return "–"
    text = f"{100 * share:.{digits}f}"
    if share > 0 and float(text) == 0:
        return f"<\u00a0{10**-digits:g}\u00a0%"
    return f"{text}\u00a0%"


def _color(class_number: int | None) -> str:
    """Return the colour of a class; of numbers, the accent of the page."""
    return "var(--accent)" if class_number is None else str(class_colors(_N_COLORS)[class_number % _N_COLORS])
