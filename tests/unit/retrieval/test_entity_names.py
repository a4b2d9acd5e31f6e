"""Finding known entities in a text by any of their names."""

from clew.retrieval.entity_names import EntityNames
from clew.retrieval.evidence import EntityRef

NOLAN = EntityRef(id="nolan", name="Christopher Nolan", aliases=("克里斯托弗·诺兰", "诺兰"))
DUNE = EntityRef(id="dune", name="Dune")
PART_TWO = EntityRef(id="two", name="Dune: Part Two", aliases=("沙丘2",))
NAMES = EntityNames([NOLAN, DUNE, PART_TWO])


def found(text: str) -> list[tuple[str, frozenset[str]]]:
    return [(text[span.start : span.end], ids) for span, ids in NAMES.find(text)]


def test_any_spelling_is_found_where_it_stands() -> None:
    assert found("诺兰 is christopher nolan") == [
        ("诺兰", frozenset({"nolan"})),
        ("christopher nolan", frozenset({"nolan"})),
    ]


def test_within_a_longer_name_no_shorter_one_counts() -> None:
    assert found("Dune: Part Two, then Dune") == [("Dune: Part Two", frozenset({"two"})), ("Dune", frozenset({"dune"}))]


def test_one_name_of_two_entities_means_both() -> None:
    names = EntityNames([EntityRef(id="a", name="Dune"), EntityRef(id="b", name="dune")])
    assert names.mentioned("Dune") == {"a", "b"}


def test_no_text_and_no_entities_find_nothing() -> None:
    assert NAMES.mentioned("") == frozenset()
    assert EntityNames([]).mentioned("Dune") == frozenset()
    assert EntityNames([EntityRef(id="x", name="?!")]).mentioned("?!") == frozenset()
