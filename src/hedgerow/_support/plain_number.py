"""What a number looks like: where programs write it, and with thousands separators."""

import re

#: What may stand around a number: the blanks that every database ignores there.
BLANKS = " \t\n\r\f\v"
#: A number once thousands separators and signs are gone and the decimal mark is a point, as a regular expression.
PLAIN_NUMBER = r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"


def grouped_number(decimal: str, thousands: str) -> str:
    """Return what a number looks like that may have thousands separators, as a regular expression of any database.

    Between them are groups of three digits: otherwise ``60.25`` would be 6025 where points separate thousands. For the
    same reason, the first group does not start with 0.
    """
    d, t = re.escape(decimal), re.escape(thousands)
    whole = f"([0-9]+|[1-9][0-9]?[0-9]?({t}[0-9][0-9][0-9])+)" if thousands else "[0-9]+"
    return f"[-+]?({whole}({d}[0-9]*)?|{d}[0-9]+)([eE][-+]?[0-9]+)?"
