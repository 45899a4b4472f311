"""The rule list as an ONNX model of plain comparisons.

Runtimes differ in how ONNX's tree operators compare in single precision. Comparisons of doubles mean the same
everywhere, so the model consists of those, with the thresholds from :mod:`hedgerow.features.number_sets`.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.exporters.cells import TableRules
from hedgerow.features import CellTest, NumberTest
from hedgerow.features.number_sets import ALL, ends
from hedgerow.rules.rule_list import RuleList

#: Old enough for the runtimes in use.
_OPSET, _IR_VERSION = 17, 9
_DTYPES: dict[type, Any] = {str: object, bool: np.bool_, int: np.int64, float: np.float64}


def export(rule_list: RuleList) -> Any:
    """Return an ``onnx.ModelProto`` that takes a matrix of doubles; see :meth:`hedgerow.RuleList.to_onnx`."""
    try:
        import onnx
    except ImportError:
        raise ImportError("ONNX models need onnx: pip install 'hedgerow[onnx]'.") from None
    if rule_list.fallback is not None:
        raise InvalidParameterError(
            "Where no rule matches, this list asks its ensemble, which the ONNX model cannot. Fit it with "
            "uncovered='default'."
        )
    rules = TableRules.of(rule_list, "ONNX")
    graph = _Graph(onnx, rule_list)
    graph.fill(rules)
    model = onnx.helper.make_model(
        graph.made(),
        opset_imports=[onnx.helper.make_opsetid("", _OPSET)],
        ir_version=_IR_VERSION,
        producer_name="hedgerow",
    )
    onnx.checker.check_model(model)
    return model


class _Graph:
    """Collects nodes; every method that adds one returns the name of its output."""

    def __init__(self, onnx: Any, rule_list: RuleList) -> None:
        self.onnx, self.rule_list = onnx, rule_list
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._columns: dict[int, str] = {}

    def fill(self, rules: TableRules) -> None:
        """Add the rules, the last one first, so that earlier ones override it."""
        shape = self._add("Slice", "X_shape", self._array([0]), self._array([1]))
        self._nodes.insert(0, self.onnx.helper.make_node("Shape", ["X"], ["X_shape"]))
        none = self.onnx.helper.make_tensor("none", self.onnx.TensorProto.INT64, [1], [-1])
        position = self._add("ConstantOfShape", shape, value=none)
        for i, tests in reversed(list(enumerate(rules.rules))):
            matches = self._joined("And", [self._test(test) for test in tests])
            position = self._add("Where", matches, self._array(i), position)
        self._add("Identity", position, out="rule")
        # Nothing is below -1; this gives one value per sample even if nothing can be refused.
        refused = [self._test(test) for test in rules.refused]
        self._add("Identity", self._joined("Or", [self._add("Less", "rule", self._array(-1)), *refused]), out="refused")
        # Position -1 is the last one: the default.
        self._add("Gather", self._array(self._predictions()), "rule", out="prediction")
        if self.rule_list.task.has_labels:
            shares = [rule.distribution for rule in (*self.rule_list, self.rule_list.default)]
            self._add("Gather", self._array(np.array(shares, dtype=np.float64)), "rule", out="probabilities")

    def made(self) -> Any:
        """Return the graph."""
        helper, types = self.onnx.helper, self.onnx.TensorProto
        predicted = helper.np_dtype_to_tensor_dtype(self._predictions().dtype)
        outputs: list[tuple[str, Any, list[Any]]] = [
            ("prediction", predicted, ["n"]),
            ("rule", types.INT64, ["n"]),
            ("refused", types.BOOL, ["n"]),
        ]
        if self.rule_list.task.has_labels:
            outputs.append(("probabilities", types.DOUBLE, ["n", len(self.rule_list.task.labels)]))
        taken = helper.make_tensor_value_info("X", types.DOUBLE, ["n", len(self.rule_list.inputs.names)])
        given = [helper.make_tensor_value_info(*output) for output in outputs]
        return helper.make_graph(self._nodes, "rules", [taken], given, self._constants)

    def _predictions(self) -> AnyArray:
        values = [rule.prediction for rule in (*self.rule_list, self.rule_list.default)]
        if not self.rule_list.task.has_labels:
            return np.array(values, dtype=np.float64)
        kinds = {type(value) for value in values}
        dtype = _DTYPES.get(kinds.pop()) if len(kinds) == 1 else None
        if dtype is None:
            raise InvalidDataError(
                "An ONNX model needs labels of one type: all strings, all integers, all floats or all booleans. "
                "Convert them before training."
            )
        return np.array(values, dtype=dtype)

    def _test(self, given: CellTest) -> str:
        test = given if isinstance(given, NumberTest) else given.as_numbers()
        if test is None or test.date is not None:
            name, what = self.rule_list.inputs.names[given.column], "categories" if test is None else "dates"
            raise InvalidDataError(
                f"The rules look at {what} of {name}; the ONNX model takes a matrix of numbers. Use to_python or "
                f"to_sql, or convert the {what} to numbers before training the ensemble."
            )
        column = self._column(test.column)
        missing = self._add("IsNaN", column)
        if test.numbers == ALL:
            ways = [self._add("Not", missing)]
        else:
            ways = [self._between(column, part) for part in test.numbers.parts]
        if test.missing:
            ways.append(missing)
        return self._joined("Or", ways) if ways else self._array(False)

    def _between(self, column: str, part: tuple[float, float]) -> str:
        if part[0] == part[1]:
            return self._add("Equal", column, self._array(part[0]))
        (lower, upper), tests = ends(part), []
        if lower is not None:
            tests.append(self._add("GreaterOrEqual" if lower[1] else "Greater", column, self._array(lower[0])))
        if upper is not None:
            tests.append(self._add("LessOrEqual" if upper[1] else "Less", column, self._array(upper[0])))
        return self._joined("And", tests)

    def _column(self, column: int) -> str:
        if column not in self._columns:
            self._columns[column] = self._add("Gather", "X", self._array(column), axis=1)
        return self._columns[column]

    def _joined(self, operator: str, tests: list[str]) -> str:
        return reduce(lambda a, b: self._add(operator, a, b), tests) if tests else self._array(True)

    def _array(self, value: Any) -> str:
        name = f"constant_{len(self._constants)}"
        self._constants.append(self.onnx.numpy_helper.from_array(np.asarray(value), name))
        return name

    def _add(self, operator: str, *taken: str, out: str | None = None, **options: Any) -> str:
        name = out or f"{operator}_{len(self._nodes)}"
        self._nodes.append(self.onnx.helper.make_node(operator, list(taken), [name], **options))
        return name
