"""The names of a knowledge base: which keys name which entities, and finding them in text."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from clew.knowledge.document_names import DocumentNames, names_of
from clew.knowledge.documents import Document
from clew.knowledge.naming import Names, short_names, title_names
from clew.text.names import MAX_UNITS, Span, Unit, join_units, name_key, units

_BEFORE_NAME = frozenset("由的是和与为了在请让被把及跟以当从对给自于")


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity and its spellings as texts have them, by key, the main one first.

    ``forms`` are what running text is searched for: keys, in 《》 where the name counts in those alone.
    """

    id: str
    name: str
    spellings: dict[str, str]
    forms: frozenset[str]

    @property
    def aliases(self) -> tuple[str, ...]:
        return tuple(spelling for spelling in self.all_spellings.values() if spelling != self.name)

    @property
    def all_spellings(self) -> dict[str, str]:
        """The spellings and the short forms that people ask with; running text is not searched for those."""
        return {
            **{name_key(short): short for short in short_names(self.spellings.values())},
            **self.spellings,
        }


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity's name in a text."""

    entity_id: str
    start: int
    end: int


class NameBook:
    """Names collected from documents; the same documents give the same book, whatever their order.

    A document's title always names an entity of its own; two titles are two entities even when they
    share a spelling, which then names both. Other names join an entity when one of their spellings is
    known, and else make a new one.

    Without ``title_links`` the entity of a title has no name: neither a text nor a question leads to it, and
    only names in running text link documents. That is for measuring what exact titles are worth.

    Every name of a knowledge base is in memory while it is loaded, so an entity is a few strings in two
    dictionaries.
    """

    def __init__(self, entity_id: Callable[[str], str], *, title_links: bool = True) -> None:
        self._entity_id = entity_id
        self._title_links = title_links
        # Most entities have one spelling, and most keys name one entity: those are kept without a tuple.
        self._spellings: dict[str, str | tuple[str, ...]] = {}  # by entity id
        self._by_key: dict[str, str | tuple[str, ...]] = {}  # entity ids
        self._sizes: dict[str, int] = {}  # by the first unit of a key: a bit for each number of units
        self._quoted: set[str] = set()
        self._titled: set[str] = set()

    @property
    def size(self) -> int:
        """How many spellings there are."""
        return sum(1 if isinstance(each, str) else len(each) for each in self._spellings.values())

    def collect(self, documents: Iterable[Document]) -> None:
        """Take in the names of ``documents``."""
        self.take(map(names_of, documents))

    def take(self, given: Iterable[DocumentNames]) -> None:
        """Take in names: all titles, then all pairs of spellings, then all names standing free; each in one order."""
        titles: set[str] = set()
        pairs: set[Names] = set()
        free: dict[str, str] = {}
        for names in given:
            titles.add(names.title)
            pairs.update(names.pairs)
            for name in names.free:
                key = name_key(name)
                free[key] = max(free.get(key, name), name)  # Hans Zimmer rather than HANS ZIMMER
            self._quoted.update(names.quoted)
        for title in sorted(sorted(titles, reverse=True), key=name_key):
            self._add_title(title)
        for names_of_one in sorted(pairs, key=lambda each: (sum(map(len, each.all)), each.all)):
            self.join(names_of_one)
        for key in sorted(free, key=lambda each: (len(each), each)):
            if key not in self._by_key and not self._ends_with_known(key):
                self._spell(self._new(key, free[key]), free[key])

    def join(self, names: Names) -> None:
        """Take in spellings of one thing, each of them fit to be a name.

        A name that stood free so far becomes a spelling of it, if it is in the other script; other things
        stay apart.
        """
        spellings = {key: name for name in names.all if not self._ends_with_known(key := name_key(name))}
        known = list(dict.fromkeys(i for key in spellings for i in self._ids(key)))
        if len(known) > 1:
            known = self._united(known)
        if len(known) > 1 or not spellings:
            return  # two things already told apart; a pair of names is too weak to make them one
        entity_id = known[0] if known else self._new(*next(iter(spellings.items())))
        for spelling in spellings.values():
            self._spell(entity_id, spelling)

    @property
    def entities(self) -> Mapping[str, Entity]:
        """All entities by id; each is made anew when it is asked for."""
        return _Entities(self._spellings, self._needs_marks)

    def ids_of(self, spelling: str) -> tuple[str, ...]:
        """The entities that ``spelling`` names: none, one, or several that share it."""
        return self._ids(name_key(spelling))

    def of_title(self, title: str) -> str:
        """The id of the entity that a document of that title is about."""
        return self._entity_id(self._title_key(title))

    def find(self, text: str) -> list[Mention]:
        """The names in ``text``, the longest at each place, none within another.

        Latin names count where they begin with a capital or a digit; the short Chinese titles only in 《》.
        """
        sequence = units(text)
        mentions: list[Mention] = []
        position = 0
        while position < len(sequence):
            span, size = self._longest(sequence, position, text)
            if span is None:
                position += 1
                continue
            mentions.extend(Mention(entity_id, span.start, span.end) for entity_id in self._ids(span.key))
            position += size
        return mentions

    def _longest(self, sequence: list[Unit], position: int, text: str) -> tuple[Span | None, int]:
        sizes = self._sizes.get(sequence[position].text, 0)
        for size in range(min(sizes.bit_length() - 1, len(sequence) - position), 0, -1):
            if not sizes >> size & 1:
                continue
            start, end = sequence[position].start, sequence[position + size - 1].end
            key = join_units(sequence[position : position + size])
            if key in self._by_key and self._stands_as_name(key, text, start, end):
                return Span(key, start, end), size
        return None, 0

    def _stands_as_name(self, key: str, text: str, start: int, end: int) -> bool:
        if key.isascii():
            return not text[start].islower()
        if self._needs_marks(key):
            return text[start - 1 : start] == "《" and text[end : end + 1] == "》"
        return True

    def _needs_marks(self, key: str) -> bool:
        return key in self._quoted and not key.isascii()

    def _title_key(self, title: str) -> str:
        key = name_key(title)
        return key if self._title_links else f"title:{key}"  # no name's key has a colon

    def _add_title(self, title: str) -> None:
        if not self._title_links:
            self._new(self._title_key(title), "")
            return
        names = title_names(title)
        entity_id = self._new(name_key(title), names.main)
        self._titled.add(entity_id)
        for spelling in names.all:
            self._spell(entity_id, spelling)

    def _united(self, entity_ids: list[str]) -> list[str]:
        """One of the entities, if the others are free names in the other script and can be spellings of it."""
        kept, *others = sorted(entity_ids, key=self._is_free)
        latin = self._is_latin(kept)
        if any(not self._is_free(each) or self._is_latin(each) == latin for each in others):
            return entity_ids
        for each in others:
            spelling = str(self._spellings.pop(each))
            key = name_key(spelling)
            left = tuple(entity_id for entity_id in self._ids(key) if entity_id != each)
            self._by_key[key] = left[0] if len(left) == 1 else left
            self._spell(kept, spelling)
        return [kept]

    def _is_free(self, entity_id: str) -> bool:
        """Whether the entity is known by one name only, and is no document's."""
        return entity_id not in self._titled and isinstance(self._spellings[entity_id], str)

    def _is_latin(self, entity_id: str) -> bool:
        spellings = self._spellings[entity_id]
        return name_key(spellings if isinstance(spellings, str) else spellings[0]).isascii()

    def _ends_with_known(self, key: str) -> bool:
        """Whether ``key`` is a known Chinese name with running text before it, such as 由李安."""
        if key.isascii() or key in self._by_key:
            return False
        return (key[0] in _BEFORE_NAME and key[1:] in self._by_key) or any(
            len(key) - cut >= 4 and key[cut:] in self._by_key for cut in (1, 2, 3)
        )

    def _ids(self, key: str) -> tuple[str, ...]:
        ids = self._by_key.get(key, ())
        return (ids,) if isinstance(ids, str) else ids

    def _new(self, key: str, name: str) -> str:
        entity_id = self._entity_id(key)
        self._spellings.setdefault(entity_id, name)
        return entity_id

    def _spell(self, entity_id: str, spelling: str) -> None:
        key = name_key(spelling)
        if not key:
            return
        spellings = self._spellings[entity_id]
        every = (spellings,) if isinstance(spellings, str) else spellings
        if all(name_key(each) != key for each in every):
            self._spellings[entity_id] = (*every, spelling)
        ids = self._ids(key)
        if entity_id not in ids:
            self._by_key[key] = (*ids, entity_id) if ids else entity_id
        sequence = units(spelling)
        if len(sequence) <= MAX_UNITS:
            first = sequence[0].text
            self._sizes[first] = self._sizes.get(first, 0) | 1 << len(sequence)


class _Entities(Mapping[str, Entity]):
    """The entities of a book, made of its strings."""

    def __init__(self, spellings: dict[str, str | tuple[str, ...]], needs_marks: Callable[[str], bool]) -> None:
        self._spellings = spellings
        self._needs_marks = needs_marks

    def __getitem__(self, entity_id: str) -> Entity:
        spellings = self._spellings[entity_id]
        every = (spellings,) if isinstance(spellings, str) else spellings
        keyed = {key: spelling for spelling in every if (key := name_key(spelling))}
        forms = frozenset(f"《{key}》" if self._needs_marks(key) else key for key in keyed)
        return Entity(entity_id, every[0], keyed, forms)

    def __iter__(self) -> Iterator[str]:
        return iter(self._spellings)

    def __len__(self) -> int:
        return len(self._spellings)
