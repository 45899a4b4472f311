"""Errors are also the builtins they refine, and may name a parameter."""

import pickle
import subprocess
import sys
import warnings

import pytest
from sklearn.exceptions import NotFittedError

import hedgerow
from hedgerow import exceptions
from hedgerow.exceptions import HedgerowError, InvalidDataError, TimeLimitError

ERRORS = [getattr(exceptions, name) for name in exceptions.__all__ if name.endswith("Error")]


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_survives_pickling_with_its_message_and_parameter(error):
    for made in (error("wrong"), error("wrong", parameter="drop")):
        again = pickle.loads(pickle.dumps(made))
        assert (type(again), str(again), again.parameter) == (error, "wrong", made.parameter)


def test_errors_are_caught_as_builtins_too():
    assert issubclass(InvalidDataError, ValueError)
    assert issubclass(TimeLimitError, TimeoutError)
    assert InvalidDataError("wrong").parameter is None


def test_every_error_is_public():
    assert {error.__name__ for error in ERRORS} == {name for name in hedgerow.__all__ if name.endswith("Error")}
    assert all(getattr(hedgerow, error.__name__) is error for error in ERRORS)


def test_a_model_that_is_not_fitted_is_an_error_of_scikit_learn_too():
    assert issubclass(exceptions.UnfittedModelError, (HedgerowError, NotFittedError))
    assert exceptions.UnfittedModelError.__module__ == "hedgerow.exceptions"
    with pytest.raises(AttributeError, match="has no attribute 'UnknownError'"):
        _ = exceptions.UnknownError


@pytest.mark.filterwarnings("always")
def test_the_same_warning_of_several_models_is_issued_once():
    @exceptions.each_warning_once()
    def warn_of(texts):
        for text in texts:
            exceptions.warn(text)
        return texts[5]

    with warnings.catch_warnings(record=True) as seen, pytest.raises(IndexError):  # an error loses no warning
        warn_of(["one", "other", "one"])
    assert [(str(w.message), w.filename) for w in seen] == [("one", __file__), ("other", __file__)]


def test_threads_that_ask_at_once_get_the_same_error():
    program = """
from concurrent.futures import ThreadPoolExecutor
from hedgerow import exceptions
with ThreadPoolExecutor(8) as pool:
    print(len(set(pool.map(lambda _: exceptions.UnfittedModelError, range(8)))))
"""
    shown = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout == "1\n"
