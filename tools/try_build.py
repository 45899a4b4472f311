"""Build hedgerow and try what is built: ``python -m tools.try_build [FOLDER]``.

The source distribution and the wheel are built, measured, and each is installed into an environment that holds nothing
else, where a program learns, proves and checks a list. It needs ``build`` and ``hatchling``. With a folder, the two
files stay there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: The most bytes of a wheel.
MOST_BYTES = 1_000_000
#: A list is learned, predicts and explains; ``hedgerow doctor`` then proves and checks another one.
_PROGRAM = """
from sklearn.datasets import load_iris
from hedgerow import RuleList, RuleListClassifier
X, y = load_iris(return_X_y=True)
rules = RuleListClassifier.accurate(max_rules=3, random_state=0).fit(X, y)
assert rules.score(X, y) > 0.9 and rules.solution_.optimal
assert RuleList.from_json(rules.to_json()).predict(X).tolist() == rules.predict(X).tolist()
assert rules.rule_list_.to_python() and rules.explain(X[:1])
"""


def build(folder: Path, source: Path = ROOT) -> list[Path]:
    """Build both distributions of a source tree into a folder and return their paths."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(source)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return sorted(folder.glob("hedgerow-*"))


def check_wheel(wheel: Path, source: Path = ROOT) -> int:
    """Check that a wheel holds the files of the package, no others, and is small; return its bytes."""
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if name.startswith("hedgerow/")}
    package = source / "src"
    files = (path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    wanted = {path.relative_to(package).as_posix() for path in files}
    if held != wanted:
        raise SystemExit(f"{wheel.name} lacks {sorted(wanted - held)} and has {sorted(held - wanted)} in addition.")
    size = wheel.stat().st_size
    if size >= MOST_BYTES:
        raise SystemExit(f"{wheel.name} has {size:,} bytes; at most {MOST_BYTES:,} are allowed.")
    return size


def try_out(distribution: Path) -> None:
    """Install a distribution into an empty environment and use it there."""
    with tempfile.TemporaryDirectory() as name:
        venv.create(name, with_pip=True)
        python = str(Path(name, "Scripts" if os.name == "nt" else "bin", "python"))
        clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        for arguments in (
            ("-m", "pip", "install", "--quiet", str(distribution)),
            ("-W", "error", "-c", _PROGRAM),
            ("-W", "error", "-m", "hedgerow", "doctor"),
        ):
            ran = subprocess.run([python, *arguments], cwd=name, env=clean, capture_output=True, text=True, check=False)
            if ran.returncode:
                raise SystemExit(f"{distribution.name}: {' '.join(arguments[:4])} fails.\n{ran.stdout}{ran.stderr}")


def main(folder: Path) -> None:
    """Build, check and try both."""
    for distribution in build(folder):
        if distribution.suffix == ".whl":
            check_wheel(distribution)
        try_out(distribution)
        sys.stdout.write(f"{distribution.name}: {distribution.stat().st_size:,} bytes, works in an empty environment\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            main(Path(made))
