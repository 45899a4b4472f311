"""The search finds the cheapest cells with a wanted rule, and for each smaller number of columns the cheapest."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from hedgerow.evidence.least_changes import Cells, least_changes


@st.composite
def drawn_cells(draw):
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    costs = [[0.0, *sorted(draw(st.lists(st.integers(1, 5), min_size=n - 1, max_size=n - 1)))] for n in sizes]
    masks = [st.integers(0, (1 << n) - 1) for n in sizes]
    rule = st.dictionaries(st.integers(0, len(sizes) - 1), st.just(None), max_size=len(sizes))
    rules = [{j: draw(masks[j]) for j in draw(rule)} for _ in range(draw(st.integers(1, 6)))]
    wanted = draw(st.sets(st.integers(-1, len(rules) - 1), min_size=1))
    return Cells(costs, rules), wanted


def all_ways(cells, wanted):
    """The cost and the number of changed columns of every choice of cells with a wanted rule."""
    for point in product(*(range(len(costs)) for costs in cells.costs)):
        matching = [i for i, rule in enumerate(cells.rules) if all(rule[j] >> point[j] & 1 for j in rule)]
        if (matching[0] if matching else -1) in wanted:
            yield sum(costs[i] for costs, i in zip(cells.costs, point, strict=True)), sum(i > 0 for i in point)


@given(drawn_cells())
def test_every_way_is_the_cheapest_that_changes_fewer_columns_than_the_one_before(drawn):
    cells, wanted = drawn
    found, is_complete = least_changes(cells, wanted)
    ways, expected, most = sorted(all_ways(cells, wanted)), [], len(cells.costs) + 1
    for cost, n_changed in ways:
        if n_changed < most:
            expected.append((cost, n_changed))
            most = n_changed
    assert is_complete
    assert [(point.cost, point.n_changed) for point in found] == expected
    assert all(cells.fired(point.cells) == point.rule and point.rule in wanted for point in found)


def test_however_early_a_search_is_ended_it_says_so_and_what_it_found_is_the_cheapest():
    # column 0: one far cell; columns 1 and 2: two near ones together
    cells = Cells([[0.0, 3.0], [0.0, 1.0], [0.0, 1.0]], [{0: 0b01, 1: 0b01}, {0: 0b01, 2: 0b01}, {}])
    every, is_complete = least_changes(cells, {2})
    assert ([(point.cost, point.n_changed) for point in every], is_complete) == ([(2.0, 2), (3.0, 1)], True)
    ended = [least_changes(cells, {2}, most_steps=steps) for steps in range(12)]
    assert all(found == every[: len(found)] for found, _ in ended)
    assert [len(found) for found, _ in ended] == sorted(len(found) for found, _ in ended)
    assert all(found == every for found, is_complete in ended if is_complete)
    assert ended[0] == ([], False)
    assert ended[-1] == (every, True)
