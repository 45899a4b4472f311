"""Sets are what the definition of a conformal set says, counted row by row, and cover exactly what they promise."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier

from hedgerow import Condition, InvalidDataError, Rule, RuleList, RuleListClassifier
from hedgerow.evidence import PredictionSets, conformal
from hedgerow.features import Column, Inputs

A = Column(0, "a")
LABELS = np.array(["x", "y", "z"])


def list_of_three():
    """Three rules on one column with the shares of three classes; above 3, no rule matches."""
    shares = [(0.7, 0.2, 0.1), (0.1, 0.6, 0.3), (0.3, 0.3, 0.4)]
    ends = [(-np.inf, 1), (1, 2), (2, 3)]
    rules = tuple(
        Rule((Condition(A, lower=low, upper=high),), LABELS[int(np.argmax(s))], 100, 1 / 3, s)
        for s, (low, high) in zip(shares, ends, strict=True)
    )
    default = Rule((), "x", distribution=(0.4, 0.35, 0.25))
    return RuleList(rules, default, Inputs((A,), np.float64), LABELS, n_samples=300)


def drawn(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(0.01, 3.3, size=(n, 1))
    X[:2] = 3.2  # two rows at least match no rule
    return X, LABELS[rng.choice(3, p=(0.45, 0.35, 0.2), size=n)]


@pytest.mark.parametrize("level", [0.6, 0.9])
def test_sets_that_are_not_drawn_are_those_of_the_definition(level):
    rules, (X, y), (X_new, _) = list_of_three(), drawn(40), drawn(25, 1)
    found = conformal(rules, X, y, level, empty=True, random_state=None).predict_set(X_new)
    shares = rules.predict_proba(X)
    own = [1 - shares[i, list(LABELS).index(label)] for i, label in enumerate(y)]
    for i, row in enumerate(rules.predict_proba(X_new)):
        for k, share in enumerate(row):
            p = (1 + sum(one >= 1 - share for one in own)) / (len(own) + 1)
            assert found[i, k] == (p > 1 - level + 1e-12), (i, k)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("n", [15, 31])
@pytest.mark.parametrize("level", [0.7, 0.9])
@pytest.mark.parametrize("is_coarse", [False, True])
def test_each_row_left_out_in_turn_is_covered_as_often_as_promised(n, level, seed, is_coarse):
    """Whichever of n + 1 rows is the new one is equally likely, so the mean over them is the coverage itself."""
    rules, (X, y) = list_of_three(), drawn(n + 1)
    if is_coarse:  # each rule has one value, so the draws of its rows are equal
        X = np.floor(X) + 0.5
    found, at_least, first = [], [], []
    for i in range(n + 1):
        rest = np.arange(n + 1) != i
        sets = conformal(rules, X[rest], y[rest], level, empty=True, random_state=seed)
        found.append(sets.contains(X[i : i + 1], y[i : i + 1])[0])
        plain = conformal(rules, X[rest], y[rest], level, empty=True, random_state=None)
        at_least.append(plain.contains(X[i : i + 1], y[i : i + 1])[0])
        never_empty = conformal(rules, X[rest], y[rest], level)
        first.append(never_empty.predict_set(X[i : i + 1]).any())
    assert np.mean(found) >= level - 1e-9
    if not is_coarse:  # the number of rows is rounded up
        assert np.mean(found) < level + 1 / (n + 1)
    assert np.mean(at_least) >= level
    assert all(first)


@pytest.mark.parametrize("seed", range(8))
def test_sets_keep_their_promise_where_a_single_column_has_two_values(seed):
    """Rows of a rule are all equal, and have one draw; more rows do not make draws even."""
    rng = np.random.default_rng(seed)

    def rows(n):
        is_b = rng.random(n) < 0.5
        return np.where(is_b, 1.5, 0.5)[:, None], np.where((rng.random(n) < 0.8) ^ is_b, "x", "y")

    shares = ((0.8, 0.2, 0.0), (0.2, 0.8, 0.0))
    rules = tuple(
        Rule((Condition(A, lower=float(i), upper=i + 1.0),), LABELS[i], 100, 0.5, shares[i]) for i in range(2)
    )
    rules = RuleList(rules, Rule((), "x", distribution=(0.5, 0.5, 0.0)), Inputs((A,), np.float64), LABELS, 200)
    for empty in (False, True):
        shares = [
            conformal(rules, *rows(1000), empty=empty, random_state=seed).contains(*rows(1000)).mean()
            for _ in range(20)
        ]
        assert np.mean(shares) > 0.9 - 3 * np.std(shares) / np.sqrt(20) - 1e-9


@pytest.mark.parametrize("round_to", [0, 3])
def test_the_table_says_how_many_calibration_rows_have_their_class_in_the_set(round_to):
    rules, (X, y) = list_of_three(), drawn(300)
    X = np.ceil(X * 2**round_to) / 2**round_to
    for more in ({}, {"empty": True}, {"by_rule": True, "level": 0.7}, {"random_state": None}):
        found = conformal(rules, X, y, **more)
        is_in, masks, fired = found.contains(X, y), found.predict_set(X), rules.apply(X)
        table = found.to_frame().set_index("rule")
        for i in range(3):
            assert table.loc[i + 1, "covered"] == pytest.approx(is_in[fired == i].mean())
            for k, label in enumerate(LABELS):
                assert table.loc[i + 1, f"chance of {label}"] == pytest.approx(masks[fired == i, k].mean())


def test_the_share_of_rows_with_a_class_in_their_set_is_the_chance_in_the_table():
    X, y = load_digits(return_X_y=True)
    fitted = RuleListClassifier.accurate(max_rules=8, random_state=0).fit(X[:700], y[:700])
    found = conformal(fitted, X[700:1400], y[700:1400])
    masks, fired = found.predict_set(X), fitted.apply(X)
    table = found.to_frame().set_index("rule")
    drawn_ones = 0
    for i in range(len(fitted.rule_list_)):
        for k in range(10):
            chance, share = table.loc[i + 1, f"chance of {k}"], masks[fired == i, k].mean()
            assert abs(chance - share) < 3 * np.sqrt(0.25 / (fired == i).sum()) * (0 < chance < 1) + 1e-9
            drawn_ones += 0 < chance < 1
    assert drawn_ones <= 3  # only where the level falls is anything drawn


def test_a_rows_set_does_not_depend_on_its_place_or_on_other_columns():
    X, y = load_wine(return_X_y=True, as_frame=True)
    fitted = RuleListClassifier.accurate(max_rules=3, random_state=0).fit(X[::2], y[::2])
    found = conformal(fitted, X[1::2], y[1::2], 0.98, empty=True)
    masks = found.predict_set(X)
    assert (found.predict_set(X[::-1])[::-1] == masks).all()
    used = {c.feature.name for rule in fitted.rule_list_ for c in rule.conditions}
    assert (found.predict_set(X[sorted(used)]) == masks).all()
    assert (found.predict_set(X[5:6]) == masks[5:6]).all()


def test_with_an_ensemble_for_other_rows_their_sets_follow_from_its_shares():
    X, y = load_wine(return_X_y=True)
    forest = RandomForestClassifier(20, max_depth=2, random_state=0)
    fitted = RuleListClassifier(forest, max_rules=3, uncovered="ensemble", random_state=0).fit(X[::2], y[::2])
    rules = fitted.rule_list_
    rest = rules.apply(X) < 0
    if not rest.any():
        rules = RuleList(rules.rules[:2], rules.default, rules.inputs, rules.classes, 89, fallback=rules.fallback)
        rest = rules.apply(X) < 0
    assert rest.any()
    found = conformal(rules, X[1::2], y[1::2], 0.8, empty=True, random_state=None)
    shares = rules.predict_proba(X)
    own = 1 - shares[1::2][np.arange(len(y[1::2])), y[1::2]]
    p = (1 + (own[None, None] >= 1 - shares[:, :, None]).sum(axis=2)) / (len(own) + 1)
    assert (found.predict_set(X) == (p > 0.2 + 1e-12)).all()
    again = PredictionSets.from_json(found.to_json())
    assert (again.predict_set(X) == found.predict_set(X)).all()
    assert "as the ensemble answers" in str(found)


def test_sets_come_back_from_json_with_their_list():
    rules, (X, y), (X_new, _) = list_of_three(), drawn(60), drawn(500, 3)
    for more in ({}, {"empty": True, "random_state": 7}, {"by_rule": True, "random_state": None}):
        found = conformal(rules, X, y, **more)
        again = PredictionSets.from_json(found.to_json())
        assert str(again) == str(found)
        assert (again.predict_set(X_new) == found.predict_set(X_new)).all()
        assert again.to_json() == found.to_json()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"level": 0.9', '"level": 1.5', "level must be a number"),
        ('"by_rule": false', '"by_rule": 3', "by_rule must be true or false"),
        ("hedgerow.prediction_sets", "hedgerow.rule_list", "format must be one of hedgerow.prediction_sets"),
        ('"counts": [[', '"counts": [[-1, ', "counts"),
        ('"draws": [', '"draws": [0.5, ', "draws must be a list of 40 numbers"),
        ('"random_state": 0', '"random_state": 18446744073709551616', "random_state must be an integer"),
        ('"counts": [[', '"counts": [[0, 0, 0, 0], [', "counts must be 4 lists of 4"),
    ],
)
def test_a_damaged_document_is_refused_with_the_place(old, new, message):
    text = conformal(list_of_three(), *drawn(40)).to_json()
    assert old in text
    with pytest.raises((InvalidDataError, ValueError), match=message):
        PredictionSets.from_json(text.replace(old, new))


def test_table_and_sentences_say_what_is_covered():
    found = conformal(list_of_three(), *drawn(200))
    assert found.counts.sum() == 200
    said = str(found)
    assert said.splitlines()[0].split("  ")[0] == "rule"
    assert "at least 90 % of new rows, if these are drawn as the 200 calibration rows were" in said
    assert len(found.sentences()) == 4
    sure = conformal(list_of_three(), *drawn(400), level=0.5, by_rule=True)
    assert "of each group of rules" in str(sure)


def test_targets_of_another_length_are_refused():
    found = conformal(list_of_three(), *drawn(40))
    with pytest.raises(InvalidDataError, match="X has 3 rows, but y has 2"):
        found.contains([[1.0], [2.0], [0.5]], ["x", "y"])
