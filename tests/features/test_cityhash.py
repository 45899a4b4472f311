"""Hashes of strings are those of CityHash64, in the version that CatBoost uses."""

import re

import numpy as np
import pandas as pd
import pytest
from catboost import CatBoostClassifier, Pool

from hedgerow.features.cityhash import city_hash


def test_the_empty_string_has_the_hash_that_is_published():
    assert city_hash(b"") == 0x9AE16A3B2F90404F


@pytest.mark.parametrize("size", [1, 3, 4, 8, 9, 16, 17, 32, 33, 64, 65, 200])
def test_every_byte_counts(size):
    data = bytes(range(size))
    hashes = {city_hash(data[:i] + b"\xff" + data[i + 1 :]) for i in range(size)} | {city_hash(data)}
    assert len(hashes) == size + 1
    assert max(hashes) < 2**64


def test_catboost_writes_the_same_hashes(tmp_path):
    lengths = (1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129)
    texts = ["".join(chr(97 + (7 * i + n) % 26) for i in range(n)) for n in lengths]
    pool = Pool(pd.DataFrame({"c": texts}), np.arange(len(texts)) % 2, cat_features=["c"])
    model = CatBoostClassifier(iterations=1, one_hot_max_size=100, verbose=0, allow_writing_files=False).fit(pool)
    model.save_model(str(tmp_path / "model.py"), format="python", pool=pool)
    listed = re.findall(r'^    "([a-z]+)": (-?\d+),$', (tmp_path / "model.py").read_text(encoding="utf-8"), re.M)
    assert sorted(text for text, _ in listed) == sorted(texts)
    for text, written in listed:
        assert city_hash(text.encode()) % 2**32 == int(written) % 2**32
