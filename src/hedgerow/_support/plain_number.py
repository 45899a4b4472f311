"""What a number looks like where programs write it."""

#: A number once thousands separators and signs are gone and the decimal mark is a point, as a regular expression.
PLAIN_NUMBER = r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"
