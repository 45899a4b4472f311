"""The site shows every public name and every example."""

import gzip
import re
from importlib import import_module
from pathlib import Path

import pytest
from public_modules import PUBLIC_MODULES

ROOT = Path(__file__).parents[2]
#: Errors are public in hedgerow itself, too, and are shown there.
PUBLIC = [module for module in PUBLIC_MODULES if module != "hedgerow.exceptions"]


def shown():
    """Return the names on the page of the API, each with its module."""
    names, module = [], ""
    for line in (ROOT / "docs" / "api.rst").read_text().splitlines():
        if found := re.fullmatch(r"\.\. (?:current|auto)?module:: (\S+)", line):
            module = found[1]
        elif found := re.fullmatch(r"   (\w+)", line):
            names.append(f"{module}.{found[1]}")
    return names


@pytest.mark.parametrize("module", PUBLIC)
def test_no_public_name_is_missing(module):
    objects = {id(getattr(import_module(name.rpartition(".")[0]), name.rpartition(".")[2])) for name in shown()}
    public = import_module(module)
    assert [name for name in public.__all__ if id(getattr(public, name)) not in objects] == []


def test_no_name_is_shown_twice_or_gone():
    names = shown()
    assert len(names) == len(set(names))
    for name in names:
        module, _, short = name.rpartition(".")
        assert hasattr(import_module(module), short), name


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_an_example_is_a_page_of_the_gallery(path):
    title = re.match(r'"""\n(.+)\n(=+)\n\n', path.read_text())
    assert path.name.startswith("plot_")
    assert len(title[1]) == len(title[2])
    assert f"| [{path.name}]({path.name}) | {title[1]} |" in (ROOT / "examples" / "README.md").read_text()


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "cases").glob("*.md")), ids=lambda path: path.name)
def test_the_report_of_a_case_is_about_the_list_on_its_page(path):
    report = gzip.decompress((ROOT / "docs" / "reports" / f"{path.stem}.html.gz").read_bytes()).decode()
    assert f"../reports/{path.stem}.html" in path.read_text()
    assert re.findall(r"^objective (\S+),", path.read_text(), re.MULTILINE)[-1] in report
    assert len(report) < 400_000
