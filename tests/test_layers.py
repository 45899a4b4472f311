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


def private_names(text):
    """Yield the private names that a source text takes from other modules of the package.

    A class may use what it inherits (``self._x``), and a module whatever it defines itself.
    """
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    own = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    own |= {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
    own |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "hedgerow":
            yield from (alias.name for alias in node.names if is_private(alias.name))
        elif isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in own:
            of_itself = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            if not of_itself:
                yield f"{ast.unparse(node.value)}.{node.attr}"


def is_private(name):
    return name.startswith("_") and not name.startswith("__") and name != "_support"


# Fitted state that scikit-learn and aeon have no public name for.
OF_LIBRARIES = {
    "model._baseline_prediction",
    "model._predictors",
    "model._preprocessor",
    "model._raw_predict_init",
    "model._series_transformers",
    "step._iter",
    "step._n_features_outs",
    "step._tfidf",
    "step._transformer_to_input_indices",
}


@pytest.mark.parametrize("name", MODULES)
def test_no_private_name_crosses_a_module(name):
    found = set(private_names(MODULES[name].read_text()))
    assert found <= (OF_LIBRARIES if room_of(name) == "readers" else set())


def test_private_names_of_others_are_seen():
    text = "from hedgerow.rules.condition import _among\n\ndef f(rules):\n    return rules._cells, self._mine\n"
    assert set(private_names(text)) == {"_among", "rules._cells"}


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


PAGE = (ROOT / "docs" / "architecture.md").read_text()
PLACES = [
    (name.lstrip(".").rpartition(".")[2], place)
    for names, place in re.findall(r"((?:`[\w.]+`(?:, | and )?)+) \(`([\w/]+\.py)`", PAGE)
    for name in re.findall(r"`([\w.]+)`", names)
]


def test_the_page_names_many_places():
    assert len(PLACES) > 20


@pytest.mark.parametrize(("name", "place"), PLACES, ids=str)
def test_what_the_page_names_is_there(name, place):
    text = (SOURCE / place).read_text()
    assert re.search(rf"^\s*(def|class) {name}\b|^{name}\b", text, flags=re.MULTILINE), f"no {name} in {place}"
