"""Fonts: the one that a text needs, found also where it was installed a moment ago, or what cannot be drawn."""

import pytest
from matplotlib import font_manager

from clew.drawing import fonts

BUNDLED = "STIXGeneral"  # comes with Matplotlib, as a stand-in for a Chinese font


def test_latin_text_needs_one_font() -> None:
    assert fonts.families("Ludwig Göransson · Amélie") == [fonts.LATIN]
    assert fonts.undrawable("Ludwig Göransson", [fonts.LATIN]) == ""


def test_chinese_text_takes_the_first_family_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "CHINESE", ("No Such Font", BUNDLED, "cmr10"))
    assert fonts.families("诺兰") == [fonts.LATIN, BUNDLED]


def test_a_font_installed_since_the_last_run_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    every = font_manager.fontManager.ttflist
    path = next(font.fname for font in every if font.name == BUNDLED)
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [font for font in every if font.name != BUNDLED])
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [path, "/no/such/font.ttf"])
    monkeypatch.setattr(fonts, "CHINESE", (BUNDLED,))
    assert fonts.families("诺兰") == [fonts.LATIN, BUNDLED]


def test_without_one_it_tells_what_cannot_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "CHINESE", ())
    assert fonts.families("诺兰") == [fonts.LATIN]
    assert fonts.undrawable("Nolan 诺兰诺", [fonts.LATIN]) == "诺兰"


def test_width_is_in_points() -> None:
    assert fonts.width("诺兰", 10) == 20
    assert fonts.width("iii", 10) < fonts.width("WWW", 10) < 40
    assert fonts.width("Nolan", 10) < fonts.width("Nolan", 10, "bold")
    assert fonts.width("Nolan", 20) == pytest.approx(2 * fonts.width("Nolan", 10))
