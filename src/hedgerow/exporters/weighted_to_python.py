"""Weighted rules as Python: the source of a function that adds up what they say, and needs no library."""

from __future__ import annotations

from hedgerow.arrays import FloatArray
from hedgerow.baselines import LinearTerm, WeightedRules
from hedgerow.exporters.python_cells import Cells, listed, literal
from hedgerow.exporters.weighted_cells import cells_of, comments_of

#: What a sum is called, and the sums of several classes.
_SEVERAL = {"output": "outputs", "weight": "weights", "said": "said"}
_TAKEN = (*_SEVERAL, *_SEVERAL.values(), "nowhere", "labels")
_DOCSTRING = (
    '    """Answer one row: a dictionary by names of columns, or a sequence in the order of COLUMNS.',
    "",
    "    None and NaN are missing values. {}",
    '    """',
)
_WAYS = {
    "sum": "Every rule whose conditions hold adds to the answer.",
    "mean": "The answer is the weighted mean of what the rules say whose conditions hold.",
}


def export(rules: WeightedRules, name: str = "predict") -> str:
    """Return the source of a module with a function of that name."""
    tests = cells_of(rules, "plain Python")
    numbers = [_cell(term) for term in rules.linear]
    cells = Cells(rules.inputs.names, tests, name, numbers, _TAKEN)
    lines = [f"def {name}(row):", *(line.format(_WAYS[rules.combination]) for line in _DOCSTRING)]
    lines += [*cells.reading(), *cells.refusals(), *_start(rules)]
    steps = [_of_rule(rules, i) for i in range(len(rules))]
    steps += [_of_term(term, cells.variables[_cell(term)]) for term in rules.linear]
    for comment, rule_tests, step in zip(comments_of(rules), tests.rules, steps, strict=True):
        lines += ["", f"    # {comment}", *cells.branch(rule_tests, *step)]
    return cells.head() + "\n".join([*lines, *_end(rules), ""])


def _cell(term: LinearTerm) -> tuple[int, str]:
    assert hasattr(term.feature, "index")
    return term.feature.index, "_number"


def _start(rules: WeightedRules) -> list[str]:
    """Return the lines that set the sums."""
    if rules.combination == "sum":
        return ["", _set("output", rules.base)]
    nothing = 0 * rules.intercept
    return ["", _set("weight", nothing), _set("said", nothing)]


def _of_rule(rules: WeightedRules, i: int) -> list[str]:
    if rules.combination == "sum":
        return _add("output", rules.added[i])
    return _add("weight", rules.weights[i]) + _add("said", rules.added[i])


def _of_term(term: LinearTerm, variable: str) -> list[str]:
    offset = f"(min(max({variable}, {literal(term.low)}), {literal(term.high)}) - {literal(term.center)})"
    return _add("output", term.slope, f" * {offset}")


def _end(rules: WeightedRules) -> list[str]:
    """Return the lines that answer."""
    is_one, lines = len(rules.intercept) == 1, [""]
    if rules.combination == "mean":
        lines.append(
            f"    output = said / weight if weight > 0 else {literal(rules.intercept[0])}"
            if is_one
            else f"    nowhere = {listed(rules.intercept)}\n"
            "    outputs = [s / w if w > 0 else n for s, w, n in zip(said, weights, nowhere)]"
        )
    if rules.classes is None:
        return [*lines, "    return output"]
    labels = [literal(label) for label in rules.classes]
    if is_one:
        return [*lines, f"    return {labels[1]} if output > {literal(rules.middle)} else {labels[0]}"]
    if rules.link == "identity":
        lines.append("    outputs = [min(max(output, 0.0), 1.0) for output in outputs]")
    return [*lines, f"    labels = {listed(rules.classes)}", "    return labels[outputs.index(max(outputs))]"]


def _set(name: str, numbers: FloatArray) -> str:
    if len(numbers) == 1:
        return f"    {name} = {literal(numbers[0])}"
    return f"    {_SEVERAL[name]} = [{', '.join(map(literal, numbers))}]"


def _add(name: str, amounts: FloatArray, times: str = "") -> list[str]:
    names = [name] if len(amounts) == 1 else [f"{_SEVERAL[name]}[{k}]" for k in range(len(amounts))]
    lines = [f"{one} += {literal(amount)}{times}" for one, amount in zip(names, amounts, strict=True) if amount]
    return lines or ["pass"]
