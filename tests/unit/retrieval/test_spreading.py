"""Spreading activation: decaying with each hop, drawn by what the question asks, within bounds."""

import random
from itertools import pairwise

import pytest

from clew.retrieval.evidence import EntityRef, Hop
from clew.retrieval.seeds import Seeds, seeds
from clew.retrieval.spreading import (
    DECAY,
    FRONTIER,
    HOPS,
    MAX_FACTS,
    MAX_MENTIONS,
    MAX_NEIGHBOURS,
    MENTIONED,
    REACHED,
    SAID_GAIN,
    Walk,
    spread,
)
from tests.unit.retrieval.small_reader import COMPOSED, Relation, SmallReader, Text, films


def walked(reader: SmallReader, query: str) -> Walk:
    return spread(reader, query, seeds(reader, query, reader.link(query), dict))


def named(*names: str) -> list[EntityRef]:
    return [EntityRef(id=name.lower(), name=name) for name in names]


def test_every_hop_leaves_half_of_the_activation_at_most() -> None:
    chain = named("Alpha", "Beta", "Gamma", "Delta")
    relations = [Relation(one.id, other.id, f"{one.name} knows {other.name}.") for one, other in pairwise(chain)]
    walk = walked(SmallReader(chain, relations=relations), "Alpha")
    assert walk.activation == pytest.approx({"alpha": 1.0, "beta": DECAY, "gamma": DECAY**2})
    assert HOPS == 2  # so Delta is out of reach


@pytest.mark.parametrize(
    ("query", "asked", "heavier"),
    [
        ("Who composed the music of Inception?", "zimmer", "nolan"),
        ("《盗梦空间》是谁作曲的？", "zimmer", "nolan"),
        ("Who directed Inception?", "nolan", "zimmer"),
        ("Who composed the score of Crouching Tiger, Hidden Dragon?", "tandun", "anglee"),
        ("《卧虎藏龙》的作曲者是谁？", "tandun", "anglee"),
        ("《卧虎藏龙》由谁执导？", "anglee", "tandun"),
    ],
)
def test_what_a_sentence_says_counts_before_how_many_sentences_there_are(query: str, asked: str, heavier: str) -> None:
    reader = films()
    reader.weigh(heavier, 2.0)
    activation = walked(reader, query).activation
    assert activation[asked] == DECAY
    assert activation[heavier] < DECAY


def test_where_no_sentence_says_what_is_asked_the_heavier_relation_leads() -> None:
    reader = films()
    reader.weigh("nolan", 4.0)
    activation = walked(reader, "When did Inception come out?").activation
    assert activation["nolan"] == DECAY
    assert activation["zimmer"] == pytest.approx(DECAY * 4.0**-0.5)
    assert SAID_GAIN > 1  # words may make up for some weight


def test_the_way_to_a_passage_is_told_hop_by_hop() -> None:
    for query in ("Where was the composer of Inception born?", "《盗梦空间》的作曲者出生在哪里？"):
        reader = films()
        walk = walked(reader, query)
        paths = {each.id: each.path for each in walk.on_path(reader.passages(walk.passages))}
        assert paths["film"] == ()
        first = Hop(source="Inception", relation="CO_MENTION", target="Hans Zimmer")
        assert paths["composer"] == (first,)
        assert paths["city"] == (first, Hop(source="Hans Zimmer", relation="CO_MENTION", target="Frankfurt"))


def test_relations_walked_are_facts_with_what_is_said_and_where() -> None:
    walk = walked(films(), "Where was the composer of Inception born?")
    told = {(fact.source, fact.target): (fact.said, fact.passage_ids) for fact in walk.facts}
    assert told["Inception", "Hans Zimmer"] == (COMPOSED, ("film",))
    assert set(told) == {
        ("Inception", "Hans Zimmer"),
        ("Inception", "Christopher Nolan"),
        ("Hans Zimmer", "Frankfurt"),
    }
    assert walk.facts[0].target == "Hans Zimmer"  # the strongest first


