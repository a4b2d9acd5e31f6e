"""What a picture says in its own words, in both languages."""

from clew.text.language import Language

_SUBTITLE = {"en": "Knowledge base {kb}: {entities}, {relations}", "zh": "知识库 {kb}：{entities}，{relations}"}
_ENTITIES = {"en": ("{n} related entity", "{n} related entities"), "zh": ("{n} 个相关实体", "{n} 个相关实体")}
_STRONGEST = {"en": "the {n} strongest of {all} related entities", "zh": "{all} 个相关实体中联系最紧密的 {n} 个"}
_RELATIONS = {"en": ("{n} relation", "{n} relations"), "zh": ("{n} 条关系", "{n} 条关系")}
_CIRCLE = {"en": "Circle: sentences that relate it to the others", "zh": "圆：将其与图中其他实体联系起来的句子数"}
_LINE = {"en": "Line: sentences that relate the two", "zh": "线：将两者联系起来的句子数"}
_HOPS = {
    "en": ("asked for", "directly related", "two steps away"),
    "zh": ("所查实体", "直接相关", "相隔两步"),
}


def subtitle(kb: str, neighbours: int, reachable: int, relations: int, language: Language) -> str:
    """What the picture shows, and how much of what there is."""
    entities = _STRONGEST[language] if reachable > neighbours else _ENTITIES[language][neighbours != 1]
    return _SUBTITLE[language].format(
        kb=kb,
        entities=entities.format(n=neighbours, all=reachable),
        relations=_RELATIONS[language][relations != 1].format(n=relations),
    )


def circle_scale(language: Language) -> str:
    return _CIRCLE[language]


def line_scale(language: Language) -> str:
    return _LINE[language]


def distance(hops: int, language: Language) -> str:
    """What the colour of a circle means."""
    return _HOPS[language][hops]
