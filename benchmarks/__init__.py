"""Measurements: run from the root of the repository; not part of the package that users install."""
