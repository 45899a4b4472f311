"""Every block of code on the pages runs alone, as it is written, and prints what the page shows."""

import os
import re
import runpy
import sys
from difflib import unified_diff
from pathlib import Path
from shutil import copytree

import matplotlib as mpl
import pytest
from pages import ROOT, check_install, fences, matches, pages, read_page, renew, run, tables_of, update
from sklearn import config_context

mpl.use("Agg")
import matplotlib.pyplot as plt

pytestmark = pytest.mark.filterwarnings("error::hedgerow.exceptions.PoorListWarning")

#: How many blocks may be left out with a reason.
MOST_LEFT_OUT = 3
UPDATES = bool(os.environ.get("HEDGEROW_UPDATE_PAGES"))
PAGES = {path: read_page(path.read_text(), str(path.relative_to(ROOT))) for path in pages()}
LEFT_OUT = [(fence, why) for page in PAGES.values() for fence, why in page.left_out]
MARKED = [(fence, why) for fence, why in LEFT_OUT if not why.startswith("written by")]
BLOCKS = [pytest.param(path, block, id=str(block)) for path, page in PAGES.items() for block in page.blocks]


@pytest.fixture(autouse=True)
def _alone(tmp_path, monkeypatch):
    """A folder with nothing but the examples; what a block draws and sets for all of scikit-learn is gone after it."""
    copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    with config_context():
        yield
    plt.close("all")


def need_libraries(code):
    """Skip code on wildboar where there is none: its releases for Python 3.11 need an older scikit-learn."""
    if sys.version_info < (3, 12) and "wildboar" in code:
        pytest.importorskip("wildboar")


def need_tables(code):
    """Put the tables beside the code that reads them; skip it where there are no data sets of the benchmarks."""
    for path in tables_of(code):
        if not path.exists():
            pytest.skip(f"no {path.name} on this machine")
        (Path.cwd() / path.name).symlink_to(path)


@pytest.mark.parametrize(("path", "block"), BLOCKS)
def test_a_block_runs_alone_and_prints_what_the_page_shows(path, block):
    assert len(block.files) == len(block.shown), "Two blocks show the same; name the file of one in a comment."
    need_libraries(block.code.text)
    need_tables(block.code.text)
    made = run(block)
    if UPDATES:
        assert "PYTEST_XDIST_WORKER" not in os.environ, "Pages are written by one process: leave out -n."
        update(path, block, made)
        return
    for name, text in made.items():
        shown = block.files[name].text if name in block.files else ""
        if not matches(shown, text):
            lines = unified_diff(shown.splitlines(), text.splitlines(), "shown", name or "printed", lineterm="")
            pytest.fail("\n".join([f"{block} shows something else; make pages updates it:", *lines]), pytrace=False)


@pytest.mark.parametrize(("fence", "why"), MARKED, ids=[f"{fence.page}:{fence.line}" for fence, _ in MARKED])
def test_a_block_that_is_left_out_says_why(fence, why):
    assert why, f"{fence.page}:{fence.line}: neither code nor what code prints. Say <!-- not run: why --> before it."
    pytest.skip(f"{fence.page}:{fence.line} is not run: {why}")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_fence_is_overlooked(path):
    marks = re.findall(r"^.*(?:```|~~~).*$", path.read_text(), re.MULTILINE)
    assert len(marks) == 2 * len(list(fences(path.read_text(), path.name))), marks


def test_few_blocks_are_left_out():
    assert len(MARKED) <= MOST_LEFT_OUT, [(fence.page, fence.line, why) for fence, why in MARKED]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_what_a_page_names_exists(path):
    text = path.read_text()
    for package in re.findall(r"pip install '?([^'`\s]+)", text):
        check_install(package)
    for module in re.findall(r"python -m (benchmarks\S*?)[`\s]", text):
        assert (ROOT / f"{module.replace('.', '/')}.py").is_file(), module
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (path.parent / link).exists(), link


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_an_example_runs_and_draws(path):
    need_libraries(path.read_text())
    runpy.run_path(str(path), run_name="__main__")
    assert plt.get_fignums()


def page_of(*lines):
    return read_page("".join(f"{line}\n" for line in lines), "page.md")


