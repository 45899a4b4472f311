"""Small problems, what wishes mean for a list of rules, and the best list that grants them, by trying all lists.

What a wish means is said here once more, about what a list predicts for each training sample, or for every point.
"""

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow import InfeasibleError, RuleListClassifier, RuleListRegressor
from hedgerow.constraints import (
    Forbid,
    Linear,
    MaxConditions,
    MaxError,
    MaxFeatures,
    MinCoverage,
    MinPrecision,
    MinRecall,
    Monotone,
    ParityGap,
    Require,
)

NAMES = ["age", "income", "debt"]
LABELS = ["bad", "good", "best"]
CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class Small:
    """Samples, a forest on them, and how a list is made of it; ``n_labels`` is 0 for numbers."""

    seed: int
    n_labels: int = 2
    candidates: str = "nodes"
    max_rules: int | None = None
    weighted: bool = False
    n: int = 12
    depth: int = 2

    @cached_property
    def data(self):
        rng = np.random.default_rng(self.seed)
        X = pd.DataFrame(rng.integers(0, 6, (self.n, 3)).astype(float), columns=NAMES)
        trend = X["age"] - X["income"] + rng.normal(0, 2, self.n)
        if not self.n_labels:
            y = np.round(trend.to_numpy(), 1)
        else:
            cuts = np.quantile(trend, np.linspace(0, 1, self.n_labels + 1)[1:-1])
            y = np.array(LABELS)[np.searchsorted(cuts, trend)]
        weight = rng.choice([0.0, 0.5, 1.0, 2.0, 3.5], self.n, p=[0.1, 0.2, 0.3, 0.2, 0.2]) if self.weighted else None
        if weight is not None:  # each label counts
            weight[[int(np.flatnonzero(y == label)[0]) for label in np.unique(y)][:3]] = 1.0
        return X, y, weight

    @cached_property
    def forest(self):
        X, y, weight = self.data
        kind = RandomForestClassifier if self.n_labels else RandomForestRegressor
        return kind(3, max_depth=self.depth, random_state=self.seed).fit(X, y, weight)

    def estimator(self, constraints=(), max_rules="same", **parameters):
        kind = RuleListClassifier if self.n_labels else RuleListRegressor
        budget = self.max_rules if max_rules == "same" else max_rules
        return kind(self.forest, max_rules=budget, candidates=self.candidates, constraints=constraints, **parameters)

    def fit(self, constraints=(), **parameters):
        return self.estimator(constraints, **parameters).fit(*self.data)

    # The candidates, and all lists

    @cached_property
    def free(self):
        """The problem without constraints and without a budget."""
        posed = self.fit(max_rules=None).posed_
        return posed if posed.free is None else posed.free

    @cached_property
    def rules(self):
        return [self.free.pool.rule(j) for j in range(len(self.free.pool))]

    @cached_property
    def counted(self):
        X, _, weight = self.data
        return np.ones(len(X), dtype=bool) if weight is None else weight > 0

    @cached_property
    def samples(self):
        """Those that count, their targets and their weights."""
        X, y, weight = self.data
        weight = np.ones(len(X)) if weight is None else weight
        return X[self.counted], y[self.counted], weight[self.counted]

    @cached_property
    def held(self):
        """Which samples satisfy which candidates."""
        return np.array([matches(rule, self.samples[0].to_numpy()) for rule in self.rules])

    @cached_property
    def answers(self):
        """What each candidate predicts, from its samples."""
        return [self.answer(mine) for mine in self.held]

    @cached_property
    def values(self):
        """The numbers that Monotone is about: the probability of the second label, or the prediction."""
        _, y, weight = self.samples
        if self.n_labels == 2:
            return [float(weight[mine & (y == "good")].sum() / weight[mine].sum()) for mine in self.held]
        return self.answers

    @cached_property
    def grid(self):
        """A point between any two thresholds, beyond them, and without a value, of all features."""
        return np.array(list(itertools.product(*self.axes)))

    @cached_property
    def axes(self):
        bounds = {name: set() for name in NAMES}
        for condition in (one for rule in self.rules for one in rule.conditions):
            bounds[condition.feature.name] |= {condition.lower, condition.upper} - {-np.inf, np.inf}
        return [[*sorted(found), max(found, default=0.0) + 1, np.nan] for found in bounds.values()]

    def lines(self, said, name):
        """What is said along one feature that is not missing, a row per combination of the others."""
        cube = np.moveaxis(said.reshape([len(axis) for axis in self.axes]), NAMES.index(name), -1)
        return cube.reshape(-1, cube.shape[-1])[:, :-1]

    def answer(self, mine):
        _, y, weight = self.samples
        if not self.n_labels:
            return float(np.average(y[mine], weights=weight[mine]))
        labels = np.unique(self.data[1])
        amounts = [weight[mine & (y == label)].sum() for label in labels]
        return labels[int(np.argmax(np.array(amounts) >= max(amounts) * (1 - 1e-12)))]

    def in_order(self, chosen):
        """The rules of a list, the one with the most weight first."""
        weight = self.samples[2]
        return sorted(chosen, key=lambda j: (-round(float(weight[self.held[j]].sum()), 9), j))

    def lists(self):
        """Yield all choices of candidates that partition the samples within the budget."""
        budget = len(self.rules) if self.max_rules is None else self.max_rules

        def extend(left, chosen):
            if not left.any():
                yield chosen
            elif len(chosen) < budget:
                sample = np.argmax(left)
                for j in np.flatnonzero(self.held[:, sample]):
                    if not (self.held[j] & ~left).any():
                        yield from extend(left & ~self.held[j], (*chosen, int(j)))

        yield from extend(np.ones(self.held.shape[1], dtype=bool), ())

    def said(self, chosen):
        """What a list predicts for each sample."""
        said = np.empty(self.held.shape[1], dtype=object)
        for j in chosen:
            said[self.held[j]] = self.answers[j]
        return said

    def best(self, *meanings):
        """The objective of the best list that grants all wishes; None if there is none."""
        scores = self.free.problem.scores
        found = [
            float(scores[list(chosen)].sum())
            for chosen in self.lists()
            if all(means(self, chosen) for means in meanings)
        ]
        return max(found, default=None)

    def check(self, *wishes, **parameters):
        """Compare the best list under some wishes, each a constraint and what it means, with what trying finds."""
        constraints, meanings = zip(*wishes, strict=True)
        expected = self.best(*meanings)
        try:
            rules = self.fit(constraints, **parameters)
        except InfeasibleError:
            assert expected is None, f"{expected}: {constraints}"
            return None
        assert expected is not None, constraints
        assert rules.solution_.optimal
        assert abs(rules.solution_.objective - expected) < 1e-7, (rules.solution_.objective, expected, constraints)
        return rules


