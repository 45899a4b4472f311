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
    {"forests", "sources"},
    {"features", "tasks", "_support", "exceptions"},
]
HEIGHT = {room: -i for i, rooms in enumerate(LAYERS) for room in rooms}

# What something low offers of something high: a method with an import inside.
OFFERED = {
    ("hedgerow.forests.forest", "hedgerow.forests.json"),
    ("hedgerow.estimators.editing", "hedgerow.exporters.json.certificate"),
    ("hedgerow.estimators.editing", "hedgerow.exporters.json.to_json"),
    ("hedgerow.estimators.predictor", "hedgerow.evidence.disagreements"),
    ("hedgerow.estimators.predictor", "hedgerow.evidence.explanation"),
    ("hedgerow.estimators.predictor", "hedgerow.evidence.fidelity"),
    ("hedgerow.estimators.predictor", "hedgerow.evidence.reasoning"),
    *(
        ("hedgerow.rules.rule_list", f"hedgerow.exporters.{form}")
        for form in (
            "html.to_dossier",
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
        elif isinstance(node, ast.Constant) and node.value in known and node.value != "hedgerow":
            yield node.value  # a module's name in a string is an import by name, wherever it is resolved


def hidden_imports(text):
    """Yield what a source text imports by a name that cannot be read off it: anything but one whole, constant name."""
    nodes = list(ast.walk(ast.parse(text)))
    plain = {id(node.func) for node in nodes if isinstance(node, ast.Call) and is_plain_name(node)}
    for node in nodes:
        named = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
        if named in BY_NAME and id(node) not in plain:
            yield ast.unparse(node)
        elif isinstance(node, ast.alias) and node.name.rpartition(".")[2] in BY_NAME and node.asname is not None:
            yield f"{node.name} as {node.asname}"


BY_NAME = {"import_module", "__import__"}


def is_plain_name(call):
    """Whether the only argument of a call is a constant name that does not start with a dot."""
    values = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    return len(call.args) == len(values) == 1 and not call.keywords and not str(values[0]).startswith(".")


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
    ],
)
def test_every_way_of_importing_is_seen(text):
    assert "hedgerow.optimize.solvers" in set(imported(text, MODULES))
    assert list(hidden_imports(text)) == []


@pytest.mark.parametrize("name", MODULES)
def test_no_import_is_hidden(name):
    assert list(hidden_imports(MODULES[name].read_text())) == []


@pytest.mark.parametrize(
    "text",
    [
        "f = import_module(f'hedgerow.optimize.{name}')",
        "f = import_module('hedgerow.optimize.' + name)",
        "f = importlib.import_module('hedgerow.{}'.format(name))",
        "f = import_module('.solvers', 'hedgerow.optimize')",
        "f = import_module('.solvers', package='hedgerow.optimize')",
        "f = import_module(name='hedgerow.optimize')",
        "f = import_module(name)",
        "f = __import__('hedgerow.' + name)",
        "f = [*map(import_module, names)]",
        "from importlib import import_module as load",
    ],
)
def test_an_import_by_a_name_that_is_put_together_is_refused(text):
    assert len(list(hidden_imports(text))) == 1


def test_a_cycle_is_seen():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]


def private_names(text):
    """Yield the private names that a source text takes from other modules, or may.

    A class may use what is its own or inherited: of ``self``, ``cls``, ``super()`` and ``cls(...)``. Of anything else
    it cannot be seen to which class it belongs.
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "hedgerow":
            yield from (alias.name for alias in node.names if is_private(alias.name))
        elif isinstance(node, ast.Attribute) and is_private(node.attr) and not is_own(node.value):
            yield f"{ast.unparse(node.value)}.{node.attr}"
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in BY_STRING:
            of = ast.unparse(node.args[0]) if len(node.args) > 1 else "?"
            names = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            private = [name for name in names if isinstance(name, str) and is_private(name)]
            yield from (f"{of}.{name}" for name in private if not is_own(node.args[0]))


BY_STRING = {"getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller"}


def is_own(node):
    """Whether an expression is an object of the class at hand: self, cls, super() or cls(...)."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("cls", "super")
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


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
    "step._n_features_out",
    "step._n_features_outs",
    "step._sklearn_output_config",
    "step._tfidf",
    "step._transformer_to_input_indices",
}
# A class may look into another object of itself.
OF_ITSELF = {"hedgerow.losses": {"known._table"}, "hedgerow.sources.dask": {"other._sent"}}


