"""The registry of knowledge bases on the table."""

import pytest

from clew.errors import InvalidRequestError, StoreError, UnknownKnowledgeBaseError
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.routing.intent import Intent, Slot
from clew.routing.knowledge_base import KnowledgeBaseProfile

MOVIE = KnowledgeBaseProfile(
    prefix="movie",
    title="Films",
    title_zh="电影",
    description="Directors, composers, casts.",
    description_zh="导演、配乐与演员。",
    examples=("Who composed Inception?", "《卧虎藏龙》是谁导演的？"),
    entity_names=("Christopher Nolan", "诺兰", "Inception"),
    topic_vectors=((0.5, -0.25, 1.0), (0.0, 1e-3, 0.1)),
    embedder="e5",
    documents=40,
    chunks=61,
    entities=120,
    relations=300,
    index_state="ready",
    loaded_at="2026-03-01T12:00:00.000+00:00",
)


@pytest.fixture
def registry(table) -> KnowledgeBaseRegistry:
    return KnowledgeBaseRegistry(table, "acme")


def test_profile_comes_back_with_vectors_to_32_bits(registry) -> None:
    registry.put(MOVIE)
    read = registry.get("movie")
    assert read.model_copy(update={"topic_vectors": ()}) == MOVIE.model_copy(update={"topic_vectors": ()})
    assert read.topic_vectors[0] == MOVIE.topic_vectors[0]
    assert read.topic_vectors[1] == pytest.approx(MOVIE.topic_vectors[1], rel=1e-7)


def test_profile_without_vectors_or_names_comes_back(registry) -> None:
    bare = KnowledgeBaseProfile(prefix="edu", title="Student affairs")
    registry.put(bare)
    assert registry.get("edu") == bare


def test_intents_come_back_and_profiles_stored_without_any_have_none(registry, table) -> None:
    level = Slot(
        name="level", question="Which level?", question_zh="哪个阶段？", values=("bachelor | 本科",), needed=True
    )
    year = Slot(name="year", question="Which year?", pattern=r"20\d\d")
    intents = (Intent(name="fee", words=("fee | 学费", "much | 多少"), slots=(level, year)),)
    registry.put(MOVIE.model_copy(update={"intents": intents}))
    assert registry.get("movie").intents == intents
    table.update_item(Key={"pk": "TENANT#acme", "sk": "KB#movie"}, UpdateExpression="REMOVE intents")
    assert registry.get("movie").intents == ()
    assert registry.list()[0].title == "Films"


def test_later_profile_replaces_the_earlier(registry) -> None:
    registry.put(MOVIE)
    registry.put(MOVIE.model_copy(update={"documents": 41, "entity_names": ()}))
    assert (registry.get("movie").documents, registry.get("movie").entity_names) == (41, ())


def test_profiles_are_listed_by_prefix_and_only_the_tenants_own(registry, table) -> None:
    assert registry.list() == []
    registry.put(MOVIE)
    registry.put(KnowledgeBaseProfile(prefix="edu", title="Student affairs"))
    KnowledgeBaseRegistry(table, "other").put(KnowledgeBaseProfile(prefix="law", title="Law"))
    # A tenant whose name begins with another's, and the items of its users, lie in partitions of their own.
    KnowledgeBaseRegistry(table, "acme2").put(KnowledgeBaseProfile(prefix="tax", title="Tax"))
    assert [each.prefix for each in registry.list()] == ["edu", "movie"]


def test_unknown_prefix_is_answered_with_the_known_ones(registry, table) -> None:
    registry.put(MOVIE)
    KnowledgeBaseRegistry(table, "other").put(KnowledgeBaseProfile(prefix="law", title="Law"))
    with pytest.raises(UnknownKnowledgeBaseError) as caught:
        registry.get("law")
    assert caught.value.known == ["movie"]
    assert registry.find("law") is None


@pytest.mark.parametrize("prefix", ["", "general", "Movie", "a#b", "电影", "x" * 33])
def test_prefix_that_can_name_no_knowledge_base_finds_none(registry, prefix: str) -> None:
    assert registry.find(prefix) is None
    with pytest.raises(UnknownKnowledgeBaseError):
        registry.get(prefix)


def test_general_cannot_be_stored(registry) -> None:
    with pytest.raises(InvalidRequestError):
        registry.put(KnowledgeBaseProfile(prefix="general", title="No"))
    assert registry.list() == []


def test_deleting_is_safe_to_repeat(registry) -> None:
    registry.put(MOVIE)
    registry.delete("movie")
    registry.delete("movie")
    assert registry.find("movie") is None


def test_names_beyond_the_items_size_are_left_out_least_mentioned_first(registry) -> None:
    names = tuple(f"名字{number:06d}" for number in range(60_000))
    vectors = tuple(tuple([0.5] * 1024) for _ in range(24))
    registry.put(MOVIE.model_copy(update={"entity_names": names, "topic_vectors": vectors}))
    kept = registry.get("movie").entity_names
    assert 1_000 < len(kept) < len(names)
    assert kept == names[: len(kept)]
    # DynamoDB's own count: text and data in bytes, one byte more for each element and three for the list.
    size = sum(len(name.encode()) + 1 for name in kept) + 3 + 24 * 1024 * 4
    assert 370_000 < size < 400 * 1024 - 10_000


def test_vectors_that_alone_are_too_big_are_refused(registry) -> None:
    vectors = tuple(tuple([0.5] * 1024) for _ in range(100))
    with pytest.raises(InvalidRequestError, match="too big"):
        registry.put(MOVIE.model_copy(update={"topic_vectors": vectors}))
    assert registry.list() == []


def test_vectors_of_several_lengths_are_refused(registry) -> None:
    with pytest.raises(InvalidRequestError, match="one length"):
        registry.put(MOVIE.model_copy(update={"topic_vectors": ((1.0, 0.0), (1.0,))}))


def test_stamp_changes_with_every_change_and_only_then(registry, table) -> None:
    assert registry.stamp() == ""
    stamps = []
    for change in (
        lambda: registry.put(MOVIE),
        lambda: registry.put(MOVIE),
        lambda: registry.delete("movie"),
        lambda: registry.delete("movie"),
    ):
        change()
        stamps += [registry.stamp()]
        assert registry.stamp() == stamps[-1]
    assert len(set(stamps)) == 4
    assert registry.list() == []
    assert KnowledgeBaseRegistry(table, "other").stamp() == ""


def test_many_big_profiles_are_all_listed(registry) -> None:
    names = tuple(f"name{number:06d}" for number in range(30_000))
    for number in range(4):  # together over the 1 MB at which DynamoDB ends a page
        registry.put(MOVIE.model_copy(update={"prefix": f"kb{number}", "entity_names": names}))
    assert [each.prefix for each in registry.list()] == ["kb0", "kb1", "kb2", "kb3"]


def test_item_that_cannot_be_read_is_named(registry, table) -> None:
    registry.put(MOVIE)
    table.update_item(
        Key={"pk": "TENANT#acme", "sk": "KB#movie"},
        UpdateExpression="SET topic_vectors = :broken",
        ExpressionAttributeValues={":broken": b"abc"},
    )
    with pytest.raises(StoreError, match="KB#movie"):
        registry.get("movie")
