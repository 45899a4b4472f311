"""What is built is complete and small."""

import zipfile

import pytest

from tools.try_build import MOST_BYTES, ROOT, check_wheel

PACKAGE = ROOT / "src" / "hedgerow"


@pytest.fixture
def source(tmp_path):
    (tmp_path / "src" / "hedgerow" / "__pycache__").mkdir(parents=True)
    (tmp_path / "src" / "hedgerow" / "__init__.py").write_text("")
    (tmp_path / "src" / "hedgerow" / "report.html").write_text("<p>")
    (tmp_path / "src" / "hedgerow" / "__pycache__" / "x.pyc").write_text("")
    return tmp_path


def wheel(folder, files):
    with zipfile.ZipFile(folder / "hedgerow-1.0.0-py3-none-any.whl", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return folder / "hedgerow-1.0.0-py3-none-any.whl"


WHOLE = {"hedgerow/__init__.py": "", "hedgerow/report.html": "<p>", "hedgerow-1.0.0.dist-info/METADATA": ""}


def test_a_wheel_with_the_files_of_the_package_passes(source):
    made = wheel(source, WHOLE)
    assert check_wheel(made, source) == made.stat().st_size


def test_a_wheel_that_lacks_a_template_or_has_more_does_not(source):
    less = {name: text for name, text in WHOLE.items() if not name.endswith("html")}
    with pytest.raises(SystemExit, match=r"lacks \['hedgerow/report.html'\] and has \[\]"):
        check_wheel(wheel(source, less), source)
    with pytest.raises(SystemExit, match=r"lacks \[\] and has \['hedgerow/notes.txt'\]"):
        check_wheel(wheel(source, WHOLE | {"hedgerow/notes.txt": ""}), source)


def test_a_wheel_that_is_too_large_does_not(source):
    (source / "src" / "hedgerow" / "data.bin").write_text("")
    with pytest.raises(SystemExit, match="at most 1,000,000 are allowed"):
        check_wheel(wheel(source, WHOLE | {"hedgerow/data.bin": "x" * MOST_BYTES}), source)


def test_the_package_fits_into_a_small_wheel(tmp_path):
    with zipfile.ZipFile(tmp_path / "package.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in PACKAGE.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, path.relative_to(PACKAGE))
    assert (tmp_path / "package.zip").stat().st_size < MOST_BYTES
