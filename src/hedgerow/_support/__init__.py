"""What every room may use: array types, progress, text in columns, JSON fields, whole files. No rules here."""
