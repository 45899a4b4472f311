"""Which dataclasses of a package can be changed once they are made."""

import dataclasses
import importlib
import inspect
import pkgutil


def changeable(package):
    """Return the names of the dataclasses of a package's modules that are not frozen."""
    found = set()
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(info.name)
        for name, one in inspect.getmembers(module, inspect.isclass):
            if dataclasses.is_dataclass(one) and one.__module__ == info.name and "__delattr__" not in vars(one):
                found.add(name)
    return found
