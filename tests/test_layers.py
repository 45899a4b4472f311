"""Imports point down only: the order of docs/architecture.md is the order of the code."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "hedgerow"

# From the top down; a module may import those of its own row and of the rows below.
LAYERS = [
    {"__main__"},
    {"cli"},
    {"table_samples"},
    {"table_models", "model_files"},
    {"table_columns"},
    {"table_files", "output_files"},
    {"csv_files"},
    {"table_values"},
    {"exporters", "plotting"},
    {"report"},
    {"budget_trace", "comparison"},
    {"selection", "baselines"},
    {"folds", "budgets"},
    {"estimators"},
    {"extraction"},
    {"fidelity", "validation", "presets"},
    {"screening", "teachers"},
    {"rule_list", "rule_tree", "series_examples", "solvers", "constraints"},
    {"losses", "stabilities", "problem", "solution"},
    {"answers", "smoothing"},
    {"scores", "quantiles", "out_of_bag", "ensembles", "importances"},
    {"coverage", "margins", "readers"},
    {"pool"},
    {"forest_json", "forest_union"},
    {"forest"},
    {"routing"},
    {"tree"},
    {"rule"},
    {"features"},
    {"json_field"},
    {"exceptions", "arrays", "progress", "text_table", "whole_file"},
]
HEIGHT = {name: -i for i, names in enumerate(LAYERS) for name in names}
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def layer_of(path):
    return path.relative_to(SOURCE).with_suffix("").parts[0]


def imported(path):
    """The first-level parts of the package that a module imports, wherever in the file it does."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides where it points"
            names = [node.module] if node.module != "hedgerow" else [f"hedgerow.{a.name}" for a in node.names]
        for name in names:
            if name.startswith("hedgerow."):
                yield name.split(".")[1]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path):
    assert layer_of(path) in HEIGHT, f"{path} has no layer; name it in LAYERS and in docs/architecture.md"
    for name in imported(path):
        if name == "__version__":
            continue
        assert HEIGHT[name] <= HEIGHT[layer_of(path)], f"{path} imports {name}, which lies above it"


def test_the_test_sees_an_import_that_points_up(tmp_path):
    module = tmp_path / "rule.py"
    module.write_text("def f():\n    from hedgerow.solvers import RowGeneration\n")
    assert HEIGHT[next(imported(module))] > HEIGHT["rule"]


def test_the_picture_in_the_docs_has_every_layer():
    text = (SOURCE.parents[1] / "docs" / "architecture.md").read_text()
    for path in MODULES:
        assert layer_of(path).strip("_") in text
