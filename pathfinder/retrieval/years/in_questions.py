"""Years named in a question, as one filter."""

import datetime
import re
from dataclasses import dataclass, replace

from pathfinder.profile import Profile
from pathfinder.retrieval.years.phrases import YearMention, mentions
from pathfinder.text.english import BE, DO, HAVE, QUESTION_WORDS, any_of

MAX_WORDS = 60
"""Number of words above which a text counts as a pasted abstract, whose years are those of observations."""

_ASKS = re.compile(
    rf"\?|^\W*(?:{any_of(QUESTION_WORDS, BE, DO, HAVE)}|can|could|find|show|list|give|search|summari[sz]e|compare|"
    r"tell)\b|\b(?:papers?|articles?|publi\w+|preprints?|works?|studies|reviews?|literature)\b",
    re.IGNORECASE,
)
_SPAN_WITH_YEAR = re.compile(r"(?!between\b)[^(].*\d{4}", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class YearsNamed:
    """First and last year that a question asks for, both inclusive; at least one is set."""

    first: int | None
    last: int | None
    words: str
    """Phrase in the question that names them; several phrases are joined by "…"."""
    spans: tuple[tuple[int, int], ...]
    """Positions of those phrases in the question."""

    @property
    def description(self) -> str:
        """Text such as "2024 on", "up to 2009", "2010 to 2015" or "2019"."""
        if self.first is None:
            return f"up to {self.last}"
        if self.last is None:
            return f"{self.first} on"
        return f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"


def years_named(question: str, today: datetime.date | None, profile: Profile | None = None) -> YearsNamed | None:
    """Read the years that `question` names: "after 2023", "in the last five years" (before `today`), "before JWST".

    If there are several phrases, "after 2015" and "before 2020" limit each other; others are combined, so that "the
    1990s and the 2020s" means 1990 to 2029. Returns `None` if nothing sets a limit: "recent" does not, nor do years
    later than `today` or the years in texts of more than 60 words. `profile` holds the events, things and facilities of
    the field, astronomy by default.
    """
    phrases = mentions(question, today, profile) if len(question.split()) <= MAX_WORDS else []
    if not _ASKS.search(question):
        phrases = [_without_end(mention, question) for mention in phrases]
    if not phrases:
        return None
    first, last = _together(phrases)
    lies_ahead = today is not None and first is not None and first > today.year + 1
    if lies_ahead or (first, last) == (None, None):
        return None
    words = " … ".join(question[mention.start : mention.end] for mention in phrases)
    return YearsNamed(first, last, words, tuple((mention.start, mention.end) for mention in phrases))


def _without_end(mention: YearMention, question: str) -> YearMention:
    """Remove the upper limit if a title names years of observations; decades, years after "between" and years in
    brackets keep theirs.
    """
    is_span = mention.first is not None and _SPAN_WITH_YEAR.fullmatch(question[mention.start : mention.end])
    return replace(mention, last=None) if is_span else mention


def _together(phrases: list[YearMention]) -> tuple[int | None, int | None]:
    firsts = [m.first for m in phrases if m.first is not None]
    lasts = [m.last for m in phrases if m.last is not None]
    if len(phrases) == 2 and len(firsts) == len(lasts) == 1:
        # "After 2015 but before 2020" is one interval; "before 2010 or after 2020" makes two, which is too many for one
        # filter.
        return (firsts[0], lasts[0]) if firsts[0] <= lasts[0] else (None, None)
    return (
        min(firsts) if len(firsts) == len(phrases) else None,
        max(lasts) if len(lasts) == len(phrases) else None,
    )


def topic(question: str, years: YearsNamed) -> str:
    """Remove the phrases that name years from `question`; leave it unchanged if nothing else would remain."""
    return without_spans(question, years.spans)


def without_spans(question: str, spans: tuple[tuple[int, int], ...]) -> str:
    """Remove the parts of `question` at `spans`; leave it unchanged if nothing else would remain."""
    rest = question
    for start, end in reversed(spans):
        rest = f"{rest[:start]} {rest[end:]}"
    rest = re.sub(r"(?<!\s)\s+([?!.,;:])", r"\1", " ".join(rest.split())).lstrip(" ,;:")
    return rest if re.search(r"\w{2}", rest) else question


def without_years(question: str, profile: Profile | None = None) -> str:
    """Remove the phrases that name years from `question`, whatever the current date."""
    years = years_named(question, datetime.date(2099, 1, 1), profile)
    return question if years is None else topic(question, years)
