"""What becomes of a model's reading: names that find, terms that rules miss, relations with a type."""

import threading
import time

import pytest

from clew.errors import ModelThrottledError
from clew.knowledge.documents import Document
from clew.knowledge.extracted import Extracted
from clew.knowledge.graph_model import ReadEntity, ReadGraph, ReadRelation
from clew.knowledge.model_extraction import ModelExtraction
from clew.knowledge.name_book import NameBook
from clew.knowledge.naming import Names

INCEPTION = Document(
    "inception", "Inception (盗梦空间)", "Inception was directed by Christopher Nolan. Hans Zimmer scored it."
)


class Reader:
    """A model that has read beforehand: what it answers to each chunk, by a word of the chunk."""

    name = "reader"

    def __init__(self, **graphs: ReadGraph) -> None:
        self.graphs = graphs
        self.asked: list[tuple[str, str]] = []

    def read(self, title: str, text: str) -> ReadGraph:
        self.asked.append((title, text))
        return next((graph for word, graph in self.graphs.items() if word in text), ReadGraph())


def extracted(reader: Reader, *documents: Document) -> tuple[list[Extracted], NameBook]:
    names = NameBook(lambda key: f"e:{key}")
    names.collect(list(documents))
    return ModelExtraction(reader).extract(list(documents), names), names


def mentions(of: Extracted, names: NameBook) -> list[dict[str, int]]:
    """The names mentioned in each chunk."""
    return [{names.entities[key].name: count for key, count in item.mentions.items()} for item in of.chunks]


def relations(of: Extracted, names: NameBook) -> dict[tuple[str, str, str], int]:
    return {
        (names.entities[each.source_id].name, each.type, names.entities[each.target_id].name): each.weight
        for each in of.relations
    }


def one(entities: list[ReadEntity], stated: list[ReadRelation], document: Document) -> tuple[Extracted, NameBook]:
    (found,), names = extracted(Reader(**{"": ReadGraph(tuple(entities), tuple(stated))}), document)
    return found, names


NOLAN = ReadEntity("Christopher Nolan", ("克里斯托弗·诺兰", "Nolan"), "PERSON")
FILM = ReadEntity("Inception", (), "FILM")
DIRECTED = ReadRelation("Christopher Nolan", "Inception", "DIRECTED", "Inception was directed by Christopher Nolan.")


def test_every_chunk_is_read_with_its_documents_title() -> None:
    long = Document("long", "The Long Film", "Somebody did something here. " * 200)
    reader = Reader()
    (first, second), _ = extracted(reader, long, INCEPTION)
    assert sorted(reader.asked) == sorted(
        (each.document.title, item.chunk.text) for each in (first, second) for item in each.chunks
    )


def test_relations_are_those_that_the_model_states() -> None:
    found, names = one([NOLAN, FILM], [DIRECTED], INCEPTION)
    assert relations(found, names) == {("Christopher Nolan", "DIRECTED", "Inception"): 1}
    (relation,) = found.relations
    assert relation.description == "Inception was directed by Christopher Nolan."
    assert relation.ordinal == 0
    assert found.subject_id == names.of_title("Inception (盗梦空间)")


def test_names_that_rules_find_are_mentioned_though_the_model_says_nothing() -> None:
    found, names = one([], [], INCEPTION)
    assert mentions(found, names) == [{"Inception": 2, "Christopher Nolan": 1, "Hans Zimmer": 1}]
    assert found.relations == ()


def test_an_alias_in_another_language_names_the_same_thing_everywhere() -> None:
    chinese = Document("zh", "一篇短文", "这部片子的导演是克里斯托弗·诺兰。")
    reader = Reader(**{"Inception": ReadGraph((NOLAN,))})
    (_, other), names = extracted(reader, INCEPTION, chinese)
    (nolan,) = names.ids_of("Christopher Nolan")
    assert names.ids_of("克里斯托弗·诺兰") == (nolan,)
    assert nolan in other.chunks[0].mentions
    assert set(names.entities[nolan].spellings.values()) == {"Christopher Nolan", "克里斯托弗·诺兰", "Nolan"}


def test_a_term_in_small_letters_is_an_entity_where_its_chunk_has_it() -> None:
    document = Document("d", "CS201", "A heap is a binary tree. It sorts. " + "Then more is said of it. " * 100)
    heap = ReadEntity("heap", ("堆",), "STRUCTURE")
    tree = ReadEntity("binary tree", (), "STRUCTURE")
    reader = Reader(**{"A heap": ReadGraph((heap, tree), (ReadRelation("heap", "binary tree", "IS_A", "A heap is."),))})
    (found,), names = extracted(reader, document)
    first, *others = mentions(found, names)
    assert others
    assert first == {"CS201": 1, "heap": 1, "binary tree": 1}
    assert all("heap" not in each for each in others)
    assert relations(found, names) == {("heap", "IS_A", "binary tree"): 1}


