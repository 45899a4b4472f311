"""A release is made of what its tag says, or not at all."""

import shutil
import subprocess

import pytest

from tools.release import check_tag, checksums, notes_of, release

CHANGELOG = """# Changelog

## Unreleased

## 1.2.0 - 2026-11-19

### Added

- A thing.

## 1.1.0 - 2026-10-01

- Another.
"""


@pytest.fixture
def source(tmp_path):
    (tmp_path / "src" / "hedgerow").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "hedgerow"\nversion = "1.2.0"\n')
    (tmp_path / "src" / "hedgerow" / "__init__.py").write_text('__version__ = "1.2.0"\n')
    (tmp_path / "CITATION.cff").write_text("title: hedgerow\nversion: 1.2.0\n")
    return tmp_path


def test_a_tag_whose_version_is_everywhere_passes(source):
    assert check_tag("v1.2.0", source) == "1.2.0"


@pytest.mark.parametrize("tag", ["1.2.0", "v1.2", "v1.2.0.dev0", "v1.2.0-rc1", "release"])
def test_other_tags_are_no_releases(tag, source):
    with pytest.raises(SystemExit, match="is not the tag of a release"):
        check_tag(tag, source)


@pytest.mark.parametrize("file", ["pyproject.toml", "src/hedgerow/__init__.py", "CITATION.cff"])
def test_a_file_with_another_version_is_named(file, source):
    text = (source / file).read_text()
    (source / file).write_text(text.replace("1.2.0", "1.2.1"))
    with pytest.raises(SystemExit, match=f"The tag is v1.2.0, but {file} says 1.2.1"):
        check_tag("v1.2.0", source)


def test_the_notes_are_the_section_of_the_version():
    assert notes_of("1.2.0", CHANGELOG) == "### Added\n\n- A thing."


@pytest.mark.parametrize(
    ("changelog", "said"),
    [
        (CHANGELOG.replace("Unreleased\n", "Unreleased\n\n- New.\n"), "has changes under Unreleased"),
        (CHANGELOG.replace("1.2.0 - 2026-11-19", "1.2.0"), "has no section ## 1.2.0 - YYYY-MM-DD"),
        (CHANGELOG.replace("### Added\n\n- A thing.\n", ""), "says nothing about 1.2.0"),
        ("# Changelog\n", "has no section"),
    ],
)
def test_a_changelog_that_does_not_fit_is_refused(changelog, said):
    with pytest.raises(SystemExit, match=said):
        notes_of("1.2.0", changelog)


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs sha256sum")
def test_the_checksums_are_those_that_sha256sum_checks(tmp_path):
    files = [tmp_path / name for name in ("b.whl", "a.tar.gz")]
    for file in files:
        file.write_text(file.name)
    (tmp_path / "SHA256SUMS").write_text(checksums(files))
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tmp_path, check=True, capture_output=True)


def test_a_tag_that_is_not_there_and_a_folder_that_is_used_are_refused(tmp_path):
    with pytest.raises(SystemExit, match=r"there is no such tag|not a git repository"):
        release("v999.0.0", tmp_path / "new")
    (tmp_path / "old.whl").write_text("")
    with pytest.raises(SystemExit, match="is not empty"):
        release("v999.0.0", tmp_path)
