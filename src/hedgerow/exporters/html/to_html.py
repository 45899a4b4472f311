"""The rule list as a report: one HTML page that needs no other file and no network.

:mod:`hedgerow.exporters.html.report` computes the contents; this file and
``templates/`` only render them. Jinja2 escapes names and labels. The page's
script gets its data from a JSON block, and a policy in the head allows no other
script to run and nothing to be loaded.
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
from hedgerow._support.palette import MORE_CLASS_COLORS
from hedgerow._support.whole_file import write_whole
from hedgerow.exporters.html.charts import draw_budgets, draw_examples, draw_histogram
from hedgerow.exporters.html.report import ReportSummary, summarize
from hedgerow.exporters.html.tree_svg import SIZES, curve, draw_tree, path
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_number


def export(rule_list: RuleList, path: str | os.PathLike[str] | None = None, **given: Any) -> str:
    """Return the page; write it to a file if one is given."""
    environment = _environment()  # first, so that a missing Jinja2 is reported before anything is computed
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
        "hundredths": _hundredths,
        "signed": _signed,
        "change": _change,
        "histogram": draw_histogram,
        "examples": draw_examples,
        "curve": curve,
        "path": path,
        "unbroken": lambda text: re.sub("(<=|>=|<|>) ", "\\1\u00a0", text),
    }
    return environment


def _render(environment: Any, report: ReportSummary, digits: int) -> str:
    colors = {number: MORE_CLASS_COLORS[i] for i, number in enumerate(report.colored)} | {None: "var(--accent)"}
    # A class without a color of its own has a neutral one, which belongs to no class.
    environment.filters["color"] = lambda class_number: colors.get(class_number, "var(--neutral)")
    # The script is not escaped: it is a file of this package and contains nothing of the list.
    script = environment.loader.get_source(environment, "report.js")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    html: str = environment.get_template("report.html").render(
        report=report,
        script=script,
        policy=f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'",
        tree=draw_tree(report.tree, report.listing, digits),
        sizes=SIZES,
        chart=None if report.budgets is None else draw_budgets(report.budgets),
        data=_record(report),
    )
    return html.strip() + "\n"


def _record(report: ReportSummary) -> dict[str, Any]:
    """Return what the page's script needs, as data for JSON."""
    rows = (*report.listing.rules, report.listing.default)
    record: dict[str, Any] = _plain(asdict(report.what_if))
    predictions = [row.prediction + (f" ({row.certainty})" if row.certainty else "") for row in rows]
    whole = "model" if report.listing.says_model else "ensemble"
    return record | {"predictions": predictions, "asks_ensemble": report.listing.asks_ensemble, "whole": whole}


def _plain(value: Any) -> Any:
    """Return data with NaN and infinity, which JSON lacks, as strings."""
    if isinstance(value, float):
        return number_record(value)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _percent(share: float, digits: int = 1) -> str:
    """Format a share; one that is not zero is never written as 0, and one that is not 1 never as 100."""
    if math.isnan(share):
        return "–"
    text = f"{100 * share:.{digits}f}"
    if share > 0 and float(text) == 0:
        return f"<\u00a0{10**-digits:g}\u00a0%"
    if share < 1 and float(text) == 100:
        return f">\u00a0{100 - 10**-digits:g}\u00a0%"
    return f"{text}\u00a0%"


def _hundredths(value: float) -> str:
    """Write a number with two decimals, and never as -0."""
    return f"{round(value, 2) + 0.0:.2f}"


def _change(difference: float | None, as_share: bool, unit: str = "", sign: int = 1) -> str:
    """Write by how much a number changes; shares in hundredths."""
    if difference is None:
        return "–"
    size = f"{100 * abs(difference):.1f}" if as_share else f"{abs(difference):.3f}"
    if float(size) == 0:
        return "±0"
    return f"{'+' if sign * difference > 0 else '−'}{size}{unit}"


def _signed(difference: float, as_share: bool) -> str:
    """Say how far one score is above or below another; shares in percentage points."""
    size = f"{100 * abs(difference):.1f}" if as_share else _hundredths(abs(difference))
    if float(size) == 0:
        return "equal to"
    return f"{size} {'points ' if as_share else ''}{'above' if difference > 0 else 'below'}"
