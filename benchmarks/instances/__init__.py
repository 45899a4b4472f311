"""Instances for the solver: families of partition problems, made from seeds.

>>> from benchmarks.instances import load, names
>>> load("nasty/impossible-rule/0").n_rules
5

A name is ``family/case/seed``, and ``names()`` lists them. A problem is made once and then kept in a folder beside this
file that git ignores, so that no race has to fit forests again. Cases of sets that are not there are left out: of about
460, some 160 do without the benchmark data (:data:`benchmarks.datasets.DEFAULT_DIRECTORY`).

To add a family, write a module here with ``cases() -> list of str`` and ``make(case, seed) -> PartitionProblem``, and
name it in ``FAMILIES``. After a change of what ``make`` returns, raise ``VERSION`` in :mod:`.storage`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.instances.storage import CACHE, keep, kept
from hedgerow.optimize.problem import PartitionProblem

#: The module of each family.
FAMILIES = {
    "paper": "paper",
    "nodes": "nodes",
    "tight": "tight",
    "extra_trees": "extra_trees",
    "boosted": "boosted",
    "bounds": "bounds",
    "huge": "huge",
    "nasty": "nasty",
    "random": "drawn",
}
#: About a dozen that are solved within half a minute; none needs the benchmark data.
QUICK = (
    "paper/sk-wine/0",
    "paper/sk-diabetes/0",
    "nodes/accurate-sk-wine-4/0",
    "nodes/accurate-sk-diabetes-4/0",
    "tight/sk-wine-least/0",
    "tight/sk-wine-below/0",
    "extra_trees/sk-wine-whole-0.5/0",
    "boosted/gradient-sk-wine-8/0",
    "bounds/sk-iris-fewest/0",
    "bounds/sk-wine-most/0",
    "nasty/impossible-rule/0",
    "nasty/wide-row/0",
    "random/000/0",
)


def names(families: str | Iterable[str] | None = None, seeds: Sequence[int] = (0,)) -> list[str]:
    """Return the names of the instances of some families, of all by default; "quick" is a dozen of all kinds.

    Each has the seed 0 unless others are asked for.
    """
    found: list[str] = []
    for family in [families] if isinstance(families, str) else FAMILIES if families is None else families:
        if family == "quick":
            found += QUICK
        elif family in FAMILIES:
            found += [f"{family}/{case}/{seed}" for seed in seeds for case in _module(family).cases()]
        else:
            raise ValueError(f"There is no family {family!r}. Possible: 'quick', {', '.join(map(repr, FAMILIES))}.")
    return list(dict.fromkeys(found))


def load(name: str, cache: Path | None = CACHE) -> PartitionProblem:
    """Return an instance by its name. It is made if it is not in the cache; without a cache it always is."""
    problem = None if cache is None else kept(name, cache)
    if problem is None:
        family, case, seed = name.split("/")
        problem = _module(family).make(case, int(seed))
        if cache is not None:
            keep(problem, name, cache)
    return problem


def _module(family: str):  # type: ignore[no-untyped-def]
    # Only a family that is asked for is imported: another checkout, with which a race loads kept problems, may not have
    # what the others need.
    return import_module(f"benchmarks.instances.{FAMILIES[family]}")
