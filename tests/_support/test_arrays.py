"""Functions return arrays of the dtype that their annotation names; sparse ones are told from the others."""

import inspect
import pkgutil
import sys
from functools import cached_property
from importlib import import_module
from typing import get_args

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from small_data import DIABETES, IRIS

import hedgerow
from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow._support import arrays
from hedgerow._support.arrays import is_sparse

#: The NumPy scalar type of each name.
SCALARS = {
    name: get_args(get_args(getattr(arrays, name))[1])[0]
    for name in ("BoolArray", "FloatArray", "IntArray", "ValueArray", "RankArray")
}


def functions_of(module):
    """Yield the functions, methods and properties that a module defines."""
    for item in vars(module).values():
        if inspect.isclass(item) and item.__module__ == module.__name__:
            members = [getattr(member, "__func__", member) for member in vars(item).values()]
            members = [member.fget if isinstance(member, property) else member for member in members]
            yield from (member.func if isinstance(member, cached_property) else member for member in members)
        elif inspect.isfunction(item) and item.__module__ == module.__name__:
            yield item


def promised(packages=("candidates", "features", "forests", "losses", "optimize", "pipeline", "rules", "stabilities")):
    """Return for each function of these rooms that returns an array its name, and the name of the array's type."""
    found = {}
    for info in pkgutil.walk_packages(hedgerow.__path__, "hedgerow."):
        if info.name.split(".")[1] in packages:
            for function in filter(inspect.isfunction, functions_of(import_module(info.name))):
                if function.__annotations__.get("return") in SCALARS:
                    found[function.__code__] = function.__qualname__, function.__annotations__["return"]
    return found


def returned_dtypes(work):
    """Do some work, and return the dtypes that each function returned meanwhile."""
    known, seen = promised(), {}

    def note(frame, event, result):
        if event == "return" and frame.f_code in known and isinstance(result, np.ndarray):
            seen.setdefault(known[frame.f_code], set()).add(result.dtype)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return seen


def classify():
    forest = RandomForestClassifier(10, max_depth=3, random_state=0).fit(*IRIS)
    fitted = RuleListClassifier(forest, max_rules=4, candidates="nodes", max_candidates=60).fit(*IRIS)
    fitted.predict_proba(IRIS[0])
    fitted.fidelity(*IRIS)


def regress():
    forest = RandomForestRegressor(10, max_depth=2, random_state=0)
    fitted = RuleListRegressor(forest, max_rules=4, target=0.5).fit(*DIABETES)
    fitted.forest_.apply(DIABETES[0])
    looked = fitted.rule_list_.evaluate(DIABETES[0])
    assert looked.matches.any(axis=1).all() == (looked.fired >= 0).all()
    fitted.predict(DIABETES[0])


EXPECTED = {"Inputs.matrix", "Coverage.counts", "evaluate_stability", "Evaluation.fired", "min_max"}


@pytest.mark.parametrize("work", [classify, regress])
def test_what_is_returned_has_the_dtype_of_the_annotation(work):
    seen = returned_dtypes(work)
    wrong = {
        function: (name, dtypes)
        for (function, name), dtypes in seen.items()
        if not all(issubclass(dtype.type, getattr(SCALARS[name], "__origin__", SCALARS[name])) for dtype in dtypes)
    }
    assert wrong == {}
    assert {function for function, _ in seen} >= EXPECTED
    assert len(seen) > 40


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_matrices_and_arrays_are_sparse(kind):
    assert is_sparse(kind(np.eye(2)))


@pytest.mark.parametrize("table", [np.eye(2), [[1.0]], None])
def test_anything_else_is_not_sparse_whether_scipy_is_loaded_or_not(table, monkeypatch):
    assert not is_sparse(table)
    monkeypatch.delitem(sys.modules, "scipy.sparse")
    assert not is_sparse(table)
