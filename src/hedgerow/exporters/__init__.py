"""A rule list in other forms: one file a format, each with ``export(rule_list)``."""
