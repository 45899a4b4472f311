"""Names that end a string, a comment, a tag or a command early; and a list with such names."""

import numpy as np

from hedgerow import Condition, Rule, RuleList
from hedgerow.features import Category, Column, Inputs

#: At most 63 bytes long, as PostgreSQL's names are; databases can store them all.
NASTY_STRINGS = (
    "'; DROP TABLE canary; --",
    '"; DROP TABLE canary; --',
    "x'); DELETE FROM canary; /*",
    "*/ ; DROP TABLE canary; /*",
    "a -- b\n; DROP TABLE canary",
    "\\'; DROP TABLE canary; --",
    "$$; DROP TABLE canary; $$",
    "E'\\047 OR 1=1",
    "{{ 7*7 }} {% raw %} ${7*7} %(x)s {0} %s %n",
    "<script>window.pwned = 1</script>",
    "</script><img src=x onerror=pwned=1>",
    '"><svg/onload=window.pwned=1>',
    "' onmouseover='window.pwned=1' x='",
    "<!-- --><iframe src=javascript:pwned=1>",
    "javascript:window.pwned=1//",
    "&lt;b&gt; &amp;quot; &#39; &NotAnEntity;",
    "]]> <![CDATA[ x ]]>",
    "\\input{/etc/passwd} \\write18{touch pwned} %",
    "$x_1^2$ & \\\\ # ~ {} ^^41 \\end{tabular}",
    'a" [URL="http://evil"]; b -> c; "',
    "<TABLE><TR><TD HREF='x'>html</TD></TR></TABLE>",
    "\\N \\G \\E \\l \\n {a|b|<c>}",
    '"""; import builtins; builtins.PWNED = 1; """',
    "'''; import builtins; builtins.PWNED = 1; '''",
    "x\nimport builtins; builtins.PWNED = 1\n#",
    "f'{exec(\"import builtins; builtins.PWNED = 1\")}'",
    "\\N{DIGIT ONE} \\x41 \\u0041 \\",
    "__class__",
    "None",
    "nan",
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd",
    "tab\there",
    "carriage\r\nreturn",
    "bell\x07 escape\x1b[31mred",
    "\u202eright to left\u202c",
    "zero\u200bwidth\u2028line\u2029paragraph",
    "\ufeffmark",
    "e\u0301 and \u00e9",
    "\U0001f469\u200d\U0001f4bb \U0001f1e9\U0001f1ea",
    "ﬁ ß İ ı Ω K",
    "ゴジラ 田中さん",
    " leading and trailing ",
    "SELECT",
    "constructor",
    "__proto__",
    "toString",
)


def nasty_list(text):
    """Return a list in which a column, another's category, and a label have this name."""
    number, kind = Column(0, text), Category(1, "kind", (text, "plain"))
    labels = np.array(sorted([text, "other", "third"]), dtype=object)
    return RuleList(
        (
            Rule((Condition(number, upper=1.5), Condition(kind, categories=frozenset({0}))), text, 6, 0.6, (1, 0, 0)),
            Rule((Condition(number, lower=1.5),), "other", 4, 0.4, (0, 1, 0)),
        ),
        Rule((), "third", distribution=(0.0, 0.0, 1.0)),
        Inputs((number, kind), np.float64),
        labels,
        n_samples=10,
    )


def rows_for(text):
    return [(1.0, text), (1.0, "plain"), (2.0, text), (2.0, "plain")]


def wanted(text):
    return [text, "third", "other", "other"]
