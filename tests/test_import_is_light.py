"""The package loads what it is declared to depend on, and that only when it is used."""

import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from small_tables import QUICK, people

import hedgerow
from hedgerow.cli import main

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

PROGRAM = """
import sys
import sklearn.ensemble, sklearn.frozen, sklearn.dummy, sklearn.preprocessing  # may load what it likes
before = set(sys.modules)
from hedgerow import *
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
        assert set(owners.get(name, [])) <= allowed() or name.startswith("_"), f"hedgerow loads {name}"


def loaded_by(program, *arguments):
    """Return the top-level packages that a program has loaded at its end, and what it says."""
    ending = "import sys; print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    call = [sys.executable, "-W", "error", "-c", f"{program}\n{ending}", *arguments]
    shown = subprocess.run(call, capture_output=True, text=True, check=True)
    return set(shown.stderr.split()), shown.stdout


def test_the_package_itself_loads_nothing():
    loaded, _ = loaded_by("import hedgerow; dir(hedgerow)")
    assert not loaded & {"numpy", "scipy", "sklearn", "highspy"}


@pytest.mark.slow
def test_all_names_add_little_to_the_time_of_sklearn_ensemble():
    def seconds(program):
        timed = "import time; {}; print(time.process_time())"
        call = [sys.executable, "-c", timed.format(program)]
        return min(float(subprocess.run(call, capture_output=True, check=True).stdout) for _ in range(3))

    of_sklearn = seconds("import sklearn.ensemble")
    assert seconds("import sklearn.ensemble; from hedgerow import *") - of_sklearn < 0.6 * of_sklearn


@pytest.mark.parametrize("name", hedgerow.__all__)
def test_every_public_name_is_listed_and_there(name):
    assert name in dir(hedgerow)
    assert getattr(hedgerow, name).__name__ == name


def test_modules_are_there_after_the_package_is_imported():
    program = "import hedgerow; print(hedgerow.losses.__name__, hedgerow.optimize.solvers.__name__, hedgerow.Forest)"
    _, shown = loaded_by(program)
    assert shown == "hedgerow.losses hedgerow.optimize.solvers <class 'hedgerow.forests.forest.Forest'>\n"


def test_threads_may_use_names_for_the_first_time_at_once():
    program = """
import random, hedgerow
from concurrent.futures import ThreadPoolExecutor
def look(seed):
    names = random.Random(seed).sample(hedgerow.__all__, len(hedgerow.__all__))
    return {name: getattr(hedgerow, name) for name in names}
with ThreadPoolExecutor(8) as pool:
    first, *others = pool.map(look, range(8))
print(len(first), all(other == first for other in others))
"""
    _, shown = loaded_by(program)
    assert shown == f"{len(hedgerow.__all__)} True\n"


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'hedgerow' has no attribute 'RuleLists'"):
        _ = hedgerow.RuleLists


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A table with strings, one of numbers, and a list learned from each."""
    folder = tmp_path_factory.mktemp("saved")
    frame = people().drop(columns="price")
    frame.to_csv(folder / "strings.csv", index=False)
    frame.select_dtypes("number").assign(says=frame["says"]).to_csv(folder / "numbers.csv", index=False)
    for name in ("strings", "numbers"):
        call = ["extract", str(folder / f"{name}.csv"), "-t", "says", "--json", str(folder / f"{name}.json"), *QUICK]
        assert main(call) == 0
    return folder


RUN = "import sys; from hedgerow.cli import main; assert main(sys.argv[1:]) == int({code})"


@pytest.mark.parametrize(
    ("call", "code"), [("--help", 0), ("extract --help", 0), ("--version", 0), ("extract a.csv", 2), ("explain", 2)]
)
def test_help_and_wrong_calls_load_no_numbers(call, code):
    loaded, _ = loaded_by(RUN.format(code=code), *call.split())
    assert "typer" in loaded
    assert not loaded & {"numpy", "pandas", "scipy", "sklearn", "highspy"}


@pytest.mark.parametrize("name", ["strings", "numbers"])
def test_predictions_of_a_saved_list_do_not_load_scikit_learn(name, saved):
    rules, table = str(saved / f"{name}.json"), str(saved / f"{name}.csv")
    loaded, shown = loaded_by(RUN.format(code=0), "predict", rules, table, "--explain")
    assert not loaded & {"scipy", "sklearn", "highspy", "joblib"}
    assert len(shown.splitlines()) == 1 + len(people())


@pytest.mark.parametrize("form", ["text", "json", "sql", "python", "latex", "dot"])
def test_exports_of_a_saved_list_do_not_load_scikit_learn(form, saved):
    loaded, shown = loaded_by(RUN.format(code=0), "export", str(saved / "strings.json"), "--to", form)
    assert not loaded & {"pandas", "scipy", "sklearn", "highspy", "joblib"}
    assert shown


def test_the_dependencies_are_the_four():
    names = {Requirement(text).name for text in PROJECT["dependencies"]}
    assert names == {"numpy", "scipy", "scikit-learn", "highspy"}


def test_all_is_every_extra_for_users():
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    inside = everything.partition("[")[2].rstrip("]").split(",")
    assert set(inside) == set(extras) - {"all", "test", "docs", "mutants", "bench", "peers"}
