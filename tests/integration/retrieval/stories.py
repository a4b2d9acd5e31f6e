"""A small knowledge base in both languages, made for questions that take several steps, and for themes."""

from typing import Final

from clew.knowledge.documents import Document

# From the film over its composer and the composer's teacher to a town: three relations, each in a document of its
# own, and the town's document has none of the question's words.
ENGLISH: Final = (
    ("silver-harbour", "Silver Harbour", "Silver Harbour was directed by Oskar Brandt. Marta Lind composed its music."),
    ("marta-lind", "Marta Lind", "Marta Lind began to study music when she was six. Pavel Novak was her teacher."),
    ("pavel-novak", "Pavel Novak", "Pavel Novak was born in Telmark. He never left it for long."),
    ("telmark", "Telmark", "Telmark counts nine thousand souls. Boats are mended there."),
    ("oskar-brandt", "Oskar Brandt", "Oskar Brandt began at the theatre. He also directed Winter Road."),
    ("winter-road", "Winter Road", "Winter Road was directed by Oskar Brandt. Ida Holm plays a postwoman in it."),
    ("ida-holm", "Ida Holm", "Ida Holm is an actress. She grew up on a farm."),
)
CHINESE: Final = (
    ("yinse-gangwan", "银色海湾", "《银色海湾》由陈望海执导，林雨荷作曲。"),
    ("lin-yuhe", "林雨荷", "林雨荷六岁开始学琴。顾长风是林雨荷的老师。"),
    ("gu-changfeng", "顾长风", "顾长风出生于青石镇。"),
    ("qingshi-zhen", "青石镇", "青石镇住着九千余人，以修船为业。"),
    ("chen-wanghai", "陈望海", "陈望海早年在剧团工作。陈望海还执导了《冬日之路》。"),
    ("dongri-zhi-lu", "冬日之路", "《冬日之路》由陈望海执导，何以沫主演。"),
    ("he-yimo", "何以沫", "何以沫是一名演员，在农场长大。"),
)
# Things that belong together, one related to the next; what a question may ask of them all is said of the first.
THEMES: Final = (
    ("kraken-trench", "Kraken Trench", "Expeditions to the deep reached the Kraken Trench near Vent Field."),
    ("vent-field", "Vent Field", "Hot water rises at Vent Field. Alvin Two filmed it, and so did Blue Lander."),
    ("alvin-two", "Alvin Two", "Alvin Two carries three people. It met Blue Lander at Marble Cave."),
    ("marble-cave", "Marble Cave", "Marble Cave is older. Blue Lander and Alvin Two mapped it."),
    ("blue-lander", "Blue Lander", "Blue Lander has four legs. It rests in Marble Cave."),
    ("shenyuan", "深渊海沟", "深海考察队到过深渊海沟，附近是热泉原。"),
    ("requan-yuan", "热泉原", "热泉原的水很烫。探海二号拍摄过热泉原，蓝色登陆器也拍摄过。"),
    ("tanhai-erhao", "探海二号", "探海二号可乘三人。探海二号在石灰洞遇见蓝色登陆器。"),
    ("shihui-dong", "石灰洞", "石灰洞更为古老。蓝色登陆器与探海二号测绘过石灰洞。"),
    ("dengluqi", "蓝色登陆器", "蓝色登陆器有四条腿。蓝色登陆器停在石灰洞。"),
)
DOCUMENTS: Final = [Document(*each) for each in (*ENGLISH, *CHINESE, *THEMES)]
TEXTS: Final = {document.id: document.text for document in DOCUMENTS}
