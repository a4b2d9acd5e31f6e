"""What kind of question a message asks: labelled questions in both languages, and what must not mislead."""

import time

import pytest

from clew.routing.question_kind import LOOKED_AT, QUESTION_KINDS, QuestionKind, question_kind

LABELLED: dict[QuestionKind, list[str]] = {
    "fact": [
        "Who directed Inception?",
        "who is the director of inception",
        "Who is the composer of Oppenheimer?",
        "What is the original title of Memories of Murder?",
        "What was Ang Lee's first feature film?",
        "What is the name of the founder of Studio Ghibli?",
        "Which films did Joe Hisaishi score?",
        "How many credits is MA201 worth?",
        "How long can I borrow a book?",
        "How old is the founder?",
        "How much does the grant pay?",
        "How often does the committee meet?",
        "Until when may undergraduates add or drop courses?",
        "Can students enrolled in 2024 or later repeat a course?",
        "Do I pass with a GPA of 2.0 or higher?",
        "Is the library open on Saturday or Sunday?",
        "May I take more than 20 credits?",
        "Is an average lower than 2.0 enough for a warning?",
        "Where do I hand in an application for a leave of absence or a deferral?",
        "Who heads the School of Computing?",
        "When is the deadline for the Haiming Grant?",
        "Which actor plays the Joker in The Dark Knight?",
        "What does clause 7 of the contract say?",
        "Which number of days is allowed?",
        "What is the dosage of ibuprofen for children?",
        "Who is the current CEO of Acme Corp?",
        "Who is the author of the book Dune?",
        "List the courses taught by Lin Yating",
        "Hello there!",
        "《敦刻尔克》的导演是谁？",
        "谁是《敦刻尔克》的导演？",
        "《英雄》的导演是张艺谋吗？",
        "《沙丘》的导演和编剧是谁？",
        "宫崎骏出生在哪里？",
        "诺兰的弟弟叫什么名字？",
        "《少年派的奇幻漂流》是谁作曲的？",
        "韩国电影《母亲》的女主角由谁饰演？",
        "奉俊昊导演过哪些影片？",
        "Nolan 导演过哪些影片？",
        "李安执导的电影有哪些？",
        "谭盾的歌剧《秦始皇》在哪里首演？",
        "CS201 有几个学分？",
        "CS301的课程大纲在哪里下载？",
        "EC101经济学原理的主讲教师是谁？",
        "计算机学院的院长是谁？",
        "一个学期最多可以选多少学分？",
        "图书馆周末开到几点？",
        "国际学生办公室的电话或地址是什么？",
        "申请国家奖学金需要什么条件？",
        "申请材料交到学院还是学生处？",
        "下一场比赛在什么时候？",
        "奖学金覆盖学费的百分比是多少？",
        "有比如食堂这样的地方吗？",
        "哪里可以了解更多信息？",
        "在哪个页面更改密码？",
        "申请表和成绩单交到哪个大楼？",
        "不同学院的截止日期是哪天？",
        "年度总结什么时候交？",
        "公司的年假有多少天？",
        "你好！",
    ],
    "multi_hop": [
        "Where was the composer of Oppenheimer born?",
        "Who is the mother of the composer of Tenet?",
        "When did the director of the film that won the Palme d'Or in 2019 study?",
        "Which university did the author of Life of Pi attend?",
        "Who is the composer of Tenet married to?",
        "Who teaches the prerequisite of CS301?",
        "In which building is the office that decides on the Merit Scholarship?",
        "Where did Inception's director go to school?",
        "Which prize did the film directed by Bong Joon-ho win?",
        "Who leads the department that handles refunds?",
        "What is the capital of the country where the founder of Acme was born?",
        "Who directed Parasite and where did he study?",
        "How is Christopher Nolan related to Jonathan Nolan?",
        "What is the relationship between the graduate school and the registrar?",
        "For which other film did the cinematographer of Sicario win an award?",
        "In which city was the actor who plays the Joker born?",
        "《卧虎藏龙》的导演毕业于哪所大学？",
        "《饮食男女》的导演的妻子是谁？",
        "《千与千寻》的作曲者本名叫什么？",
        "《红高粱》原著小说的作者在哪一年获奖？",
        "Inception 的导演出生在哪座城市？",
        "写《活着》的那位作家的父亲是谁？",
        "在《色，戒》中饰演易先生的演员凭哪部影片获奖？",
        "获得金棕榈奖的电影的导演是谁？",
        "CS305 的先修课程由哪位老师主讲？",
        "OC101的主讲教师什么时候答疑？",
        "收转专业申请材料的部门的处长是谁？",
        "负责报销的部门在哪栋楼？",
        "开设这门课的学院的院长是谁？",
        "申请材料要交到哪个办公室，这个办公室在哪栋楼？",
        "克里斯托弗·诺兰和乔纳森·诺兰是什么关系？",
        "收购阿里影业的公司的创始人是哪国人？",
        "写《三体》的人出生在哪里？",
    ],
    "comparison": [
        "Which is longer, Tenet or Dunkirk?",
        "which is longer, tenet or dunkirk",
        "Which of Hero and House of Flying Daggers came out first?",
        "Are both Parasite and Okja by Bong Joon-ho?",
        "Do Tenet and Dune share a composer?",
        "Is Tenet by the same director as Memento?",
        "Were Tenet and Dune released in the same year?",
        "Who is older, the dean or the president?",
        "Is Ang Lee older than Zhang Yimou?",
        "Does CS301 carry as many credits as CS302?",
        "What is the difference between a resit and a deferred examination?",
        "Compare the two scholarships",
        "How do the two plans differ?",
        "What distinguishes Java from Python?",
        "Of Tenet and Dunkirk, which won more prizes?",
        "Python or Java: which is easier to learn?",
        "What do Roma and Parasite have in common?",
        "《英雄》和《十面埋伏》哪个更早上映？",
        "《星际穿越》与《降临》哪部先上映？",
        "巩俐和章子怡谁更年长？",
        "谁更年长，巩俐还是章子怡？",
        "李安和张艺谋都得过金狮奖吗？",
        "诺兰比维伦纽瓦年长吗？",
        "CS101 的学分比 CS201 多吗？",
        "CS101 和 CS201 是同一位老师教的吗？",
        "《寄生虫》和《玉子》的导演相同吗？",
        "补考和缓考有什么区别？",
        "比较一下两种奖学金和助学金的金额",
        "这两部电影的异同是什么？",
        "哪位演员同时出演了《英雄》和《十面埋伏》？",
        "两种方案相比，哪个更便宜？",
    ],
    "open": [
        "Why is the sky blue?",
        "How does photosynthesis work?",
        "How did the company recover from the crisis?",
        "How do I apply for the Blue Ocean Scholarship?",
        "Explain the retry policy",
        "Could you explain why the build fails?",
        "I would like to know how to reset my password",
        "Tell me about Ang Lee",
        "What is the reason for the delay?",
        "What causes an academic warning?",
        "What are the steps of a refund?",
        "I saw Tenet yesterday. Why does time run backwards?",
        "为什么会收到学业警告？",
        "怎样申请缓考？",
        "重修课程的成绩怎么算？",
        "如何申请休学？",
        "学校的伙食怎么样？",
        "解释一下重试策略",
        "项目延期的原因是什么？",
        "报销的流程是什么？",
        "李安是如何走上导演之路的？",
        "介绍一下临海大学",
    ],
    "overview": [
        "Summarise the career of Hayao Miyazaki",
        "Please summarize this policy",
        "Give me an overview of the scholarships",
        "What themes run through his films?",
        "What are the main topics of these documents?",
        "Overall, what do these reports say?",
        "What is this knowledge base about?",
        "What are the key findings of the report?",
        "总结一下张艺谋电影的特点",
        "诺兰的电影有哪些主题？",
        "请概述学籍规定",
        "这些文档主要的内容是什么？",
        "总体来看，这些报告说了什么？",
        "归纳这几位导演的风格",
        "这个知识库里有什么？",
    ],
}
QUESTIONS = [(message, kind) for kind, messages in LABELLED.items() for message in messages]


