"""A plugin for tests without any optional library: ``PYTHONPATH=tests python -m pytest -p without_extras``.

A test or a module of tests that asks for a library which is not installed is skipped; that the package itself asks for
none is what ``test_import_is_light.py`` and ``cli/test_doctor.py`` check.
"""

import pytest

NEEDED = ("hedgerow", "highspy", "numpy", "scipy", "sklearn")


def missing_library(excinfo):
    """The optional library that an error names as not installed, or None."""
    error = excinfo.value if excinfo is not None else None
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and error.name and error.name.partition(".")[0] not in NEEDED:
            return error.name
        error = error.__cause__ or error.__context__
    return None


def skip(report, path, library):
    report.outcome, report.longrepr = "skipped", (str(path), 0, f"Skipped: needs {library}")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    library = missing_library(report.call.excinfo) if report.failed else None
    if library is not None:
        skip(report, collector.path, library)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    library = missing_library(call.excinfo) if report.failed else None
    if library is not None:
        skip(report, item.path, library)
    return report