def test_a_fact_is_told_in_the_direction_in_which_it_was_stated() -> None:
    reader = SmallReader(
        named("Inception", "Nolan"),
        relations=[Relation("nolan", "inception", "Nolan directed it.", "p", 1.0, "DIRECTED")],
    )
    for query in ("Inception", "Nolan"):
        (fact,) = walked(reader, query).facts
        assert (fact.source, fact.relation, fact.target) == ("Nolan", "DIRECTED", "Inception")


def test_of_several_sentences_the_most_telling_is_the_fact_and_its_passage_comes_first() -> None:
    relations = [
        Relation("inception", "nolan", "Nolan praised Inception.", "first", 3.0),
        Relation("inception", "nolan", "Nolan directed Inception.", "second", 2.0),
        Relation("inception", "nolan", "Nolan left Inception.", "third", 1.0),
    ]
    (fact,) = walked(SmallReader(named("Inception", "Nolan"), relations=relations), "Who directed Inception?").facts
    assert fact.said == "Nolan directed Inception."
    assert fact.passage_ids == ("second", "third", "first")


def test_a_passage_about_an_entity_counts_more_than_one_that_mentions_it_however_far_down() -> None:
    texts = [
        Text("top", "alpha", "…", "long", 0),
        Text("below", "alpha", "…", "long", 3),
        Text("far", "alpha", "…", "long", 400),
        Text("other", "beta", "Alpha is named here."),
    ]
    scores = walked(SmallReader(named("Alpha", "Beta"), texts), "Alpha").passages
    assert scores["top"] > scores["below"] > scores["far"] >= scores["other"] == MENTIONED


def test_several_entities_of_one_passage_add_a_little_to_the_strongest() -> None:
    texts = [Text("both", "alpha", "Beta is here too."), Text("one", "alpha", "Alone."), Text("b", "beta", "…")]
    scores = walked(SmallReader(named("Alpha", "Beta"), texts), "Alpha and Beta").passages
    assert scores["one"] < scores["both"] < scores["one"] + MENTIONED


def test_it_reads_little_of_a_graph_where_everything_is_related() -> None:
    everyone = named(*(f"Person{number}" for number in range(150)))
    pairs = [(one, other) for place, one in enumerate(everyone[:60]) for other in everyone[place + 1 :]]
    reader = SmallReader(everyone, relations=[Relation(a.id, b.id, "They met.", "p") for a, b in pairs])
    walk = walked(reader, "Person0")
    assert reader.sizes == [
        ("neighbours", 1, MAX_NEIGHBOURS),
        ("neighbours", FRONTIER, MAX_NEIGHBOURS),
        ("mentioning", REACHED, MAX_MENTIONS),
    ]
    assert len(walk.facts) == MAX_FACTS


def test_the_order_in_which_relations_were_stored_does_not_matter() -> None:
    everyone = named(*(f"Person{number}" for number in range(30)))
    relations = [
        Relation(one.id, other.id, "They met.", "p")
        for place, one in enumerate(everyone)
        for other in everyone[place + 1 :]
    ]
    texts = [Text(f"t{number}", each.id, "…") for number, each in enumerate(everyone)]
    shuffled = random.Random(3)  # noqa: S311  (an order, not a secret)
    first = walked(SmallReader(everyone, texts, relations), "Person1")
    for _ in range(3):
        shuffled.shuffle(relations)
        again = walked(SmallReader(everyone, texts, relations), "Person1")
        assert (again.activation, again.passages, again.paths) == (first.activation, first.passages, first.paths)


def test_a_relation_without_a_sentence_is_walked_too() -> None:
    walk = walked(SmallReader(named("Alpha", "Beta"), relations=[Relation("alpha", "beta")]), "Who wrote Alpha?")
    assert walk.activation["beta"] == DECAY


def test_nothing_to_start_from_reads_nothing() -> None:
    reader = films()
    assert spread(reader, "zzz", Seeds([], {})) == Walk([], {})
    assert reader.calls == []
