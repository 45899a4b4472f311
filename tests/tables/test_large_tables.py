"""Large tables: some rows are drawn, and all others are read in chunks."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

from hedgerow import RuleListClassifier, RuleListRegressor, read_forest
from hedgerow.candidates.ensembles import fit_clone
from hedgerow.exceptions import HedgerowError
from hedgerow.tables import large_tables
from hedgerow.tables.encoder import encoded
from hedgerow.tables.files import read_table
from hedgerow.tables.large_tables import read_in_chunks
from hedgerow.tables.samples import Source


def messy(n=900, seed=0):
    """Numbers, integers with gaps, strings, categories, booleans with gaps, dates; the last rows have a class alone."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "nr": np.arange(n),
            "age": rng.integers(0, 90, n).astype(float),
            "count": pd.array(rng.integers(0, 50, n), dtype="Int64"),
            "color": rng.choice(["red", "blue", "green"], n),
            "kind": pd.Categorical(rng.choice(["a", "b"], n)),
            "flag": pd.array(rng.random(n) > 0.5, dtype="boolean"),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
        }
    )
    y = np.where((frame["color"] == "red") & (frame["age"] < 45) | (rng.random(n) < 0.05), "yes", "no").astype(object)
    frame.loc[rng.random(n) < 0.1, "age"] = np.nan
    frame.loc[n - 20 :, "count"] = pd.NA
    frame.loc[::9, ["color", "flag"]] = None
    y[rng.random(n) < 0.02] = None
    y[n - 1] = "maybe"
    return frame.assign(says=y, price=frame["age"].fillna(3) * 2 + rng.normal(size=n), w=rng.integers(0, 3, n))


def written(folder, frame, n_files=3, row_group_size=100):
    """Write the rows of a table to some files."""
    folder.mkdir(exist_ok=True)
    for k, rows in enumerate(np.array_split(np.arange(len(frame)), n_files)):
        frame.iloc[rows].to_parquet(folder / f"part-{k}.parquet", row_group_size=row_group_size)
    return folder


@pytest.fixture
def small(monkeypatch):
    """Few rows are drawn, chunks are small, and few values are many."""
    monkeypatch.setattr(large_tables, "MOST_ROWS", 200)
    monkeypatch.setattr(large_tables, "_LEAST_ROWS", 70)
    monkeypatch.setattr(large_tables, "_CHUNK_VALUES", 10)


@pytest.mark.parametrize("target", ["says", "price"])
@pytest.mark.parametrize("dates", [False, True])
def test_a_list_from_chunks_is_that_of_all_rows_that_are_not_held_out(tmp_path, small, target, dates):
    frame = messy()
    source = Source(
        written(tmp_path / "rows", frame), target, "w", ["says" if target == "price" else "price"], dates=dates
    )
    samples = read_in_chunks(source)
    kind = RuleListClassifier if target == "says" else RuleListRegressor
    forest = fit_clone(
        encoded(kind.task_kind.forest(10, max_depth=4, random_state=0), samples.X), samples.X, samples.y, None
    )
    streamed = kind(forest, max_rules=5, candidates="nodes").fit(samples.rows)
    # All rows, as if they had been read into memory, without those that were held out.
    frame.to_parquet(tmp_path / "all.parquet")
    table = read_table(tmp_path / "all.parquet").frame
    held_out = samples.rows.held_out
    rest = np.setdiff1d(np.flatnonzero(table[target].notna()), held_out)
    rows = table.iloc[rest].reset_index(drop=True)
    in_memory = kind(forest, max_rules=5, candidates="nodes").fit(
        rows[list(samples.X)], rows[target].to_numpy(), rows["w"].to_numpy()
    )
    assert streamed.rule_list_.rules == in_memory.rule_list_.rules
    assert streamed.solution_.objective == in_memory.solution_.objective
    assert len(held_out) == pytest.approx(200, abs=3)
    assert samples.rows.n_rows == len(rest)
    assert sorted(samples.y_test) == sorted(table[target].iloc[held_out].dropna())


def test_the_rows_that_are_drawn_depend_on_the_seed_alone(tmp_path, small, monkeypatch):
    frame = messy()
    found = []
    for n_files, size, seed in ((3, 100, 0), (1, 37, 0), (1, 37, 1)):
        monkeypatch.setattr(large_tables, "_LEAST_ROWS", 60 + size)
        source = Source(written(tmp_path / f"{n_files}-{seed}", frame, n_files, size), "price", seed=seed)
        samples = read_in_chunks(source)
        found.append((samples.X["age"].tolist(), samples.rows.held_out.tolist()))
    np.testing.assert_equal(found[0], found[1])
    assert found[1] != found[2]


