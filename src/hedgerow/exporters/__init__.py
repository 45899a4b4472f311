"""A rule list in other forms: one file or folder per format, each with ``export(rule_list)``."""
