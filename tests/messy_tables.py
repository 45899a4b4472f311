"""Forty and more messy tables, as people have them: each is read right, or refused with one clear line.

To add one, write a function that returns a :class:`Messy` and decorate it with ``messy``.
"""

import csv
import gzip
import io
from dataclasses import dataclass, replace

import numpy as np
from sklearn.datasets import load_iris

N = 150


@dataclass(frozen=True)
class Messy:
    """A table in a file, and what is expected of it.

    Attributes
    ----------
    content : bytes
        The file.
    target : str
    options : tuple of str
        Options of ``hedgerow extract``; ``{folder}`` is that of the file.
    file : str
        Its name.
    separator, encoding : str
        What a person would tell a database about the file.
    says : tuple of str
        What must be said on standard error.
    refused : str
        What the one line of the error says; empty if the table is right.
    least : float
        The least share of right predictions on all rows, or the least R2 of a regression.
    uses : tuple of str
        Columns that the list must use.
    """

    content: bytes
    target: str = "bought"
    options: tuple[str, ...] = ()
    file: str = "data.csv"
    separator: str = ","
    encoding: str = "utf-8"
    says: tuple[str, ...] = ()
    refused: str = ""
    least: float = 0.9
    uses: tuple[str, ...] = ()

    @property
    def text(self):
        """The content as a string."""
        content = gzip.decompress(self.content) if self.file.endswith(".gz") else self.content
        return content.decode(self.encoding).removeprefix("\ufeff")

    @property
    def names(self):
        """The names of the columns, as written."""
        return next(csv.reader(io.StringIO(self.text, newline=""), delimiter=self.separator))

    @property
    def rows(self):
        """The rows as dictionaries of strings, as Python's own reader returns them."""
        return list(csv.DictReader(io.StringIO(self.text, newline=""), delimiter=self.separator))


TABLES = {}


def messy(make):
    """Add a table, under the name of its function."""
    TABLES[make.__name__.replace("_", " ")] = make()
    return make


def shoppers(seed=0, n=N):
    """Return columns of strings, and a target that follows from income and color."""
    rng = np.random.default_rng(seed)
    income, age = rng.uniform(900, 9000, n).round(2), rng.integers(18, 80, n)
    color = rng.choice(["red", "green", "blue"], n)
    bought = np.where((income > 5000) & (color != "red"), "yes", "no")
    columns = {"income": income, "age": age, "color": color, "bought": bought}
    return {name: [str(value) for value in column] for name, column in columns.items()}


