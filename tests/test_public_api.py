"""The public names and their signatures are those of ``public_api.txt``; a change to it is a change for users.

``HEDGEROW_UPDATE_API=1 python -m pytest tests/test_public_api.py`` writes the file anew; read the difference before
you commit it, and see ``docs/versions.md`` for what may change when.
"""

import enum
import inspect
import os
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from types import UnionType

import pytest
from public_modules import PUBLIC_MODULES

SNAPSHOT = Path(__file__).with_name("public_api.txt")
#: What readers and exporters are written with. Its names stay; what its classes offer beyond that may change.
NAMES_ONLY = ["hedgerow.features"]


def public_names(module):
    """The names that a module offers: its ``__all__``, or else what is defined there without an underscore."""
    if hasattr(module, "__all__"):
        return sorted(module.__all__)
    own = {name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__}
    return sorted(name for name in own if not name.startswith("_"))


def signature_of(function):
    """Parameters with their kinds and defaults, without annotations, whose text differs between versions of Python."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "(...)"
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty, default=plain(parameter.default))
        for parameter in signature.parameters.values()
    ]
    return str(inspect.Signature(parameters))


class Plain:
    """A default whose text is the same in every run."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def plain(default):
    if default is inspect.Parameter.empty:
        return default
    if getattr(default, "__name__", "") == "_HAS_DEFAULT_FACTORY_CLASS" or repr(default) == "<factory>":
        return Plain("<factory>")
    if inspect.isfunction(default) or inspect.isclass(default):
        return Plain(default.__qualname__)
    text = repr(default)
    return Plain(f"<{type(default).__name__}>" if " at 0x" in text else text)


def members_of(cls):
    """The public members of a class that the package defines, with those of its own base classes."""
    for name in sorted(dir(cls)):
        homes = [one for one in cls.__mro__ if name in vars(one)]
        made_by_sklearn = name.startswith("set_") and name.endswith("_request")  # differ between its releases
        if name.startswith("_") or made_by_sklearn or not homes or not homes[0].__module__.startswith("hedgerow"):
            continue
        value = inspect.getattr_static(cls, name)
        if isinstance(value, property) or not callable(getattr(cls, name, None)):
            yield name
        else:
            kind = {classmethod: "classmethod ", staticmethod: "staticmethod "}.get(type(value), "")
            yield f"{kind}{name}{signature_of(getattr(cls, name))}"


def described(name, value):
    """The lines about one name."""
    if not inspect.isclass(value):
        what = "Union" if isinstance(value, UnionType) else type(value).__name__  # Python 3.14 calls it so
        yield f"  {name}{signature_of(value)}" if callable(value) else f"  {name}: {what}"
        return
    bases = [base.__name__ for base in value.__bases__ if base is not object]
    kind = "enum " if issubclass(value, enum.Enum) else "dataclass " if is_dataclass(value) else "class "
    shown = "" if issubclass(value, BaseException) else signature_of(value)
    yield f"  {kind}{name}{shown}{' <- ' + ', '.join(bases) if bases else ''}"
    if not issubclass(value, BaseException):
        fields = getattr(value, "__dataclass_fields__", {})
        members = {*members_of(value), *(field for field in fields if not field.startswith("_"))}
        yield from (f"    {member}" for member in sorted(members))


def snapshot():
    lines, known = [], {}
    for name in [*PUBLIC_MODULES, *NAMES_ONLY]:
        module = import_module(name)
        lines += [name]
        for public in public_names(module):
            value = getattr(module, public)
            home = known.setdefault(id(value), f"{name}.{public}")
            shown = described(public, value) if home == f"{name}.{public}" else [f"  {public} is {home}"]
            lines += list(shown)[: 1 if name in NAMES_ONLY else None]
        lines += [""]
    return "\n".join(lines)


def test_the_public_names_and_signatures_are_those_of_the_snapshot():
    now = snapshot()
    if os.environ.get("HEDGEROW_UPDATE_API"):
        SNAPSHOT.write_text(now)
    assert now.splitlines() == SNAPSHOT.read_text().splitlines(), f"see {Path(__file__).name} for what to do"


@pytest.mark.parametrize("name", [*PUBLIC_MODULES, *NAMES_ONLY])
def test_every_public_module_says_what_it_is(name):
    assert import_module(name).__doc__
    assert public_names(import_module(name))
