"""Files are written all or none, and never half."""

import os
import stat
import tempfile
from pathlib import Path

import pytest
from not_root import without_root

from hedgerow import InvalidParameterError
from hedgerow._support.output_files import OutputFiles


@pytest.fixture
def open_folder():
    """A folder that everybody can reach and write to."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


def test_all_files_appear_when_all_is_done(tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b.bin"]
    with OutputFiles(paths) as outputs:
        outputs.write(paths[0], "größer\n")
        outputs.write(paths[1], b"\x00\x01")
        assert not any(path.exists() for path in paths)
    assert paths[0].read_bytes() == "größer\n".encode()
    assert paths[1].read_bytes() == b"\x00\x01"
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "b.bin"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_nothing_is_left_of_work_that_fails(tmp_path, error):
    old = tmp_path / "old.txt"
    old.write_text("before")

    def fail():
        with OutputFiles([old, tmp_path / "new.txt"]) as outputs:
            outputs.write(old, "after")
            raise error

    with pytest.raises(error):
        fail()
    assert old.read_text() == "before"
    assert os.listdir(tmp_path) == ["old.txt"]


def test_a_disk_that_is_full_leaves_the_old_files(tmp_path, monkeypatch):
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("before")

    def write_bytes(path, content):
        if b"second" in content:
            raise OSError(28, "No space left on device")
        with path.open("wb") as file:
            file.write(content)

    monkeypatch.setattr("pathlib.Path.write_bytes", write_bytes)
    outputs = OutputFiles([first, second]).__enter__()
    outputs.write(first, "first")
    outputs.write(second, "second")
    with pytest.raises(OSError, match="No space"):
        outputs.__exit__(None, None, None)
    assert first.read_text() == "before"
    assert os.listdir(tmp_path) == ["first"]


@pytest.mark.parametrize("place", ["missing/out.txt", "file/out.txt", "folder", "locked/out.txt", "locked.txt"])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(open_folder, place):
    tmp_path = open_folder
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "locked").mkdir(mode=0o555)
    (tmp_path / "locked.txt").write_text("mine")
    (tmp_path / "locked.txt").chmod(0o444)
    good = tmp_path / "good.txt"
    with without_root(), pytest.raises(InvalidParameterError, match=place), OutputFiles([good, tmp_path / place]):
        pytest.fail("the work has begun")
    assert not good.exists()
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_what_is_read_is_not_replaced_and_no_file_is_named_twice(tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("a\n1\n")
    link = tmp_path / "link.csv"
    link.symlink_to(data)
    with pytest.raises(InvalidParameterError, match="is read by"), OutputFiles([link], sources=[data]):
        pass
    with pytest.raises(InvalidParameterError, match="two outputs"), OutputFiles([tmp_path / "x", tmp_path / "./x"]):
        pass
    assert data.read_text() == "a\n1\n"


def test_permissions_and_links_stay(tmp_path):
    old, link = tmp_path / "old.txt", tmp_path / "link.txt"
    old.write_text("before")
    old.chmod(0o640)
    link.symlink_to(old)
    new = tmp_path / "new.txt"
    mask = os.umask(0o027)
    try:
        with OutputFiles([link, new]) as outputs:
            outputs.write(link, "after")
            outputs.write(new, "new")
    finally:
        os.umask(mask)
    assert link.is_symlink()
    assert old.read_text() == "after"
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


def test_a_device_is_written_to():
    with OutputFiles([Path("/dev/null")]) as outputs:
        outputs.write(Path("/dev/null"), "gone")
    assert not Path("/dev/null").is_file()
