"""Make a release from a tag: ``python -m tools.release v1.2.0``.

What is committed under the tag is built, tried in empty environments, and put into ``dist/`` with the notes of the
release and a file of checksums. Nothing is uploaded, tagged or changed: the last lines say what is left to do.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from io import BytesIO
from pathlib import Path

from tools.try_build import ROOT, build, check_wheel, try_out

_TAG = re.compile(r"v(?P<version>\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?)")


def check_tag(tag: str, source: Path) -> str:
    """Return the version of a tag; the project, the package, the citation and the changelog must all have it."""
    found = _TAG.fullmatch(tag)
    if found is None:
        raise SystemExit(f"{tag} is not the tag of a release; such a tag is v1.2.0, or v1.2.0rc1 before it.")
    version = found["version"]
    package = re.search(r'^__version__ = "(.*)"$', (source / "src/hedgerow/__init__.py").read_text(), re.MULTILINE)
    citation = re.search(r'^version: "?(.*?)"?$', (source / "CITATION.cff").read_text(), re.MULTILINE)
    stated = {
        "pyproject.toml": tomllib.loads((source / "pyproject.toml").read_text())["project"]["version"],
        "src/hedgerow/__init__.py": package[1] if package else None,
        "CITATION.cff": citation[1] if citation else None,
    }
    for file, other in stated.items():
        if other != version:
            raise SystemExit(f"The tag is {tag}, but {file} says {other}. Set the version, commit, and tag again.")
    return version


def notes_of(version: str, changelog: str) -> str:
    """Return the section of a version in the changelog; there must be one with a date, and nothing unreleased."""
    sections = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    by_head = {section.partition("\n")[0].strip(): section.partition("\n")[2].strip() for section in sections}
    if by_head.get("Unreleased"):
        raise SystemExit(f"CHANGELOG.md has changes under Unreleased. Move them under ## {version} - YYYY-MM-DD.")
    for head, text in by_head.items():
        if re.fullmatch(rf"\[?{re.escape(version)}\]? - \d{{4}}-\d{{2}}-\d{{2}}", head):
            if not text:
                raise SystemExit(f"CHANGELOG.md says nothing about {version}.")
            return text
    raise SystemExit(f"CHANGELOG.md has no section ## {version} - YYYY-MM-DD.")


def checksums(files: list[Path]) -> str:
    """Return one line per file, as ``sha256sum --check`` reads them."""
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(files))


def release(tag: str, into: Path) -> None:
    """Build, try and describe what is committed under a tag."""
    if into.exists() and any(into.iterdir()):
        raise SystemExit(f"{into} is not empty. Remove what is there, or name another folder with --into.")
    committed = _git("rev-parse", "--verify", "--quiet", f"refs/tags/{tag}^{{commit}}")
    with tempfile.TemporaryDirectory() as name:
        source = Path(name, "source")
        with tarfile.open(fileobj=BytesIO(_git_bytes("archive", "--format=tar", committed))) as archive:
            archive.extractall(source, filter="data")
        version = check_tag(tag, source)
        notes = notes_of(version, (source / "CHANGELOG.md").read_text())
        # Files in archives have the time of the commit, so that anyone who builds it again gets the same bytes.
        os.environ["SOURCE_DATE_EPOCH"] = _git("log", "-1", "--format=%ct", committed)
        made = build(into, source)
        for distribution in made:
            if distribution.suffix == ".whl":
                check_wheel(distribution, source)
            try_out(distribution)
    (into / "SHA256SUMS").write_text(checksums(made))
    (into / "NOTES.md").write_text(notes + "\n")
    sys.stdout.write(f"hedgerow {version}, commit {committed[:12]}:\n{checksums(made)}")
    sys.stdout.write(f"Read {into / 'NOTES.md'}. Nothing was uploaded; upload {', '.join(f.name for f in made)}.\n")


def _git(*arguments: str) -> str:
    return _git_bytes(*arguments).decode().strip()


def _git_bytes(*arguments: str) -> bytes:
    ran = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, check=False)
    if ran.returncode:
        why = ran.stderr.decode().strip() or "there is no such tag"
        raise SystemExit(f"git {' '.join(arguments)} fails: {why}.")
    return ran.stdout


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("tag", help="the tag, such as v1.2.0")
    parser.add_argument("--into", type=Path, default=ROOT / "dist", help="the folder to write to (dist)")
    given = parser.parse_args()
    release(given.tag, given.into)
