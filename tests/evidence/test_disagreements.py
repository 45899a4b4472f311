"""Where a list and a model part: the rows are exactly those, and the regions tell what was planted."""

import numpy as np
import pandas as pd
import pytest
from rule_lists import KINDS, make
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeRegressor
from small_data import IRIS, WINE, small_forest, unfitted_forest

from hedgerow import (
    Condition,
    InvalidParameterError,
    Rule,
    RuleList,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
)
from hedgerow.evidence.disagreements import AGREE, DIFFER, find_disagreements
from hedgerow.features import Category, Column, Inputs

AGE, COLOR = Column(0, "age"), Category(1, "color", ("blue", "green", "red"))


def hand_made(classes=("no", "yes")):
    """Return a list on age that predicts no up to 50 and yes above, or 0 and 1; and a table."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(0, 90, 400).astype(float), "color": rng.choice(COLOR.categories, 400)})
    X.loc[::25, "color"] = None
    said = classes or (0.0, 1.0)
    rules = (
        Rule((Condition(AGE, upper=50),), said[0], 220, 0.55, (1.0, 0.0) if classes else None),
        Rule((Condition(AGE, lower=50),), said[1], 180, 0.45, (0.0, 1.0) if classes else None),
    )
    inputs = Inputs((AGE, COLOR), np.float64, allows_missing=True, columns=("age", "color"), has_names=True)
    return RuleList(rules, rules[0], inputs, None if classes is None else np.array(classes), 400), X


def test_rows_and_regions_are_those_that_were_planted():
    rules, X = hand_made()
    planted = ((X["color"] == "red") & (X["age"] <= 20)).to_numpy()
    expected = np.where(planted, "yes", rules.predict(X))
    found = find_disagreements(rules, None, X, expected=expected)
    np.testing.assert_array_equal(found.rows, np.flatnonzero(planted))
    assert (set(found.of_list), set(found.of_model), set(found.rules)) == ({"no"}, {"yes"}, {0})
    assert found.share == planted.mean() == 1 - found.agreement.value
    first, *others = found.places
    assert first.conditions in ("age <= 20.5 and color is red", "color is red and age <= 20.5")
    assert (first.n_differing, first.n_samples, first.share) == (planted.sum(), planted.sum(), 1)
    assert all(one.n_differing == 0 for one in others)
    assert sum(one.n_samples for one in found.places) == len(X)
    np.testing.assert_array_equal(found.regions.predict(X), np.where(planted, DIFFER, AGREE))


def test_the_text_and_the_frame_say_it():
    rules, X = hand_made()
    expected = np.where((X["age"] > 80) & (X.index % 4 > 0), "no", rules.predict(X))
    found = find_disagreements(rules, None, X, expected=expected)
    lines = str(found).splitlines()
    assert lines[0].startswith(f"List and model differ on {len(found)} of 400 rows, {100 * found.share:.1f} % (95 %")
    assert lines[1].split() == ["differ", "rows", "where"]
    assert lines[2].startswith(f"{100 * found.places[0].share:.1f} %")
    assert lines[2].endswith("age > 80.5")
    frame = found.to_frame()
    assert frame.columns.tolist() == ["row", "rule", "list", "model"]
    assert (X["age"].iloc[frame["row"]] > 80).all()
    assert (frame["rule"] == 2).all()  # as it is printed


def test_of_numbers_the_largest_differences_come_first_and_regions_tell_their_size():
    rules, X = hand_made(classes=None)
    rng = np.random.default_rng(1)
    apart = np.where(X["color"] == "green", 10.0, 1.0) + rng.uniform(0, 0.5, 400)
    found = find_disagreements(rules, None, X, expected=rules.predict(X) + apart * rng.choice([-1, 1], 400))
    assert len(found) == 40
    np.testing.assert_array_equal(found.rows, np.argsort(-apart, kind="stable")[:40])
    assert found.mean_difference == pytest.approx(apart.mean())
    np.testing.assert_allclose(np.abs(found.to_frame()["difference"]), np.sort(apart)[::-1][:40])
    assert found.places[0].conditions == "color is green"
    assert found.places[0].mean_difference == pytest.approx(apart[(X["color"] == "green").to_numpy()].mean())
    assert str(found).splitlines()[2].endswith("color is green")
    # Far more than nine tenths agree exactly.
    few = find_disagreements(rules, None, X, expected=rules.predict(X) + 5.0 * (X["age"].to_numpy() > 84))
    assert len(few) == (X["age"] > 84).sum()
    assert few.places[0].conditions == "age > 84.5"


@pytest.mark.parametrize("classes", [("no", "yes"), None])
def test_where_differences_are_chance_no_region_stands_out(classes):
    rules, X = hand_made(classes)
    n_found = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        said = rules.predict(X)
        other = np.where(said == "no", "yes", "no") if classes else said + rng.exponential(size=400)
        found = find_disagreements(rules, None, X, expected=np.where(rng.random(400) < 0.2, other, said))
        assert len(found) > 0
        n_found += found.regions is not None
    assert n_found <= 1


@pytest.mark.parametrize("classes", [("no", "yes"), None])
def test_without_differences_there_is_nothing_to_tell(classes):
    rules, X = hand_made(classes)
    found = find_disagreements(rules, None, X, expected=rules.predict(X))
    assert (len(found), found.regions, found.places, len(found.to_frame())) == (0, None, (), 0)
    assert len(str(found).splitlines()) == 1
    everywhere = np.where(rules.predict(X) == "no", "yes", "no") if classes else rules.predict(X) + 1
    assert find_disagreements(rules, None, X, expected=everywhere).regions is None


def test_a_few_rows_are_enough_for_rows_but_not_for_regions():
    rules, X = hand_made()
    for n in (1, 3, 9):
        found = find_disagreements(rules, None, X[:n], expected=np.full(n, "yes"))
        assert found.regions is None
        np.testing.assert_array_equal(found.rows, np.flatnonzero(X["age"][:n] <= 50))


@pytest.mark.parametrize("kind", KINDS)
def test_regions_are_on_the_features_of_the_list_whatever_these_are(kind):
    rules, X = make(kind, False)
    seen, values = rules.evaluate(X), rules.inputs.matrix(X)
    widest = max(range(values.shape[1]), key=lambda i: len(np.unique(values[:, i])))
    planted = values[:, widest] > np.nanmedian(values[:, widest])
    said = seen.predictions
    other = said + 1 if rules.classes is None else rules.classes[(np.searchsorted(rules.classes, said) + 1) % 2]
    found = find_disagreements(rules, None, X, seen=seen, expected=np.where(planted, other, said))
    assert found.regions is not None
    assert {c.feature for rule in found.regions for c in rule.conditions} <= set(rules.inputs.features)
    assert sum(rule.coverage for rule in found.regions) == len(values)
    assert found.places[0].share > 0.9 if rules.classes is not None else found.places[0].mean_difference > 0.9
    assert len(str(found.regions).splitlines()) == len(found.regions) + 2


def test_estimators_offer_it_for_any_model_and_for_ensembles():
    X, y = WINE
    model = MLPClassifier((5,), max_iter=50, random_state=0)
    with pytest.warns(match="Maximum iterations"):
        model.fit(X, y)
    faithful = RuleListClassifier.faithful(model, max_rules=3, random_state=0).fit(X, y)
    for rules in (faithful, RuleListClassifier(small_forest(X, y), max_rules=3).fit(X, y)):
        found = rules.disagreements(X)
        assert len(found) / len(X) == pytest.approx(rules.fidelity(X).disagreement)
        assert found.regions is None or len(found.regions) <= 4
    np.testing.assert_array_equal(faithful.disagreements(X).of_model, model.predict(X)[faithful.disagreements(X).rows])
    with pytest.raises(InvalidParameterError, match="max_rules"):
        faithful.disagreements(X, max_rules=0)
    assert faithful.disagreements(X, max_rules=1).regions is None


def test_a_search_and_a_regressor_offer_it_too():
    X, y = IRIS
    search = RuleListClassifierCV(unfitted_forest(), max_rules=[3], cv=2).fit(X, y)
    assert search.disagreements(X).n_samples == len(X)
    numbers = RuleListRegressor(DecisionTreeRegressor(max_leaf_nodes=9), max_rules=2).fit(X, X[:, 0] ** 2)
    found = numbers.disagreements(X)
    squares = (numbers.predict(X) - numbers.ensemble_.predict(X)) ** 2
    assert found.agreement.value == pytest.approx(squares.mean())
