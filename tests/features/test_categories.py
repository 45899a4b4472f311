"""Categories by their values, whatever else is in the column; and frames in which columns cannot be told apart."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.ensemble import RandomForestClassifier

from hedgerow import InvalidDataError, RuleListClassifier
from hedgerow.features import Category

NUMBERS = st.sampled_from([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, 2.5, -3.0, 1e300])


@given(
    st.lists(NUMBERS.filter(np.isfinite), min_size=1, max_size=5, unique=True),
    hnp.arrays(np.float64, st.integers(0, 12), elements=NUMBERS),
    st.booleans(),
)
def test_a_number_has_the_place_it_has_among_the_categories(known, values, other):
    codes = Category(0, "grade", tuple(known), other=other).compute(values.reshape(-1, 1))
    unknown = len(known) if other else np.nan
    expected = [np.nan if np.isnan(v) else known.index(v) if v in known else unknown for v in values.tolist()]
    np.testing.assert_array_equal(codes, expected)


@pytest.mark.parametrize("fitted_on", ["frame", "array"])
def test_columns_of_one_name_are_refused_with_their_names(fitted_on):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 3)), columns=["a", "a", "b"])
    y = np.where(X.iloc[:, 0] > 0, 1, 0)
    rules = RuleListClassifier(RandomForestClassifier(3, max_depth=2, random_state=0), max_rules=3)
    with pytest.raises(InvalidDataError, match=r"several columns with the same name: 'a'\. Rename them"):
        rules.fit(X, y)
    rules.fit(X.set_axis(["a", "c", "b"], axis=1) if fitted_on == "frame" else X.to_numpy(), y)
    for ask in (rules.predict, rules.rule_list_.predict):
        with pytest.raises(InvalidDataError, match="several columns with the same name: 'a'"):
            ask(X)