def test_names_of_another_block_are_not_known():
    first, second = page_of("```python", "a = 1", "```", "```python", "print(a)", "```").blocks
    run(first)
    with pytest.raises(NameError):
        run(second)


def test_what_is_shown_belongs_to_the_block_before_it():
    page = page_of("```python", "a", "```", "so:", "```text", "1", "```", "<!-- file: a.sql -->", "```sql", "2", "```")
    assert [fence.text for fence in page.blocks[0].shown] == ["1\n", "2\n"]
    assert set(page.blocks[0].files) == {"", "a.sql"}
    assert not page.left_out


def test_a_block_that_is_not_run_takes_what_it_prints_with_it():
    page = page_of("<!-- not run: a server -->", "```sh", "serve", "```", "```text", "1", "```", "```text", "2", "```")
    assert not page.blocks
    assert [why for _, why in page.left_out] == ["a server", "", ""]


def test_a_language_that_nobody_runs_is_left_out_without_a_reason():
    assert [why for _, why in page_of("```ruby", "puts 1", "```").left_out] == [""]


def test_commands_run_in_order_and_their_files_can_be_shown():
    (block,) = page_of(
        "```sh",
        "pip install '.[cli]'  # the extra exists",
        "hedgerow extract examples/penguins.csv -t species --trees 5 --max-rules 3 --sql a.sql --table p \\",
        "    --dialect duckdb",
        "```",
        "<!-- file: a.sql -->",
        "```sql",
        "```",
    ).blocks
    made = run(block)
    assert "accuracy" in made[""]
    assert made["a.sql"].startswith("SELECT")


@pytest.mark.parametrize(
    "command",
    [
        "pip install hedgerow",
        "pip install '.[nothing]'",
        "make tea",
        "python -m benchmarks.nothing",
        "curl x",
        "hedgerow extract no.csv -t y",
        "duckdb -c 'SELECT a'",
    ],
)
def test_a_command_that_would_fail_fails(command):
    (block,) = page_of("```sh", command, "```").blocks
    with pytest.raises(Exception):  # noqa: B017, PT011 whatever the program itself raises
        run(block)


@pytest.mark.parametrize(
    ("shown", "made", "expected"),
    [
        ("a\nb\n", "a  \nb\n\n", True),
        ("a\nb\n", "a\nc\n", False),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n  …\nd\n", "a\nd\n", True),
        ("a\n...\nd\n", "a\nb\nc\n", False),
        ("took ... s\n", "took 1.25 s\n", True),
        ("took ... s\n", "took 1.25 h\n", False),
        ("took ... s\n", "took 1\n2 s\n", False),
        ("", "a\n", False),
        ("", "", True),
    ],
)
def test_what_is_shown_is_what_was_made_but_for_ellipses(shown, made, expected):
    assert matches(shown, made) is expected


@pytest.mark.parametrize(
    ("shown", "made", "expected"),
    [
        ("a\n", "b\nc\n", "b\nc\n"),
        ("a\n...\n", "b\nc\nd\n", "b\n...\n"),
        ("...\na\nb\n", "c\nd\ne\n", "...\nd\ne\n"),
        ("a\n...\nright: 3\n...\nz\n", "b\nc\nright: 4\nd\ny\n", "b\n...\nright: 4\n...\ny\n"),
        ("a\nb\n...\nc\n", "d\ne\n", "d\ne\n"),
        ("took ... s\nscore 1\n", "took 3 s\nscore 2\n", "took ... s\nscore 2\n"),
        ("took ... s\n", "took 3 s\n", "took ... s\n"),
    ],
)
def test_a_page_that_is_updated_keeps_its_ellipses(shown, made, expected):
    assert renew(shown, made) == expected


def test_an_update_writes_what_is_printed_and_nothing_else(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(
        "# Title\n\n```python\nprint(1)\n```\n\n## Next\n\n```python\nprint(2)\n```\n\n```text\n3\n```\n\nThe end.\n"
    )
    for block in read_page(path.read_text(), "page.md").blocks:
        update(path, block, run(block))
    assert path.read_text() == (
        "# Title\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n\n"
        "## Next\n\n```python\nprint(2)\n```\n\n```text\n2\n```\n\nThe end.\n"
    )
