"""Rules as a person writes them: "age > 40 and income <= 20000 and color in {red, blue}".

What :meth:`hedgerow.Rule.describe` writes is read, too. Names and categories may be in quotes. A missing value
satisfies a condition only if it ends with "or missing", or is "is missing".
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from hedgerow._support.lettering import close_names, some
from hedgerow.exceptions import InvalidParameterError
from hedgerow.features import DatePart, Feature, Inputs
from hedgerow.rules.condition import Condition
from hedgerow.rules.rule import Rule
from hedgerow.rules.wording import format_value, printable

_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?inf\b")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\b")
_COMPARISON = re.compile(r"<=|>=|==|!=|<|>|=|≤|≥|≠")
_SAME = {"≤": "<=", "≥": ">=", "≠": "!=", "==": "="}
#: The same seen from the other side.
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_QUOTES = "\"'`"


def parse_rule(text: str, inputs: Inputs) -> Rule:
    """Return the rule that a text describes, on these inputs; refuse what is not understood.

    >>> from hedgerow.features import Category, Column
    >>> inputs = Inputs((Column(0, "age"), Category(1, "color", ("blue", "green", "red"))))
    >>> print(parse_rule("age > 40 and color in {red, blue}", inputs))
    age > 40 and color in {blue, red}
    """
    return _Reader(text, inputs).rule()


def check_features(rule: Rule, inputs: Inputs, written: str | None = None) -> Rule:
    """Return a rule of conditions if all their features are among the inputs, and some value satisfies each.

    ``written`` is the text that it was read from, if there is one.
    """
    for condition in rule.conditions:
        if condition.feature not in inputs.features:
            _unknown(condition.feature.name, [feature.name for feature in inputs.features], str(rule))
    for condition in rule.simplified:
        is_empty = condition.categories == frozenset() or (
            condition.categories is None and not condition.lower < condition.upper
        )
        if is_empty and not condition.missing:
            raise InvalidParameterError(
                f"The rule {written or str(rule)!r} never holds: no {condition.feature.name} satisfies it."
            )
    return rule


class _Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str, inputs: Inputs) -> None:
        self.text, self.inputs, self.at = text.strip(), inputs, 0
        self.named: dict[str, list[Feature]] = {}
        for feature in inputs.features:
            names = [feature.name, printable(feature.name)]
            if isinstance(feature, DatePart) and feature.part == "days":
                names.append(feature.column)
            for name in dict.fromkeys(names):
                self.named.setdefault(name, []).append(feature)

    def rule(self) -> Rule:
        self._word("if")
        if self._word("always") or not self.text:
            raise InvalidParameterError("A rule needs at least one condition, such as 'age > 40'.")
        conditions = self._condition()
        while self._word("and") or self._sign("&"):
            conditions += self._condition()
        if self._word("then"):
            raise InvalidParameterError(
                f"A rule predicts what its training samples say. Leave out what comes after 'then' in {self.text!r}."
            )
        if re.match(r",\d", self.text[self.at :]):
            self._lost("'and', or the end", "Write numbers without a separator of thousands, and with a decimal point.")
        if self.at < len(self.text):
            self._lost("'and', or the end")
        return check_features(Rule(tuple(conditions)), self.inputs, self.text)

    def _condition(self) -> list[Condition]:
        in_brackets = self._sign("(")
        found = self._comparison()
        if self._word("or"):
            self._name_if_repeated(found[0].feature)
            if not self._word("missing"):
                self._lost("'missing'", "A rule joins conditions by 'and' only: write a rule for each alternative.")
            found = [Condition(c.feature, c.lower, c.upper, c.categories, missing=True) for c in found]
        if in_brackets and not self._sign(")"):
            self._lost("')'")
        return found

    def _comparison(self) -> list[Condition]:
        before = self.at
        value = self._number()
        sign = None if value is None else self._comparison_sign()
        if value is not None and sign in _TURNED:
            features = self._feature()
            found = [self._bounded(_only(features, False), _TURNED[sign], value)]
            second = self._comparison_sign()
            if second is not None:
                found.append(self._bounded(_only(features, False), second, self._needed_number(features)))
            return found
        self.at = before
        features = self._feature()
        sign = self._comparison_sign()
        if sign is not None and not (sign in ("=", "!=") and _only(features, True).levels):
            return [self._bounded(_only(features, False), sign, self._needed_number(features))]
        if sign is not None:
            return [self._among(_only(features, True), [self._category(_only(features, True))], sign == "!=")]
        return [self._worded(features)]

    def _worded(self, features: Sequence[Feature]) -> Condition:
        """Read what comes after a name: "is", "in" or "not"."""
        is_said, negated = self._word("is"), self._word("not")
        if is_said and self._word("missing"):
            feature = features[0]
            if feature.levels is not None:
                known = frozenset(range(feature.n_codes)) if negated else frozenset[int]()
                return Condition(feature, categories=known, missing=not negated)
            return Condition(feature, upper=math.inf if negated else -math.inf, missing=not negated)
        in_said = self._word("in")
        feature = _only(features, True)
        if not (is_said or in_said or negated):
            self._lost("a comparison such as '<= 5', 'in {a, b}', 'is a' or 'is missing'")
        if feature.levels is None:
            if is_said and not in_said:
                number = self._needed_number(features)
                return self._bounded(feature, "!=" if negated else "=", number)
            self._lost(f"a comparison with a number: {feature.name} has no categories")
        if not self._sign("{"):
            return self._among(feature, [self._category(feature)], negated)
        listed = [self._category(feature)]
        while self._sign(","):
            listed.append(self._category(feature))
        if not self._sign("}"):
            self._lost("',' or '}'")
        return self._among(feature, listed, negated)

    def _among(self, feature: Feature, codes: Iterable[int], negated: bool) -> Condition:
        listed = frozenset(codes)
        return Condition(feature, categories=frozenset(range(feature.n_codes)) - listed if negated else listed)

    def _bounded(self, feature: Feature, sign: str, number: float) -> Condition:
        """Return a comparison with a number, which is rounded as the values are that it is compared with."""
        if feature.levels is not None:
            self._lost(f"'is' or 'in {{...}}': {feature.name} has categories")
        with np.errstate(over="ignore"):
            rounded = self.inputs.dtype(number)
            below = float(np.nextafter(rounded, self.inputs.dtype(-np.inf)))
        upto = max(number, float(rounded))  # either way, the number itself is not above it
        if sign == "!=":
            self._lost("a range: a rule cannot leave out a single number")
        bounds: Mapping[str, tuple[float, float]] = {
            "<=": (-math.inf, upto),
            "<": (-math.inf, below),
            ">": (upto, math.inf),
            ">=": (below, math.inf),
            "=": (below, upto),
        }
        return Condition(feature, *bounds[sign])

    # Parts of a text

    def _feature(self) -> Sequence[Feature]:
        name = self._one_of(self.named)
        if name is None:
            rest = re.split(r"<=|>=|[<>=!{}()≤≥≠]|\s(?:is|in|not|and|or)\s", self.text[self.at :])[0].strip(
                f" {_QUOTES}"
            )
            if not rest:
                self._lost("the name of a feature")
            _unknown(rest, list(self.named), self.text)
        return self.named[name]

    def _name_if_repeated(self, feature: Feature) -> None:
        """Read "or age is missing" as "or missing"."""
        before = self.at
        if self._one_of([name for name, features in self.named.items() if feature in features]) is None:
            return
        if not self._word("is"):
            self.at = before

    def _category(self, feature: Feature) -> int:
        assert feature.levels is not None
        codes: dict[str, int] = {}
        for code, level in enumerate(feature.levels):
            for written in (format_value(level), str(level)):
                codes.setdefault(written, code)
        if feature.n_codes > len(feature.levels):
            codes.setdefault("unseen", len(feature.levels))
        name = self._one_of(codes)
        if name is None:
            rest = re.split(r"[,{}()]|\s(?:and|or)\s", self.text[self.at :])[0].strip(f" {_QUOTES}")
            close = close_names(rest, list(codes))
            hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else f"There are: {some(codes)}."
            raise InvalidParameterError(f"{feature.name} has no category {rest!r} in {self.text!r}. {hint}")
        return codes[name]

    def _one_of(self, names: Iterable[str]) -> str | None:
        """Read the longest of these names, plain or in quotes."""
        self._skip()
        rest = self.text[self.at :]
        for name in sorted(names, key=len, reverse=True):
            for written in (name, *(f"{quote}{name}{quote}" for quote in _QUOTES)):
                after = rest[len(written) : len(written) + 1]
                apart = not written[-1:].isalnum() or not (after.isalnum() or after == "_")
                if written and rest.startswith(written) and apart:
                    self.at += len(written)
                    return name
        return None

    def _needed_number(self, features: Sequence[Feature]) -> float:
        self._skip()
        found = _DATE.match(self.text, self.at)
        dates = [feature for feature in features if isinstance(feature, DatePart) and feature.part == "days"]
        if found and dates:
            day = _day(found[0])
            if day is None:
                self._lost("a day of the calendar")
            self.at = found.end()
            return float((day - dates[0].reading.origin).days)
        number = self._number()
        if number is None:
            self._lost("a number")
        return number

    def _number(self) -> float | None:
        self._skip()
        found = _NUMBER.match(self.text, self.at)
        if found is None or self.text[found.end() : found.end() + 1].isalpha():
            return None
        self.at = found.end()
        return float(found[0])

    def _comparison_sign(self) -> str | None:
        self._skip()
        found = _COMPARISON.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return _SAME.get(found[0], found[0])

    def _sign(self, sign: str) -> bool:
        self._skip()
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def _word(self, word: str) -> bool:
        self._skip()
        found = re.compile(rf"{word}\b", re.IGNORECASE).match(self.text, self.at)
        if found is None:
            return False
        self.at = found.end()
        return True

    def _skip(self) -> None:
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1

    def _lost(self, expected: str, way_out: str = "") -> NoReturn:
        seen = f"after {self.text[: self.at]!r}" if self.at else "at the beginning"
        message = f"The rule {self.text!r} is not understood: {expected} is expected {seen}. {way_out}"
        raise InvalidParameterError(message.rstrip())


def _day(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:  # such as the 30th of February
        return None


def _only(features: Sequence[Feature], has_categories: bool) -> Feature:
    """Return the feature that is compared in this way, of those with the same name."""
    return next((one for one in features if (one.levels is not None) is has_categories), features[0])


def _unknown(name: str, known: Sequence[str], text: Any) -> NoReturn:
    close = close_names(name, known)
    hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else f"There are: {some(known)}."
    raise InvalidParameterError(f"There is no feature {name!r}, which the rule {text!r} looks at. {hint}")
