"""Check the links within a built site: ``python docs/check_links.py docs/_build/html``.

Every link, image, script and frame of every page has to lead to a file of the site and, where it names one, to an
anchor in it. Nothing but a link may lead outside: pages load no fonts, scripts or pictures from elsewhere.
"""

import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: What loads a file as soon as a page is opened, by element and attribute.
LOADS = {("img", "src"), ("script", "src"), ("iframe", "src"), ("link", "href"), ("source", "src")}
#: Links to places outside; ``rel`` of <link> that only names another page.
NAMES = {"author", "canonical", "next", "prev", "search", "index", "genindex"}


@dataclass
class Page(HTMLParser):
    """The anchors of a page, and what it links to or loads."""

    anchors: set[str] = field(default_factory=lambda: {"", "top"})
    links: list[tuple[str, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Set the parser up."""
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in an element."""
        given = dict(attrs)
        self.anchors.update(value for name in ("id", "name") if (value := given.get(name)))
        names_only = tag == "link" and set((given.get("rel") or "").split()) <= NAMES
        for attribute in ("href", "src"):
            if (value := given.get(attribute)) is not None:
                self.links.append((value, (tag, attribute) in LOADS and not names_only))


def read(path: Path) -> Page:
    """Return what is on a page."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def problems(site: Path) -> list[str]:
    """Return what is wrong with the links of a site, one line each."""
    pages = {path.resolve(): read(path) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}
    if not pages:
        return [f"There are no pages in {site}. make docs builds them."]
    found = []
    for path, page in pages.items():
        where = path.relative_to(site.resolve())
        for link, loads in page.links:
            parts = urlsplit(link)
            if parts.scheme == "data" or (parts.scheme and not loads):
                continue
            if parts.scheme or parts.netloc:
                found.append(f"{where} loads {link} from outside")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                found.append(f"{where} links to {link}, which is not there")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{where} links to {link}, which has no such anchor")
    return sorted(set(found))


if __name__ == "__main__":
    wrong = problems(Path(sys.argv[1]))
    sys.exit("\n".join(wrong) if wrong else 0)
