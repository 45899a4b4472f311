"""Check a rule list and its proof without hedgerow, and without trusting it: with Python alone, from JSON and rows.
Run ``python -S -I checker.py rules.json train.csv --target y [--weight w]``.
"""

import argparse
import csv
import hashlib
import json
import math
import struct
from typing import Any


def demand(holds: Any, message: str) -> None:
    if not holds:
        raise ValueError(message)


def value_of(f: Any, cell: Any, marks: Any, dtype: str) -> float:
    """Return what the trees compare; NaN if it is missing."""
    cell = None if cell is None or cell != cell or cell == "" or cell in marks else cell
    if f["kind"] == "Category":
        known = f["categories"]
        cell = json.loads(cell.lower()) if isinstance(cell, str) and not isinstance(known[0], str) else cell
        other = len(known) if f["other"] and cell not in (None, *f["blanks"]) else math.nan
        return known.index(cell) if cell in known else other
    try:
        x = math.nan if cell is None else {"Column": float}[f["kind"]](cell)  # of other kinds, nothing is known
        return struct.unpack("f", struct.pack("f", x))[0] if dtype == "float32" else x
    except (ValueError, OverflowError):  # not a number, or too large a one
        return math.nan


def fingerprint(rows: Any) -> str:
    return hashlib.sha256(" ".join(f"{x:.9g}" for v, t, w in rows for x in (*v, t, w)).encode()).hexdigest()


def rules_of(tree: Any, features: Any, values: Any, proof: Any) -> Any:
    """Yield (node, conditions, splits, rows) of each candidate, from left to right, a node before those below it."""
    stack: list[Any] = [(0, (), (), range(len(values)))]
    while stack:
        node, path, splits, rows = stack.pop()
        inner, f, at = tree["left"][node] >= 0, tree["feature"][node], tree["threshold"][node]
        if not (inner and {"leaves": True, "nodes": False}[proof["candidates"]]):
            yield node, path, splits, rows
        if inner and proof["max_conditions"] != len(path) < len(tree["left"]):
            group, na = tree["category"][node] if "category" in tree else -1, bool(tree["missing_left"][node])
            codes = frozenset(tree["left_codes"][group] if group >= 0 else ())
            levels = set(range(len(features[f].get("categories", ())) + features[f].get("other", 0)))
            go = [na if (x := float(values[i][f])) != x else x in codes if group >= 0 else x <= float(at) for i in rows]
            for left, side, child in (False, "lower", tree["right"][node]), (True, "upper", tree["left"][node]):
                test: Any = {"feature": features[f], "name": features[f]["name"]}
                tested = {} if at == ("inf" if left else "-inf") else {side: at}
                test |= {"categories": sorted(codes if left else levels - codes)} if group >= 0 else tested
                test |= {"missing": True} if na is left else {}
                below = [i for i, goes_left in zip(rows, go, strict=True) if goes_left is left]
                stack.append((child, (*path, test), (*splits, (f, codes if group >= 0 else float(at))), below))


def stabilities(rules: Any, kept: Any, weights: Any) -> list[float]:
    """Return for the kept rules how much of its splits recurs in all others (Dice), weighted by their trees."""
    splits, own, sharing = [set(path) for _, path in rules], [abs(weights[k]) for k, _ in rules], dict[Any, Any]()
    for split, size, weight in ((s, len(mine), w) for mine, w in zip(splits, own, strict=True) for s in mine):
        sizes = sharing.setdefault(split, {})
        sizes[size] = sizes.get(size, 0.0) + weight
    shared = [math.fsum(2 * w / (len(mine) + m) for s in mine for m, w in sharing[s].items()) for mine in splits]
    return [shared[at] - own[at] if splits[at] else 0.0 for at in kept]


def answer_of(loss: Any, rows: Any, y: Any, weight: Any) -> tuple[float, list[float], list[float]]:
    """Return what a rule that covers these rows costs, its mean or class shares, and how well each class answers."""
    total = math.fsum(weight[i] for i in rows)
    if isinstance(y[0], float):
        mean = math.fsum(weight[i] * y[i] for i in rows) / total
        squares = math.fsum(weight[i] * (y[i] - mean) ** 2 for i in rows)
        return {"mse": squares / total, "sse": squares}[loss["name"]], [mean], [0.0]
    n = [math.fsum(weight[i] * y[i][c] for i in rows) for c in range(len(y[0]))]
    costs = [math.fsum(x * row[k] for x, row in zip(n, loss["costs"], strict=True)) for k in range(len(n))]
    logs, gini = math.fsum(x * math.log(total / x) for x in n if x > 0), math.fsum(x * (total - x) for x in n) / total
    told = [x / total for x in n], [-x / total for x in costs]
    return {"costs": min(costs), "gini": gini, "log_loss": logs}[loss["name"]], *told


