"""A knowledge base's description in a file: what it may say, and how what does not fit is told."""

from pathlib import Path

import pytest

from clew.errors import DocumentError
from clew.knowledge.profile_file import read_profile
from clew.routing.intent import Intent, Slot
from clew.routing.intents import detect_intent

ROOT = Path(__file__).parents[3]
HEAD = 'prefix = "hr"\ntitle = "Staff handbook"\n'
LEAVE = """
[[intents]]
name = "leave"
words = ["leave | 休假", "days | 几天"]

[[intents.slots]]
name = "site"
question = "Where do you work?"
question_zh = "您在哪里工作？"
values = ["Lyon | 里昂", "Shanghai | 上海"]
needed = true

[[intents.slots]]
name = "year"
question = "Since when?"
pattern = "20\\\\d\\\\d"
"""
SITE = Slot(
    name="site",
    question="Where do you work?",
    question_zh="您在哪里工作？",
    values=("Lyon | 里昂", "Shanghai | 上海"),
    needed=True,
)
YEAR = Slot(name="year", question="Since when?", pattern=r"20\d\d")


def write(folder: Path, text: str) -> Path:
    path = folder / "profile.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str) -> str:
    with pytest.raises(DocumentError) as caught:
        read_profile(write(folder, HEAD + text))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_profile_without_intents_has_none(tmp_path: Path) -> None:
    profile = read_profile(write(tmp_path, HEAD + 'examples = ["年假有多少天？"]'))
    assert (profile.prefix, profile.title, profile.examples, profile.intents) == (
        "hr",
        "Staff handbook",
        ("年假有多少天？",),
        (),
    )


def test_intents_are_read_with_their_slots_in_order(tmp_path: Path) -> None:
    profile = read_profile(write(tmp_path, HEAD + LEAVE))
    assert profile.intents == (Intent(name="leave", words=("leave | 休假", "days | 几天"), slots=(SITE, YEAR)),)


def test_a_slot_without_a_question_is_the_one_described_before_but_for_what_is_given(tmp_path: Path) -> None:
    text = (
        LEAVE
        + '[[intents]]\nname = "pay"\nwords = ["pay"]\nslots = [{ name = "year" }, { name = "site", needed = false }]'
    )
    pay = read_profile(write(tmp_path, HEAD + text)).intents[1]
    assert pay.slots == (YEAR, SITE.model_copy(update={"needed": False}))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('name = "leave"', ""), ["intent number 1", "name", "missing"]),
        (('name = "leave"', 'name = "Leave"'), ["'Leave'", "name", "lower-case"]),
        (('words = ["leave | 休假", "days | 几天"]', ""), ["'leave'", "words", "missing"]),
        (('"days | 几天"', '" | "'), ["'leave'", "words", "no word"]),
        (('words = ["leave', 'wordz = ["leave'), ["'leave'", "'wordz'", "name, slots, words"]),
        (('name = "year"', ""), ["'leave'", "slot", "no name"]),
        (('name = "year"', 'name = "site"'), ["'leave'", "'site'"]),
        (('question = "Since when?"', ""), ["'leave'", "'year'", "no question"]),
        (("20\\\\d", "(20\\\\d"), ["'leave'", "'year'", "pattern", "regular expression"]),
        (('"Shanghai | 上海"', '"Shanghai | 里昂"'), ["'leave'", "'site'", "values", "'里昂'"]),
        (('"Shanghai | 上海"', "7"), ["'leave'", "'site'", "values"]),
        (("needed = true", 'needed = "maybe"'), ["'leave'", "'site'", "needed"]),
        (("needed = true", "require = true"), ["'leave'", "'site'", "'require'"]),
    ],
    ids=lambda each: each[1][:24] if isinstance(each, tuple) else "",
)
def test_what_does_not_fit_is_told_by_intent_slot_and_field(
    tmp_path: Path, change: tuple[str, str], told: list[str]
) -> None:
    assert change[0] in LEAVE
    message = refused(tmp_path, LEAVE.replace(*change, 1))
    assert [text for text in told if text not in message] == [], message
    assert "profile.toml" in message


@pytest.mark.parametrize(
    "text", ['intents = "leave"', "intents = [1]", '[[intents]]\nname = "a"\nwords = ["a"]\nslots = 1']
)
def test_what_is_no_table_is_refused(tmp_path: Path, text: str) -> None:
    assert "[[intents" in refused(tmp_path, text)


def test_two_intents_of_one_name_are_refused(tmp_path: Path) -> None:
    assert "'leave'" in refused(tmp_path, LEAVE + '[[intents]]\nname = "leave"\nwords = ["x"]')


@pytest.mark.parametrize("text", ["title = 7", 'prefix = "No"\ntitle = "x"'])
def test_a_profile_needs_its_prefix_and_title(tmp_path: Path, text: str) -> None:
    with pytest.raises(DocumentError, match="prefix and title"):
        read_profile(write(tmp_path, text))


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="not TOML"):
        read_profile(write(tmp_path, "prefix = "))
    with pytest.raises(DocumentError, match="cannot be read"):
        read_profile(tmp_path / "missing.toml")


@pytest.mark.parametrize("path", sorted(ROOT.glob("demo/*/profile.toml")), ids=lambda path: path.parent.name)
def test_the_demo_profiles_fit_and_their_slots_can_be_asked_for_in_both_languages(path: Path) -> None:
    for intent in read_profile(path).intents:
        assert intent.slots, intent.name
        for slot in intent.slots:
            assert slot.question_zh, (intent.name, slot.name)
            assert slot.values or slot.pattern, (intent.name, slot.name)


def test_the_profile_in_the_readme_is_one(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = [block.split("```", 1)[0] for block in readme.split("```toml\n")[1:]]
    profile = read_profile(write(tmp_path, "\n".join(blocks)))
    match = detect_intent("我2019年入职，年假有几天？", profile.intents)
    assert match is not None
    assert match.known == {"joined": "2019"}
    assert [slot.name for slot in match.missing] == ["site"]
