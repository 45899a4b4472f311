"""The contents of a dossier on a rule list, as plain data; :mod:`hedgerow.exporters.html.to_dossier` renders it.

A dossier is for those who sign a list off and those who audit it: everything that is known about it in one file, and
what is not known, said as such. It has no script, and no date unless one is given, so that the same list and the same
rows make the same file, byte by byte.
"""

from hedgerow.exporters.html.dossier.summary import DossierSummary, summarize

__all__ = ["DossierSummary", "summarize"]
