"""What every part may use: array types, progress, aligned text, JSON fields, complete files; nothing about rules."""
