"""What is installed, and whether it is recent enough."""

import tomllib
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from hedgerow.cli import parts
from hedgerow.cli.parts import PURPOSES, Package, Part, find_parts, release

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
FOR_WORK_ON_THE_PROJECT = {"all", "test", "docs", "bench", "mutants", "peers"}


def test_every_extra_for_users_has_a_purpose():
    assert set(PURPOSES) == set(PROJECT["optional-dependencies"]) - FOR_WORK_ON_THE_PROJECT


def test_the_packages_that_are_needed_are_those_of_the_project():
    needed, _ = find_parts()
    wanted = [r for r in map(Requirement, requires("hedgerow")) if r.marker is None]
    asked = {r.name: str(r.specifier).removeprefix(">=") for r in wanted}
    assert set(asked) == {Requirement(text).name for text in PROJECT["dependencies"]}
    assert {package.name: package.least for package in needed} == asked
    assert {package.name: package.installed for package in needed} == {name: version(name) for name in asked}


def with_marker(text, more):
    name, _, marker = text.partition(";")
    return f"{name}; ({marker.strip()}) and {more}" if marker else f"{name}; {more}"


@pytest.mark.parametrize("extra", PURPOSES)
def test_the_packages_of_a_part_are_those_that_pip_would_install(extra, monkeypatch):
    wanted = [with_marker(text, f"extra == '{extra}'") for text in PROJECT["optional-dependencies"][extra]]
    monkeypatch.setattr(parts, "requires", lambda _: wanted)
    _, found = find_parts()
    (part,) = found
    asked = [r for r in map(Requirement, wanted) if r.marker.evaluate({"extra": extra}) and r.name != "hedgerow"]
    least = [str(r.specifier).removeprefix(">=") for r in asked]
    assert [package.least for package in part.packages] == least


@pytest.mark.parametrize(
    ("marker", "holds"),
    [
        ("python_version >= '3.11'", True),
        ("python_version >= '4.0'", False),
        ("python_version < '3.11'", False),
        ("python_version < '4.0'", True),
    ],
)
def test_a_package_that_is_not_for_this_python_is_not_wanted(marker, holds, monkeypatch):
    monkeypatch.setattr(parts, "requires", lambda _: [f'numpy>=2.0; ({marker}) and extra == "sql"'])
    assert bool(find_parts()[1]) is holds
    assert Requirement(f"numpy; {marker}").marker.evaluate() is holds


@pytest.mark.parametrize(("older", "newer"), [("1.9", "1.10"), ("2.0.1", "2.1"), ("25.12", "2026.1"), ("3", "3.0.1")])
def test_releases_are_ordered_as_pip_orders_them(older, newer):
    assert (release(older) < release(newer)) is (Version(older) < Version(newer)) is True
    assert release("2.0.0") == release("2")


@pytest.mark.parametrize(
    ("installed", "state"),
    [(["2.0", "2.0"], "ok"), ([None, None], "missing"), (["2.0", None], "partial"), (["1.9", "2.0"], "too old")],
)
def test_a_part_is_as_good_as_its_packages(installed, state):
    packages = tuple(Package(name, "2.0", version) for name, version in zip("ab", installed, strict=True))
    assert Part("x", "something", packages).state == state


def test_a_package_that_another_distribution_holds_is_found(monkeypatch):
    def only_xgboost(name):
        if name != "xgboost":
            raise PackageNotFoundError(name)
        return "3.1"

    monkeypatch.setattr(parts, "version", only_xgboost)
    monkeypatch.setattr(parts, "requires", lambda _: ["xgboost-cpu>=3.0; extra == 'xgboost'"])
    (part,) = find_parts()[1]
    assert (part.state, str(part.packages[0])) == ("ok", "xgboost 3.1")


def test_a_package_that_cannot_be_imported_is_broken(monkeypatch):
    wanted = ["nothing-here>=1.0; extra == 'sql'", "numpy; extra == 'plot'"]
    monkeypatch.setattr(parts, "requires", lambda _: wanted)
    monkeypatch.setattr(parts, "version", lambda _: "1.0")
    plot, sql = sorted(find_parts(tried=True)[1], key=lambda part: part.extra)
    assert plot.state == "ok"
    assert sql.state == "broken"
    assert "No module named 'nothing_here'" in str(sql.packages[0])
    assert find_parts()[1][0].state == "ok"  # nothing is imported unless it is asked for


def test_the_source_runs_without_being_installed(monkeypatch):
    def not_installed(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(parts, "requires", not_installed)
    assert find_parts() == ((), ())
