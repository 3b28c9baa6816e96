"""The years that a question names, as one filter."""

import datetime
import re
from dataclasses import dataclass, replace

from pathfinder.retrieval.years.phrases import Mention, mentions

MAX_WORDS = 60
"""A longer text is a pasted abstract: its years are those of its observations."""

_ASKS = re.compile(
    r"\?|^\W*(?:how|what|which|why|when|where|who|is|are|was|were|do|does|did|has|have|had|can|could|find|show|list|"
    r"give|search|summari[sz]e|compare|tell)\b|\b(?:papers?|articles?|publi\w+|preprints?|works?|studies|reviews?|"
    r"literature)\b",
    re.IGNORECASE,
)
_DATED = re.compile(r"(?!between\b)[^(].*\d{4}", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class YearsNamed:
    """Years that a question asks for, both inclusive; at least one is set."""

    first: int | None
    last: int | None
    words: str
    """The phrase of the question that says so; of several, all with "…" between them."""
    spans: tuple[tuple[int, int], ...]
    """Where those phrases lie in the question."""

    @property
    def in_words(self) -> str:
        """ "2024 on", "up to 2009", "2010 to 2015" or "2019"."""
        if self.first is None:
            return f"up to {self.last}"
        if self.last is None:
            return f"{self.first} on"
        return f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"


def years_named(question: str, today: datetime.date | None) -> YearsNamed | None:
    """The years that `question` names: "after 2023", "in the last five years" (before `today`), "before JWST".

    Of several phrases, "after 2015" and "before 2020" bound each other; others are taken together, so that
    "the 1990s and the 2020s" is 1990 to 2029. `None` when nothing is bounded, also by "recent", by years
    that lie ahead of `today`, and in texts of more than 60 words.
    """
    found = mentions(question, today) if len(question.split()) <= MAX_WORDS else []
    if not _ASKS.search(question):
        found = [_without_end(mention, question) for mention in found]
    if not found:
        return None
    first, last = _together(found)
    lies_ahead = today is not None and first is not None and first > today.year + 1
    if lies_ahead or (first, last) == (None, None):
        return None
    words = " … ".join(question[mention.start : mention.end] for mention in found)
    return YearsNamed(first, last, words, tuple((mention.start, mention.end) for mention in found))


def _without_end(mention: Mention, question: str) -> Mention:
    """The years of the observations that a title tells of; decades, "between" and years in brackets keep their end."""
    is_span = mention.first is not None and _DATED.fullmatch(question[mention.start : mention.end])
    return replace(mention, last=None) if is_span else mention


def _together(found: list[Mention]) -> tuple[int | None, int | None]:
    firsts = [m.first for m in found if m.first is not None]
    lasts = [m.last for m in found if m.last is not None]
    if len(found) == 2 and len(firsts) == len(lasts) == 1:
        # "After 2015 but before 2020" is an interval; "before 2010 or after 2020" is two, and no one filter.
        return (firsts[0], lasts[0]) if firsts[0] <= lasts[0] else (None, None)
    return (
        min(firsts) if len(firsts) == len(found) else None,
        max(lasts) if len(lasts) == len(found) else None,
    )


def topic(question: str, named: YearsNamed) -> str:
    """`question` without the phrases that name years; the whole question where nothing else is left."""
    kept = question
    for start, end in reversed(named.spans):
        kept = f"{kept[:start]} {kept[end:]}"
    kept = re.sub(r"\s+([?!.,;:])", r"\1", " ".join(kept.split())).lstrip(" ,;:")
    return kept if re.search(r"\w{2}", kept) else question


def without_years(question: str) -> str:
    """`question` less the phrases that name years, on whatever day it is asked."""
    named = years_named(question, datetime.date(2099, 1, 1))
    return question if named is None else topic(question, named)
