"""Special words in a question: named entities, technical terms, and terms with several meanings."""

import re
from collections.abc import Container, Sequence

from pathfinder.profile import OverloadedTerm
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.types import Keyword

_WORD = re.compile(r"[^\W\d_]+")
MIN_LETTERS = 4
"""Number of letters below which a word is a technical term only if it is written in capitals."""


def entities(keywords: Sequence[Keyword]) -> tuple[str, ...]:
    """Return the named entities among the keywords of a question."""
    return tuple(keyword.text for keyword in keywords if keyword.is_entity)


def jargon(keywords: Sequence[Keyword]) -> tuple[str, ...]:
    """Return the keywords, except entities, that contain an abbreviation or a word missing from an everyday lexicon."""
    everyday = read_lexicon()
    return tuple(
        keyword.text
        for keyword in keywords
        if not keyword.is_entity and any(_is_special(part, everyday) for part in _WORD.findall(keyword.text))
    )


def overloaded_terms(question: str, terms: Sequence[OverloadedTerm]) -> tuple[OverloadedTerm, ...]:
    """Find the overloaded `terms` in `question`, except those whose meaning is clear from the question.

    Terms are compared by their lemmas: "bars" matches "bar", but "barycentre" does not. "Galaxy cluster" fixes the
    meaning of "cluster" for the whole question.
    """
    words = lemmas(question)
    return tuple(
        term
        for term in terms
        if _contains(words, lemmas(term.term))
        and (term.term.islower() or re.search(rf"\b{re.escape(term.term)}", question))
        and not any(_contains(words, lemmas(phrase)) for phrase in term.settled_by)
    )


def _is_special(word: str, everyday: Container[str]) -> bool:
    if sum(map(str.isupper, word)) > 1:
        return True
    return len(word) >= MIN_LETTERS and not any(form in everyday for form in (word.lower(), *lemmas(word)))


def _contains(words: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """Return whether the words of `phrase` occur consecutively in `words`."""
    return any(words[start : start + len(phrase)] == phrase for start in range(len(words) - len(phrase) + 1))
