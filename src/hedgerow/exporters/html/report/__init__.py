"""What a report on a rule list says, as plain data; :mod:`hedgerow.exporters.html.to_html` writes it down.

One file a section, each with a function that returns dataclasses; to add a
section, write its file and name it in :mod:`hedgerow.exporters.html.report.summary`.
"""

from hedgerow.exporters.html.report.summary import ReportSummary, summarize

__all__ = ["ReportSummary", "summarize"]
