"""The name book: one entity for the spellings of one thing, found again in text."""

import pytest

from clew.knowledge.document_names import names_of
from clew.knowledge.documents import Document
from clew.knowledge.name_book import NameBook
from clew.knowledge.naming import Names
from clew.text.names import name_key


def book(*documents: tuple[str, str]) -> NameBook:
    names = NameBook(lambda key: f"e:{key}")
    names.collect([Document(f"d{number}", title, text) for number, (title, text) in enumerate(documents)])
    return names


def named(names: NameBook, text: str) -> list[str]:
    """What is found in ``text``, as the text spells it."""
    return [text[mention.start : mention.end] for mention in names.find(text)]


def spellings(names: NameBook, spelling: str) -> set[str]:
    """All spellings of the one thing that is spelled so."""
    (entity,) = [each for each in names.entities.values() if name_key(spelling) in each.all_spellings]
    return set(entity.all_spellings.values())


INCEPTION = ("Inception (盗梦空间)", "Christopher Nolan (克里斯托弗·诺兰) directed Inception.")
NOLAN = ("Christopher Nolan (克里斯托弗·诺兰)", "He was born in London.")


def test_a_title_and_its_other_script_are_one_thing() -> None:
    names = book(INCEPTION)
    assert spellings(names, "盗梦空间") == {"Inception", "盗梦空间"}
    (one,), (other,) = names.find("Inception is good."), names.find("《盗梦空间》很好。")
    assert one.entity_id == other.entity_id == names.of_title("Inception (盗梦空间)")


def test_a_name_in_the_text_joins_the_one_in_a_title() -> None:
    names = book(INCEPTION, NOLAN)
    assert {"Christopher Nolan", "克里斯托弗·诺兰", "诺兰", "Nolan"} <= spellings(names, "克里斯托弗·诺兰")
    (mention,) = names.find("克里斯托弗·诺兰写了剧本。")
    assert mention.entity_id == names.of_title(NOLAN[0])


MIXED = [
    INCEPTION,
    NOLAN,
    ("DUNE", "HANS ZIMMER scored Dune. It is by Frank Herbert."),
    ("Dune", "Hans Zimmer (汉斯·季默) scored it, and 《沙丘》（Dune） is long."),
    ("Frank Herbert (弗兰克·赫伯特)", "He met Hans Zimmer (汉斯·齐默尔) once."),
    ("李安（Ang Lee）", "由李安（Ang Lee）执导。《活着》由张艺谋执导。"),
    ("活着", "Lifetimes (活着) is a film of Zhang Yimou (张艺谋)."),
]


@pytest.mark.parametrize("first", range(len(MIXED)))
def test_the_order_of_documents_does_not_matter(first: int) -> None:
    one, other = book(*MIXED), book(*MIXED[first:], *reversed(MIXED[:first]))
    assert dict(one.entities) == dict(other.entities)
    for _, text in MIXED:
        assert one.find(text) == other.find(text)


def test_two_titles_of_one_name_stay_two_things_that_it_names_both() -> None:
    names = book(("Dune (1984 film)", "By Lynch."), ("Dune (2021 film)", "By Villeneuve."))
    assert {mention.entity_id for mention in names.find("I saw Dune.")} == {
        names.of_title("Dune (1984 film)"),
        names.of_title("Dune (2021 film)"),
    }


def test_the_longest_name_counts_and_none_within_it() -> None:
    names = book(("Dune", "x"), ("Dune: Part Two", "x"), ("李安", "x"), ("李安妮", "x"))
    assert named(names, "He saw Dune: Part Two and Dune.") == ["Dune: Part Two", "Dune"]
    assert named(names, "李安妮不是李安。") == ["李安妮", "李安"]


def test_running_text_before_a_known_chinese_name_is_no_part_of_it() -> None:
    names = book(("李安", "x"), ("卧虎藏龙", "《卧虎藏龙》由李安（Ang Lee）执导，是李安的作品。"))
    assert spellings(names, "Ang Lee") >= {"李安", "Ang Lee"}
    assert not any("由" in spelling for each in names.entities.values() for spelling in each.all_spellings.values())


def test_short_chinese_works_are_everyday_words_without_their_marks() -> None:
    names = book(("活着 (To Live)", "《活着》是张艺谋的影片。"))
    assert named(names, "人都想活着。") == []
    assert named(names, "他看了《活着》。") == ["活着"]
    assert named(names, "To Live won a prize.") == ["To Live"]


def test_longer_chinese_works_are_found_without_their_marks() -> None:
    names = book(("盗梦空间", "《盗梦空间》很好。"))
    assert named(names, "我看了盗梦空间。") == ["盗梦空间"]


def test_english_names_begin_with_a_capital() -> None:
    names = book(("Up", "x"), ("Mother", "x"), ("The Host", "x"))
    assert named(names, "my mother went up to the host") == []
    assert named(names, "Mother and The Host") == ["Mother", "The Host"]


def test_works_and_full_names_need_no_title() -> None:
    names = book(("A note", "He met Jonathan Nolan after 《花样年华》 and 尼尔·盖曼."))
    assert named(names, "Jonathan Nolan saw《花样年华》with 尼尔·盖曼.") == ["Jonathan Nolan", "花样年华", "尼尔·盖曼"]


def test_names_given_before_make_the_same_book_as_the_documents_themselves() -> None:
    documents = [Document(f"d{number}", *each) for number, each in enumerate((INCEPTION, NOLAN))]
    whole, kept = NameBook(lambda key: f"e:{key}"), NameBook(lambda key: f"e:{key}")
    whole.collect(documents)
    kept.take(names_of(document) for document in documents)
    assert dict(whole.entities) == dict(kept.entities)


def test_a_name_that_a_model_has_read_is_one_that_its_document_gives() -> None:
    document = Document("d", "A note", "nothing with a capital")
    names = NameBook(lambda key: f"e:{key}")
    names.take([names_of(document, [Names("machine learning", ("机器学习",)), Names("gradient descent")])])
    assert spellings(names, "机器学习") == {"machine learning", "机器学习"}
    assert spellings(names, "gradient descent") == {"gradient descent"}


def test_forms_tell_which_names_need_their_marks() -> None:
    names = book(("活着 (To Live)", "《活着》是张艺谋的影片。"), ("李安", "x"))
    assert names.entities[names.of_title("活着 (To Live)")].forms == {"《活着》", "to live"}
    assert names.entities[names.of_title("李安")].forms == {"李安"}


def test_a_name_of_three_hundred_words_is_no_trouble() -> None:
    names = book(("A " * 300, "x"), ("A Cry", "x"))
    assert named(names, "A " * 300 + "Cry") == ["A Cry"]


def test_odd_texts_are_searched_without_harm() -> None:
    names = book(("½", "x"), ("1", "x"), ("Up", "x"), ("?", "x"), ("🎬", "x"))
    for text in ("", "½", "⑽ ½", "ﬁUp½", "Up", "up½", "\x00Up\x00"):
        for mention in names.find(text):
            assert 0 <= mention.start < mention.end <= len(text)