def matches(rule, points):
    """Which points satisfy a rule."""
    held = np.ones(len(points), dtype=bool)
    for condition in rule.conditions:
        x = points[:, NAMES.index(condition.feature.name)]
        held &= np.where(np.isnan(x), condition.missing, (x > condition.lower) & (x <= condition.upper))
    return held


def features_of(rule):
    return {condition.feature.name for condition in rule.conditions}


# What wishes mean


def max_features(n):
    return lambda small, chosen: len(set().union(*(features_of(small.rules[j]) for j in chosen))) <= n


def max_conditions(total, each):
    def means(small, chosen):
        lengths = [len(features_of(small.rules[j])) for j in chosen]
        return (total is None or sum(lengths) <= total) and (each is None or max(lengths) <= each)

    return means


def no_rule(unwanted):
    return lambda small, chosen: not any(unwanted(small.rules[j]) for j in chosen)


def some_rule(wanted):
    return lambda small, chosen: any(wanted(small.rules[j]) for j in chosen)


def same_conditions(rule):
    wanted = {(c.feature.name, c.lower, c.upper, c.missing) for c in rule.simplified}
    return lambda other: {(c.feature.name, c.lower, c.upper, c.missing) for c in other.simplified} == wanted


def min_coverage(value):
    def means(small, chosen):
        weight = small.samples[2]
        if value >= 1:
            return all(small.held[j].sum() >= value for j in chosen)
        return all(weight[small.held[j]].sum() >= value * weight.sum() - CLOSE for j in chosen)

    return means


