"""Errors are also the builtins they refine, and may name a parameter."""

import pickle

import pytest

from hedgerow import exceptions
from hedgerow.exceptions import HedgerowError, InvalidDataError, TimeLimitError

ERRORS = [e for e in vars(exceptions).values() if isinstance(e, type) and issubclass(e, HedgerowError)]


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_survives_pickling_with_its_message_and_parameter(error):
    for made in (error("wrong"), error("wrong", parameter="drop")):
        again = pickle.loads(pickle.dumps(made))
        assert (type(again), str(again), again.parameter) == (error, "wrong", made.parameter)


def test_errors_are_caught_as_builtins_too():
    assert issubclass(InvalidDataError, ValueError)
    assert issubclass(TimeLimitError, TimeoutError)
    assert InvalidDataError("wrong").parameter is None
