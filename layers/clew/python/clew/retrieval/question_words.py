"""A question's terms as words: Chinese is written without spaces, and its terms are bigrams."""

from collections.abc import Iterator

from clew.text.glossary import synonyms

Word = tuple[str, ...]
"""The terms of one word: a Latin word's stem, or bigrams in a row, each beginning where the last one ends."""


def words(terms: list[str], names: set[str]) -> Iterator[Word]:
    """The words that ``terms`` make up, told apart by the terms of names and by the glossary.

    A bigram that reaches from a known word into the next, as 演毕 in 导演毕业, is none; nor is a Chinese
    character that stands alone. Bigrams in a row that nobody knows are one word.
    """
    rows: list[list[str]] = []
    for term in terms:
        if rows and _are_one_word(rows[-1][-1], term, names):
            rows[-1].append(term)
        else:
            rows.append([term])
    for before, row, after in zip([[""], *rows], rows, [*rows[1:], [""]], strict=False):
        if _is_known(row[0], names):
            yield tuple(row)
        else:
            own = row[_reaches(before[-1], row[0]) : len(row) - _reaches(row[-1], after[0])]
            if own and len(own[0]) > 1:
                yield tuple(own)


def written(word: Word) -> str:
    """The word as the question writes it; a Latin one as its stem."""
    return word[0] + "".join(term[1:] for term in word[1:])


def _are_one_word(term: str, following: str, names: set[str]) -> bool:
    """Whether two terms belong together: both of a name, both of one line of the glossary, or both unknown."""
    if not _reaches(term, following):
        return False
    if term in names or following in names:
        return term in names and following in names
    if _is_known(term, names) and _is_known(following, names):
        return not synonyms(term).isdisjoint(synonyms(following))
    return not _is_known(term, names) and not _is_known(following, names)


def _reaches(term: str, following: str) -> bool:
    """Whether two bigrams share a character."""
    return len(term) == len(following) == 2 and not term.isascii() and term[1] == following[0]


def _is_known(term: str, names: set[str]) -> bool:
    return term.isascii() or term in names or len(synonyms(term)) > 1
