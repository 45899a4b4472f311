"""A name is imported when it is first used, and stays."""

from types import SimpleNamespace

import pytest

from hedgerow._support.names_on_demand import names_on_demand


@pytest.fixture
def package():
    """The namespace of a package with two homes, and which of them have been loaded."""
    namespace, loaded = {"__name__": "house", "here": 0}, []

    def load(room, **names):
        loaded.append(room)
        namespace[room] = SimpleNamespace(**names)  # as the import system does
        return namespace[room]

    homes = {("table", "chair"): lambda: load("kitchen", table=1, chair=2), ("bed",): lambda: load("attic", bed=3)}
    get, names = names_on_demand(namespace, homes, modules=("kitchen", "attic"))
    return SimpleNamespace(namespace=namespace, loaded=loaded, get=get, names=names)


def test_a_name_loads_its_own_home_and_stays(package):
    assert package.get("chair") == 2
    assert package.loaded == ["kitchen"]
    assert package.namespace["chair"] == 2


def test_a_module_is_there_with_all_others(package):
    assert package.get("attic").bed == 3
    assert package.loaded == ["kitchen", "attic"]


def test_all_names_are_listed_before_they_are_loaded(package):
    assert set(package.names()) == {"__name__", "here", "table", "chair", "bed", "kitchen", "attic"}
    assert package.loaded == []


def test_an_unknown_name_is_an_attribute_error_that_names_the_package(package):
    with pytest.raises(AttributeError, match=r"^module 'house' has no attribute 'cellar'$"):
        package.get("cellar")
