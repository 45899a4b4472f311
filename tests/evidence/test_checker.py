"""The checker confirms proofs of all kinds, and refuses lists, proofs and rows that were tampered with."""

import ast
import copy
import csv
import json
import math
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from certified_lists import BY_NAME, certified
from small_data import IRIS, unfitted_forest

from hedgerow import RuleListClassifier
from hedgerow.candidates.coverage import cover
from hedgerow.candidates.pool import make_pool
from hedgerow.candidates.scores import combine_scores
from hedgerow.evidence import check, checker
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import inputs_from_record
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree
from hedgerow.losses import CostMatrix, gini, log_loss, mse, sse
from hedgerow.optimize.problem import LinearRows, PartitionProblem, stack_rows
from hedgerow.optimize.solvers import Exhaustive
from hedgerow.rules.solution import Solution
from hedgerow.smoothing import ShrinkAlongPath, ShrinkToDefault
from hedgerow.stabilities import dice

SCRIPT = Path(checker.__file__)


@cache
def case_of(name, seed):
    return certified(BY_NAME[name], seed)


# What is true is confirmed


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", BY_NAME)
def test_it_confirms_the_proofs_of_all_kinds_of_lists(name, seed):
    case = case_of(name, seed)
    verdict = check(case.text, *case.rows)
    assert verdict, verdict.text
    assert verdict.text.startswith(f"proven: no list of the {len(case.rules.scores_.total)} candidates") or (
        "constrained" in name
    )


def test_some_of_these_proofs_need_every_kind_of_step():
    certificates = [case_of(name, seed).document["certificate"] for name in BY_NAME for seed in range(3)]
    steps = {step["do"] for certificate in certificates for step in certificate["steps"]}
    assert steps == {"drop", "branch", "close", "contradict"}
    assert any(certificate["rows"] for certificate in certificates)
    assert any(certificate["excluded"] for certificate in certificates)


@pytest.mark.parametrize(
    ("name", "stated"),
    [
        ("labels", ""),
        ("taught", ", what rules predict, the targets and rows of a teacher"),
        ("of_ensemble", ", the targets and rows of a teacher"),
        ("constrained_numbers", ", 4 candidates ruled out, 1 constraints, the texts of constraints"),
    ],
)
def test_it_says_what_it_has_not_computed_again(name, stated):
    case = case_of(name, 0)
    assert check(case.text, *case.rows).text.endswith(f"taken as stated: texts, spreads, the default{stated}")


# A script of its own


