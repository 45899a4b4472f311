"""A table of text, and the forms it is written in: Markdown, LaTeX with booktabs, a picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill, wrap

import numpy as np

#: For a cell that has no value.
NOTHING = "–"
#: What has a meaning of its own in LaTeX, and how it is written there.
_LATEX = {"\\": r"\textbackslash{}", "_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$", "±": r"$\pm$"}
_LATEX |= {"–": "--", "λ": r"$\lambda$", "²": r"$^2$", "<": "$<$", ">": "$>$"}


#: Letters that fit beside each other on a page.
_PAGE = 80


@dataclass
class TextTable:
    """A table of text.

    Attributes
    ----------
    title : str
    head : list of str
    rows : list of lists of str
    notes : list of str
        Sentences below the table.
    summary : int
        The number of rows at the end that are about all sets instead of a single one.
    best : set of (row, column)
        The cells that are set in bold.
    """

    title: str
    head: list[str]
    rows: list[list[str]]
    notes: list[str] = field(default_factory=list)
    summary: int = 0
    best: set[tuple[int, int]] = field(default_factory=set)

    def to_markdown(self) -> str:
        """Return the table and its notes as Markdown."""
        rows = [
            [f"**{cell}**" if (i, j) in self.best else cell for j, cell in enumerate(row)]
            for i, row in enumerate(self.rows)
        ]
        align = ["---", *["---:"] * (len(self.head) - 1)]
        lines = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in [self.head, align, *rows]]
        return "\n".join([f"**{self.title}**", "", *lines, *([""] if self.notes else []), *map(_bullet, self.notes)])

    def to_latex(self) -> str:
        """Return a table environment; it needs the package booktabs, and graphicx if it is wider than a page."""
        wide = sum(max(len(row[j]) for row in [self.head, *self.rows]) + 2 for j in range(len(self.head))) > _PAGE
        lines = [
            r"\begin{table}[htb]",
            rf"  \caption{{{_latex(' '.join([self.title + '.', *self.notes]))}}}",
            r"  \centering",
            r"  \small",
            *([r"  \resizebox{\linewidth}{!}{%"] if wide else []),
            rf"  \begin{{tabular}}{{l{'r' * (len(self.head) - 1)}}}",
            r"    \toprule",
            f"    {' & '.join(map(_latex, self.head))} " + r"\\",
            r"    \midrule",
        ]
        for i, row in enumerate(self.rows):
            if self.summary and i == len(self.rows) - self.summary:
                lines.append(r"    \midrule")
            cells = [
                rf"\textbf{{{_latex(cell)}}}" if (i, j) in self.best else _latex(cell) for j, cell in enumerate(row)
            ]
            lines.append(f"    {' & '.join(cells)} " + r"\\")
        return "\n".join([*lines, r"    \bottomrule", r"  \end{tabular}" + ("}" if wide else ""), r"\end{table}"])

    def draw(self, path: Path) -> None:
        """Write the table as a picture."""
        from matplotlib.figure import Figure

        texts = [self.head, *self.rows]
        widths = np.array([max(len(row[j]) for row in texts) + 2 for j in range(len(self.head))])
        inch, line = 0.082, 0.24
        notes = [part for note in self.notes for part in wrap(note, max(int(widths.sum()), 40))]
        height = line * (len(texts) + len(notes) + 2)
        figure = Figure(figsize=(max(inch * widths.sum(), 5), height))
        across = inch * np.cumsum(widths) / figure.get_size_inches()[0]
        style = {"fontsize": 9, "fontfamily": "DejaVu Sans", "va": "center"}

        def at(k: float) -> float:
            return float(1 - line * (k + 0.5) / height)

        figure.text(0.006, at(0), self.title, fontweight="bold", **style)
        for i, row in enumerate(texts):
            for j, cell in enumerate(row):
                weight = "bold" if i == 0 or (i - 1, j) in self.best else "normal"
                x, side = (0.006, "left") if j == 0 else (across[j] - 0.004, "right")
                figure.text(x, at(i + 1), cell.replace("$", r"\$"), ha=side, fontweight=weight, **style)
        for k in (0.5, 1.5, len(texts) - self.summary + 0.5, len(texts) + 0.5):
            figure.add_artist(_rule(at(k)))
        for k, note in enumerate(notes):
            figure.text(0.006, at(len(texts) + 1 + k), note, color="#6B6B6B", **style)
        figure.savefig(path, dpi=130)

    def write(self, directory: Path, name: str) -> None:
        """Write all forms under a name."""
        (directory / f"{name}.md").write_text(self.to_markdown() + "\n")
        (directory / f"{name}.tex").write_text(self.to_latex() + "\n")
        self.draw(directory / f"{name}.png")


def plus_minus(mean: float, spread: float = np.nan, digits: int = 3) -> str:
    """Return a mean with its standard deviation, if there is one."""
    if np.isnan(mean):
        return NOTHING
    return f"{mean:.{digits}f}" + ("" if np.isnan(spread) else f" ± {spread:.{digits}f}")


def span(counts: Iterable[int]) -> str:
    """Return the smallest and the largest of some numbers, or the one that all are."""
    found = sorted(set(counts))
    return f"{found[0]}–{found[-1]}" if len(found) > 1 else str(found[0]) if found else NOTHING


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)


def _bullet(note: str) -> str:
    """Return a note as an item of a Markdown list, in lines of less than 120 characters."""
    return fill(f"- {note}", 119, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _rule(y: float) -> object:
    from matplotlib.lines import Line2D

    return Line2D([0, 1], [y, y], color="#222222", linewidth=0.8)
