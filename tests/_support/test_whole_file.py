"""A file is written whole or not at all, and errors name the file that was asked for."""

import os
import stat

import pytest

from hedgerow._support.whole_file import write_whole


def test_a_new_file_and_one_that_is_replaced(tmp_path):
    path = tmp_path / "größe.txt"
    write_whole(path, "one ✓\n")
    assert path.read_bytes() == "one ✓\n".encode()
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    write_whole(str(path), "two")
    assert path.read_text() == "two"
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
    with pytest.raises(IsADirectoryError, match="Is a directory"):
        write_whole(tmp_path, "text")


def test_a_device_is_written_to():
    write_whole(os.devnull, "text")
    assert not os.path.isfile(os.devnull)
