"""LaTeX source of a rule list: every row a rule, and nothing in it that LaTeX would take for a command."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_lists import KINDS, make

from hedgerow import Condition, InvalidParameterError, Rule, RuleList
from hedgerow.exporters.to_latex import escaped, export
from hedgerow.features import Column, Inputs

#: What the escapes stand for.
SHOWN = {
    r"\textbackslash{}": "\\",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textbar{}": "|",
    r"\char34{}": '"',
    r"\_\allowbreak{}": "_",
    r"$\leq$": "<=",
    r"$\geq$": ">=",
    r"$\pm$": "±",
    "$<$": "<",
    "$>$": ">",
    "$-$": "-",
    "{[}": "[",
    "{]}": "]",
    "{}": "",
    "~": " ",
} | {f"\\{letter}": letter for letter in "{}$&#%"}
NASTY = Column(0, r'50 % of \a_b {x} & #1 $y$ ^~ | "q" <z> -- [t]')
LIST = RuleList(
    (
        Rule((Condition(NASTY, upper=-2.5),), "a & b", 6, 0.6, (0.25, 0.75)),
        Rule((Condition(NASTY, lower=1.0),), "[c]", 4, 0.4, (1.0, 0.0)),
    ),
    Rule((), "[c]", distribution=(0.45, 0.55)),
    Inputs((NASTY,)),
    np.array(["[c]", "a & b"]),
    n_samples=10,
)


def read(source):
    """Return what LaTeX shows, and fail where something is left that it takes for a command."""
    known = re.compile("|".join(re.escape(key) for key in sorted(SHOWN, key=len, reverse=True)))
    assert not re.search(r"[\\{}$&#%_^~|\"]", known.sub("", source)), source
    return known.sub(lambda found: SHOWN[found[0]], source)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(list(" \\{}$&#%_^~|\"<>=-'`,?![]%"))))
def test_escapes_stand_for_the_text(text):
    assert read(escaped(text)) == text


def rows_of(source):
    inside = source.split("\\midrule\n", 1)[1].split("\\bottomrule")[0].replace("\\midrule\n", "")
    return [[cell.strip() for cell in re.split(r"(?<!\\)&", row)] for row in inside.split(" \\\\\n") if row.strip()]


@pytest.mark.parametrize("kind", KINDS)
def test_every_rule_is_a_row(kind):
    rules, _ = make(kind, False)
    rows = rows_of(rules.to_latex())
    assert len(rows) == len(rules) + 1
    for i, (rule, row) in enumerate(zip(rules, rows, strict=False), start=1):
        shown = [read(cell) for cell in row]
        assert shown == [
            str(i),
            rule.describe(rules.digits),
            rule.describe_prediction(),
            str(rule.coverage),
            f"{100 * rule.share:.1f} %",
        ]
    assert [read(cell) for cell in rows[-1]] == ["", "otherwise", rules.describe_default(), "", ""]


def test_a_caption_or_a_label_makes_it_float():
    caption = r"50 % of \a_b & $y$ {"
    source = LIST.to_latex(caption=caption, label="tab:rules")
    shown = re.search(r"\\begin{table}.*\\caption{(.*)}\n\\label{tab:rules}.*\\end{table}$", source, re.DOTALL)
    assert read(shown[1]) == caption
    assert r"\begin{table}" not in LIST.to_latex()
    assert r"\caption" not in LIST.to_latex(label="tab:rules")
    with pytest.raises(InvalidParameterError, match="label must be a key such as tab:rules"):
        LIST.to_latex(label="a}b")


@pytest.mark.parametrize(("weight", "width"), [("0.5", "0.32"), ("a 0.5, b -1", "0.25")])
def test_weighted_rules_get_a_column_for_the_weight(weight, width):
    class Weighted:
        def cells(self):
            return ["", "weight", "if"], [["1", weight, "a <= 1"], ["", "2", "added to all"]]

    source = export(Weighted())
    assert [[read(cell) for cell in row] for row in rows_of(source)] == [
        ["1", weight, "a <= 1"],
        ["", "2", "added to all"],
    ]
    assert rf"p{{{width}\linewidth}}@" in source
    assert source.count(r"\midrule") == 2  # below the header, and between the rule and what is added


def test_latex_takes_it(tmp_path):
    latex = shutil.which("pdflatex")
    if latex is None:
        pytest.skip("no LaTeX is installed")
    source = (
        rf"\documentclass{{article}}\usepackage{{array,booktabs}}\begin{{document}}{LIST.to_latex()}\end{{document}}"
    )
    (tmp_path / "list.tex").write_text(source.replace("% \\use", "%\n% \\use"))
    command = [latex, "-interaction=nonstopmode", "-halt-on-error", "list.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
