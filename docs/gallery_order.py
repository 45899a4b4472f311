"""The order of the examples in the gallery: that of the table in examples/README.md."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "examples" / "README.md"


class OfReadme:
    """A key for sorting files, as sphinx-gallery wants it."""

    def __init__(self, folder: str) -> None:
        self.names = re.findall(r"^\| \[(\w+\.py)\]", README.read_text(), re.MULTILINE)

    def __call__(self, name: str) -> int:
        """Return the place of a file."""
        return self.names.index(name)
