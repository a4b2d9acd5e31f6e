"""Communities of a graph given as numbers: what belongs together, at which level, the same every time."""

import random
from itertools import combinations

import pytest

from clew.knowledge.communities import MAX_LEVELS, MAX_SIZE, MIN_SIZE, Community, Pair, detect_communities


def clique(first: int, size: int) -> list[Pair]:
    return [(one, other, 1.0) for one, other in combinations(range(first, first + size), 2)]


def cliques(count: int, size: int) -> list[Pair]:
    """Cliques in a ring, each tied to the next by a single pair."""
    pairs = [pair for number in range(count) for pair in clique(number * size, size)]
    return pairs + [(number * size, (number + 1) % count * size + 1, 0.5) for number in range(count)]


def random_graph(seed: int, entities: int, pairs: int) -> list[Pair]:
    """Pairs that mostly stay within groups of fifteen."""
    chance = random.Random(seed)  # noqa: S311 (not for secrets)
    found = []
    for _ in range(pairs):
        one = chance.randrange(entities)
        near = one // 15 * 15 + chance.randrange(15)
        other = near if chance.random() < 0.9 else chance.randrange(entities)
        found.append((one, other % entities, float(chance.randint(1, 4))))
    return found


def members(communities: list[Community], level: int = 0) -> set[tuple[int, ...]]:
    return {community.members for community in communities if community.level == level}


def test_parts_that_nothing_connects_are_communities_of_their_own() -> None:
    found = detect_communities([*clique(0, 5), *clique(10, 4)])
    assert found == [Community(0, (0, 1, 2, 3, 4), None), Community(0, (10, 11, 12, 13), None)]


def test_groups_that_little_connects_are_told_apart() -> None:
    found = detect_communities(cliques(6, 10))
    assert members(found) == {tuple(range(begin, begin + 10)) for begin in range(0, 60, 10)}


def test_weights_decide_where_an_entity_belongs() -> None:
    """An entity between two groups goes with the one that speaks of it more often."""
    groups = cliques(6, 10)
    tied = [(60, member, 1.0) for member in (2, 3, 12, 13)]
    for heavy, group in ((2, 0), (12, 10)):
        pairs = [*groups, *tied, (60, heavy, 9.0), (60, heavy + 1, 9.0)]
        (with_it,) = [found for found in members(detect_communities(pairs)) if 60 in found]
        assert set(range(group, group + 10)) <= set(with_it)


def test_a_large_community_is_divided_and_its_parts_know_it() -> None:
    found = detect_communities(random_graph(1, 1_500, 9_000))
    assert {community.level for community in found} >= {0, 1}
    for community in found:
        if community.parent is None:
            assert community.level == 0
        else:
            parent = found[community.parent]
            assert parent.level == community.level - 1
            assert len(parent.members) > MAX_SIZE
            assert set(community.members) < set(parent.members)


@pytest.mark.parametrize("seed", range(5))
def test_communities_of_a_level_do_not_overlap_and_none_is_tiny(seed: int) -> None:
    found = detect_communities(random_graph(seed, 800, 3_000))
    assert all(len(community.members) >= MIN_SIZE for community in found)
    assert all(list(community.members) == sorted(set(community.members)) for community in found)
    for level in range(MAX_LEVELS):
        listed = [entity for group in members(found, level) for entity in group]
        assert len(listed) == len(set(listed))
    assert max(community.level for community in found) < MAX_LEVELS


def test_what_cannot_be_divided_stays_whole() -> None:
    found = detect_communities(clique(0, 2 * MAX_SIZE))
    assert found == [Community(0, tuple(range(2 * MAX_SIZE)), None)]


def test_the_order_and_direction_of_pairs_do_not_matter_and_parts_of_a_weight_add_up() -> None:
    pairs = random_graph(2, 600, 2_500)
    expected = detect_communities(pairs)
    mixed = [(other, one, weight / 2) for one, other, weight in pairs] + [(a, b, w / 2) for a, b, w in pairs]
    random.Random(3).shuffle(mixed)  # noqa: S311
    assert detect_communities(mixed) == expected
    assert detect_communities(pairs) == expected


def test_an_addition_elsewhere_leaves_the_communities_of_a_part_alone() -> None:
    pairs = random_graph(4, 600, 2_500)
    before = detect_communities(pairs)
    after = detect_communities([*pairs, *clique(5_000, 30)])
    assert members(after) - members(before) == {tuple(range(5_000, 5_030))}
    assert members(before, 1) == members(after, 1)


@pytest.mark.parametrize(
    "pairs", [[], [(1, 1, 5.0)], [(1, 2, 1.0)], [(1, 2, 0.0), (2, 3, 0.0), (1, 3, 0.0)], clique(0, 2)]
)
def test_what_is_no_community_is_left_out(pairs: list[Pair]) -> None:
    assert detect_communities(pairs) == []


def test_an_entity_related_to_itself_is_not_related_more() -> None:
    assert detect_communities([*clique(0, 4), (0, 0, 50.0)]) == detect_communities(clique(0, 4))