@pytest.mark.parametrize("name", MODULES)
def test_no_private_name_crosses_a_module(name):
    allowed = OF_LIBRARIES if room_of(name) == "readers" else OF_ITSELF.get(name, set())
    assert set(private_names(MODULES[name].read_text())) <= allowed


def test_what_may_be_looked_into_is_looked_into():
    found = {name: set(private_names(path.read_text())) for name, path in MODULES.items()}
    assert set().union(*(of for name, of in found.items() if room_of(name) == "readers")) == OF_LIBRARIES
    assert {name: found[name] for name in OF_ITSELF} == OF_ITSELF


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("from hedgerow.rules.condition import _among", "_among"),
        ("rules._cells", "rules._cells"),
        ("rules._cells = 1", "rules._cells"),
        ("class A:\n    def _fit(self):\n        other._fit()", "other._fit"),
        ("_rows = 1\nself.problem._rows", "self.problem._rows"),
        ("getattr(problem, '_rows')", "problem._rows"),
        ("getattr(self.problem, '_rows', None)", "self.problem._rows"),
        ("setattr(problem, '_rows', 1)", "problem._rows"),
        ("hasattr(problem, '_rows')", "problem._rows"),
        ("operator.attrgetter('_rows')(problem)", "?._rows"),
    ],
)
def test_private_names_of_others_are_seen(text, seen):
    assert list(private_names(text)) == [seen]


@pytest.mark.parametrize(
    "text",
    ["self._mine", "cls._made()", "cls(1)._fit()", "super()._fit()", "getattr(self, '_mine')", "getattr(a, 'b')"],
)
def test_own_private_names_may_be_used(text):
    assert list(private_names(text)) == []


TESTS = ROOT / "tests"
MIRRORED = [path for path in MODULES.values() if path.name not in ("__init__.py", "__main__.py")]


def mirror_of(path, source=SOURCE):
    """Return where the tests of a module belong."""
    place = path.relative_to(source)
    return TESTS / place.parent / f"test_{place.name}"


def is_test_of(text, name):
    """Whether a source text has tests, and imports the public names or something of the module's room."""
    nodes = list(ast.walk(ast.parse(text)))
    rooms = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    rooms += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    near = any(module == "hedgerow" or f"{module}.".startswith(f"hedgerow.{room_of(name)}.") for module in rooms)
    return near and any(isinstance(node, ast.FunctionDef) and node.name.startswith("test_") for node in nodes)


@pytest.mark.parametrize("path", MIRRORED, ids=module_name)
def test_every_module_has_its_tests_at_the_same_place(path):
    place = mirror_of(path)
    assert place.is_file(), f"{module_name(path)} has no {place.relative_to(ROOT)}"
    assert is_test_of(place.read_text(), module_name(path)), f"{place.relative_to(ROOT)} does not test its module"


def test_the_place_of_tests_keeps_the_folders():
    assert mirror_of(SOURCE / "_support" / "checks.py") == TESTS / "_support" / "test_checks.py"
    assert mirror_of(SOURCE / "losses.py") == TESTS / "test_losses.py"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from hedgerow.rules.rule import Rule\ndef test_a(): pass", True),
        ("import hedgerow\ndef test_a(): pass", True),
        ("from hedgerow.rules_of_others import Rule\ndef test_a(): pass", False),
        ("from hedgerow.readers import read_forest\ndef test_a(): pass", False),
        ("from hedgerow.rules.rule import Rule", False),
        ("def test_a(): pass", False),
        ("", False),
    ],
)
def test_a_file_of_tests_is_told_from_an_empty_one(text, expected):
    assert is_test_of(text, "hedgerow.rules.rule") is expected


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
