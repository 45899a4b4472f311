"""Public names of a package that are imported when they are first used.

``import hedgerow`` then takes no time, and neither does a part of the package that needs only some of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from threading import RLock
from types import ModuleType
from typing import Any


def names_on_demand(
    namespace: dict[str, Any],
    homes: Mapping[tuple[str, ...], Callable[[], ModuleType]],
    modules: Collection[str] = (),
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    namespace : dict
        The package's ``globals()``, where names stay once they are there.
    homes : dict
        For each group of names, a function that imports the module in which they are defined.
    modules : collection of str
        Modules of the package that are there as soon as all homes are loaded, and are loaded with them.
    """
    home_of = {name: home for names, home in homes.items() for name in names}
    # Threads that load parts of the same library from several sides may each wait for what the other one loads.
    one_at_a_time = RLock()

    def get(name: str) -> Any:
        if name in modules:
            with one_at_a_time:
                for home in homes.values():
                    home()
            return namespace[name]
        if name not in home_of:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        with one_at_a_time:
            return namespace.setdefault(name, getattr(home_of[name](), name))

    def names() -> list[str]:
        return sorted({*namespace, *home_of, *modules})

    return get, names
