"""The contents of a report on a rule list, as plain data; :mod:`hedgerow.exporters.html.to_html` renders it.

There is one file per section, each with a function that returns dataclasses. To
add a section, write its file and use it in :mod:`hedgerow.exporters.html.report.summary`.
"""

from hedgerow.exporters.html.report.summary import ReportSummary, summarize

__all__ = ["ReportSummary", "summarize"]
