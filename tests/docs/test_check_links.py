"""Links that lead nowhere are found, and nothing may load from outside."""

import runpy
from pathlib import Path

import pytest

problems = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "check_links.py"))["problems"]


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ('<a href="other.html#there">', None),
        ('<a href="#here"><p id="here">', None),
        ('<a href="folder/">', None),
        ('<a href="https://example.org">', None),
        ('<link rel="canonical" href="https://example.org">', None),
        ('<img src="data:image/png;base64,AA==">', None),
        ('<a href="gone.html">', "not there"),
        ('<a href="other.html#gone">', "no such anchor"),
        ('<a href="#gone">', "no such anchor"),
        ('<img src="gone.png">', "not there"),
        ('<iframe src="gone.html">', "not there"),
        ('<script src="https://example.org/a.js">', "from outside"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "from outside"),
    ],
)
def test_a_link_leads_to_a_file_and_an_anchor_of_the_site(tmp_path, body, wrong):
    (tmp_path / "page.html").write_text(body)
    (tmp_path / "other.html").write_text('<h1 id="there">')
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "index.html").write_text("")
    found = problems(tmp_path)
    assert len(found) == (wrong is not None)
    assert all(wrong in line for line in found)


def test_a_site_without_pages_is_none(tmp_path):
    assert "no pages" in problems(tmp_path)[0]
