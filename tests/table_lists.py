"""Drawn rule lists on columns of every kind, and rows that probe them; and tables to ask databases about such rows."""

import math

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from rule_lists import LABELS, NAMES, THRESHOLDS

from hedgerow import Condition, InvalidDataError, Rule, RuleList
from hedgerow.features import (
    Category,
    CodedCategory,
    Column,
    ColumnOfNonzeros,
    ColumnWithBlank,
    ColumnWithGap,
    HashedCategory,
    Inputs,
    NumberedCategory,
    WholeCategory,
)
from hedgerow.features.cityhash import city_hash

TEXTS = st.lists(
    st.one_of(st.sampled_from(["it's", 'a "b"', "\\", "\n", "%s", "?", ":x", "/* */", "--", "{}", "NaN", ""]), NAMES)
    .map(lambda text: text.replace("\0", "0").encode("utf-8", "replace").decode()),
    min_size=1,
    max_size=3,
    unique=True,
)  # fmt: skip
WHOLE = st.lists(st.integers(-3, 6), min_size=1, max_size=5, unique=True).map(sorted)
SMALL = THRESHOLDS.filter(lambda t: abs(t) < 1e30)


def hashed(index, name, values):
    """Return a feature that knows the values by their hashes, as CatBoost does, and has seen them."""
    feature = HashedCategory.of(index, name, [city_hash(str(value).encode()) % 2**32 for value in values])
    return feature.with_values_seen(np.array([[""] * index + [value] for value in values], dtype=object))


@st.composite
def drawn_feature(draw, i, of_numbers):
    name, kind = draw(NAMES), draw(st.sampled_from([0, 4, 5, 6, 8, 9]) if of_numbers else st.integers(0, 11))
    if kind < 4:
        return Column(i, name)
    if kind == 4:
        return ColumnOfNonzeros(i, name)
    if kind == 5:
        return ColumnWithBlank(i, name, blank=draw(st.one_of(SMALL, st.sampled_from([np.inf, -np.inf]))))
    if kind == 6:
        ends = sorted([draw(THRESHOLDS), draw(THRESHOLDS)])
        return ColumnWithGap(i, name, *ends, fill=draw(st.none() | THRESHOLDS))
    if kind == 7:
        return Category(i, name, tuple(draw(TEXTS)), draw(st.booleans()), blanks=draw(st.sampled_from([(), ("NA",)])))
    if kind == 8:
        return Category(i, name, tuple(draw(WHOLE)), draw(st.booleans()))
    if kind == 9:
        return WholeCategory(i, name, tuple(draw(WHOLE)), draw(st.booleans()))
    if kind == 10:
        return draw(
            st.sampled_from(
                [
                    CodedCategory(i, name, tuple(draw(TEXTS))),
                    CodedCategory(i, name, (0, 1, 2), other=True),
                    NumberedCategory(i, name, tuple(draw(TEXTS))),
                ]
            )
        )
    return hashed(i, name, draw(TEXTS))


@st.composite
def drawn_condition(draw, features):
    feature = draw(st.sampled_from(features))
    missing = draw(st.booleans())
    if isinstance(feature, Category):
        codes = draw(st.frozensets(st.integers(0, feature.n_codes - 1)))
        return Condition(feature, categories=codes, missing=missing)
    bounds = [-np.inf, np.inf]
    for side in draw(st.sampled_from([(0,), (1,), (0, 1)])):
        bounds[side] = draw(st.one_of(THRESHOLDS, st.sampled_from([np.inf, -np.inf])))
    return Condition(feature, *sorted(bounds), missing=missing)


@st.composite
def drawn_table_lists(draw, of_numbers=False):
    """Return a list of drawn rules on three columns, that answers with labels or numbers."""
    features = tuple(draw(drawn_feature(i, of_numbers)) for i in range(3))
    labels = draw(st.none() | st.sampled_from(LABELS).filter(lambda labels: type(labels[0]) is not float))
    rules = []
    for _ in range(draw(st.integers(1, 4))):
        conditions = draw(st.lists(drawn_condition(features), min_size=0, max_size=4))
        rules.append(_rule(draw, tuple(conditions), labels))
    used = {condition.feature.index for rule in rules for condition in rule.conditions}
    # Predict looks at every column, programs only at those that rules use.
    features = tuple(f if f.index in used else Column(f.index, f.name) for f in features)
    inputs = Inputs(
        features,
        draw(st.sampled_from([np.float32, np.float64])),
        allows_missing=draw(st.sampled_from([True, True, False])),
        allows_infinity=True,
        complete=draw(st.sampled_from([frozenset(), frozenset(), frozenset(features[:1])])),
    )
    return RuleList(tuple(rules), _rule(draw, (), labels), inputs, None if labels is None else np.array(labels))


