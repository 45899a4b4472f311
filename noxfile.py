"""Sessions that try hedgerow with other versions of what it uses: ``pip install nox uv``, then ``nox``.

``nox --list`` says what there is. A session takes further arguments for pytest: ``nox -s oldest -- tests/readers``.
Each needs its Python on the machine and is skipped where that is missing.
"""

import nox

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: The Python whose oldest releases of all dependencies are tried.
OLDEST = PYTHONS[0]
#: What tests need wherever they run; everything else is in the extra ``test``.
BARE_TESTS = ("pytest>=8.3", "hypothesis>=6.120", "packaging>=24")

nox.options.default_venv_backend = "uv"
nox.options.sessions = ["oldest", "newest", "bare", "built"]


def _test(session: nox.Session, *arguments: str, **environment: str) -> None:
    session.run("python", "-m", "pytest", "-q", *(arguments or session.posargs), env=environment)


@nox.session(python=OLDEST)
def oldest(session: nox.Session) -> None:
    """The tests with the oldest supported version of each dependency: the lower bounds in pyproject.toml."""
    session.install("--resolution", "lowest-direct", "--editable", ".[test]")
    # What these depend on is new, and has deprecated what they use; tests of newer features are skipped.
    ignored = [f"ignore::{kind}" for kind in ("DeprecationWarning", "PendingDeprecationWarning", "FutureWarning")]
    options = [part for kind in ignored for part in ("-W", kind)]
    _test(session, *options, *session.posargs, PYTHONWARNINGS=ignored[0])


@nox.session(python=PYTHONS)
def newest(session: nox.Session) -> None:
    """The tests with the newest releases."""
    session.install("--upgrade", "--editable", ".[test]")
    _test(session)


@nox.session(python=PYTHONS[-2])
def prereleases(session: nox.Session) -> None:
    """The tests with release candidates of the four libraries that hedgerow needs, and the newest of the others."""
    session.install("--editable", ".[test]")
    session.install("--upgrade", "--prerelease", "allow", "numpy", "scipy", "scikit-learn", "highspy")
    _test(session)


@nox.session(python=PYTHONS)
def bare(session: nox.Session) -> None:
    """The tests without any optional dependency; those that cannot run without one are skipped."""
    session.install("--editable", ".", *BARE_TESTS)
    _test(session, "-p", "without_extras", *(session.posargs or ["tests"]), PYTHONPATH="tests")


@nox.session(python=PYTHONS)
def built(session: nox.Session) -> None:
    """Source distribution and wheel, each installed into an environment with nothing else, where they must work."""
    session.install("build", "hatchling")
    session.run("python", "-m", "tools.try_build")
