"""The rule list as a report: one HTML page that needs no other file and no network.

:mod:`hedgerow.exporters.html.report` computes the contents; this file and
``templates/`` only render them. Jinja2 escapes names and labels. The page's
script gets its data from a JSON block, and a policy in the head allows no other
script to run and nothing to be loaded.
"""

from __future__ import annotations

import base64
import hashlib
import os
from dataclasses import asdict
from typing import Any

from hedgerow._support.json_field import number_record
from hedgerow._support.whole_file import write_whole
from hedgerow.exporters.html.charts import draw_budgets
from hedgerow.exporters.html.rendering import environment, with_colors
from hedgerow.exporters.html.report import ReportSummary, summarize
from hedgerow.exporters.html.tree_svg import SIZES, draw_tree
from hedgerow.rules.rule_list import RuleList

#: What the page runs, one after the other.
_SCRIPTS = ("least_changes.js", "report.js")


def export(rule_list: RuleList, path: str | os.PathLike[str] | None = None, **given: Any) -> str:
    """Return the page; write it to a file if one is given."""
    templates = environment()  # first, so that a missing Jinja2 is reported before anything is computed
    report = summarize(rule_list, **given)
    html = _render(with_colors(templates, report.colored), report, rule_list.digits)
    if path is not None:
        write_whole(path, html)
    return html


def _render(templates: Any, report: ReportSummary, digits: int) -> str:
    # The script is not escaped: it is a file of this package and contains nothing of the list.
    script = "\n".join(templates.loader.get_source(templates, name)[0] for name in _SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    html: str = templates.get_template("report.html").render(
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
