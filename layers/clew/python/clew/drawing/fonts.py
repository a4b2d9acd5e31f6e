"""Fonts: what can be drawn on this machine, how wide text is, and what a viewer shall use."""

import contextlib
import logging
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from matplotlib.ft2font import FT2Font

Weight = Literal["normal", "bold"]

LATIN: Final = "DejaVu Sans"  # comes with Matplotlib, so Latin text is as wide everywhere
# Simplified Chinese before the other scripts that share its characters, the most complete first.
CHINESE: Final = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "STHeiti",
    "Microsoft YaHei",
    "SimHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "Noto Sans CJK TC",
    "Noto Sans CJK JP",
    "Microsoft JhengHei",
    "Arial Unicode MS",
    "Noto Serif CJK SC",
    "SimSun",
    "AR PL UMing CN",
)
VIEWER_FAMILIES: Final = ", ".join(f"'{family}'" for family in (LATIN, "Verdana", *CHINESE)) + ", sans-serif"


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No words of Matplotlib about fonts that it has not, or about building its list of them."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from", category=UserWarning)
            yield
    finally:
        logger.setLevel(level)


def width(text: str, size: float, weight: Weight = "normal") -> float:
    """How wide ``text`` is in points, about: an em a Chinese character, whichever font draws it."""
    return size * sum(_ems(character, weight) for character in text)


def families(text: str) -> list[str]:
    """The families to draw ``text`` with: the Latin one, then a Chinese one where one is needed and installed."""
    if not _missing(text, [LATIN]):
        return [LATIN]
    if not (installed := _installed_chinese()):
        _add_new_fonts()
        installed = _installed_chinese()
    return [LATIN, *installed[:1]]


def undrawable(text: str, with_families: list[str]) -> str:
    """The characters of ``text`` that none of the families has, each once."""
    return _missing(text, with_families)


def _installed_chinese() -> list[str]:
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return [family for family in CHINESE if family in installed]


def _add_new_fonts() -> None:
    """Take in fonts that were installed after Matplotlib wrote down its list of them."""
    from matplotlib import font_manager

    known = {font.fname for font in font_manager.fontManager.ttflist}
    for path in sorted(set(font_manager.findSystemFonts()) - known):
        with contextlib.suppress(OSError, RuntimeError):  # a file that is no font, or one it cannot read
            font_manager.fontManager.addfont(path)


def _missing(text: str, with_families: Iterable[str]) -> str:
    fonts = [_font(family) for family in with_families]
    return "".join(
        character
        for character in dict.fromkeys(text)
        if character.isprintable() and not any(font.get_char_index(ord(character)) for font in fonts)
    )


@cache
def _font(family: str, weight: Weight = "normal") -> "FT2Font":
    from matplotlib import font_manager

    path = font_manager.findfont(font_manager.FontProperties(family=family, weight=weight))
    return font_manager.get_font(path)


@cache
def _ems(character: str, weight: Weight) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if unicodedata.combining(character):
        return 0.0
    font = _font(LATIN, weight)
    if not font.get_char_index(ord(character)):
        return 1.0
    from matplotlib.ft2font import LoadFlags

    glyph = font.load_char(ord(character), flags=LoadFlags.NO_SCALE)
    return float(glyph.horiAdvance / font.units_per_EM)