def changed(columns, every, cells, name="income"):
    """Return columns with other cells in some rows, which are cycled through."""
    column = list(columns[name])
    for i in range(0, len(column), every):
        column[i] = cells[i // every % len(cells)]
    return columns | {name: column}


def mapped(columns, change, *names):
    """Return columns with all cells of some of them changed."""
    return columns | {name: [change(cell) for cell in columns[name]] for name in names}


def renamed(columns, names):
    """Return columns with other names."""
    return {names.get(name, name): column for name, column in columns.items()}


def written(columns, separator=",", encoding="utf-8", newline="\n", names=None):
    """Return the content of a file."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=separator, lineterminator=newline)
    writer.writerow(columns if names is None else names)
    writer.writerows(zip(*columns.values(), strict=True))
    return buffer.getvalue().encode(encoding)


def grouped(cell, thousands, decimal="."):
    """Return a number with groups of three digits."""
    return f"{float(cell):,.2f}".replace(",", "\0").replace(".", decimal).replace("\0", thousands)


def irises():
    """Return the columns of the iris data, as strings."""
    data = load_iris()
    measured = zip(data.feature_names, data.data.T, strict=True)
    columns = {name: [str(value) for value in column] for name, column in measured}
    return columns | {"species": [str(data.target_names[i]) for i in data.target]}


def with_odd_cells(table):
    """Return a table of the same columns with cells that a file may have one day."""
    odd = """5000|-1|+7000.5|1e4|.5|5.|1_000|+-5|0x1A|inf|-Infinity|nan|NaN|NA|N/A|null|None|?|-|.|(5)|5-|5 000|7000 kg
    9'000|1,234|1.234|1.234,5|1,234.5|$7,000|-$5|7000 €|$ 7000|EUR 7000|12 %|7000%|007|½|²|٣|１２|−5|1e5.5|e5|5e|TRUE
    true|2020-01-02|12:30|Total|#N/A|9007199254740993|123456789012345678901234567890"""
    cells = [
        *(cell.strip(" ") for cell in odd.replace("\n", "|").split("|")),
        "",
        " ",
        " 7000 ",
        "\t7000",
        "7000\u00a0",
    ]
    colors = ["red", "blue", "green", "", " ", "red ", "RED", "NA", "7", "it's"]
    rows = [{"income": cell, "age": cell, "color": colors[i % 10]} for i, cell in enumerate(2 * cells)]
    columns = {name: [row.get(name, "no") for row in rows] for name in table.names}
    return replace(table, content=written(columns, table.separator))


# Separators, encodings, line ends and quotes


@messy
def commas():
    return Messy(written(changed(shoppers(), 9, [""])), uses=("income", "color"))


@messy
def semicolons_and_decimal_commas():
    columns = mapped(irises(), lambda cell: cell.replace(".", ","), *load_iris().feature_names)
    return Messy(written(columns, ";"), "species", separator=";")


@messy
def tabs():
    return Messy(written(shoppers(), "\t"), file="data.tsv", separator="\t")


@messy
def tabs_in_a_file_called_csv():
    return Messy(written(shoppers(), "\t"), separator="\t")


@messy
def vertical_bars():
    return Messy(written(shoppers(), "|"), file="data.txt", separator="|")


@messy
def a_separator_that_must_be_given():
    return Messy(written(shoppers(), "~"), options=("--separator", "~"), separator="~")


@messy
def a_byte_order_mark():
    return Messy(b"\xef\xbb\xbf" + written(shoppers()), uses=("income",))


@messy
def latin_1():
    columns = renamed(mapped(shoppers(), lambda cell: {"green": "grün"}.get(cell, cell), "color"), {"age": "größe"})
    return Messy(written(columns, encoding="latin-1"), encoding="latin-1", says=("Windows-1252",))


@messy
def utf_16():
    columns = mapped(shoppers(), lambda cell: {"green": "grün ✓"}.get(cell, cell), "color")
    return Messy(written(columns, encoding="utf-16"), encoding="utf-16")


@messy
def windows_line_ends():
    return Messy(written(changed(shoppers(), 7, [""], "color"), newline="\r\n"))


@messy
def fields_with_separators_quotes_and_line_breaks():
    spelled = {"red": 'a "red", or so', "green": "two\nlines", "blue": "it's; blue|"}
    return Messy(written(mapped(shoppers(), spelled.get, "color")), uses=("color",))


@messy
def compressed():
    return Messy(gzip.compress(written(shoppers())), file="data.csv.gz")


# Numbers


@messy
def thousands_with_commas():
    return Messy(written(mapped(shoppers(), lambda cell: grouped(cell, ","), "income")), uses=("income",))


@messy
def thousands_with_points_and_decimal_commas():
    columns = mapped(shoppers(), lambda cell: grouped(cell, ".", ","), "income")
    return Messy(written(columns, ";"), separator=";", uses=("income",))


@messy
def whole_thousands_with_points():
    columns = mapped(shoppers(), lambda cell: f"{float(cell):,.0f}".replace(",", "."), "income")
    columns["weight"] = [f"{50 + i % 40},5" for i in range(N)]
    return Messy(written(columns, ";"), separator=";", uses=("income",), says=("is read as",))


@messy
def no_break_spaces_between_digits():
    columns = mapped(shoppers(), lambda cell: grouped(cell, "\u00a0", ","), "income")
    return Messy(written(columns, ";"), separator=";", uses=("income",))


@messy
def narrow_no_break_spaces_between_digits():
    columns = mapped(shoppers(), lambda cell: grouped(cell, "\u202f"), "income")
    return Messy(written(columns), uses=("income",))


@messy
def swiss_apostrophes():
    return Messy(written(mapped(shoppers(), lambda cell: grouped(cell, "'"), "income")), uses=("income",))


@messy
def percentages():
    columns = mapped(shoppers(), lambda cell: f"{float(cell) / 100:.1f} %", "income")
    return Messy(written(changed(columns, 10, ["7.5%", "n/a", "12%"])), least=0.8, uses=("income",))


@messy
def dollars():
    columns = mapped(shoppers(), lambda cell: "$" + grouped(cell, ","), "income")
    return Messy(written(changed(columns, 10, ["-$5.00", "$ 7,000.50", "-"])), least=0.8, uses=("income",))


@messy
def euros_after_a_no_break_space():
    columns = mapped(shoppers(), lambda cell: grouped(cell, ".", ",") + "\u00a0€", "income")
    return Messy(written(changed(columns, 20, ["k. A."]), ";"), separator=";", least=0.8, uses=("income",))


@messy
def no_break_spaces_around_numbers():
    return Messy(written(mapped(shoppers(), lambda cell: f"{cell}\u00a0", "income")), uses=("income",))


@messy
def units_after_numbers():
    return Messy(written(mapped(shoppers(), lambda cell: f"{cell} kg", "income")), uses=("income",))


@messy
def numbers_with_blanks_around_them():
    return Messy(written(mapped(shoppers(), lambda cell: f"  {cell} ", "income")), uses=("income",))


@messy
def exponents():
    return Messy(written(mapped(shoppers(), lambda cell: f"{float(cell):.6E}", "income")), uses=("income",))


@messy
def integers_beyond_the_doubles():
    columns = mapped(shoppers(), lambda cell: str(2**60 + round(float(cell)) * 2**50 + 1), "income")
    return Messy(written(changed(columns, 9, [""])), least=0.8, uses=("income",))


@messy
def a_decimal_mark_that_is_given():
    columns = mapped(shoppers(), lambda cell: f"{float(cell) / 1000:.3f}".replace(".", ","), "income")
    return Messy(written(columns), options=("--decimal", ","), uses=("income",))


@messy
def a_regression_with_decimal_commas():
    columns = shoppers()
    pairs = zip(columns["income"], columns["color"], strict=True)
    columns["price"] = [str(round(float(income) / 100 + (color == "red") * 9, 2)) for income, color in pairs]
    columns = mapped(columns, lambda cell: cell.replace(".", ","), "income", "price")
    return Messy(written(columns, ";"), "price", ("--drop", "bought"), separator=";", least=0.8)


@messy
def many_columns_of_zeros():
    rng, columns = np.random.default_rng(0), shoppers()
    zeros = {f"word {i}": [str(int(x)) for x in rng.random(N) < 0.02] for i in range(12)}
    return Messy(written({**zeros, **columns}), least=0.85, uses=("income",))


# Missing values and stray strings


@messy
def missing_numbers_of_every_kind():
    marks = ["", "NA", "N/A", "null", "?", "-", "None", ".", " ", "nan", "#N/A", "n/a", "NULL", "--"]
    return Messy(written(changed(shoppers(), 5, marks)), least=0.75, uses=("income",))


@messy
def missing_strings():
    return Messy(written(changed(shoppers(), 6, ["", "NA", "?"], "color")), least=0.8)


@messy
def a_total_at_the_end():
    columns = {name: [*column, "Total" if name == "age" else ""] for name, column in shoppers().items()}
    return Messy(written(columns), says=("the other (Total) is read as missing", "no target"))


@messy
def errors_of_a_spreadsheet():
    columns = changed(shoppers(), 40, ["#DIV/0!", "#REF!", "see note"])
    return Messy(written(columns), says=("see note",), uses=("income",))


@messy
def a_number_that_means_missing():
    columns = changed(shoppers(), 8, ["-999", "-999.0"])
    return Messy(written(columns), options=("--na", "-999"), least=0.8, uses=("income",))


@messy
def a_string_that_means_missing():
    columns = changed(shoppers(), 8, ["unknown"], "color")
    return Messy(written(columns), options=("--na", "unknown"), least=0.8)


@messy
def the_strings_missing_and_none():
    spelled = {"red": "missing", "green": "None", "blue": "nan"}
    return Messy(written(changed(mapped(shoppers(), spelled.get, "color"), 12, [""], "color")), uses=("color",))


@messy
def infinite_numbers():
    return Messy(written(changed(shoppers(), 50, ["inf"])), says=("inf",), least=0.85)


@messy
def numbers_with_underscores_are_strings():
    return Messy(written(changed(shoppers(), 50, ["1_000"])), says=("1_000",), least=0.85)


# Columns that say nothing, or too much


@messy
def row_numbers_and_names():
    ids = {"": [str(i) for i in range(N)], "id": [f"K{i:05}" for i in range(N)]}
    return Messy(written({**ids, **shoppers()}), uses=("income", "color"))


@messy
def dates():
    days = [(2000 + i % 20, 1 + i % 12, 1 + i % 28) for i in range(N)]
    columns = {
        "iso": [f"{y}-{m:02}-{d:02}" for y, m, d in days],
        "European": [f"{d:02}.{m:02}.{y}" for y, m, d in days],
        "American": [f"{m}/{d}/{y}" for y, m, d in days],
        "with time": [f"{y}-{m:02}-{d:02}T12:30:00" for y, m, d in days],
    }
    return Messy(written({**columns, **shoppers()}), says=("dates",), uses=("income", "color"))


@messy
def times_of_day():
    spelled = {"red": "08:00", "green": "12:30", "blue": "18:45"}
    return Messy(written(mapped(shoppers(), spelled.get, "color")), uses=("color",))


@messy
def leading_zeros():
    spelled = {"red": "007", "green": "02139", "blue": "10115"}
    return Messy(written(mapped(shoppers(), spelled.get, "color")), says=("leading zeros",), uses=("color",))


@messy
def constant_and_empty_columns():
    columns = {"always": ["1"] * N, "same": ["x"] * N, "empty": [""] * N, "none": ["NA"] * N, **shoppers()}
    return Messy(written(columns), uses=("income", "color"))


@messy
def a_thousand_categories():
    rng, columns = np.random.default_rng(0), shoppers(n=3000)
    columns["shop"] = [f"shop {i}" for i in rng.integers(0, 1000, 3000)]
    return Messy(written(columns), least=0.8, uses=("income", "color"))


# Names


@messy
def reserved_names():
    names = {"income": "select", "age": "order", "color": "group", "bought": "from"}
    columns = {"rule": ["1", "2"] * (N // 2), "prediction": ["a", "b"] * (N // 2), "why": ["?"] * N}
    return Messy(written({**columns, **renamed(shoppers(), names)}), "from", uses=("select", "group"))


@messy
def names_with_all_kinds_of_characters():
    names = {"income": 'in"come (€) 100 %', "age": "a.g-e's", "color": "the  color; größe → ✓"}
    return Messy(written(renamed(shoppers(), names)), uses=(names["income"], names["color"]))


@messy
def names_with_blanks_at_the_ends():
    names = {"income": "income ", "age": " age", "color": "color\u00a0"}
    return Messy(written(renamed(shoppers(), names)), says=("blanks", "'income'"), uses=("income", "color"))


@messy
def names_that_are_numbers():
    return Messy(written(renamed(shoppers(), {"income": "2019", "age": "2020", "color": "0"})), uses=("2019", "0"))


# Targets


@messy
def twenty_six_classes():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 13, 780), rng.integers(0, 2, 780)
    letters = [chr(97 + 2 * i + j) for i, j in zip(x, y, strict=True)]
    columns = {"x": list(map(str, x)), "y": list(map(str, y)), "letter": letters}
    return Messy(written(columns), "letter", ("--max-rules", "26"), least=0.5)


@messy
def a_class_called_not_available():
    return Messy(written(changed(shoppers(), 3, ["NA"], "bought")), says=("NA",), least=0.5)


@messy
def labels_with_blanks():
    return Messy(written(mapped(shoppers(), {"yes": "very much", "no": "not at all"}.get, "bought")))


@messy
def labels_minus_one():
    return Messy(written(mapped(shoppers(), {"yes": "1.0", "no": "-1.0"}.get, "bought")))


@messy
def booleans():
    columns = mapped(shoppers(), {"yes": "True", "no": "False"}.get, "bought")
    columns["rich"] = [str(float(cell) > 5000) for cell in columns["income"]]
    columns["red"] = ["yes" if cell == "red" else "no" for cell in columns["color"]]
    del columns["income"], columns["color"]
    return Messy(written(changed(columns, 11, [""], "age")), uses=("rich", "red"))


@messy
def booleans_in_capitals():
    columns = shoppers()
    columns["RICH"] = [str(float(cell) > 5000).upper() for cell in columns["income"]]
    columns["red"] = [str(cell == "red").lower() for cell in columns["color"]]
    del columns["income"], columns["color"]
    return Messy(written(changed(columns, 15, [""], "RICH")), least=0.85, uses=("RICH", "red"))


@messy
def three_rows():
    return Messy(b"a,b,c\n1,x,yes\n2,y,no\n3,x,yes\n", "c", ("--test-size", "0"), least=0.6)


# What cannot be read


@messy
def the_same_name_twice():
    columns = shoppers()
    return Messy(written(columns, names=["income", "income", "color", "bought"]), refused="same name: 'income'")


@messy
def the_same_name_but_for_blanks():
    return Messy(written(shoppers(), names=["income", "income ", "color", "bought"]), refused="same name: 'income'")


@messy
def the_same_name_but_for_capitals():
    content = written(shoppers(), names=["income", "Income", "color", "bought"])
    return Messy(
        content, options=("--sql", "{folder}/rules.sql", "--dialect", "duckdb"), refused="'income' and 'Income'"
    )


@messy
def a_single_class():
    return Messy(written(mapped(shoppers(), lambda _: "yes", "bought")), refused="same target")


@messy
def a_target_that_is_not_there():
    return Messy(written(shoppers()), "Bougth", refused="Did you mean 'bought'?")


@messy
def a_target_without_values():
    return Messy(written(mapped(shoppers(), lambda _: "", "bought")), refused="'bought' is empty")


@messy
def only_names():
    return Messy(b"a,b,bought\n", refused="no rows")


@messy
def nothing_at_all():
    return Messy(b"", refused="is empty")


@messy
def too_many_fields_in_a_line():
    lines = written(shoppers()).split(b"\n")
    lines[7] += b",1"
    return Messy(b"\n".join(lines), refused="line 8 has 5 fields")


@messy
def too_few_fields_in_a_line():
    lines = written(shoppers()).split(b"\n")
    lines[7] = lines[7].rpartition(b",")[0]
    return Messy(b"\n".join(lines), refused="line 8 has 3 fields")


@messy
def a_quote_that_is_not_closed():
    lines = written(shoppers()).split(b"\n")
    lines[7] = b'"' + lines[7]
    return Messy(b"\n".join(lines), refused="quote")


@messy
def numbers_too_large_for_doubles():
    return Messy(written(changed(shoppers(), 50, ["1e999"])), refused="infinite")


@messy
def nothing_to_learn_from():
    columns = {"id": [f"K{i}" for i in range(N)], "bought": shoppers()["bought"]}
    return Messy(written(columns), refused="no column left")


@messy
def another_encoding_than_the_one_given():
    columns = mapped(shoppers(), lambda cell: {"green": "grün"}.get(cell, cell), "color")
    return Messy(written(columns, encoding="latin-1"), options=("--encoding", "utf-8"), refused="is not text in utf-8")
