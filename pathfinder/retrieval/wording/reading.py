"""Reads the words of a question: in English terms if it is in another language or in everyday words, and with its
spelling corrected.

Everyday words ("shooting star" for "meteor") are compared with those of the field's profile by their stems, the longest
expression first, so that "crashed into" is "crash into".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pathfinder.corpus.store import Corpus
from pathfinder.index.words import stems
from pathfinder.retrieval.known_items.titles import is_title
from pathfinder.retrieval.stages import StageLog, unusable_stage
from pathfinder.retrieval.wording.spelling import corrected
from pathfinder.retrieval.wording.translation import translated
from pathfinder.text.spelling import fold
from pathfinder.types import SearchRequest

MAX_WORDS = 60
"""Number of words above which a question is a pasted text, to which nothing is added."""

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|\|")
_QUOTED = re.compile(r"[\"“][^\"“”]{0,1000}[\"”]")


def terms_for(question: str, everyday: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Return the field's terms for the everyday expressions of `question`, in their order; `everyday` has a term and
    its expressions, separated by bars, in each row. What stands in quotation marks is a name.
    """
    tokens = _TOKEN.findall(_QUOTED.sub(" | ", question))
    if not everyday or len(tokens) > MAX_WORDS:
        return ()
    terms, longest = _by_stems(everyday)
    keys = [_stem(token) for token in tokens]
    found: dict[str, None] = {}
    place = 0
    while place < len(tokens):
        for end in range(min(len(tokens), place + longest), place, -1):
            if (term := terms.get(tuple(keys[place:end]))) is not None:
                found[term] = None
                place = end
                break
        else:
            place += 1
    return tuple(found)


@lru_cache(maxsize=8)
def _by_stems(everyday: tuple[tuple[str, str], ...]) -> tuple[Mapping[tuple[str, ...], str], int]:
    terms: dict[tuple[str, ...], str] = {}
    for term, expressions in everyday:
        for expression in expressions.split("|"):
            terms.setdefault(tuple(_stem(token) for token in _TOKEN.findall(expression)), term)
    terms.pop((), None)
    return terms, max(map(len, terms))


def _stem(token: str) -> str:
    return " ".join(stems([fold(token)], frozenset()))


STAGE = "wording"
"""Stage that is recorded only if the question is changed or cannot be read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as it was asked and as it is searched."""

    asked: str
    text: str
    """The question with its spelling corrected, or in English."""
    language: str | None = None
    """English name of its language, if its terms were translated."""
    terms: tuple[str, ...] = ()
    """Terms of the field for its everyday words."""
    unread_language: str | None = None
    """English name of its language, if too few of its terms have English words."""

    @property
    def searched(self) -> str:
        """What is searched: the text, with the terms behind it. Its words stay, because an everyday expression may be
        a name, or meant otherwise.
        """
        return f"{self.text.rstrip(' ?.!')} ({', '.join(self.terms)})" if self.terms else self.text

    @property
    def is_changed(self) -> bool:
        """True if other words are searched than were asked."""
        return self.searched != self.asked


def reading_of(request: SearchRequest, corpus: Corpus) -> Reading:
    """Read the question of `request` as its switches say; the title of a paper is left as it is."""
    asked = request.query
    if not (request.translates or request.corrects_spelling) or is_title(asked, corpus.papers):
        return Reading(asked, asked)
    foreign = translated(asked, corpus) if request.translates else None
    if foreign is not None:
        if foreign.english is None:
            return Reading(asked, asked, unread_language=foreign.language)
        return Reading(asked, foreign.english, language=foreign.language)
    text = corrected(asked, corpus) if request.corrects_spelling else asked
    return Reading(asked, text, terms=terms_for(text, corpus.profile.everyday) if request.translates else ())


def read_question(request: SearchRequest, corpus: Corpus, log: StageLog) -> Reading:
    """Read the question of `request`, with a note and a stage if other words are searched or its language is not
    read.
    """
    with log.stage(STAGE, is_optional=True) as stage:
        reading = reading_of(request, corpus)
        if reading.unread_language is not None:
            language = reading.unread_language
            stage.report = unusable_stage(f"the question is in {language}, and few of its terms are known")
            log.note(f"the question seems to be in {language}: ask in {corpus.sparse.language}")
        elif reading.language is not None:
            stage.ran = f"{reading.language}: {reading.text}"
            log.note(
                f'searched for "{reading.text}", from {reading.language}: turn translates off to search as asked',
                says_filter=True,
            )
        elif reading.is_changed:
            stage.ran = reading.searched
            switch = "translates" if reading.terms else "corrects_spelling"
            log.note(f'searched for "{reading.searched}": turn {switch} off to search as written', says_filter=True)
    return reading