def scaled(numbers: list[float], from_zero: bool) -> list[float]:
    low, span = (0.0, max(map(abs, numbers))) if from_zero else (min(numbers), max(numbers) - min(numbers))
    return [(x - low) / (span or 1.0) for x in numbers]


def prove(proof: Any, scores: Any, masks: Any, n: int, rows: Any, objective: float) -> None:
    """Check that no list is better than the objective: multipliers of rows, and what is left of scores, bound lists."""
    limit = objective + 1e-7 * max(map(abs, scores))  # lists that are better by less count as equally good
    budget, best, cliques = proof["max_rules"] or 0, dict[Any, int](), [set(clique) for clique in proof["cliques"]]
    demand(all(masks[j] & masks[k] for one in cliques for j in one for k in one), "rules of a clique share no row")
    for j in sorted(set(range(len(scores))) - set(proof["excluded"]), key=scores.__getitem__):
        best[masks[j], tuple(row.get(j, 0.0) for row, *_ in rows)] = j  # of twins, the one with the highest score
    cases = [list(best.values())]
    for at, step in enumerate(proof["steps"], 1):
        columns, do = cases.pop(), step["do"]
        if do == "branch":  # one of some rules is chosen, which comes first, or none
            some, shared = set(step["rules"]), ~0  # the rows that all of them cover
            for j in some:
                shared &= masks[j]
            cases += [j for j in columns if j not in some], [j for j in columns if j in some or not masks[j] & shared]
        else:
            total, each, samples, extra, groups = (step[k] for k in ("total", "budget", "samples", "rows", "cliques"))
            signs = (each == 0 or each > 0 < budget) and all(x >= 0 for _, x in groups)
            terms = [total, each * budget, *(x for _, x in samples + groups)]
            terms += [x * rows[r][2 if x > 0 else 1] for r, x in extra if x]
            left, largest = [], max(map(abs, terms))
            for j in columns:
                prices = [each, total * masks[j].bit_count() / n, *(x for i, x in samples if masks[j] >> i & 1)]
                prices += [x * rows[r][0].get(j, 0.0) for r, x in extra] + [x for q, x in groups if j in cliques[q]]
                left.append((0.0 if do == "contradict" else scores[j]) - math.fsum(prices))
                largest = max(largest, *map(abs, prices))
            demand(signs and all(map(math.isfinite, (*terms, *left))), f"step {at}: a multiplier is not allowed")
            bound = math.fsum((*terms, *(max(0.0, x) for x in left)))
            bound += math.ulp(largest) * (len(columns) + 1) * (len(extra) + 5)  # what rounding may hide
            enough = do == "drop" or (bound < 0 if do == "contradict" else bound <= limit)
            demand(enough, f"step {at}: the multipliers prove a bound of {bound:.9g}, which is not enough")
            if do == "drop":
                cases.append([j for j, x in zip(columns, left, strict=True) if bound + min(x, 0.0) > limit])
    demand(not cases, "the proof ends before everything is proven")