def test_what_the_text_does_not_name_is_no_entity() -> None:
    invented = ReadEntity("Quentin Tarantino", ("昆汀·塔伦蒂诺",))
    within_a_word = ReadEntity("Hans Zim")
    stated = [ReadRelation("Quentin Tarantino", "Inception", "DIRECTED", "He did.")]
    found, names = one([invented, within_a_word], stated, INCEPTION)
    assert names.ids_of("Quentin Tarantino") == names.ids_of("昆汀·塔伦蒂诺") == names.ids_of("Hans Zim") == ()
    assert found.relations == ()


def test_an_entity_of_the_title_needs_not_stand_in_the_chunk() -> None:
    document = Document("d", "Ang Lee (李安)", "He directed 《卧虎藏龙》.")
    stated = [ReadRelation("Ang Lee", "卧虎藏龙", "DIRECTED", "He directed 《卧虎藏龙》.")]
    found, names = one([ReadEntity("Ang Lee"), ReadEntity("卧虎藏龙")], stated, document)
    assert relations(found, names) == {("Ang Lee", "DIRECTED", "卧虎藏龙"): 1}


def test_spellings_that_are_no_names_are_left_out() -> None:
    nolan = ReadEntity("Christopher Nolan", ("the director", "he", "", "  ", "2010", "诺", "C. Nolan"))
    _, names = one([nolan, ReadEntity("!"), ReadEntity("it")], [], INCEPTION)
    (entity_id,) = names.ids_of("Christopher Nolan")
    assert set(names.entities[entity_id].spellings.values()) == {"Christopher Nolan", "C. Nolan"}


def test_small_letters_are_a_name_beside_a_name_in_chinese() -> None:
    document = Document("d", "一门课程", "机器学习是人工智能的一部分。")
    _, names = one([ReadEntity("机器学习", ("machine learning",))], [], document)
    assert names.ids_of("machine learning") == names.ids_of("机器学习") != ()


def test_an_alias_in_the_same_language_does_not_make_two_things_one() -> None:
    wrong = ReadEntity("Christopher Nolan", ("Hans Zimmer",))
    found, names = one([wrong], [], INCEPTION)
    assert names.ids_of("Christopher Nolan") != names.ids_of("Hans Zimmer")
    assert mentions(found, names) == [{"Inception": 2, "Christopher Nolan": 1, "Hans Zimmer": 1}]


def test_a_name_that_several_share_means_the_documents_subject_or_nobody() -> None:
    old = Document("old", "Dune (1984 film)", "Dune is by David Lynch.")
    new = Document("new", "Dune (2021 film)", "Dune is by Denis Villeneuve.")
    note = Document("note", "A Note", "Dune is seen by Jane Austen.")
    stated = {
        name: ReadGraph(relations=(ReadRelation(name, "Dune", "MADE", "Said."),))
        for name in ("David Lynch", "Denis Villeneuve", "Jane Austen")
    }
    results, names = extracted(Reader(**stated), old, new, note)
    targets = [[relation.target_id for relation in each.relations] for each in results]
    assert targets == [[names.of_title(old.title)], [names.of_title(new.title)], []]


@pytest.mark.parametrize(
    "relation",
    [
        ReadRelation("Christopher Nolan", "Nobody", "KNOWS", "Said."),
        ReadRelation("Christopher Nolan", "克里斯托弗·诺兰", "IS", "Said."),
        ReadRelation("", "Inception", "DIRECTED", "Said."),
    ],
    ids=["unknown end", "itself", "no end"],
)
def test_a_relation_without_two_ends_is_left_out(relation: ReadRelation) -> None:
    found, _ = one([NOLAN, FILM], [relation], INCEPTION)
    assert found.relations == ()


@pytest.mark.parametrize(
    ("written", "type_"),
    [
        ("DIRECTED", "DIRECTED"),
        ("directed by", "DIRECTED_BY"),
        ("co-wrote", "CO_WROTE"),
        ("导演", "RELATED_TO"),
        ("", "RELATED_TO"),
        ("X {a: 1}]->() DETACH DELETE x //", "RELATED_TO"),
        ("T" * 41, "RELATED_TO"),
        ("1ST", "RELATED_TO"),
    ],
)
def test_a_relations_type_is_a_word_in_capitals(written: str, type_: str) -> None:
    found, _ = one([NOLAN, FILM], [ReadRelation("Christopher Nolan", "Inception", written, "Said.")], INCEPTION)
    assert [each.type for each in found.relations] == [type_]


