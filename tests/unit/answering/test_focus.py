"""What a turn was about."""

from clew.answering.focus import MAX_NAMES, focus_of
from clew.retrieval.evidence import EntityRef

FILM = EntityRef(id="f", name="Inception", aliases=("盗梦空间",))
NOLAN = EntityRef(id="n", name="Christopher Nolan", aliases=("诺兰",))


def test_names_are_as_question_and_answer_spell_them() -> None:
    focus = focus_of("《盗梦空间》是谁导演的？", "Christopher Nolan directed Inception.", [FILM, NOLAN])
    assert focus.asked == ("盗梦空间",)
    assert focus.answered == ("Christopher Nolan",)  # Inception was asked for, under its other name


def test_a_name_counts_once() -> None:
    assert focus_of("Inception, 盗梦空间", "诺兰, Christopher Nolan", [FILM, NOLAN]).answered == ("诺兰",)


def test_an_answer_full_of_names_is_bounded() -> None:
    many = [EntityRef(id=str(number), name=f"Person{number} Name") for number in range(50)]
    focus = focus_of("Who?", ", ".join(each.name for each in many), many)
    assert len(focus.answered) == MAX_NAMES


def test_nothing_known_is_about_nothing() -> None:
    assert focus_of("Hello", "Hi!", []).model_dump() == {"asked": (), "answered": ()}
