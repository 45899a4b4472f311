"""The dossier on a rule list: one HTML page without any script, made to be printed, signed and kept.

:mod:`hedgerow.exporters.html.dossier` computes the contents; this file and ``templates/`` only render them, in the
style of the report.
"""

from __future__ import annotations

import os
from typing import Any

from hedgerow._support.whole_file import write_whole
from hedgerow.exporters.html.dossier import summarize
from hedgerow.exporters.html.rendering import environment, with_colors
from hedgerow.rules.rule_list import RuleList

#: Nothing may be loaded or run.
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def export(rule_list: RuleList, path: str | os.PathLike[str] | None = None, **given: Any) -> str:
    """Return the page; write it to a file if one is given."""
    templates = environment()  # first, so that a missing Jinja2 is reported before anything is computed
    dossier = summarize(rule_list, **given)
    page = with_colors(templates, dossier.colored).get_template("dossier.html").render(dossier=dossier, policy=_POLICY)
    html: str = page.strip() + "\n"
    if path is not None:
        write_whole(path, html)
    return html
