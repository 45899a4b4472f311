"""``import hedgerow`` loads what it is declared to depend on, and nothing heavier."""

import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

PROGRAM = """
import sys
import sklearn.ensemble, sklearn.frozen, sklearn.dummy, sklearn.preprocessing  # may load what it likes
before = set(sys.modules)
import hedgerow
print(" ".join(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""


def allowed():
    """The runtime dependencies and what they themselves require."""
    todo, found = [Requirement(text).name for text in PROJECT["dependencies"]], set()
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            needed = [Requirement(text) for text in requires(name) or []]
            todo += [r.name for r in needed if r.marker is None or r.marker.evaluate({"extra": ""})]
    return found


def test_no_optional_library_is_loaded():
    shown = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    loaded = set(shown.stdout.split())
    assert "hedgerow" in loaded
    owners = packages_distributions()
    for name in loaded - {"hedgerow"} - set(sys.stdlib_module_names):
        assert set(owners.get(name, [])) <= allowed() or name.startswith("_"), f"import hedgerow loads {name}"


def test_the_dependencies_are_the_four():
    names = {Requirement(text).name for text in PROJECT["dependencies"]}
    assert names == {"numpy", "scipy", "scikit-learn", "highspy"}


def test_all_is_every_extra_for_users():
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    inside = everything.partition("[")[2].rstrip("]").split(",")
    assert set(inside) == set(extras) - {"all", "test", "bench", "peers"}
