"""Pages with parts that are generated: a part stands between two comments, which name it."""

from __future__ import annotations

import re
from pathlib import Path

_PART = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end of table -->)", re.DOTALL)
_MISSING = "*Not measured yet.*"


def fill_page(path: Path, parts: dict[str, str]) -> None:
    """Put each part in its place; one that is not there is said to be missing, and the rest of the page stays."""

    def filled(found: re.Match[str]) -> str:
        return f"{found[1]}\n{parts.get(found[2], _MISSING)}\n\n{found[3]}"

    path.write_text(_PART.sub(filled, path.read_text()))
