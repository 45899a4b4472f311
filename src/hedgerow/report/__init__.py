"""What a report on a rule list says, as plain data; :mod:`hedgerow.exporters.to_html` writes it down.

One file a section, each with a function that returns dataclasses; to add a
section, write its file and name it in :mod:`hedgerow.report.summary`.
"""

from hedgerow.report.summary import ReportSummary, summarize

__all__ = ["ReportSummary", "summarize"]
