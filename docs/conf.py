"""The documentation site: ``make docs`` builds it from the pages in this folder, ``examples/`` and the docstrings.

Pages of prose are Markdown and read well without the site, too; ``tests/test_pages.py`` runs their code. What only the
site has, such as its navigation and the API, is reStructuredText. The build needs no network.
"""

import gzip
import re
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path

import matplotlib as mpl
from sphinx.application import Sphinx

import hedgerow

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))  # for gallery_order

project = "hedgerow"
author = "the hedgerow developers"
copyright = "the hedgerow developers, BSD-3-Clause"
version = release = hedgerow.__version__
language = "en"

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
suppress_warnings = ["misc.highlighting_failure"]  # excerpts with "..." are no whole programs
exclude_patterns = ["_build", "reports"]
nitpicky = True
# Docstrings may name parts of the package that are not public; these have no page.
ROOMS = "candidates|constraints|evidence|features|optimize|pipeline|presets|rules|tasks"
nitpick_ignore_regex = [
    (r"py:(mod|func|class|meth)", rf"hedgerow\.({ROOMS})(\..*)?"),
    (r"py:func", "union|conditions_of"),
    (r"py:meth", r"\w+"),  # a method of the class itself, in the table of classes, which does not know the class
]
show_warning_types = True

# -- Markdown
myst_heading_anchors = 4  # as on GitHub, so that links to headings work in both


# -- API
toc_object_entries_show_parents = "hide"
autodoc_typehints = "none"  # the types are in the docstrings, in words
autodoc_member_order = "groupwise"
autosummary_generate = True
autosummary_ignore_module_all = False
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# -- Gallery
mpl.use("agg")
warnings.filterwarnings("ignore", message="The list (explains|predicts) .* poorly")
sphinx_gallery_conf = {
    "examples_dirs": ["../examples"],
    # wildboar has no release for Python 3.11 that fits: its example is shown there, but does not run.
    "filename_pattern": r"/plot_" if find_spec("wildboar") else r"/plot_(?!shapelets)",
    "gallery_dirs": ["gallery"],
    "backreferences_dir": "gallery/used",
    "doc_module": ("hedgerow",),
    "within_subsection_order": "gallery_order.OfReadme",
    "capture_repr": ("_repr_html_",),
    "download_all_examples": False,
    "abort_on_example_error": False,
    "write_computation_times": False,
    "show_signature": False,
    "copyfile_regex": r".*\.csv",
}

# -- Look
html_theme = "pydata_sphinx_theme"
html_title = "hedgerow"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "hedgerow"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "quickstart": []}


# -- What the pages link to in the repository, and where that is on the site
MOVED = {
    r"examples/(plot_\w+)\.py": r"/gallery/\1.rst",
    r"examples/README\.md": "/gallery/index.rst",
    r"README\.md": "/index.rst",
    r"CONTRIBUTING\.md": "/project/contributing.md",
    r"CHANGELOG\.md": "/project/changelog.md",
}


def fit_into_site(app: Sphinx, name: str, source: list[str]) -> None:
    """Take in pages of the repository that lie outside of this folder, and let links lead to pages of the site."""
    text = source[0]
    outside = re.fullmatch(r"<!-- the page (\S+) -->\n", text)
    if outside:
        app.env.note_dependency(str(ROOT / outside[1]))
        text = (ROOT / outside[1]).read_text().replace("](docs/", "](/")
    for file, page in MOVED.items():
        text = re.sub(rf"\]\((?:\.\./)*{file}(?:#[^)]*)?\)", rf"]({page})", text)
    # Markdown outside of this folder is no page, but can be downloaded.
    text = re.sub(r"\[([^]`]*)\]\((\.\./benchmarks/[^)]*\.md)\)", r"{download}`\1 <\2>`", text)
    # A link whose text is the name of a file, as in "see fidelity.md", has the page's name here.
    source[0] = re.sub(r"\[(\w+)\.md\]\(", lambda link: f"[{link[1].replace('_', ' ')}](", text)


def escape_bars(app: Sphinx, what: str, name: str, member: object, options: object, lines: list[str]) -> None:
    """Escape the bars of formulas such as |S| in docstrings, which would be substitutions."""
    for i, line in enumerate(lines):
        if not line.lstrip().startswith(">>>"):
            parts = re.split(r"(`[^`]*`)", line)
            lines[i] = "".join(part if part.startswith("`") else part.replace("|", r"\|") for part in parts)


#: Methods that other parts of the package call, and users do not.
INTERNAL = {
    "explained",
    "fitted_with",
    "is_explanation",
    "of",
    "plain",
    "set_by_presets",
    "task_kind",
    "to_settings",
} | {
    "with_rows",
    "without_search",
}


def skip_foreign(app: Sphinx, what: str, name: str, member: object, skip: bool, options: object) -> bool | None:
    """Leave out members of other packages, such as scikit-learn's metadata routing, and what users do not call."""
    made_by = getattr(getattr(member, "fget", member), "__module__", None)
    foreign = isinstance(made_by, str) and not made_by.startswith("hedgerow")
    return True if foreign or name.rpartition(".")[2] in INTERNAL else None


def copy_reports(app: Sphinx, error: Exception | None) -> None:
    """Put the reports of the industries' pages beside the pages; in the repository they are compressed."""
    if error is None:
        folder = Path(app.outdir) / "reports"
        folder.mkdir(exist_ok=True)
        for report in (ROOT / "docs" / "reports").glob("*.html.gz"):
            (folder / report.stem).write_bytes(gzip.decompress(report.read_bytes()))


def setup(app: Sphinx) -> None:
    """Add what is ours to the build."""
    app.connect("source-read", fit_into_site)
    app.connect("autodoc-process-docstring", escape_bars)
    app.connect("autodoc-skip-member", skip_foreign)
    app.connect("build-finished", copy_reports)