def _rule(draw, conditions, labels):
    if labels is None:
        return Rule(conditions, draw(THRESHOLDS), spread=0.0)
    shares = np.random.default_rng(draw(st.integers(0, 99))).dirichlet(np.ones(len(labels)))
    return Rule(conditions, draw(st.sampled_from(labels)), distribution=tuple((shares / shares.sum()).tolist()))


def probes(rules, seed=0):
    """Return rows as a data frame: values on every threshold of a list and beside it, missing and unseen ones."""
    values = [_probes_of(rules, index) for index in range(len(rules.inputs.names))]
    rng, rows = np.random.default_rng(seed), []
    for j, column in enumerate(values):
        for value in column:
            rows.append([value if k == j else others[rng.integers(len(others))] for k, others in enumerate(values)])
    kinds = [object if is_text(rules, j) or any(v is None for v in values[j]) else float for j in range(len(values))]
    columns = [pd.Series([row[j] for row in rows], dtype=kind) for j, kind in enumerate(kinds)]
    names = rules.inputs.names if rules.inputs.has_names else range(len(values))
    return pd.concat(columns, axis=1).set_axis(list(map(str, names)), axis=1)


def is_text(rules, index):
    """Whether a column holds texts."""
    known = [f for f in rules.inputs.features if isinstance(f, Category) and f.index == index]
    return any(isinstance(value, str) for feature in known for value in feature.categories)


def _probes_of(rules, index):
    features = [f for f in rules.inputs.features if getattr(f, "index", None) == index]
    if not any(c.feature.index == index for rule in rules for c in rule.conditions):
        return [features[0].categories[0] if isinstance(features[0], Category) else 7.0]
    infinities = [np.inf, -np.inf] if rules.inputs.allows_infinity else []
    if is_text(rules, index):
        known = [value for f in features if isinstance(f, Category) for value in (*f.categories, *f.blanks)]
        return [*known, "never seen", "", None]
    bounds = [0.0, 1.0]
    for rule in rules:
        bounds += [b for c in rule.conditions if c.feature.index == index for b in (c.lower, c.upper)]
    for feature in features:
        bounds += [float(value) for value in getattr(feature, "categories", ())]
        gap = getattr(feature, "gap", None)
        bounds += [gap.lowest, gap.highest] if gap is not None else []
    around = set(_beside([b for b in bounds if np.isfinite(b)]))
    if rules.inputs.dtype is np.float32 and not rules.inputs.allows_infinity:
        around = {value for value in around if abs(value) < 3e38}
    return [*sorted(around), *infinities, np.nan]


def _beside(bounds):
    """Give each number, those next to it, and what is half-way between numbers of single precision."""
    for bound in bounds:
        yield bound
        with np.errstate(over="ignore"):
            single = np.float32(bound)
            below, above = np.nextafter(single, np.float32(-np.inf)), np.nextafter(single, np.float32(np.inf))
            middles = [(float(single) + float(side)) / 2 for side in (below, above)]
        for near in (bound, float(single), *middles):
            for value in (near, math.nextafter(near, math.inf), math.nextafter(near, -math.inf)):
                if math.isfinite(value):
                    yield value


def expected(rules, rows, ask=RuleList.predict):
    """Return the list's own answers, None for rows that it refuses."""
    try:
        return ask(rules, rows).tolist()
    except InvalidDataError:
        if len(rows) == 1:
            return [None]
        middle = len(rows) // 2
        return expected(rules, rows.iloc[:middle], ask) + expected(rules, rows.iloc[middle:], ask)


def cells(rows):
    """Return rows as tuples of what a database or a dictionary holds."""
    plain = rows.astype(object).to_numpy().tolist()
    return [tuple(float(v) if isinstance(v, np.floating) else v for v in row) for row in plain]
