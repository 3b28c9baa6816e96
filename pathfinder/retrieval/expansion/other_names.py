"""Other names that every search knows: abbreviations that the papers define, and the names in the corpus's profile."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

from pathfinder.corpus.store import Corpus
from pathfinder.corpus.thesaurus import Concept, key_of
from pathfinder.corpus.wording import Wording
from pathfinder.index.words import QUESTION_STOP_WORDS, words
from pathfinder.text.language.lexicon_tagger import read_lexicon

OF_PAPERS = "abbreviations in these papers"
"""Source of the names that papers of the corpus define."""

_DEFINED: "WeakKeyDictionary[Wording, NameTable]" = WeakKeyDictionary()
"""Abbreviations of each open corpus, which are read once."""
_TOKEN = re.compile(r"[^\W_]+")
_LETTERS_AND_NUMBER = re.compile(r"([A-Z]{1,3})(\d{1,4})")


@dataclass(frozen=True, slots=True, eq=False)
class NameTable:
    """Names of the same things, which are looked up as those of a thesaurus are."""

    name: str
    by_key: dict[str, tuple[tuple[str, Concept], ...]]

    def concepts_called(self, phrase: str) -> tuple[tuple[str, Concept], ...]:
        """Return the things with a name that has the same lemmas as `phrase`, each with that name."""
        return self.by_key.get(key_of(phrase), ())


def other_names(corpus: Corpus) -> tuple[NameTable, ...]:
    """Return the tables of names for the questions to `corpus`; those of its profile come first."""
    profile = corpus.profile
    own = _of_profile(f"names of {profile.field.name}", profile.other_names) if profile.other_names else None
    if corpus.papers.wording not in _DEFINED:
        entries = sorted(corpus.papers.wording.abbreviations, key=lambda entry: -entry.n_papers)
        _DEFINED[corpus.papers.wording] = _made(OF_PAPERS, tuple((entry.short, entry.long) for entry in entries))
    defined = _DEFINED[corpus.papers.wording]
    return tuple(table for table in (own, defined) if table is not None and table.by_key)


@lru_cache(maxsize=8)
def _of_profile(name: str, rows: tuple[tuple[str, ...], ...]) -> NameTable:
    return _made(name, rows)


def _made(name: str, rows: Iterable[tuple[str, ...]]) -> NameTable:
    by_key: dict[str, dict[str, Concept]] = {}
    for number, row in enumerate(rows):
        useful = _as_searched(row)
        for own_name in row:
            others = tuple(other for other in useful if other != own_name)
            if others:
                concept = Concept(f"{number}", own_name, others)
                for spelling in _spellings(own_name):
                    by_key.setdefault(key_of(spelling), {}).setdefault(spelling, concept)
    return NameTable(name, {key: tuple(names.items()) for key, names in by_key.items() if key})


def _as_searched(row: Iterable[str]) -> list[str]:
    """Return the names of a thing that the index by words can find: those of which it drops no word, or, if there is
    only one such name, the others too, as in "Sagittarius A*".
    """
    row = [name for name in row if not _is_a_word(name)]
    whole = [name for name in row if len(_TOKEN.findall(name)) == len(_kept(name))]
    named = [name for name in row if len(_kept(name)) and not _is_common(name)]
    return whole if len(whole) > 1 else named


def _kept(name: str) -> list[str]:
    return [word for word in words(name) if word not in QUESTION_STOP_WORDS]


def _is_common(name: str) -> bool:
    """Return whether the index sees nothing but a common word in `name`: "our Galaxy" is "galaxy" to it."""
    kept = _kept(name)
    return len(kept) == 1 and len(_TOKEN.findall(name)) > 1 and kept[0] in read_lexicon()


def _is_a_word(name: str) -> bool:
    """Return whether `name` is an acronym that the index by words, which ignores case, takes for an everyday word:
    "ACT" is "act".
    """
    return name.isupper() and not read_lexicon().keys().isdisjoint({name.lower(), name.title()})


def _spellings(name: str) -> Iterator[str]:
    """Yield `name` as questions write it: "M 31" for "M31", and an acronym in lower case unless that is a word."""
    yield name
    if match := _LETTERS_AND_NUMBER.fullmatch(name):
        yield f"{match[1]} {match[2]}"
    if name != name.lower() and " " not in name and not _is_a_word(name):
        yield name.lower()
