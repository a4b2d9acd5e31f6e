"""The terms that full-text search and word overlap work with: stems in English, bigrams in Chinese.

One analysis serves loading and asking, so a graph engine's own analyser only has to split at spaces.
Lucene's standard analyser breaks Chinese into single characters, and not every engine honours their order
in a phrase; so the index is given each bigram as a word of ASCII letters, which no analyser touches.
"""

import functools
import re
import threading
import unicodedata
from typing import Final, Protocol

_TOKEN = re.compile(r"[a-z0-9]+|[㐀-䶿一-鿿]+|[぀-ヿ가-힣]+")
_CJK = re.compile(r"[㐀-鿿぀-ヿ가-힣]")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP_WORDS: Final = _words(
    """a about above after again all also am an and any are as at be been being below between both but by can could
    did do does doing down during each few for from further had has have having he her here hers him his how i if in
    into is it its itself just me more most my no nor not now of off on once only or other our out over own s same she
    should so some such t than that the their them then there these they this those through to too under until up
    very was we were what when where which while who whom whose why will with would you your please tell give know
    may might must shall one many much name called film films movie movies"""
)
# Function words of Chinese questions; cut out before bigrams are made, longest first.
_ZH_FUNCTION_WORDS: Final = sorted(
    _words(
        """请问 请 告诉 我 你 您 他 她 它 我们 你们 的 了 吗 呢 吧 啊 是 有 在 和 与 或 及 以及
        也 都 还 就 又 被 把 对 为 什么 谁 哪 哪里 哪儿 哪个 哪些 哪位 哪部 哪年 哪一年 哪所 哪座 哪栋 哪家
        怎么 怎样 如何 为什么 多少 几 几个 几部 何时 何地
        这 那 这个 那个 这部 那部 这些 那些 一个 一部 一位 一下 电影 影片 这位 该 其 之 所 从 到 由 于 第"""
    ),
    key=lambda word: (-len(word), word),
)
_ZH_SPLIT = re.compile("|".join(map(re.escape, _ZH_FUNCTION_WORDS)))


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802  (the library's name)


@functools.cache
def _stemmer() -> _Stemmer:
    import snowballstemmer

    stemmer: _Stemmer = snowballstemmer.stemmer("english")
    return stemmer


# The stemmer works on a word of its own while it stems: two threads at once get each other's stems, or an error.
_STEMMING: Final = threading.Lock()


@functools.lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    with _STEMMING:
        return _stemmer().stemWord(word)


def fold(text: str) -> str:
    """``text`` in lower case, full-width forms made narrow, accents off Latin letters."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c) or c > "\u036f"))


def index_terms(text: str) -> list[str]:
    """All terms of a text in order: stems of Latin words, bigrams of Chinese (a lone character as it is)."""
    return _terms(text, keep_all=True)


def content_terms(text: str) -> list[str]:
    """The terms that carry a question's or sentence's meaning: stop words and function words left out."""
    return _terms(text, keep_all=False)


def index_text(text: str) -> str:
    """What is stored for the full-text index: the text's terms as words that any analyser keeps whole."""
    return " ".join(map(_ascii_word, index_terms(text)))


def search_query(terms: list[str]) -> str:
    """A Lucene query that matches any of ``terms``; empty when there are none.

    Words are ASCII letters and digits alone, so no operator of the query language can get in.
    """
    return " ".join(dict.fromkeys(map(_ascii_word, terms)))


def _ascii_word(term: str) -> str:
    return term if term.isascii() else "z" + "".join(f"{ord(character):x}" for character in term)


def _terms(text: str, *, keep_all: bool) -> list[str]:
    terms: list[str] = []
    for match in _TOKEN.finditer(fold(text)):
        token = match.group()
        if _CJK.match(token):
            for piece in [token] if keep_all else _ZH_SPLIT.split(token):
                terms.extend(_bigrams(piece))
        elif keep_all or token not in STOP_WORDS:
            terms.append(_stem(token))
    return terms


def _bigrams(run: str) -> list[str]:
    if len(run) <= 1:
        return [run] if run else []
    return [run[i : i + 2] for i in range(len(run) - 1)]
