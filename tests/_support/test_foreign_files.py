"""Files from elsewhere are read or refused, and pickles are known by their bytes."""

import gzip
import pickle

import pytest

from hedgerow import InvalidDataError, UnsupportedModelError
from hedgerow._support.foreign_files import read_bytes, refuse_pickle


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_of_any_protocol_is_refused(tmp_path, protocol):
    with pytest.raises(UnsupportedModelError, match=r"rules.json is a pickle, not a list: .* Give another file\."):
        refuse_pickle("rules.json", pickle.dumps({"a": 1}, protocol=protocol), "a list", "Give another file.")


def test_a_compressed_pickle_is_refused():
    with pytest.raises(UnsupportedModelError, match="is a pickle"):
        refuse_pickle("rules.json", gzip.compress(pickle.dumps([1])), "a list", "")


@pytest.mark.parametrize("content", [b"", b"{}", b'{"format": "hedgerow.rule_list"}', b"a,b\n1,2\n"])
def test_text_is_not_a_pickle(content):
    refuse_pickle("rules.json", content, "a list", "")


def test_a_file_is_read_or_the_error_names_it(tmp_path):
    (tmp_path / "rules.json").write_bytes(b"{}")
    assert read_bytes(tmp_path / "rules.json") == b"{}"
    with pytest.raises(InvalidDataError, match=r"other.json: No such file or directory\."):
        read_bytes(tmp_path / "other.json")
    with pytest.raises(InvalidDataError, match="is a folder"):
        read_bytes(tmp_path)
