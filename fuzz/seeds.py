"""Valid files to start from, small, made by the libraries themselves."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def write_seeds(name: str, folder: Path) -> None:
    """Write the valid files of a parser into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i, content in enumerate(_SEEDS[name]()):
            data = content.encode() if isinstance(content, str) else bytes(content)
            (folder / f"{i}.seed").write_bytes(data)


def _data(n_classes: int = 2) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)).round(2)
    X[:, 2] = rng.integers(0, 4, 60)
    score = X[:, 0] + (X[:, 2] == 1) - X[:, 1] ** 2
    return X, np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))


def _frame() -> tuple[Any, Any]:
    import pandas as pd

    X, y = _data()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["c"] = pd.Categorical(np.array(["red", "green", "blue", "grey"])[X[:, 2].astype(int)])
    return frame, y


def _forests() -> list[str]:
    from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingClassifier, RandomForestClassifier

    from hedgerow import read_forest

    X, y = _data(3)
    models = [
        RandomForestClassifier(2, max_depth=2, random_state=0).fit(X, np.array(["u", "v", "w"])[y]),
        GradientBoostingRegressor(n_estimators=2, max_depth=2, random_state=0).fit(X, X[:, 0]),
        HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=4, categorical_features=[2]).fit(*_frame()),
    ]
    union = [RandomForestClassifier(1, max_depth=1, random_state=i).fit(X, y) for i in (0, 1)]
    return [read_forest(model).to_json() for model in (*models, union)]


def _rule_lists() -> list[str]:
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor

    from hedgerow import RuleListClassifier, RuleListRegressor

    X, y = _data(3)
    forest = RandomForestClassifier(3, max_depth=2, random_state=0)
    categories = HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=4, categorical_features=[2])
    fits = [
        RuleListClassifier(forest, max_rules=3, uncovered="ensemble").fit(X, np.array(["u", "v", "w"])[y]),
        RuleListClassifier(categories, max_rules=3).fit(*_frame()),
        RuleListRegressor(RandomForestRegressor(3, max_depth=2, random_state=0), max_rules=3).fit(X, X[:, 0]),
    ]
    return [fit.rule_list_.to_json() for fit in fits]


def _lightgbm() -> list[str]:
    from lightgbm import LGBMClassifier, LGBMRegressor

    small: dict[str, Any] = {"n_estimators": 2, "num_leaves": 4, "min_child_samples": 3, "verbose": -1, "n_jobs": 1}
    fits = [
        LGBMClassifier(**small).fit(*_data(3)),
        LGBMClassifier(**small, min_data_per_group=1, cat_smooth=0).fit(*_frame()),
        LGBMRegressor(**small, zero_as_missing=True).fit(*_data()),
    ]
    return [fit.booster_.model_to_string() for fit in fits]


def _xgboost(form: str) -> list[bytes]:
    from xgboost import XGBClassifier, XGBRegressor

    small: dict[str, Any] = {"n_estimators": 2, "max_depth": 2, "n_jobs": 1}
    fits = [
        XGBClassifier(**small).fit(*_data(3)),
        XGBClassifier(**small, enable_categorical=True, max_cat_to_onehot=1).fit(*_frame()),
        XGBRegressor(**small, booster="dart").fit(*_data()),
    ]
    return [bytes(fit.get_booster().save_raw(form)) for fit in fits]


def _catboost() -> list[bytes]:
    from tempfile import TemporaryDirectory

    from catboost import CatBoostClassifier, CatBoostRegressor

    small: dict[str, Any] = {"iterations": 2, "depth": 2, "verbose": 0, "thread_count": 1, "allow_writing_files": False}
    frame, y = _frame()
    frame["c"] = frame["c"].astype(str)
    fits = [
        CatBoostClassifier(**small).fit(*_data(3)),
        CatBoostClassifier(**small, one_hot_max_size=10).fit(frame, y, cat_features=["c"]),
        CatBoostRegressor(**small, grow_policy="Depthwise").fit(*_data()),
    ]
    contents = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        for fit in fits:
            fit.save_model(str(path), format="json")
            contents.append(path.read_bytes())
    return contents


def _tables() -> list[str]:
    return [
        'a,b,c\n1,2.5,red\n2,,blue\n3,1e5,"gr,ey"\n4,-0.25,NA\n',
        "id;Betrag;Datum\n1;1.234,50;2021-03-01\n2;17,00;2020-12-31\n3;0,5;\n",
        'name\tpaid\tshare\nJo\tTrue\t50 %\nAl\tFalse\t7 %\n"Q""t"\t?\t\n',
        'code,when,much\n007,01/02/2020,$1,000\n010,31/12/2021,"$2,500"\n'.replace("$1,000", '"$1,000"'),
        "n\n9007199254740993\n18446744073709551615\ninf\n-0.0\n",
    ]


_SEEDS: dict[str, Callable[[], Any]] = {
    "forest_json": _forests,
    "rule_list_json": _rule_lists,
    "lightgbm_text": _lightgbm,
    "xgboost_json": lambda: _xgboost("json"),
    "xgboost_ubjson": lambda: _xgboost("ubj"),
    "catboost_json": _catboost,
    "csv": _tables,
}
