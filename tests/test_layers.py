"""Imports point down and close no cycle: the layers of docs/architecture.md are those of the code."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "hedgerow"

# From the top down; a room may import its own layer and those below.
LAYERS = [
    {"__init__", "__main__", "cli"},
    {"exporters", "plotting"},
    {"baselines", "evidence", "fidelity"},
    {"estimators"},
    {"pipeline", "presets"},
    {"optimize", "constraints", "solvers"},
    {"candidates", "losses", "stabilities", "smoothing", "teachers"},
    {"rules", "readers", "tables"},
    {"forests"},
    {"features", "tasks", "_support", "exceptions"},
]
HEIGHT = {room: -i for i, rooms in enumerate(LAYERS) for room in rooms}

# What something low offers of something high: a method with an import inside.
OFFERED = {
    ("hedgerow.forests.forest", "hedgerow.forests.json"),
    ("hedgerow.estimators.predictor", "hedgerow.evidence.fidelity"),
    *(
        ("hedgerow.rules.rule_list", f"hedgerow.exporters.{form}")
        for form in (
            "html.to_html",
            "json.from_json",
            "json.to_json",
            "python.to_python",
            "sql.to_sql",
            "to_dot",
            "to_frame",
            "to_latex",
            "to_notebook",
            "to_onnx",
            "to_text",
        )
    ),
    *(("hedgerow.rules.weighted_rules", f"hedgerow.exporters.to_{form}") for form in ("frame", "latex", "notebook")),
}


def module_name(path, source=SOURCE):
    return ".".join(("hedgerow", *path.relative_to(source).with_suffix("").parts)).removesuffix(".__init__")


MODULES = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}


def room_of(name):
    return name.split(".")[1] if "." in name else "__init__"


def imported(text, known):
    """Yield the modules of the package that a source text imports: at its head, inside functions, and by name."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import hides where it points"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in known or node.module in known:
                    yield inner if inner in known else node.module
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # A module's name in a string is an import by name, wherever it is resolved.
            if node.value in known and node.value != "hedgerow":
                yield node.value
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            start = node.values[0].value
            if start.startswith("hedgerow."):
                yield from (name for name in known if name.startswith(start))


GRAPH = {
    name: {other for other in imported(path.read_text(), MODULES) if other != name and (name, other) not in OFFERED}
    for name, path in MODULES.items()
}


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_down(name):
    assert room_of(name) in HEIGHT, f"{name} is in no layer; name its room in LAYERS and in docs/architecture.md"
    for other in GRAPH[name]:
        assert HEIGHT[room_of(other)] <= HEIGHT[room_of(name)], f"{name} imports {other}, which lies above it"


def cycles(graph):
    """Return the modules that can be reached from themselves."""
    reached = {name: set(others) for name, others in graph.items()}
    while True:
        more = {name: others.union(*(reached[other] for other in others)) for name, others in reached.items()}
        if more == reached:
            return sorted(name for name, others in reached.items() if name in others)
        reached = more


def test_no_module_imports_itself_by_way_of_others():
    assert cycles(GRAPH) == []


def test_what_is_offered_is_used():
    for name, other in OFFERED:
        assert other in set(imported(MODULES[name].read_text(), MODULES)), f"{name} no longer imports {other}"


@pytest.mark.parametrize(
    "text",
    [
        "from hedgerow.optimize.solvers import RowGeneration",
        "def f():\n    from hedgerow.optimize import solvers",
        "def f():\n    import hedgerow.optimize.solvers",
        "f = import_module('hedgerow.optimize.solvers')",
        "f = import_module(f'hedgerow.optimize.{name}')",
    ],
)
def test_every_way_of_importing_is_seen(text):
    assert "hedgerow.optimize.solvers" in set(imported(text, MODULES))


def test_a_cycle_is_seen():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]


def test_at_most_ten_layers_and_fourteen_files():
    assert len(LAYERS) <= 10
    assert sum(path.is_file() for path in SOURCE.iterdir()) <= 14


def test_the_page_shows_these_layers():
    text = (ROOT / "docs" / "architecture.md").read_text()
    shown = [
        set(line.split())
        for block in re.findall(r"^```layers\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]
    hidden = {"__init__", "__main__", "solvers", "fidelity"}  # the front door
    assert shown == [layer - hidden for layer in LAYERS]