def check(document: Any, table: Any, y: Any, weight: Any) -> str:
    """Return what a document proves about the rows of a table; raise an error that says what is wrong."""
    proof, classes, features = document["certificate"], document["classes"], document["inputs"]["features"]
    loss, inputs, solution, listed = proof["loss"], proof["forest"]["inputs"], document["solution"], document["rules"]
    marks, share = {i: one["missing"] for i, one in inputs.get("notations", ())}, proof["stability_weight"]
    used, known = [i for i, w in enumerate(weight) if w > 0], {str(c): float(k) for k, c in enumerate(classes or ())}
    reads = [(f, f["index"], marks.get(f["index"], ()), inputs["dtype"]) for f in inputs["features"]]
    n, values = len(used), [[value_of(f, table[i][at], *how) for f, at, *how in reads] for i in used]
    weight, y = [weight[i] for i in used], [known.get(str(y[i]), -1.0) if known else float(y[i]) for i in used]
    demand(fingerprint(zip(values, y, weight, strict=True)) == proof["training"], "these are not the training rows")
    y, total = [[float(k == t) for k in range(len(classes))] for t in y] if classes else y, math.fsum(weight)
    taught = proof["taught"] or {"targets": y, "values": [], "weights": []}
    values, targets, weights = values + taught["values"], taught["targets"], weight + taught["weights"]
    rules, kept, place, masks, raw = list[Any](), [], {}, list[int](), []
    for k, tree in enumerate(proof["forest"]["trees"]):
        for node, path, splits, rows in rules_of(tree, inputs["features"], values, proof):
            size = math.fsum(weight[i] for i in rows if i < n) / total
            if size > 0 and size >= proof["min_coverage"] - 1e-12:
                place[k, node] = len(masks), list(path), size
                masks.append(sum(1 << i for i in rows))
                kept.append(len(rules))
                raw.append([answer_of(part, rows, targets, weights)[0] for part in loss])
            rules.append((k, splits))
    from_zero, costs = any(part["price"] is not None for part in loss), []
    for part, mine in zip(loss, zip(*raw, strict=True), strict=True):
        price = (part["price"] or 0.0) * answer_of(part, range(len(values)), targets, weights)[0]
        costs.append([part["weight"] * x for x in scaled([x + price for x in mine], from_zero)])
    cost = scaled([math.fsum(parts) for parts in zip(*costs, strict=True)], from_zero)
    stable = scaled(stabilities(rules, kept, proof["forest"]["tree_weights"]), False)
    scores = [share * s - (1 - share) * x for s, x in zip(stable, cost, strict=True)]
    demand(len(scores) == proof["n_candidates"] and all(map(math.isfinite, scores)), "the trees give other candidates")
    for at, rule in enumerate(listed, 1):
        j, path, size = place[rule["tree"], rule["node"]]
        said = [condition | {"feature": features[condition["feature"]]} for condition in rule["conditions"]]
        demand(said == path, f"the conditions of rule {at} are not those of its node")
        counted = rule["coverage"] == (masks[j] & (1 << n) - 1).bit_count() and abs(rule["share"] - size) <= 1e-9
        demand(counted, f"rule {at} does not cover as many rows as it says")
        _, means, fits = answer_of(loss[0], [i for i in range(n) if masks[j] >> i & 1], y, weight)
        told, k = (rule["distribution"], classes.index(rule["prediction"])) if classes else ([rule["prediction"]], 0)
        same = all(abs(a - b) <= 1e-9 * max(1.0, abs(b)) for a, b in zip(told, means, strict=True))
        right = (same and fits[k] >= max(fits) - 1e-9) or not proof["predicts"]
        shown = not classes or min(abs(rule.get("class_share", told[k]) - x) for x in (means[k], told[k])) <= 1e-9
        demand(right and shown, f"rule {at} does not predict what its rows say")
    chosen, shares = [place[rule["tree"], rule["node"]][0] for rule in listed], [rule["share"] for rule in listed]
    once = sum(masks[j].bit_count() for j in chosen) == len(values) == sum(masks[j] for j in chosen).bit_count()
    demand(once, "some row is not in exactly one rule")
    legal = len(chosen) <= (proof["max_rules"] or math.inf) and not set(chosen) & set(proof["excluded"])
    demand(legal and shares == sorted(shares, reverse=True), "too many rules, another order, or one is ruled out")
    extra = [(dict(map(tuple, row["entries"])), float(row["lower"]), float(row["upper"])) for row in proof["rows"]]
    for at, (row, lower, upper) in enumerate(extra):
        x, slack = math.fsum(row.get(j, 0.0) for j in chosen), 1e-9 * max(map(abs, row.values()))
        demand(lower - slack <= x <= upper + slack, f"the list does not satisfy: {proof['rows'][at]['name']}")
    objective = math.fsum(scores[j] for j in chosen)
    same = all(abs(solution[name] - objective) <= 1e-9 * max(1.0, abs(objective)) for name in ("objective", "bound"))
    demand(same, f"the objective and its bound are {objective!r}")
    prove(proof, scores, masks, len(values), extra, objective)
    taken = {"what rules predict": not proof["predicts"], "the targets and rows of a teacher": proof["taught"]}
    taken |= {f"{len(proof['excluded'])} candidates ruled out": proof["excluded"], f"{len(extra)} constraints": extra}
    taken |= {"the texts of constraints": document.get("constraints")}
    stated = ", ".join(["texts, spreads, the default", *(what for what, is_taken in taken.items() if is_taken)])
    return f"proven: no list of the {len(scores)} candidates is better than {objective:.9g}; taken as stated: {stated}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Check a rule list and its proof.")
    _ = [parser.add_argument(option) for option in ("rules", "data", "--target", "--weight")]
    asked = parser.parse_args()
    with open(asked.rules) as source, open(asked.data, newline="", encoding="utf-8-sig") as data:
        given, table = json.load(source), list(csv.DictReader(data))
    try:
        names, heavy = given["certificate"]["columns"], asked.weight
        counts = [float(row[heavy]) if heavy else 1.0 for row in table]
        print(check(given, [[row[x] for x in names] for row in table], [row[asked.target] for row in table], counts))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise SystemExit(f"not proven: {error if type(error) is ValueError else repr(error)}") from None
