"""The special words of a question: names, terms of the trade, and terms that mean more than one thing."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from pathfinder.corpus.language.tagging import read_lexicon
from pathfinder.corpus.lemmas import lemmas
from pathfinder.types import Keyword

_WORD = re.compile(r"[^\W\d_]+")
MIN_LETTERS = 4
"""A shorter word is a term of the trade only in capitals."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """One of the meanings of a term."""

    where: str
    """The subject in which it has this meaning."""
    means: str


@dataclass(frozen=True, slots=True)
class Overloaded:
    """A term that means different things in different subjects."""

    term: str
    meanings: tuple[Meaning, ...]
    settled_by: tuple[str, ...]
    """Phrases in which its meaning is clear."""


def entities(keywords: Sequence[Keyword]) -> tuple[str, ...]:
    """The names among the keywords of a question."""
    return tuple(keyword.text for keyword in keywords if keyword.is_entity)


def jargon(keywords: Sequence[Keyword]) -> tuple[str, ...]:
    """The keywords, names left out, with an abbreviation or a word that newspapers and novels do not have."""
    everyday = _everyday_words()
    return tuple(
        keyword.text
        for keyword in keywords
        if not keyword.is_entity and any(_is_special(part, everyday) for part in _WORD.findall(keyword.text))
    )


def overloaded_terms(question: str) -> tuple[Overloaded, ...]:
    """The terms of `question` that have several meanings, less those whose meaning it makes clear.

    Terms are compared by their lemmas: "bars" is a bar, and "barycentre" is not. "Galaxy cluster" says what
    kind of cluster is meant, for the whole question.
    """
    asked = lemmas(question)
    return tuple(
        term
        for term in overloaded_table()
        if _holds(asked, lemmas(term.term))
        and (term.term.islower() or re.search(rf"\b{term.term}", question))
        and not any(_holds(asked, lemmas(phrase)) for phrase in term.settled_by)
    )


@lru_cache(maxsize=1)
def overloaded_table() -> tuple[Overloaded, ...]:
    """Every overloaded term that is known here, from `overloaded.json`."""
    text = resources.files("pathfinder.retrieval.routing").joinpath("overloaded.json").read_text(encoding="utf-8")
    return tuple(
        Overloaded(
            row["term"], tuple(Meaning(m["where"], m["means"]) for m in row["meanings"]), tuple(row["settled_by"])
        )
        for row in json.loads(text)
    )


@lru_cache(maxsize=1)
def _everyday_words() -> frozenset[str]:
    return frozenset(read_lexicon())


def _is_special(word: str, everyday: frozenset[str]) -> bool:
    if sum(map(str.isupper, word)) > 1:
        return True
    return len(word) >= MIN_LETTERS and not {word.lower(), *lemmas(word)} & everyday


def _holds(words: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """Whether `phrase` stands in `words`, word after word."""
    return any(words[start : start + len(phrase)] == phrase for start in range(len(words) - len(phrase) + 1))