@pytest.mark.parametrize(("message", "kind"), QUESTIONS, ids=lambda value: value[:40])
def test_a_question_is_of_its_kind(message: str, kind: QuestionKind) -> None:
    assert question_kind(message) == kind


def test_every_kind_is_labelled() -> None:
    assert set(LABELLED) == set(QUESTION_KINDS)


@pytest.mark.parametrize(
    "message",
    [
        'Who directed "Why Did I Get Married?"',
        "Who directed How to Train Your Dragon?",
        "When did “The Same Both” come out?",
        "Who wrote Pride and Prejudice?",
        "谁导演了《为什么是你》？",
        "《比较电影史》是哪一年出版的？",
        "《总结与回顾》的作者是谁？",
        "谁唱了“如何爱你”？",
    ],
)
def test_the_words_of_a_title_say_nothing_of_the_question(message: str) -> None:
    assert question_kind(message) == "fact"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Summarise how Tenet and Memento differ", "comparison"),
        ("Why did the wife of the director of Tenet leave?", "open"),
        ("为什么《英雄》比《十面埋伏》早上映？", "comparison"),
        ("总结一下《英雄》的导演的生平", "overview"),
    ],
)
def test_of_two_kinds_the_telling_one_is_taken(message: str, kind: QuestionKind) -> None:
    assert question_kind(message) == kind


def test_the_question_of_a_long_message_is_seen_at_either_end() -> None:
    filler = "The weather was fine and we went for a walk. " * 200
    assert len(filler) > 2 * LOOKED_AT
    assert question_kind(f"Why did it rain? {filler}") == "open"
    assert question_kind(f"{filler} Why did it rain?") == "open"


@pytest.mark.parametrize(
    "message", ["", "?", "？", "\x00", "😀", "the " * 10_000, "的" * 32_000, "《" * 32_000, '"' * 9]
)
def test_any_message_has_a_kind_and_soon(message: str) -> None:
    began = time.perf_counter()
    assert question_kind(message) in QUESTION_KINDS
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize("unit", ["the director of ", "of the ", "A or B ", "的导演", "和《》", "比更", "which or "])
def test_no_rule_runs_away_on_a_repetitive_message(unit: str) -> None:
    began = time.perf_counter()
    question_kind(unit * 2_000)
    assert time.perf_counter() - began < 0.5