def min_recall(label, share):
    def means(small, chosen):
        _, y, weight = small.samples
        true, said = y == label, small.said(chosen) == label
        return weight[true & said].sum() >= share * weight[true].sum() - CLOSE

    return means


def min_precision(label, share):
    def means(small, chosen):
        _, y, weight = small.samples
        true, said = y == label, small.said(chosen) == label
        return bool(said.any()) and weight[true & said].sum() >= share * weight[said].sum() - CLOSE

    return means


def max_error(value):
    def means(small, chosen):
        _, y, weight = small.samples
        said = small.said(chosen)
        off = (said != y) if small.n_labels else (said.astype(float) - y) ** 2
        return np.average(off, weights=weight) <= value + CLOSE

    return means


def parity_gap(groups, max_gap, of, label):
    def means(small, chosen):
        _, y, weight = small.samples
        mine, said, rates = groups[small.counted], small.said(chosen), []
        for group in np.unique(mine):
            some = (mine == group) & ((y == label) if of == "opportunity" else True)
            hit = (said != y) if of == "error" else (said == label)
            rates.append(np.average(hit[some], weights=weight[some]))
        return max(rates) - min(rates) <= max_gap + CLOSE

    return means


def linear(number, lower, upper):
    def means(small, chosen):
        total = sum(number(small.rules[j], small.answers[j]) for j in chosen)
        return lower - CLOSE <= total <= upper + CLOSE

    return means


def monotone(signs):
    """No two rules contradict each other alone, and some answer suits all gaps."""

    def means(small, chosen):
        order = small.in_order(chosen)
        held = [matches(small.rules[j], small.grid) for j in order]
        values = [small.values[j] for j in order]
        sizes = [round(float(small.samples[2][small.held[j]].sum()), 9) for j in order]
        for (a, b), name in itertools.product(itertools.combinations(range(len(order)), 2), signs):
            pairs = [(a, b)] + ([(b, a)] if sizes[a] == sizes[b] else [])
            for first, second in pairs:
                said = np.where(held[first], values[first], np.where(held[second], values[second], np.nan))
                if not rises(small.lines(said, name), signs[name]):
                    return False
        said = np.full(len(small.grid), np.nan)
        for mine, value in zip(held[::-1], values[::-1], strict=True):
            said[mine] = value
        gaps = np.isnan(said)
        if not gaps.any():
            return True
        answers = np.unique(said[~gaps])
        return any(
            all(rises(small.lines(np.where(gaps, one, said), name), sign) for name, sign in signs.items())
            for one in answers
        )

    return means


def rises(lines, sign):
    """Whether the known numbers of each line rise (+1) or fall (-1)."""
    highest = np.fmax.accumulate(sign * lines, axis=1)
    return bool((sign * lines >= highest - 1e-12)[~np.isnan(lines)].all())


# Wishes that are drawn: a constraint, and what it means


@st.composite
def smalls(draw, n_labels=(0, 2, 3), budgets=(None, 1, 2, 3, 4)):
    """Draw a small problem."""
    return Small(
        seed=draw(st.integers(0, 400)),
        n_labels=draw(st.sampled_from(n_labels)),
        candidates=draw(st.sampled_from(["leaves", "nodes"])),
        max_rules=draw(st.sampled_from(budgets)),
        weighted=draw(st.booleans()),
    )


def some_groups(small):
    rng = np.random.default_rng(small.seed + 1)
    return np.array(["f", "m"])[rng.permutation(np.arange(small.n) % 2)]


