"""The laptop's own embedder, and two small knowledge bases made with it."""

import pytest

from clew.knowledge.topics import topic_vectors
from clew.models.e5_embedder import E5Embedder
from clew.routing.knowledge_base import KnowledgeBaseProfile, KnowledgeBaseSummary
from clew.text.embedding import Embedder

FILMS = KnowledgeBaseSummary(
    prefix="films",
    title="Films and film-makers",
    title_zh="电影与影人",
    description="Who directed, wrote, scored or acted in a film, and where these people were born.",
    description_zh="影片的导演、编剧、作曲和演员，以及影人的出生地。",
    examples=("Who directed the film?", "这部电影的作曲者出生在哪里？"),
)
CAMPUS = KnowledgeBaseSummary(
    prefix="campus",
    title="University student guide",
    title_zh="大学学生指南",
    description="Courses, prerequisites, credits, scholarships, deadlines and offices of a university.",
    description_zh="大学的课程、先修课、学分、奖学金、截止日期和办公室。",
    examples=("Who teaches the course?", "奖学金的申请材料交到哪个办公室？"),
)
NAMES = {
    "films": ("Inception", "盗梦空间", "Christopher Nolan", "克里斯托弗·诺兰", "Up", "Mother", "英雄", "卧虎藏龙"),
    "campus": ("CS301", "Lin Yating", "海明助学金", "Guanlan Library", "Christopher Nolan"),
}


@pytest.fixture(scope="package")
def e5() -> Embedder:
    return E5Embedder()


@pytest.fixture(scope="package")
def profiles(e5: Embedder) -> list[KnowledgeBaseProfile]:
    return [
        KnowledgeBaseProfile(
            **summary.model_dump(),
            entity_names=NAMES[summary.prefix],
            topic_vectors=topic_vectors(summary, [], e5),
            index_state="ready",
        )
        for summary in (FILMS, CAMPUS)
    ]
