"""Answers as turns store them: three citations, and all that a turn notes of its steps."""

from dataclasses import dataclass
from typing import Any

from clew.retrieval.evidence import Citation


@dataclass(frozen=True)
class Answer:
    """A question and what is stored as its answer."""

    question: str
    content: str
    citations: tuple[Citation, ...]
    debug: dict[str, Any]

    def with_quotes_of(self, characters: int) -> "Answer":
        """The same with quotes that are no longer than that."""
        cut = tuple(each.model_copy(update={"quote": each.quote[:characters]}) for each in self.citations)
        return Answer(self.question, self.content, cut, self.debug)


def _debug(question: str, asked: str, answered: str, reason: str) -> dict[str, Any]:
    return {
        "question": question,
        "focus": {"asked": [asked], "answered": [answered]},
        "route": {
            "requested_kb_prefix": "",
            "routed_kb_prefix": "coast",
            "kb_prefix": "coast",
            "confidence": 0.95,
            "method": "heuristic",
            "reason": reason,
            "worker_name": "coast:graph_agent:retrieve_only",
            "plan": [
                {"agent_type": "graph_agent", "worker_name": "coast:graph_agent:retrieve_only"},
                {"agent_type": "deep_research_agent", "worker_name": "coast:deep_research_agent:retrieve_only"},
            ],
            "plan_reason": "The question asks about something that has to be found first: "
            "graph_agent and deep_research_agent.",
            "intent": None,
        },
        "timings_ms": {"remember": 14.2, "rewrite": 0.7, "lookup": 431.9, "merge": 1.3, "generate": 218.4},
        "usage": {"input_tokens": 1785, "output_tokens": 41, "estimated": True},
    }


ENGLISH = Answer(
    question="Who built the lighthouse at Harrow Point, and where did she learn it?",
    content="Edda Marlow built the lighthouse at Harrow Point between 1871 and 1874. [1] She had learned her trade "
    "from the harbour engineer of Port Lannick, whose drawings she copied for six years. [2] [4]",
    citations=(
        Citation(
            number=1,
            passage_id="c1f8e2b7a90d34c65e7f80912",
            document_id="harrow-point-light",
            title="Harrow Point Light",
            source="coast/lights",
            quote="Harrow Point Light is a granite tower of forty metres on the northern arm of the bay. Edda Marlow "
            "built it between 1871 and 1874, after two winters had taken the wooden beacon that stood there. Its "
            "lamp burned whale oil until 1902, then gas, and is now a museum's pride; the keepers' cottages below "
            "are let to painters in summer.",
        ),
        Citation(
            number=2,
            passage_id="c70b4d913fe258a6c4d1e0937",
            document_id="edda-marlow",
            title="Edda Marlow",
            source="coast/people",
            quote="Edda Marlow, the daughter of a ship's carpenter, entered the office of Port Lannick at fifteen. "
            "For six years she copied the drawings of the harbour engineer and measured quays in the frost. Later "
            "she drew bridges, a fish market and three lights of her own, and refused every medal; letters to her "
            "sister tell why.",
        ),
        Citation(
            number=4,
            passage_id="c5a90c3e7d216b84f0a37d11e",
            document_id="port-lannick",
            title="Port Lannick",
            source="coast/harbours",
            quote="The breakwater of Port Lannick was the school of a generation of builders. Its engineer let "
            "everyone draw who could hold a pen, and paid them by the sheet until the money of the town ran out. "
            "Steamers call on Tuesdays now; grain, slate and tinned herring leave, and coal comes in from the south "
            "when roads are closed.",
        ),
    ),
    debug=_debug(
        "Who built the lighthouse at Harrow Point, and where did she learn it?",
        "Harrow Point",
        "Edda Marlow",
        "The message names 'Harrow Point', known in 'coast'.",
    ),
)

CHINESE = Answer(
    question="观澜图书馆的设计者毕业于哪所学校？",
    content="观澜图书馆由顾清远设计。 [1] 顾清远毕业于临海工学院建筑系，师从沈若谷。 [2] [3]",
    citations=(
        Citation(
            number=1,
            passage_id="c1f8e2b7a90d34c65e7f80912",
            document_id="guanlan-library",
            title="观澜图书馆",
            source="coast/buildings",
            quote="观澜图书馆位于海边的旧码头，二〇一四年建成，由顾清远设计。馆内三层阅览室都朝向大海，藏书约四十万册，每年接待读者十二万人。"
            "地下一层收藏海图、航海日志和老照片，其中最早的一幅绘于乾隆年间。夏天闭馆时间延后到晚上十点，学生可以凭证借阅三十册，"
            "期限六周，逾期每天罚款两角。东侧露台种着蔷薇与薄荷，周末常有诗歌朗诵、旧书交换和木版印刷体验，由志愿者轮流主持，报名须提前三日，"
            "雨天改在二楼报告厅。馆方还为盲人准备了触摸模型和有声目录，并与附近五所小学合办假期课程。",
        ),
        Citation(
            number=2,
            passage_id="c70b4d913fe258a6c4d1e0937",
            document_id="gu-qingyuan",
            title="顾清远",
            source="coast/people",
            quote="顾清远，建筑师，毕业于临海工学院建筑系。她早年跟随沈若谷测绘渔村老屋，后来主持修复了北堤灯塔和两座石桥，作品多用本地青石。"
            "四十岁以后转向公共建筑，先后完成渔市、气象站、渡口候船厅与两所乡村卫生院。她主张少用玻璃，窗子开得很小，理由是冬季风大、夏季日晒强烈。"
            "同事回忆，她随身带着卷尺和铅笔，到哪里都要量一量台阶高度。晚年整理手稿，出版《石与潮》三卷，附图四百余张，"
            "版税全部捐给海难救助会。女儿顾晴现为桥梁工程师，在北方工作。",
        ),
        Citation(
            number=3,
            passage_id="c5a90c3e7d216b84f0a37d11e",
            document_id="linhai-institute",
            title="临海工学院",
            source="coast/schools",
            quote="临海工学院创办于一九五二年，建筑系以测绘课闻名。沈若谷在这里任教三十年，要求每个学生毕业前画完一个完整的村子，不许用尺。"
            "校舍原是盐场仓库，六十年代扩建了实验楼和船模水池，八十年代起招收外国留学生。院歌由音乐教师吕宁谱曲，至今每年开学合唱。"
            "毕业生分布在港务、铁道、水利各个部门，也有人当了画家、厨师或者编剧。校友会设立奖学金，奖励愿意到海岛任教的青年，每人每学期两千元，"
            "申请材料包括成绩单、推荐信以及一篇手写短文，题目自定，不少于八百字。",
        ),
    ),
    debug=_debug(
        "观澜图书馆的设计者毕业于哪所学校？",
        "观澜图书馆",
        "顾清远",
        "The message names '观澜图书馆', known in 'coast'.",
    ),
)