def label_of(small, draw):
    return str(draw(st.sampled_from(sorted(set(small.samples[1])))))


SHARES = st.sampled_from([0.1, 0.3, 0.5, 0.6, 0.75, 0.9, 1.0])


def a_max_features(small, draw):
    n = draw(st.integers(0, 3))
    return MaxFeatures(n), max_features(n)


def a_max_conditions(small, draw):
    total, each = draw(st.sampled_from([(None, 0), (None, 1), (2, None), (4, None), (3, 2), (5, 1)]))
    return MaxConditions(total, each), max_conditions(total, each)


def a_forbid(small, draw):
    kind = draw(st.sampled_from(["feature", "features", "rule"]))
    if kind == "rule":
        rule = draw(st.sampled_from(small.rules))
        return Forbid(rule=rule), no_rule(same_conditions(rule))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True))
    if kind == "feature":
        return Forbid(feature=names[0]), no_rule(lambda rule: names[0] in features_of(rule))
    return Forbid(features=names), no_rule(lambda rule: set(names) <= features_of(rule))


def a_require(small, draw):
    if draw(st.booleans()):
        rule = draw(st.sampled_from(small.rules))
        return Require(rule=rule), some_rule(same_conditions(rule))
    name = draw(st.sampled_from(NAMES))
    return Require(feature=name), some_rule(lambda rule: name in features_of(rule))


def a_min_coverage(small, draw):
    value = draw(st.sampled_from([1, 2, 3, 5, 0.1, 0.25, 0.4]))
    return MinCoverage(value), min_coverage(value)


def a_min_recall(small, draw):
    label, share = label_of(small, draw), draw(SHARES)
    return MinRecall({label: share}), min_recall(label, share)


def a_min_precision(small, draw):
    label, share = label_of(small, draw), draw(SHARES)
    return MinPrecision({label: share}), min_precision(label, share)


def a_max_error(small, draw):
    value = draw(st.sampled_from([0.0, 0.1, 0.2, 0.4]))
    if not small.n_labels:
        _, y, weight = small.samples
        value *= 2 * float(np.cov(y, aweights=weight, bias=True))
    return MaxError(value), max_error(value)


def a_parity_gap(small, draw):
    of, gap = draw(st.sampled_from(["selection", "opportunity", "error"])), draw(st.sampled_from([0.0, 0.1, 0.3]))
    label, groups = label_of(small, draw), some_groups(small)
    mine, y = groups[small.counted], small.samples[1]
    if len(np.unique(mine)) < 2 or len(np.unique(mine[y == label])) < 2:
        return MaxFeatures(3), max_features(3)  # no rates to compare
    return ParityGap(groups, gap, of=of, positive=label), parity_gap(groups, gap, of, label)


def a_monotone(small, draw):
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True))
    signs = {name: draw(st.sampled_from([1, -1])) for name in names}
    return Monotone(signs), monotone(signs)


def a_linear(small, draw):
    upper = draw(st.sampled_from([0.0, 1.0, 2.0]))
    if small.n_labels and draw(st.booleans()):
        label = label_of(small, draw)
        return (
            Linear(lambda rule: rule.prediction == label, upper=upper),
            linear(lambda rule, answer: answer == label, -np.inf, upper),
        )
    costs = {"age": 1.0, "debt": 0.5}
    return (
        Linear(costs, lower=0.5, upper=upper + 0.5),
        linear(lambda rule, answer: sum(costs.get(name, 0.0) for name in features_of(rule)), 0.5, upper + 0.5),
    )


#: For any task, and for labels only.
ANY = [a_max_features, a_max_conditions, a_forbid, a_require, a_min_coverage, a_max_error, a_linear]
OF_LABELS = [a_min_recall, a_min_precision, a_parity_gap]


def kinds_for(small):
    """The wishes that make sense for a problem."""
    return ANY + (OF_LABELS if small.n_labels else []) + ([a_monotone] if small.n_labels != 3 else [])