def test_a_relation_stated_again_weighs_more_and_keeps_its_first_sentence() -> None:
    document = Document("d", "Inception", "By Christopher Nolan, first. " + "Words go on here. " * 90 + "Nolan, last.")
    nolan = ReadEntity("Christopher Nolan", ("Nolan",))
    first = ReadGraph((nolan,), (ReadRelation("Christopher Nolan", "Inception", "MADE", "First."),) * 2)
    last = ReadGraph((nolan,), (ReadRelation("Nolan", "Inception", "MADE", "Last."),))
    (found,), names = extracted(Reader(**{"first": first, "last": last}), document)
    assert len(found.chunks) > 1
    assert relations(found, names) == {("Christopher Nolan", "MADE", "Inception"): 3}
    assert [(each.description, each.ordinal) for each in found.relations] == [("First.", 0)]


def test_a_description_is_bounded_and_made_up_from_the_relation_where_there_is_none() -> None:
    long = ReadRelation("Christopher Nolan", "Inception", "MADE", "went on " * 200)
    bare = ReadRelation("Christopher Nolan", "Inception", "WORKED_ON", " ")
    found, _ = one([NOLAN, FILM], [long, bare], INCEPTION)
    first, second = sorted(found.relations, key=lambda each: each.type)
    assert len(first.description) == 240
    assert second.description == "Christopher Nolan worked on Inception"


def test_the_version_tells_the_model() -> None:
    assert ModelExtraction(Reader()).version == "model-1:reader"


def test_no_documents_need_no_model() -> None:
    reader = Reader()
    assert extracted(reader)[0] == []
    assert reader.asked == []


class Busy(Reader):
    """Waits a little, and notes how many ask at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()
        self.now = self.most = 0

    def read(self, title: str, text: str) -> ReadGraph:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(0.005)
        with self.lock:
            self.now -= 1
        return super().read(title, text)


def test_chunks_are_read_in_parallel_and_not_more_than_told() -> None:
    reader = Busy()
    documents = [Document(str(number), f"Title {number}", "A text.") for number in range(12)]
    names = NameBook(lambda key: f"e:{key}")
    names.collect(documents)
    results = ModelExtraction(reader, parallel=3).extract(documents, names)
    assert [each.document for each in results] == documents
    assert 1 < reader.most <= 3


class Throttled(Reader):
    def read(self, title: str, text: str) -> ReadGraph:
        super().read(title, text)
        if title == "Title 3":
            raise ModelThrottledError("The model is asked too much for now.")
        time.sleep(0.005)
        return ReadGraph()


def test_a_model_that_fails_fails_the_batch_and_is_not_asked_on() -> None:
    reader = Throttled()
    documents = [Document(str(number), f"Title {number}", "A text.") for number in range(200)]
    names = NameBook(lambda key: f"e:{key}")
    names.collect(documents)
    with pytest.raises(ModelThrottledError):
        ModelExtraction(reader).extract(documents, names)
    assert len(reader.asked) < 200


def free(*names: str) -> NameBook:
    """A book in which ``names`` stand free, none with another."""
    book = NameBook(lambda key: f"e:{key}")
    book.collect([Document(str(number), f"Note {number}", f"《{name}》。") for number, name in enumerate(names)])
    return book


@pytest.mark.parametrize(("name", "alias"), [("Hans Zimmer", "汉斯·季默"), ("汉斯·季默", "Hans Zimmer")])
def test_free_names_in_two_scripts_become_one_thing_under_its_main_name(name: str, alias: str) -> None:
    names = free("Hans Zimmer", "汉斯·季默")
    assert names.ids_of(name) != names.ids_of(alias)
    names.join(Names(name, (alias,)))
    (entity_id,) = names.ids_of(name)
    assert names.ids_of(alias) == (entity_id,)
    assert names.entities[entity_id].name == name
    assert [mention.entity_id for mention in names.find(f"《{alias}》")] == [entity_id]


def test_a_free_name_becomes_a_spelling_of_what_a_document_is_about() -> None:
    names = free("汉斯·季默")
    names.collect([Document("d", "Hans Zimmer", "A text.")])
    names.join(Names("汉斯·季默", ("Hans Zimmer",)))
    assert names.ids_of("汉斯·季默") == names.ids_of("Hans Zimmer") == (names.of_title("Hans Zimmer"),)


def test_two_things_that_documents_are_about_stay_apart() -> None:
    names = NameBook(lambda key: f"e:{key}")
    names.collect([Document("a", "To Live", "A text."), Document("b", "活着", "A text.")])
    names.join(Names("To Live", ("活着",)))
    assert names.ids_of("To Live") != names.ids_of("活着")
    assert len(names.entities) == 2
