"""Parameters are accepted or rejected with a sentence that says what is possible."""

import pytest
from sklearn.model_selection import KFold

from hedgerow import InvalidParameterError
from hedgerow.baselines.parameters import check_folds, check_penalty, check_share


@pytest.mark.parametrize(
    ("check", "arguments"),
    [
        (check_share, ("p0", 0)),
        (check_share, ("p0", None)),
        (check_penalty, ("penalty", 0.5)),
        (check_penalty, ("penalty", None)),
        (check_folds, (2,)),
        (check_folds, (KFold(3),)),
        (check_folds, ([([0], [1])],)),
    ],
)
def test_valid_values_pass(check, arguments):
    check(*arguments)


@pytest.mark.parametrize(
    ("check", "arguments", "message"),
    [
        (check_share, ("p0", 1.1), "p0 must be a number between 0 and 1, or None; got 1.1"),
        (check_share, ("p0", float("nan")), "got nan"),
        (check_penalty, ("penalty", -0.1), "penalty must be a number of at least 0"),
        (check_penalty, ("penalty", float("inf")), "got inf"),
        (check_folds, (1,), "cv must be an integer of at least 2; got 1"),
        (check_folds, (2.5,), "or a scikit-learn splitter; got 2.5"),
    ],
)
def test_invalid_values_are_rejected(check, arguments, message):
    with pytest.raises(InvalidParameterError, match=message):
        check(*arguments)
