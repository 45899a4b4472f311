"""How the package is built, in numbers: ``python -m benchmarks.structure CHECKOUT [CHECKOUT ...]``.

One column per checkout: files, import cycles (imports inside functions and by name included), private names of other
modules, and so on. ``tests/test_layers.py`` lists the methods that may import from above, such as ``RuleList.to_sql``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.table import Table

_KINDS = re.compile(r"Feature|Column|Category|ShapeletDistance|IntervalStatistic|SeriesInputs|Output\b|RowGeneration")


def module_names(source: Path) -> dict[str, Path]:
    """Return the modules of a package by their names."""
    return {
        ".".join(("hedgerow", *path.relative_to(source).with_suffix("").parts)).removesuffix(".__init__"): path
        for path in sorted(source.rglob("*.py"))
    }


def imported(tree: ast.AST, known: dict[str, Path]) -> Iterator[str]:
    """Yield the modules of the package that a module imports, wherever and however it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else str(node.module)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (str(one.value) for one in node.args if isinstance(one, ast.Constant))
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            start = str(node.values[0].value)
            yield from (name for name in known if start.startswith("hedgerow.") and name.startswith(start))


def in_cycles(graph: dict[str, set[str]]) -> int:
    """Return how many modules can be reached from themselves."""
    reached = {name: set(others) for name, others in graph.items()}
    while True:
        more = {name: others.union(*(reached[other] for other in others)) for name, others in reached.items()}
        if more == reached:
            return sum(name in others for name, others in reached.items())
        reached = more


def calls(tree: ast.AST, *names: str) -> list[ast.Call]:
    """Return the calls of some functions."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [node for node in found if isinstance(node.func, ast.Name) and node.func.id in names]


def private_of_others(tree: ast.AST, text: str) -> int:
    """Return how often a module uses a private name that it neither defines nor inherits."""
    count = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hedgerow"):
            count += sum(a.name.startswith("_") and not a.name.startswith("__") for a in node.names)
        elif isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            of_itself = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            count += not of_itself and not re.search(rf"def {node.attr}\b|\b{node.attr}:|self\.{node.attr}\b", text)
    return count


def function_lines(node: ast.FunctionDef) -> int:
    """Return the lines of a function without its docstring."""
    lines = (node.end_lineno or 0) - node.lineno + 1
    if ast.get_docstring(node):
        lines -= (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
    return lines


def rituals(node: ast.AST) -> int:
    """Return how often a name is annotated only to be returned."""
    body = getattr(node, "body", None)
    pairs = pairwise(body) if isinstance(body, list) else ()
    return sum(
        isinstance(first, ast.AnnAssign)
        and isinstance(second, ast.Return)
        and isinstance(second.value, ast.Name)
        and ast.unparse(first.target) == second.value.id
        for first, second in pairs
    )


def _is_definition(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.ClassDef))


def layers(root: Path) -> int:
    """Return how many layers the test of the imports lists."""
    for node in ast.parse((root / "tests" / "test_layers.py").read_text()).body:
        if (
            isinstance(node, ast.Assign)
            and ast.unparse(node.targets[0]) == "LAYERS"
            and isinstance(node.value, ast.List)
        ):
            return len(node.value.elts)
    return 0


def measure(root: Path) -> dict[str, int]:
    """Return the numbers of a checkout."""
    source, tests = root / "src" / "hedgerow", {path.name for path in (root / "tests").rglob("test_*.py")}
    known = module_names(source)
    texts = {name: path.read_text() for name, path in known.items()}
    trees = {name: ast.parse(text) for name, text in texts.items()}
    graph = {name: {one for one in imported(tree, known) if one in known} - {name} for name, tree in trees.items()}
    heads = {name: ast.Module([n for n in tree.body if not _is_definition(n)], []) for name, tree in trees.items()}
    eager = {name: {one for one in imported(head, known) if one in known} - {name} for name, head in heads.items()}
    functions = [n for tree in trees.values() for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    kinds = [call for tree in trees.values() for call in calls(tree, "isinstance")]
    plain = [path for path in known.values() if path.name not in ("__init__.py", "__main__.py")]
    everything = "\n".join(texts.values())
    return {
        "top-level files": sum(path.is_file() for path in source.iterdir()),
        "layers": layers(root),
        "modules": len(known),
        "modules in import cycles, by imports at their heads": in_cycles(eager),
        "modules in import cycles, by imports in methods as well": in_cycles(graph),
        "private names of others (libraries included)": sum(private_of_others(trees[n], texts[n]) for n in known),
        "getattr, hasattr": sum(len(calls(tree, "getattr", "hasattr")) for tree in trees.values()),
        "isinstance of features or solvers": sum(bool(_KINDS.search(ast.unparse(call.args[1]))) for call in kinds),
        "Any": len(re.findall(r"\bAny\b", everything)),
        "annotate, then return": sum(rituals(n) for tree in trees.values() for n in ast.walk(tree)),
        "classes is (not) None, of_labels": len(re.findall(r"classes is (not )?None|of_labels", everything)),
        "lines of src": sum(text.count("\n") for text in texts.values()),
        "longest file": max(text.count("\n") for text in texts.values()),
        "longest function, without docstring": max(map(function_lines, functions)),
        "modules without a test of their name": sum(f"test_{path.name}" not in tests for path in plain),
    }


def main() -> None:
    """Print one column per checkout."""
    found = {root: measure(Path(root)) for root in sys.argv[1:] or ["."]}
    table = Table("", *found)
    for name in next(iter(found.values())):
        table.add_row(name, *(str(numbers[name]) for numbers in found.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
