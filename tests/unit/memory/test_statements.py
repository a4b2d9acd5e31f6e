"""What one message tells and asks, in the many ways in which people put it."""

import pytest

from clew.memory.noting.statements import MAX_STATEMENTS, read_message

SAID = """\
People call me Bob
I'm a PhD student at the School of Computing
My student number is 20231234
I can't attend classes on Monday
I have a cat named Milo
Our project deadline is 15 May
I'm not a native speaker
The workshop is on March 3 in room 12
I want to apply for a master's programme in Germany
I study 海洋科学 at 临海大学
大家叫我小李
我是计算学院的博士生
我的学号是20231234
我周一不能上课
我有一只猫叫米洛
我们的项目截止日期是5月15日
我想去北京，看看故宫
我不是母语者
预算是五千元"""
PREFERENCES = """\
I don't like spoilers
My favorite director is Bong Joon-ho
I'm interested in marine biology
I'd prefer answers in bullet points
I hate horror movies
我讨厌恐怖片
我最喜欢的导演是奉俊昊
我对海洋生物学感兴趣"""
DECISIONS = """\
We'll meet on Friday at 3pm in room 501
I've decided to take CS301 next semester
Let's go with the Blue Ocean Scholarship
We agreed that Tom writes the report
我决定下学期选CS301
就申请蓝海奖学金吧
我们说好周六去爬山
我把会议改到了周五
我打算九月份去德国读研"""
REQUESTS = """\
Please answer in two sentences at most
Never use jargon
Could you keep answers under 50 words?
Can you please answer in Chinese from now on?
Don't recommend horror films
Please use metric units
请分点回答
请用两句话以内回答
不要用术语
以后回答都用英文
别给我推荐恐怖片"""
KINDS = {"said": SAID, "preference": PREFERENCES, "decision": DECISIONS, "request": REQUESTS}


@pytest.mark.parametrize("kind", KINDS)
def test_statements_are_told_by_kind(kind: str) -> None:
    for text in KINDS[kind].splitlines():
        told = read_message(text)
        assert [(note.kind, note.text) for note in told.notes] == [(kind, text)]
        assert told.asked == ""


ASKED = """\
Who directed Inception?
who directed inception
Where was Nolan born
Is Nolan older than Villeneuve
And the deadline?
Can I take CS301 and CS302 in the same semester?
Do I need a supervisor for the thesis?
Is it true that I can retake CS101?
I'd like to know who composed the score of Arrival
I don't know what CS301 requires
I was wondering about the library hours
I want the list of prerequisites for CS301
Tell me about the composer of Arrival
Give me three films by Ang Lee that I could watch with my kids
The composer of Oppenheimer
《卧虎藏龙》的导演毕业于哪所大学？
那第二部呢？
我想知道《盗梦空间》的导演是谁
我不知道该选哪门课
我可以借多少本书
帮我查一下图书馆的开放时间
介绍一下CS301
如果我休学，奖学金怎么办？
我想申请蓝海奖学金，需要什么材料？
寄生虫的导演"""


def test_questions_are_no_statements() -> None:
    for text in ASKED.splitlines():
        told = read_message(text)
        assert told.notes == (), text
        assert told.asked, text


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (
            "I'm Li Wei, a second-year student in computer science, and I don't eat meat.",
            ["I'm Li Wei", "I'm a second-year student in computer science", "I don't eat meat"],
        ),
        ("I'm allergic to peanuts, shellfish and eggs.", ["I'm allergic to peanuts, shellfish and eggs"]),
        ("ok so my name is ana, im from spain", ["My name is ana", "I'm from spain"]),
        ("I want to live in Rome and work as a nurse.", ["I want to live in Rome and work as a nurse"]),
        ("我是一名大二的学生，专业是软件工程，住在杭州。", ["我是一名大二的学生", "我专业是软件工程", "我住在杭州"]),
        ("我不喜欢恐怖片，但喜欢科幻片。", ["我不喜欢恐怖片", "我喜欢科幻片"]),
        ("我妈妈叫李红，住在上海。", ["我妈妈叫李红，住在上海"]),
        ("我养了一只猫，叫咪咪。", ["我养了一只猫，叫咪咪"]),
        ("If I move to Rome, I will need a car.", ["If I move to Rome, I will need a car"]),
    ],
)
def test_a_sentence_is_taken_apart_where_each_part_tells_of_its_speaker(text: str, clauses: list[str]) -> None:
    assert [note.text for note in read_message(text).notes] == clauses


def test_a_message_tells_at_most_so_much_and_the_strongest_first() -> None:
    text = " ".join(f"I have {number} books about subject{number}." for number in range(40)) + " My name is Anna."
    notes = read_message(text).notes
    assert len(notes) == MAX_STATEMENTS
    assert notes[-1].text == "My name is Anna"


@pytest.mark.parametrize("text", ["", " \n", "?", "……", "👍", "<b></b>", "```\n", "> quoted"])
def test_what_says_nothing_tells_nothing(text: str) -> None:
    told = read_message(text)
    assert (told.notes, told.asked) == ((), "")
