"""What skrub's ``TableVectorizer`` does to each column, as far as it can be inverted.

Numbers, strings that are numbers, one-hot encoded strings, and year, month and weekday of columns of times are seen
through. All else, such as the topics of a ``StringEncoder`` or dates that are written as strings, is computed by the
vectorizer. Numbers are rounded to single precision, as skrub does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.preprocessing import OneHotEncoder

from hedgerow.features import DatePart, Notation
from hedgerow.features.dates import Part
from hedgerow.readers.inversions import Encode, Encoder, Move, NotInvertible, Rounded, TakePart

#: What skrub calls the parts of a date that rules know.
_PARTS: dict[str, Part] = {"year": "year", "month": "month", "weekday": "weekday"}
#: Cells of nothing but blanks, which skrub takes as missing; of longer ones there are hardly any.
_BLANKS = tuple(" " * n for n in range(1, 9))


def moves_of_skrub(step: Any) -> list[Move | None] | None:
    """Return a move per output of a vectorizer, None where it computes; None if the step is not a vectorizer."""
    if type(step).__name__ != "TableVectorizer" or type(step).__module__.partition(".")[0] != "skrub":
        return None
    moves: dict[str, Move | None] = dict.fromkeys(map(str, step.get_feature_names_out()))
    for i, name in enumerate(step.feature_names_in_):
        outputs = [one for one in step.input_to_outputs_.get(name, ()) if one in moves]
        found = _moves_of_column(i, str(name), step.all_processing_steps_.get(name, ()))
        if len(found) == len(outputs):
            moves |= zip(outputs, found, strict=True)
    return list(moves.values())


def _moves_of_column(index: int, name: str, steps: Sequence[Any]) -> list[Move | None]:
    """Return a move per output of a column; an empty list if nothing is known of them."""
    by_kind = {type(one).__name__: one for one in steps}
    # The last is a dictionary with another ToFloat per output, which changes nothing any more.
    kinds = set(by_kind) - {"DropUninformative", "CleanNullStrings", "ShortReprDict"}
    cleaner = by_kind.get("CleanNullStrings")
    if cleaner is not None and not hasattr(cleaner, "null_strings_"):  # before skrub 0.8, it did not keep them
        return []
    missing = () if cleaner is None else (*cleaner.null_strings_, *_BLANKS)
    if kinds == {"ToFloat", "PassThrough"}:
        return _numbers(index, by_kind["ToFloat"], missing)
    if kinds in ({"ToStr", "OneHotEncoder"}, {"CleanCategories", "OneHotEncoder"}):
        return _encoded(index, by_kind["OneHotEncoder"], None if cleaner is None else Notation("text", missing=missing))
    if kinds == {"ToStr", "ToCategorical"} or kinds == {"CleanCategories", "ToCategorical"}:
        return [Move(index, notation=None if cleaner is None else Notation("text", missing=missing))]
    if kinds == {"ToDatetime", "DatetimeEncoder"}:
        return _parts_of_dates(index, name, by_kind["ToDatetime"], by_kind["DatetimeEncoder"])
    return []


def _numbers(index: int, to_float: Any, missing: tuple[str, ...]) -> list[Move | None]:
    if not missing:
        return [Rounded(index)]
    thousands = getattr(to_float, "thousand", None) or ""
    if getattr(to_float, "parentheses", False) or len(thousands) > 1:
        return []
    return [Rounded(index, notation=Notation("number", getattr(to_float, "decimal", "."), thousands, (), missing))]


def _encoded(index: int, step: OneHotEncoder, notation: Notation | None) -> list[Move | None]:
    if notation is None and any(_is_number(category) for category in step.categories_[0]):
        return []  # skrub writes categories as strings, and those of the column may be numbers
    try:
        encoder = Encoder(step)
    except NotInvertible:
        return []
    n_outputs = len(step.get_feature_names_out())
    return [Encode(index, target, encoder, 0, notation=notation) for target in range(n_outputs)]


def _parts_of_dates(index: int, name: str, to_datetime: Any, encoder: Any) -> list[Move | None]:
    # Strings that are nearly dates are not the same to skrub, and neither are times in another time zone.
    if to_datetime.format_ is not None or to_datetime.output_time_zone_ is not None or encoder.periodic_encoding:
        return []
    parts = [_PARTS.get(one) for one in encoder.extracted_features_]
    return [None if part is None else TakePart(index, DatePart.of(index, name, part)) for part in parts]


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return bool(value == value)
