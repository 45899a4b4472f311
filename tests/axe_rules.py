"""axe, which finds what is wrong with a page for people who do not see it, or not well."""

import os
from functools import cache
from pathlib import Path

import pytest

AXE = Path(__file__).parent / "axe" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """() => axe.run(document, {preload: false, resultTypes: ["violations"]}).then((found) =>
  found.violations.map((one) => [one.id, one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200))]))"""


@cache
def axe():
    if not AXE.exists():
        missing = pytest.fail if os.environ.get("HEDGEROW_TESTS_NEED_ALL") else pytest.skip
        missing("axe-core is not installed: make axe")
    return AXE.read_text(encoding="utf-8")
