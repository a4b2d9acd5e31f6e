"""Profiles are read once and then only when one of them has changed."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from mypy_boto3_dynamodb.service_resource import Table

from clew.knowledge.profile_cache import MAX_AGE, ProfileCache
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.routing.knowledge_base import KnowledgeBaseProfile

MOVIE = KnowledgeBaseProfile(prefix="movie", title="Films", entity_names=("Inception", "盗梦空间"))
EDU = KnowledgeBaseProfile(prefix="edu", title="Student affairs", title_zh="教务")


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def registry(table: Table) -> KnowledgeBaseRegistry:
    made = KnowledgeBaseRegistry(table, "acme")
    made.put(MOVIE)
    return made


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(clock: Clock) -> ProfileCache:
    return ProfileCache(tenants=2, clock=clock)


@pytest.fixture
def asked(table: Table) -> list[str]:
    """The requests that reach the table from now on."""
    names: list[str] = []

    def note(model: Any, **_: Any) -> None:
        names.append(model.name)

    table.meta.client.meta.events.register("before-call.dynamodb", note)
    return names


def test_what_has_not_changed_costs_the_stamp_alone(cache, registry, asked) -> None:
    assert cache.profiles(registry) == [MOVIE]
    del asked[:]
    for _ in range(5):
        assert cache.profiles(registry) == [MOVIE]
    assert asked == ["GetItem"] * 5


def test_every_change_is_seen_at_the_next_question(cache, registry) -> None:
    assert cache.profiles(registry) == [MOVIE]
    registry.put(EDU)
    assert cache.profiles(registry) == [EDU, MOVIE]
    registry.put(MOVIE.model_copy(update={"title": "All films"}))
    assert [each.title for each in cache.profiles(registry)] == ["Student affairs", "All films"]
    registry.delete("edu")
    assert [each.prefix for each in cache.profiles(registry)] == ["movie"]


def test_what_a_caller_does_to_its_list_changes_nothing(cache, registry) -> None:
    cache.profiles(registry).clear()
    assert cache.profiles(registry) == [MOVIE]


def test_without_a_stamp_all_is_read_each_time(cache, registry, table, asked) -> None:
    table.delete_item(Key={"pk": "TENANT#acme", "sk": "KB_STAMP"})  # as an earlier version left it
    cache.profiles(registry)
    table.put_item(Item=table.get_item(Key={"pk": "TENANT#acme", "sk": "KB#movie"})["Item"] | {"title": "Changed"})
    assert [each.title for each in cache.profiles(registry)] == ["Changed"]
    assert asked.count("Query") == 2


def test_change_without_a_stamp_is_seen_after_a_while(cache, registry, table, clock) -> None:
    cache.profiles(registry)
    table.put_item(Item=table.get_item(Key={"pk": "TENANT#acme", "sk": "KB#movie"})["Item"] | {"title": "Changed"})
    assert cache.profiles(registry) == [MOVIE]
    clock.now += MAX_AGE
    assert [each.title for each in cache.profiles(registry)] == ["Changed"]


def test_tenants_are_kept_apart_and_few(cache, registry, table, asked) -> None:
    tenants = [registry] + [KnowledgeBaseRegistry(table, name) for name in ("b", "c")]
    for each in tenants[1:]:
        each.put(EDU)
    assert [cache.profiles(each) for each in tenants] == [[MOVIE], [EDU], [EDU]]
    del asked[:]
    cache.profiles(tenants[2])
    cache.profiles(tenants[1])
    assert "Query" not in asked
    cache.profiles(tenants[0])  # forgotten: it was asked for longest ago
    assert asked.count("Query") == 1


@pytest.mark.usefixtures("registry")
def test_many_threads_share_one(cache, table) -> None:
    lock = threading.Lock()  # moto is not made for threads

    class OneByOne(KnowledgeBaseRegistry):
        def stamp(self) -> str:
            with lock:
                return super().stamp()

        def list(self, *, consistent: bool = False) -> list[KnowledgeBaseProfile]:
            with lock:
                return super().list(consistent=consistent)

    registry = OneByOne(table, "acme")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: cache.profiles(registry), range(40)))
    assert found == [[MOVIE]] * 40
