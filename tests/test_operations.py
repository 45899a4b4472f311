"""What services and batch jobs do to a library: threads, odd arrays, optimized Python, full disks, and many fits."""

import gc
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine

from hedgerow import RuleListClassifier, RuleListRegressor

X, Y = load_wine(return_X_y=True)
QUICK = {"max_rules": 4, "random_state": 0}


@pytest.fixture(scope="module")
def rules():
    return RuleListClassifier(**QUICK).fit(X, Y)


def test_eight_threads_predict_what_one_does(rules):
    expected, shares, said = rules.predict(X), rules.predict_proba(X), rules.explain(X)
    with ThreadPoolExecutor(8) as threads:
        answers = [
            threads.submit(lambda start=start: (rules.predict(X[start:]), rules.predict_proba(X), rules.explain(X)))
            for start in range(40)
        ]
    for start, answer in enumerate(answers):
        predicted, of_classes, sentences = answer.result()
        assert_array_equal(predicted, expected[start:])
        assert_array_equal(of_classes, shares)
        assert list(sentences) == list(said)


def test_fits_in_four_threads_give_the_lists_of_fits_one_after_the_other():
    estimators = [RuleListClassifier(max_rules=budget, random_state=seed) for budget in (3, 5) for seed in (0, 1)]
    expected = [clone(estimator).fit(X, Y).rule_list_ for estimator in estimators]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda estimator: estimator.fit(X, Y).rule_list_, estimators))
    assert [str(one) for one in found] == [str(one) for one in expected]


def read_only(array):
    array = array.copy()
    array.setflags(write=False)
    return array


LAYOUTS = {
    "read-only": read_only,
    "by columns": np.asfortranarray,
    "every second of twice as many rows": lambda array: np.repeat(array, 2, axis=0)[::2],
    "backwards twice": lambda array: array[::-1].copy()[::-1],
    "part of a wider table": lambda array: np.column_stack([array, array])[:, : array.shape[1]],
    "other byte order": lambda array: array.astype(array.dtype.newbyteorder()),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_how_an_array_lies_in_memory_changes_nothing(layout, rules):
    odd, y = LAYOUTS[layout](X), read_only(Y)
    before = odd.copy()
    other = RuleListClassifier(**QUICK).fit(odd, y)
    assert str(other.rule_list_) == str(rules.rule_list_)
    assert_array_equal(other.predict(odd), rules.predict(X))
    assert_array_equal(rules.apply(odd), rules.apply(X))
    assert_array_equal(odd, before)


PROGRAM = """
from sklearn.datasets import load_wine
from hedgerow import RuleListClassifier
from hedgerow.evidence import check
X, y = load_wine(return_X_y=True)
rules = RuleListClassifier(max_rules=4, random_state=0).fit(X, y)
print(rules.rule_list_)
print(check(rules.to_json(certificate=True), X, y).proven)
"""


@pytest.mark.parametrize("options", [["-O"], ["-OO"], ["-W", "error"], ["-X", "dev", "-W", "error"]], ids=" ".join)
def test_the_list_is_the_same_in_optimized_python_and_with_warnings_as_errors(options, rules):
    ran = subprocess.run([sys.executable, *options, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == f"{rules.rule_list_}\nTrue\n"


WRITE = """
import resource, signal, sys
from hedgerow.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write beyond the limit then fails, as on a full disk
resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def saved(rules, tmp_path):
    (tmp_path / "rules.json").write_text(rules.to_json())
    header = ",".join(f"x{k}" for k in range(X.shape[1]))
    np.savetxt(tmp_path / "table.csv", X, delimiter=",", header=header, comments="")
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="limits on the size of files are POSIX")
@pytest.mark.parametrize(
    "call",
    [
        ["predict", "rules.json", "table.csv", "--explain", "--output", "out.csv"],
        ["export", "rules.json", "--to", "sql", "--output", "out.csv"],
    ],
    ids=lambda call: call[0],
)
def test_a_disk_that_is_full_is_an_error_in_a_line_and_the_old_file_stays(call, saved):
    (saved / "out.csv").write_text("as before")
    ran = subprocess.run([sys.executable, "-c", WRITE, *call], cwd=saved, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].startswith("hedgerow: error: out.csv: File too large")
    assert "Traceback" not in ran.stderr
    assert (saved / "out.csv").read_text() == "as before"
    assert {path.name for path in saved.iterdir()} == {"rules.json", "table.csv", "out.csv"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_standard_output_on_a_full_disk_is_an_error_in_a_line(saved):
    program = "import sys; from hedgerow.cli import main; sys.exit(main(sys.argv[1:]))"
    call = [sys.executable, "-c", program, "predict", "rules.json", "table.csv"]
    with open("/dev/full", "w") as full:
        ran = subprocess.run(call, cwd=saved, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode != 0
    assert "No space left on device" in ran.stderr


def held():
    """The mebibytes that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
@pytest.mark.parametrize("kind", [RuleListClassifier, RuleListRegressor])
def test_500_fits_hold_no_more_memory_than_100(kind):
    samples = (X, Y) if kind is RuleListClassifier else load_diabetes(return_X_y=True)
    forest = kind(max_rules=3, random_state=0, candidates="nodes").fit(*samples).forest_

    def fit(times):
        for _ in range(times):
            kind(forest, max_rules=3, candidates="nodes").fit(*samples).predict(samples[0])
        gc.collect()
        return held()

    before = fit(100)
    assert fit(400) - before < 10