def test_it_is_a_short_script_that_imports_the_standard_library_alone():
    text = SCRIPT.read_text()
    assert len(text.splitlines()) < 200
    nodes = list(ast.walk(ast.parse(text)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert names <= set(sys.stdlib_module_names)
    assert "hedgerow" not in text.replace("without hedgerow", "")


def run_script(folder, case, document=None, rows=None):
    table = case.X if hasattr(case.X, "columns") else None
    rows = (
        [list(row) for row in (np.asarray(case.X) if table is None else table.to_numpy()).tolist()]
        if rows is None
        else rows
    )
    names = [f"x{i}" for i in range(len(rows[0]))] if table is None else list(table.columns)
    weight = np.ones(len(case.y)) if case.weight is None else case.weight
    with (folder / "rows.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "target", "heavy"])
        writer.writerows([*row, y, w] for row, y, w in zip(rows, np.asarray(case.y).tolist(), weight, strict=True))
    (folder / "rules.json").write_text(json.dumps(document or case.document))
    command = [sys.executable, "-S", "-I", SCRIPT, "rules.json", "rows.csv", "--target", "target", "--weight", "heavy"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["labels", "numbers", "weighted", "categories", "with_gaps", "integers", "taught"])
def test_it_runs_without_site_packages_on_a_table_in_a_file(tmp_path, name):
    ran = run_script(tmp_path, case_of(name, 0))
    assert ran.stdout.startswith("proven: "), ran.stderr
    assert ran.returncode == 0


def test_the_script_says_what_is_wrong_and_ends_with_1(tmp_path):
    case = case_of("labels", 0)
    document = case.document
    document["rules"][0]["coverage"] += 1
    ran = run_script(tmp_path, case, document)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "not proven: rule 1 does not cover as many rows as it says\n"


def test_the_script_takes_a_class_that_the_list_does_not_know_for_another_row(tmp_path):
    case = case_of("labels", 0)
    ran = run_script(tmp_path, replace(case, y=["another", *np.asarray(case.y).tolist()[1:]]))
    assert (ran.returncode, ran.stderr) == (1, "not proven: these are not the training rows\n")


# What is wrong is refused: edits of the list


def drop_rule(document):
    del document["rules"][-1]


def swap_rules(document):
    rules = document["rules"]
    rules[0], rules[-1] = rules[-1], rules[0]


def move_threshold(document):
    condition = document["rules"][0]["conditions"][0]
    side = "upper" if "upper" in condition else "lower"
    condition[side] = condition[side] + 0.25


def move_split(document):
    rule = document["rules"][0]
    tree = document["certificate"]["forest"]["trees"][rule["tree"]]
    tree["threshold"][0] += 0.25


def other_column(document):
    rule = document["rules"][0]
    feature = (rule["conditions"][0]["feature"] + 1) % 3
    rule["conditions"][0]["feature"] = feature


def missing_passes(document):
    condition = document["rules"][0]["conditions"][0]
    condition["missing"] = not condition.get("missing", False)


def other_node(document):
    document["rules"][0]["node"] = document["rules"][1]["node"]


def other_prediction(document):
    classes, rule = document["classes"], document["rules"][0]
    rule["prediction"] = (
        rule["prediction"] + 1 if classes is None else next(c for c in classes if c != rule["prediction"])
    )


def other_class_share(document):
    rule = document["rules"][0]
    if document["classes"] is None:  # the prediction is the mean
        rule["prediction"] += 0.01
    else:
        rule["class_share"] = 0.999


def other_coverage(document):
    document["rules"][0]["coverage"] -= 1


def other_share(document):
    document["rules"][0]["share"] += 0.01


def better_objective(document):
    document["solution"]["objective"] += 0.01


def better_bound(document):
    document["solution"]["bound"] -= 1e-6


# ... of the settings


def other_loss(document):
    (part, *_) = document["certificate"]["loss"]
    part["name"] = {"costs": "gini", "mse": "sse"}[part["name"]]


def other_stability_weight(document):
    document["certificate"]["stability_weight"] -= 0.1


def other_cost(document):
    document["certificate"]["loss"][0]["costs"][0][1] *= 3


def other_kind(document):
    document["certificate"]["candidates"] = "leaves"


def other_length(document):
    document["certificate"]["max_conditions"] = 1


def smaller_budget(document):
    document["certificate"]["max_rules"] = len(document["rules"]) - 1


def larger_coverage(document):
    document["certificate"]["min_coverage"] = 0.2


def first_tree_gone(document):
    del document["certificate"]["forest"]["trees"][0]


def last_tree_gone(document):
    del document["certificate"]["forest"]["trees"][-1]


def lighter_tree(document):
    document["certificate"]["forest"]["tree_weights"][document["rules"][0]["tree"]] *= 3


def fewer_candidates(document):
    document["certificate"]["n_candidates"] -= 1


def chosen_rule_ruled_out(document):
    document["certificate"]["excluded"] = list(range(document["certificate"]["n_candidates"]))


# ... of the proof


def multipliers_in(document):
    return [step for step in document["certificate"]["steps"] if "samples" in step]


def no_steps(document):
    document["certificate"]["steps"] = []


def last_step_gone(document):
    del document["certificate"]["steps"][-1]


def step_too_many(document):
    document["certificate"]["steps"] *= 2


def all_drops(document):
    for step in multipliers_in(document):
        step["do"] = "drop"


def all_contradictions(document):
    for step in multipliers_in(document):
        step["do"] = "contradict"


def half_of_the_multipliers(document):
    for step in multipliers_in(document):
        step["total"] /= 2
        step["samples"] = [[i, u / 2] for i, u in step["samples"]]


def no_multipliers_of_samples(document):
    for step in multipliers_in(document):
        step["samples"], step["total"] = [], 0.0


def most_important_multiplier_gone(document):
    for step in multipliers_in(document):
        step["samples"].sort(key=lambda pair: abs(pair[1]))
        step["samples"] = step["samples"][:-1]


def multiplier_of_another_sample(document):
    for step in multipliers_in(document):
        step["samples"] = [[(i + 7) % 50, u] for i, u in step["samples"]]


def reward_for_rules(document):
    for step in multipliers_in(document):
        step["budget"] = -1.0


def infinite_multiplier(document):
    for step in multipliers_in(document):
        step["total"] = -math.inf


def multiplier_that_is_no_number(document):
    for step in multipliers_in(document):
        step["total"] = math.nan


OF_LISTS = (
    drop_rule,
    swap_rules,
    move_threshold,
    move_split,
    other_column,
    missing_passes,
    other_node,
    other_prediction,
    other_class_share,
)
OF_LISTS = (*OF_LISTS, other_coverage, other_share, better_objective, better_bound)
OF_SETTINGS = (other_loss, other_stability_weight, other_kind, other_length, smaller_budget, larger_coverage)
OF_SETTINGS = (*OF_SETTINGS, first_tree_gone, last_tree_gone, lighter_tree, fewer_candidates, chosen_rule_ruled_out)
OF_PROOFS = (no_steps, last_step_gone, step_too_many, all_drops, all_contradictions, half_of_the_multipliers)
OF_PROOFS = (*OF_PROOFS, no_multipliers_of_samples, most_important_multiplier_gone, multiplier_of_another_sample)
OF_PROOFS = (*OF_PROOFS, reward_for_rules, infinite_multiplier, multiplier_that_is_no_number)


@pytest.mark.parametrize("smoothing", [ShrinkToDefault(5.0), ShrinkAlongPath(5.0)])
def test_smoothed_class_shares_are_those_of_the_prediction_which_is_taken_as_stated(smoothing):
    X, y = IRIS
    rules = RuleListClassifier(unfitted_forest(), max_rules=4, smoothing=smoothing).fit(X, y)
    document = json.loads(rules.to_json(certificate=True))
    verdict = check(document, X, y)
    assert verdict, verdict.text
    assert verdict.text.endswith("the default, what rules predict")
    other_class_share(document)
    assert str(check(document, X, y)) == "not proven: rule 1 does not predict what its rows say"


@pytest.mark.parametrize("tamper", [*OF_LISTS, *OF_SETTINGS, *OF_PROOFS, other_cost])
@pytest.mark.parametrize("name", ["labels", "numbers", "weighted"])
def test_it_refuses_what_was_tampered_with(name, tamper):
    if (name, tamper) == ("numbers", other_cost):
        return
    case = case_of(name, 0)
    document = case.document
    tamper(document)
    assert not check(document, *case.rows)


def other_targets(document):
    document["certificate"]["taught"]["targets"][0] = document["certificate"]["taught"]["targets"][0][::-1]


def row_of_the_teacher_gone(document):
    for part in document["certificate"]["taught"].values():
        del part[-1]


def lighter_row(document):
    document["certificate"]["taught"]["weights"][0] *= 5


@pytest.mark.parametrize("tamper", [other_targets, row_of_the_teacher_gone, lighter_row])
def test_it_refuses_another_lesson(tamper):
    case = case_of("taught", 0)
    document = case.document
    tamper(document)
    assert not check(document, *case.rows)


def looser_row(document):
    document["certificate"]["rows"][0]["upper"] += 3


def tighter_row(document):
    document["certificate"]["rows"][0]["upper"] = 1


def cheaper_entry(document):
    row = document["certificate"]["rows"][0]
    row["entries"] = [[j, value / 2] for j, value in row["entries"]]


@pytest.mark.parametrize("tamper", [looser_row, tighter_row, cheaper_entry])
def test_it_refuses_another_constraint(tamper):
    case = case_of("constrained", 1)
    document = case.document
    assert any(step["rows"] for step in multipliers_in(document))
    tamper(document)
    assert not check(document, *case.rows)


def test_it_refuses_cliques_of_rules_that_a_list_may_have_together():
    case = case_of("labels", 0)
    document = case.document
    chosen = [(rule["tree"], rule["node"]) for rule in document["rules"]]
    pool = case.rules.pool_
    places = [j for j in range(len(pool)) if (int(pool.tree[j]), int(pool.forest.nodes.local[pool.node[j]])) in chosen]
    document["certificate"]["cliques"].append(places)
    assert check(document, *case.rows).text == "not proven: rules of a clique share no row"


@pytest.mark.parametrize("name", ["labels", "leaves", "costs"])
def test_it_refuses_branches_that_leave_a_case_out(name):
    for seed in range(8):
        case = case_of(name, seed)
        if any(step["do"] == "branch" for step in case.document["certificate"]["steps"]):
            break
    document = case.document
    steps = document["certificate"]["steps"]
    at = next(k for k, step in enumerate(steps) if step["do"] == "branch")
    document["certificate"]["steps"] = steps[:at] + steps[at + 1 :]
    assert not check(document, *case.rows)


# ... of the rows


@pytest.mark.parametrize("name", ["labels", "numbers", "categories"])
@pytest.mark.parametrize("what", ["label", "cell", "fewer", "twice", "order", "weight"])
def test_it_refuses_other_rows(name, what):
    case = case_of(name, 0)
    X, y, weight = case.X.copy(), np.array(case.y), np.ones(len(case.y))
    if what == "label":
        y[3] = y[3] + 1 if y.dtype.kind == "f" else next(label for label in y if label != y[3])
    elif what == "cell":
        X.loc[5, "a"] += 4
    elif what == "weight":
        weight[2] = 2
    else:
        rows = {"fewer": range(1, len(y)), "twice": [0, *range(len(y))], "order": range(len(y))[::-1]}[what]
        X, y, weight = X.iloc[list(rows)], y[list(rows)], weight[list(rows)]
    assert check(case.text, X, y, weight).text == "not proven: these are not the training rows"


# A list that is not the best one


def worse_lists(case, n):
    """Lists with less than the best objective, with everything that they say about themselves true."""
    problem, rng = case.rules.problem_, np.random.default_rng(0)
    for _ in range(n):
        drawn = problem.scores * rng.uniform(0.3, 1.7, len(problem.scores))
        other = PartitionProblem(drawn, problem.coverage, problem.max_rules, problem.rows, lazy=problem.lazy)
        chosen = case.rules.settings_.chosen_solver().solve(other).chosen
        objective = problem.objective(chosen)
        if objective < case.rules.solution_.objective - 1e-6:
            yield case.rules.list_of(Solution(chosen, objective, objective, "optimal", 0.0))


@pytest.mark.parametrize("name", ["labels", "numbers", "leaves", "weighted", "taught", "constrained_numbers"])
def test_it_refuses_a_list_that_is_nearly_the_best(name):
    found = 0
    for seed in range(3):
        case = case_of(name, seed)
        for rule_list in worse_lists(case, 8):
            document = json.loads(rule_list.to_json()) | {"certificate": case.document["certificate"]}
            assert "not enough" in check(document, *case.rows).text
            found += 1
    assert found > 5


# Random edits: what is proven is true


def tree_of(record):
    """A tree; what stands at its leaves beside the children, or after the last node, does not matter."""
    n = len(record["left"])
    names = ("left", "right", "feature", "missing_left", "threshold")
    arrays = [np.array((record[name] + [0] * n)[:n], dtype=float) for name in names]
    left, right, feature, missing_left, threshold = (np.where(arrays[0] < 0, -1, array) for array in arrays)
    whole = (array.astype(int) for array in (left, right, feature))
    return Tree(*whole, threshold, missing_left > 0, np.zeros((n, 1)))


def claimed(document, X, y, weight):
    """The best objective of the problem that a document is about, by the package itself and all lists one by one."""
    proof = document["certificate"]
    trees = [tree_of(tree) for tree in proof["forest"]["trees"]]
    weights = np.array(proof["forest"]["tree_weights"], dtype=float)
    inputs = inputs_from_record(proof["forest"]["inputs"])
    forest = Forest(trees=tuple(trees), inputs=inputs, tree_weights=weights, base=np.zeros(1), classes=None)
    used = np.flatnonzero(np.ones(len(y)) if weight is None else weight)
    y, weight = np.asarray(y)[used], np.ones(len(used)) if weight is None else weight[used]
    pool = make_pool(forest, proof["candidates"], proof["max_conditions"])
    coverage = cover(pool, inputs.matrix(X.iloc[used]))
    share = coverage.sums(weight) / weight.sum()
    kept = np.flatnonzero((coverage.counts > 0) & (share >= proof["min_coverage"] - 1e-12))
    part, *others = proof["loss"]
    if any(other != part for other in others):  # one part twice weighs twice as much, and is then scaled again
        raise InvalidDataError("a mixture of losses")
    classes = None if document["classes"] is None else np.array(document["classes"])
    losses = {"mse": mse, "sse": sse, "gini": gini, "log_loss": log_loss}
    costs = tuple(tuple(row[: len(classes)]) for row in part.get("costs", ()))
    loss = CostMatrix(costs, named=False).among(classes) if part["name"] == "costs" else losses[part["name"]]
    scores = combine_scores(dice(pool)[kept], loss(y, weight, coverage.subset(kept)), proof["stability_weight"]).total
    left = np.setdiff1d(np.arange(len(kept)), proof["excluded"])
    rows = []
    for row in proof["rows"]:
        entries = np.zeros(len(kept))
        for j, value in row["entries"]:
            entries[j] = value
        rows.append(LinearRows(entries, float(row["lower"]), float(row["upper"])))
    problem = PartitionProblem(scores, coverage.subset(kept), proof["max_rules"], stack_rows(rows)).subset(left)
    return Exhaustive().solve(problem).objective


def places_in(value, path=()):
    """Every place in a document, as a path."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        yield (*path, key)
        yield from places_in(inside, (*path, key))


def edited(document, rng, places):
    """The document with a random edit, or several."""
    document = copy.deepcopy(document)
    for _ in range(rng.integers(1, 4)):
        *path, key = places[rng.integers(len(places))]
        parent = document
        try:
            for step in path:
                parent = parent[step]
            old = parent[key]
        except (LookupError, TypeError):  # an earlier edit has removed it
            continue
        parent[key] = other_value(old, rng)
    return document


def other_value(old, rng):
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        return int(rng.choice([0, 1, -1, old + 1, old - 1, old + int(rng.integers(-9, 9))]))
    if isinstance(old, float):
        return float(rng.choice([0.0, -old, old * 1.0001, old * 0.5, old + rng.normal(), 1e9, math.nan, math.inf]))
    if isinstance(old, list) and old:
        at = int(rng.integers(len(old)))
        return [old[:at] + old[at + 1 :], [*old, old[at]], old[::-1], []][rng.integers(4)]
    if isinstance(old, str):
        return str(rng.choice(["drop", "close", "contradict", "branch", "costs", "gini", "nodes", "leaves"]))
    return old if not isinstance(old, dict) else {}


def tiny(name, seed):
    rules, X, y, weight = BY_NAME[name](seed)
    rules.set_params(max_rules=3, ensemble=rules.ensemble.set_params(n_estimators=4, max_depth=2))
    rows = slice(0, 25)
    weight = None if weight is None else weight[rows]
    rules.fit(X[rows], y[rows], weight)
    return json.loads(rules.to_json(certificate=True)), X[rows], y[rows], weight


@pytest.mark.parametrize("name", ["labels", "numbers", "weighted", "leaves", "impurity", "random_splits"])
def test_whatever_is_edited_what_it_calls_proven_is_the_best_list(name):
    proven = 0
    for seed in range(3):
        document, *rows = tiny(name, seed)
        assert claimed(document, *rows) == pytest.approx(document["solution"]["objective"], abs=1e-9)
        assert check(document, *rows)
        rng = np.random.default_rng(seed)
        of_proof = [("certificate", *path) for path in places_in(document["certificate"])]
        for places, n in ((list(places_in(document)), 60), (of_proof, 100)):
            for _ in range(n):
                changed = edited(document, rng, places)
                if check(changed, *rows):
                    proven += 1
                    said = changed["solution"]["objective"]
                    with suppress(InvalidDataError, RecursionError):  # trees that are none, paths of -1 steps
                        assert claimed(changed, *rows) <= said + 2e-7
    assert proven  # such as another text of a rule, or a multiplier that does not matter
