"""Names of columns, categories and labels are data wherever a list is written, and never run."""

import ast
import builtins
import json
import re
import subprocess

import pandas as pd
import pytest
from databases import DOUBLE, needs
from nasty_strings import NASTY_STRINGS, nasty_list, rows_for, wanted

from hedgerow import RuleList


@pytest.mark.parametrize("text", NASTY_STRINGS)
def test_databases_take_names_as_names(database, text):
    rules = nasty_list(text)
    frame = pd.DataFrame(rows_for(text), columns=[text, "kind"])
    assert rules.predict(frame).tolist() == wanted(text)
    database.fill(["canary"], [DOUBLE[database.dialect]], [(1.0,)], table="canary")
    database.fill([text, "kind"], [DOUBLE[database.dialect], "TEXT"], rows_for(text), table=text)
    sql = rules.to_sql(database.dialect, table=text, alias="said " + text[:50])
    answered = database.ask(sql)
    assert [row[2] for row in answered] == wanted(text)
    assert [row[:2] for row in answered] == rows_for(text)
    database.ask(rules.to_sql(database.dialect, table=text, returns="text"))  # the rules in words
    assert database.ask('SELECT * FROM "canary"') == [(1.0,)]
    database.run(f'DROP TABLE "{text.replace(chr(34), chr(34) * 2)}"')


@pytest.mark.parametrize("text", NASTY_STRINGS)
def test_python_takes_names_as_strings(text):
    source = nasty_list(text).to_python()
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert {name.name for node in imports for name in node.names} <= {"math", "struct", "re", "datetime"}
    namespace = {}
    exec(source, namespace)
    said = [namespace["predict"](dict(zip([text, "kind"], row, strict=True))) for row in rows_for(text)]
    assert said == wanted(text)
    assert not hasattr(builtins, "PWNED")


@pytest.mark.parametrize("text", NASTY_STRINGS)
def test_graphviz_takes_names_as_text(text):
    dot = needs("dot", "graphviz")
    source = nasty_list(text).to_dot()
    done = subprocess.run([dot, "-Tjson0"], input=source.encode(), capture_output=True, check=True)
    assert not done.stderr, done.stderr
    graph = json.loads(done.stdout)
    assert len(graph["objects"]) == 2 * 3 - 1 or len(graph["objects"]) == 2 * 3 + 1
    for thing in [graph, *graph["objects"], *graph["edges"]]:
        assert not {key.lower() for key in thing} & {"url", "href", "target", "image", "shapefile"}


@pytest.mark.parametrize("text", NASTY_STRINGS)
def test_json_brings_names_back(text):
    rules = nasty_list(text)
    again = RuleList.from_json(rules.to_json())
    assert [feature.name for feature in again.inputs.features] == [text, "kind"]
    assert again.predict(pd.DataFrame(rows_for(text), columns=[text, "kind"])).tolist() == wanted(text)
    assert again.to_json() == rules.to_json()


def test_latex_runs_no_command_but_its_own():
    own = {"begin", "end", "toprule", "midrule", "bottomrule", "raggedright", "arraybackslash", "linewidth"}
    own |= {"usepackage", "char", "leq", "geq", "pm", "allowbreak", "textbackslash", "textasciicircum"}
    own |= {"textasciitilde", "textbar", "textquotedbl", "_", "newline", "textless", "textgreater", "hspace"}
    own |= {"textquotesingle", "textasciigrave", *"$&%#{}\\\n"}
    for text in NASTY_STRINGS:
        source = nasty_list(text).to_latex()
        used = set(re.findall(r"\\([a-zA-Z]+|.|\n)", source))
        assert used <= own, (text, used - own)
        assert source.count(r"\end{tabular}") == 1
