"""Files are written completely or not at all, and errors name the file that was asked for."""

import os
import stat
from pathlib import Path

import pytest

from hedgerow._support.whole_file import WholeFiles, write_whole


def test_a_new_file_and_one_that_is_replaced(tmp_path):
    path = tmp_path / "größe.txt"
    write_whole(path, "one ✓\n")
    assert path.read_bytes() == "one ✓\n".encode()
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    write_whole(str(path), b"\x00\x01")
    assert path.read_bytes() == b"\x00\x01"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["größe.txt", "plain"]


def test_a_link_stays_a_link(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("old")
    link.symlink_to(path)
    write_whole(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"


def test_what_cannot_be_written_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device", "another name")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*/file'"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_errors_name_the_file_that_was_asked_for(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"No such file or directory: '.*/nowhere/file'"):
        write_whole(tmp_path / "nowhere" / "file", "text")
    with pytest.raises(IsADirectoryError, match=f"Is a directory: '{tmp_path}'"):
        write_whole(tmp_path, "text")


def test_a_device_is_written_to():
    write_whole(os.devnull, "text")
    assert not os.path.isfile(os.devnull)


def test_several_files_appear_only_at_the_end(tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b.bin"]
    with WholeFiles(paths) as files:
        files.write(paths[0], "größer\n")
        files.write(paths[1], b"\x00\x01")
        assert not any(path.exists() for path in paths)
    assert paths[0].read_bytes() == "größer\n".encode()
    assert paths[1].read_bytes() == b"\x00\x01"
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "b.bin"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_nothing_is_left_of_work_that_fails(tmp_path, error):
    old = tmp_path / "old.txt"
    old.write_text("before")

    def fail():
        with WholeFiles([old, tmp_path / "new.txt"]) as files:
            files.write(old, "after")
            raise error

    with pytest.raises(error):
        fail()
    assert old.read_text() == "before"
    assert os.listdir(tmp_path) == ["old.txt"]


def test_a_disk_that_is_full_leaves_all_the_old_files(tmp_path, monkeypatch):
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("before")

    def write_bytes(path, content):
        if b"second" in content:
            raise OSError(28, "No space left on device")
        with path.open("wb") as file:
            file.write(content)

    monkeypatch.setattr("pathlib.Path.write_bytes", write_bytes)
    files = WholeFiles([first, second]).__enter__()
    files.write(first, "first")
    files.write(second, "second")
    with pytest.raises(OSError, match=r"No space left on device: '.*/second'"):
        files.__exit__(None, None, None)
    assert first.read_text() == "before"
    assert os.listdir(tmp_path) == ["first"]


def test_new_files_get_the_usual_permissions_and_old_ones_keep_theirs(tmp_path):
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("before")
    old.chmod(0o600)
    mask = os.umask(0o027)
    try:
        with WholeFiles([old, new]) as files:
            files.write(old, "after")
            files.write(new, "new")
    finally:
        os.umask(mask)
    assert old.read_text() == "after"
    assert stat.S_IMODE(old.stat().st_mode) == 0o600
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


def test_a_file_that_is_prepared_and_not_written_does_not_appear(tmp_path):
    with WholeFiles([tmp_path / "never"]):
        pass
    assert os.listdir(tmp_path) == []
    with WholeFiles([Path(os.devnull)]) as files:
        files.write(Path(os.devnull), "gone")
