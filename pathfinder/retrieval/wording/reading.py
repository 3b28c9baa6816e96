"""Reads the words of a question: in English terms if it is in another language or in everyday words, and with its
spelling corrected.
"""

from dataclasses import dataclass

from pathfinder.corpus.store import Corpus
from pathfinder.retrieval.known_items.titles import is_title
from pathfinder.retrieval.stages import StageLog, unusable_stage
from pathfinder.retrieval.wording.everyday import terms_for
from pathfinder.retrieval.wording.spelling import corrected
from pathfinder.retrieval.wording.translation import translated
from pathfinder.types import SearchRequest

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
