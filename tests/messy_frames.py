"""Random data frames of strings, numbers, dates and missing values of all kinds, and new rows that differ."""

import numpy as np
import pandas as pd

MISSING = [None, np.nan, pd.NA]


def messy(seed, n=150, new=False):
    """Return a frame; with ``new``, one with unseen categories, other blanks and cells that are not numbers."""
    rng = np.random.default_rng([seed, new])
    odd = ["mauve", " red", "red ", "", "12", "NA"] if new else []
    frame = pd.DataFrame(
        {
            "color": _with(rng, rng.choice(["red", "blue", "it's green", "black", *odd], n), MISSING),
            "size": rng.normal(40, 10, n).round(1),
            "price": _with(rng, [_price(x) for x in rng.gamma(2, 500, n)], [None, "n/a", *(["?", "12", " 7,5"] * new)]),
            "rooms": pd.array(_with(rng, rng.integers(1, 6, n), [pd.NA]), dtype="Int64"),
            "balcony": rng.random(n) < 0.5,
            "garden": pd.array(_with(rng, rng.random(n) < 0.5, [pd.NA]), dtype="boolean"),
            "heating": pd.Categorical(rng.choice(["gas", "wood", *(["coal"] * new)], n)),
            "floor": pd.Categorical(rng.choice([0, 1, 2, *([3] * new)], n)),
            "built": _with(rng, [_day(x) for x in rng.integers(0, 4000, n)], [None, *(["soon", "2014-12-31"] * new)]),
            "seen": pd.Timestamp("2020-01-01 09:30") + pd.to_timedelta(rng.integers(0, 9000, n), unit="h"),
            "zip": rng.choice(["00701", "02139", "10115"], n),
        }
    )
    frame.loc[rng.random(n) < 0.1, "size"] = np.nan
    frame.loc[rng.random(n) < 0.1, "seen"] = pd.NaT
    frame.loc[rng.random(n) < 0.1, "heating"] = np.nan
    return frame


def labels(frame, seed=0):
    """Return labels that follow from most of the columns."""
    rng = np.random.default_rng(seed)
    said = (frame["color"] == "red").fillna(False).astype(int) + (frame["size"] > 45) + frame["balcony"]
    said += frame["built"].astype(str).str.contains("/0[1-4]/") + (frame["seen"].dt.dayofweek > 4)
    said += frame["price"].astype(str).str.len() < 8
    return np.where(said + rng.integers(0, 2, len(frame)) > 2, "yes", "no")


def _price(x):
    return f"{x:,.2f} €".translate(str.maketrans(",.", ".,"))


def _day(x):
    return (pd.Timestamp("2010-01-01") + pd.Timedelta(days=int(x))).strftime("%d/%m/%Y")


def _with(rng, values, others):
    """Return the values, some of them replaced by others."""
    values = [value.item() if hasattr(value, "item") else value for value in values]
    return pd.Series(
        [others[rng.integers(len(others))] if rng.random() < 0.1 else value for value in values], dtype=object
    )