def test_every_class_is_known_and_counted_wherever_it_occurs(tmp_path, small):
    samples = read_in_chunks(Source(written(tmp_path / "rows", messy()), "says", drop=["price", "w"]))
    assert set(samples.y) == {"yes", "no", "maybe"}
    texts = [note.text for note in samples.notes]
    counts = messy()["says"].value_counts()
    assert any(f"no ({counts['no']} rows), yes ({counts['yes']} rows), maybe (1 row)" in text for text in texts)
    assert any(f"{messy()['says'].isna().sum()} of 900 rows have no target" in text for text in texts)
    assert "a single row has the target maybe" in samples.warnings[0].text


def test_columns_are_judged_as_in_memory(tmp_path, small):
    samples = read_in_chunks(Source(written(tmp_path / "rows", messy()), "says", drop=["price", "w"]))
    assert list(samples.X) == ["age", "count", "color", "kind", "flag"]
    assert samples.summary.left_out["nr"] == "it looks like a row number"
    assert "dates" in samples.summary.left_out["day"]


def test_blanks_and_marks_for_missing_labels_are_tidied_in_every_chunk(tmp_path, small):
    frame = messy().drop(columns=["price", "w"])
    frame["says"] = frame["says"].where(frame.index % 2 == 0, frame["says"] + " ").fillna("NA")
    samples = read_in_chunks(Source(written(tmp_path / "rows", frame), "says"))
    forest = fit_clone(encoded(RandomForestClassifier(5, max_depth=3), samples.X), samples.X, samples.y, None)
    rules = RuleListClassifier(forest, max_rules=3, candidates="nodes").fit(samples.rows)
    assert rules.classes_.tolist() == ["maybe", "no", "yes"]
    assert rules.rule_list_.n_samples == samples.rows.n_rows


def test_a_trained_model_determines_the_columns(tmp_path, small):
    frame = messy().assign(count=lambda table: table["count"].astype(float))
    known = frame.dropna(subset=["says"])
    model = RandomForestClassifier(10, max_depth=3, random_state=0).fit(known[["count", "age"]], known["says"])
    samples = read_in_chunks(Source(written(tmp_path / "rows", frame), "says"), read_forest(model))
    streamed = RuleListClassifier(model, max_rules=4).fit(samples.rows)
    rest = known.drop(index=samples.rows.held_out, errors="ignore")
    in_memory = RuleListClassifier(model, max_rules=4).fit(rest[["count", "age"]], rest["says"].to_numpy())
    assert streamed.rule_list_.rules == in_memory.rule_list_.rules


def test_no_rows_are_held_out_if_none_are_wanted(tmp_path, small):
    samples = read_in_chunks(Source(written(tmp_path / "rows", messy()), "price", test_size=0.0))
    assert samples.X_test is None
    assert samples.rows.n_rows == 900


@pytest.mark.parametrize(
    ("target", "change", "said"),
    [
        ("sais", {}, "no column 'sais'. Did you mean 'says'"),
        ("says", {"says": "yes"}, "Every row has the same target"),
        ("says", {"says": None}, "target column 'says' is empty"),
        ("price", {"price": np.inf}, "finite number"),
    ],
)
def test_targets_that_cannot_be_learned_are_refused(tmp_path, small, target, change, said):
    folder = written(tmp_path / "rows", messy().assign(**change))
    with pytest.raises(HedgerowError, match=said):
        read_in_chunks(Source(folder, target))


def test_a_target_of_many_strings_has_no_classes(tmp_path, small, monkeypatch):
    monkeypatch.setattr(large_tables, "_MOST_CLASSES", 50)
    folder = written(tmp_path / "rows", messy().assign(says=[f"name {i % 90}" for i in range(900)]))
    with pytest.raises(HedgerowError, match="more than 50 distinct values, too many for classes"):
        read_in_chunks(Source(folder, "says"))


def test_a_target_that_one_file_lacks_is_refused_with_its_name(tmp_path, small):
    folder = written(tmp_path / "rows", messy())
    messy(20).drop(columns="says").to_parquet(folder / "part-9.parquet")
    with pytest.raises(HedgerowError, match=r"part-9\.parquet has no column 'says'"):
        read_in_chunks(Source(folder, "says"))
