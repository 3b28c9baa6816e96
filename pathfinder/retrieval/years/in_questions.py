"""Years named in a question, as one filter.

A number is read as a year only if a word indicates that it is one ("after 2023", "in the 1990s"), and a decade also
where it begins or ends the question ("1990s extrasolar planets"); a bare number never is, so "NGC 2024",
"arXiv:2010.12345" and "Smith et al. 2020" name no years.
"""

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, reduce

from pathfinder.profile import Names, Profile, astronomy
from pathfinder.profile.profile import FacilityCatalogue
from pathfinder.retrieval.years import readings as read
from pathfinder.retrieval.years.readings import Bounds, Today, any_name, bare_year, decade, is_quantity, point
from pathfinder.text.author_names import YEAR_IN_TEXT
from pathfinder.text.english import BE, DO, HAVE, QUESTION_WORDS, any_of

Reading = Callable[[re.Match[str], Today], Bounds | None]


@dataclass(frozen=True, slots=True)
class YearMention:
    """A part of the question, `question[start:end]`, that names years."""

    start: int
    end: int
    first: int | None
    last: int | None


def mentions(question: str, today: Today, profile: Profile | None = None) -> list[YearMention]:
    """Find the phrases of `question` that name years, in order; if phrases overlap, the more specific one wins.
    `profile` holds the events, things and facilities of the field, astronomy by default.
    """
    profile = profile or astronomy()
    names, has_catalogue = profile.names, profile.services.facilities is not FacilityCatalogue.NONE
    year_mentions: list[YearMention] = []
    for pattern, reading in _phrases(names, has_catalogue):
        for match in pattern.finditer(question):
            # In "the 2015 outburst" the outburst is the topic; only "2015" is a time.
            start, end = match.span("said" if "said" in match.groupdict() else 0)
            is_free = all(end <= other.start or start >= other.end for other in year_mentions)
            bounds = reading(match, today) if is_free and not is_quantity(match, names) else None
            if bounds is not None:
                year_mentions.append(YearMention(start, end, *bounds))
    # "Before and after 2002" sets no limit, but prevents the phrases inside it from being read.
    bounding = [mention for mention in year_mentions if (mention.first, mention.last) != (None, None)]
    return sorted(bounding, key=lambda mention: mention.start)


@lru_cache(maxsize=8)
def _phrases(names: Names, has_catalogue: bool) -> tuple[tuple[re.Pattern[str], Reading], ...]:
    """List every pattern with the function that reads it, the more specific patterns first."""
    phrases = (*_ranges(), *_sides(), *_happenings(), *_moments(), *_durations(), *(_eras() if has_catalogue else ()))
    own = "|".join(names.events) or "(?!)"
    nouns = "|".join(noun for kind in names.facilities for noun in kind) or "(?!)"
    words = {"EVENTS": own, "FACILITIES": nouns, "NO_ERAS": "|".join(names.no_eras) or "(?!)"}
    patterns = (
        (reduce(lambda text, word: text.replace(*word), words.items(), text), reading) for text, reading in phrases
    )
    return tuple((re.compile(text, re.IGNORECASE), reading) for text, reading in patterns)


_FROM = r"(?:since|(?:starting|beginning)\s+(?:in|from|with)|no\s+earlier\s+than)"
_BEFORE = r"(?:before|prior\s+to|earlier\s+than|older\s+than|preceding)"
_AFTER = r"(?:after|later\s+than|newer\s+than|more\s+recent\s+than|following)"
_UNTIL = r"(?:until|till|up\s+(?:to|until)|no\s+later\s+than|through)"
_WITHIN = r"(?:between|from|during|in|over|of|for|within)"
_NOW = r"(?:the\s+present|present(?:\s+day)?|today|now)"
_EITHER = r"(?:\s*/\s*|\s+(?:and|or|versus|vs\.?)\s+)"
_DASH = r"\s*[-–—]+\s*"
_EVENTS = (
    r"(?:discover|detect|observ|see[n ]|saw|erupt|explo|launch|occur|outburst|merge|event|found|image|record|beg[au]n|"
    r"start|commission|release|announce|propose|introduce|happen|appear|impact|encounter|EVENTS)\w*"
)
_WHAT_HAPPENED = r"(?:discover|detect|observ|erupt|explo|outburst|merge|occur|happen|earthquake|storm|launch|EVENTS)\w*"
"""Words that indicate a year even a few words away: "detected near the galaxy in 2017"."""

_HAPPENINGS = r"(?:solstice|equinox|outburst|storm|eruption|launch|release|impact|event|EVENTS)\b"
_WRITINGS = r"(?:papers?|articles?|publications?|preprints?|works?|studies|reviews?|literature)"


def _ranges() -> list[tuple[str, Reading]]:
    """List the patterns for spans from one year to another."""
    a, b = point("a"), point("b")
    return [
        (rf"\b{_WITHIN}\s+{a}\s+(?:and|to|until|through)\s+{b}", read.between),
        (rf"(?:\b{_WITHIN}\s+|\(\s*){bare_year('a')}{_DASH}{b}\s*\)?", read.between),
        (rf"\bfrom\s+{a}\s+(?:to|until)\s+{_NOW}\b", read.from_then),
        (rf"\(\s*{bare_year('a')}{_DASH}{_NOW}\s*\)", read.from_then),
    ]


def _sides() -> list[tuple[str, Reading]]:
    """List the patterns for the time before or after a year; "after the 2015 outburst" includes 2015, because papers on
    it appear throughout that year.
    """
    a, noun = point("a"), r"\s+(?!and\b|or\b|but\b)\w+"
    both = rf"(?:before|pre-?|prior\s+to){_EITHER}(?:after|post)|{_AFTER}{_EITHER}before"
    return [
        (rf"\b(?:{both})\b(?:[\s-]+(?:the\s+)?{YEAR_IN_TEXT})?", read.both_sides),
        (rf"\bfrom\s+{a}\s+(?:on|onwards?|forward)\b", read.from_then),
        (rf"\b{a}\s+(?:(?:and|or)\s+(?:later|after|newer|onwards?)|onwards?)\b(?!\s+\w)", read.from_then),
        (rf"\b{a}\s+(?:and|or)\s+(?:earlier|before|older)\b(?!\s+\w)", read.until),
        # "Before 51 Peg b (1995)" names the year of what is named.
        (rf"\b{_AFTER}(?:\s+[^\s()]+){{1,4}}\s+\(\s*{bare_year('a')}\s*\)", read.after),
        (rf"\b{_BEFORE}(?:\s+[^\s()]+){{1,4}}\s+\(\s*{bare_year('a')}\s*\)", read.before),
        (rf"\b(?P<said>{_FROM}\s+the\s+{bare_year('a')})\s+(?:[\w-]+\s+){{0,3}}{_HAPPENINGS}", read.from_then),
        (rf"\b{_FROM}\s+{a}", read.from_then),
        (rf"\b(?P<said>{_AFTER}\s+the\s+{bare_year('a')}){noun}", read.from_then),
        (rf"\b(?P<said>{_BEFORE}\s+the\s+{bare_year('a')}){noun}", read.until),
        (rf"\b(?:{_AFTER}\s+|post-){a}", read.after),
        (rf"\b(?:{_BEFORE}\s+|pre-){a}", read.before),
        (rf"\b{_UNTIL}\s+{a}", read.until),
        # "By the 1990 expedition" names an agent, not a time.
        (rf"\bby\s+(?P<a>{YEAR_IN_TEXT})(?![\w.,:/-]\w|\w)(?!\s+(?-i:[A-Z]))", read.until),
    ]


def _happenings() -> list[tuple[str, Reading]]:
    """List the patterns for events. Papers about an event appear from its year onwards, and most titles with "in 1994"
    are about an event.
    """
    year, day, connective = bare_year("a"), point("a"), rf"(?:{_WRITINGS}\b|and\b|or\b|to\b)"
    appeared = rf"appear(?:ed|ing)?\s+(?P<said>(?:in|during)\s+{day})"
    no_clause = r"(?:\s+(?:on|about|of|by|from|with)(?:\s+(?!(?:that|which|who|the|an?|how)\b)[\w'’-]+){1,7})?"
    return [
        # "Papers on comets that appeared in 1994" may be about comets of 1994.
        (rf"\b{_WRITINGS}(?:\s+(?:that|which))?\s+{appeared}", read.then),
        (rf"\b(?:how\s+many|which|what)\s+(?:[\w-]+\s+){{0,2}}{_WRITINGS}{no_clause}\s+{appeared}", read.then),
        (rf"\b(?:the|its|their)\s+(?P<said>{year})\s+(?:[\w-]+\s+){{0,3}}{_HAPPENINGS}", read.from_then),
        (rf"\b(?P<said>(?:in|during|of)\s+the\s+{year})\s+(?!{connective})\w", read.from_then),
        (rf"\b{_EVENTS}\s+(?:back\s+)?(?P<said>(?:in|during)\s+{day})", read.from_then),
        (rf"\b{_WHAT_HAPPENED}\s+(?:[\w'’-]+\s+){{1,6}}(?P<said>(?:in|during)\s+{day})", read.from_then),
    ]


def _moments() -> list[tuple[str, Reading]]:
    lone_decade = r"(?:19[5-9]|20[12])0['’]?s"  # "2000s" may be seconds
    return [
        (rf"\b{_WRITINGS}\s+(?:of|from|in)\s+{point('a')}", read.then),
        (rf"\b{bare_year('a')}\s+{_WRITINGS}\b", read.then),
        (rf"\b(?:in|during|within|throughout|of|from|vs\.?|versus|and|with)\s+{decade('a')}", read.then),
        (rf"\b(?:in|during|within|throughout)\s+{point('a')}", read.then),
        (rf"^\W*(?P<a>{lone_decade})(?=\s+[^\W\d])", read.then),  # "1990s extrasolar planets"
        (rf"(?<=[^\W\d]\s)(?P<a>{lone_decade})(?=[\s.?!]*$)", read.then),
    ]


def _durations() -> list[tuple[str, Reading]]:
    """List the patterns that count back from today; "the last ten years of the mission" does not."""
    number = rf"(?:\d{{1,3}}|(?:{'|'.join(sorted(read.COUNTS, key=len, reverse=True))})(?=[\s-]))"
    literature = r"(?:research|work|stud|progress|literature|observ)"
    back = (
        r"\b(?:(?:in|over|within|during|from|of|for|throughout)\s+)?(?P<the>the\s+|these\s+|our\s+)?"
        rf"(?:last|past|previous|preceding)\s+(?:a\s+)?(?:(?P<n>{number})[\s-]+)?"
        r"(?:(?P<part>quarter|half)[\s-](?:of\s+)?(?:a\s+)?)?"
        rf"(?P<unit>years?|yrs?|decades?|months?|century|centuries)\b(?!\s+of\s+(?!{literature}))"
    )
    this = r"\b(?:(?:in|during|so\s+far|from)\s+)?(?P<which>this|last)\s+(?P<unit>year|decade)\b(?!['’]s)"
    return [(back, read.back_from_today), (this, read.this_or_last)]


def _eras() -> list[tuple[str, Reading]]:
    """List the patterns that count from a mission; a name shared with a person must be next to a word such as
    "mission".
    """
    sole, shared_name = (rf"(?P<mission>{any_name(shared=also)})(?!\w)" for also in (False, True))
    since = r"(?:since|after|following)"
    opening = (
        r"(?:the\s+)?(?:(?:advent|arrival|launch|commissioning|first\s+light|start|beginning|first\s+(?:data|results)|"
        r"release|era|deployment)\s+of\s+)?(?:the\s+)?"
    )
    launch = r"the\s+(?:launch|advent)\s+of\s+(?:the\s+)?"
    # "Since Gaia has parallaxes" states a reason and "before ALMA can see it" a condition: neither names a year.
    no_clause = (
        r"(?!['’]?\s*(?:can|could|will|would|may|might|should|is|has|have|does|detects?|sees?|observes?|provides?)\b)"
    )
    craft = r"\s+(?:(?:space\s+)?(?:FACILITIES)|launch|was\s+launched|data)"
    return [
        (rf"\b{since}\s+{opening}{sole}(?!\s+{YEAR_IN_TEXT}){no_clause}", read.from_mission),
        (rf"\b{_BEFORE}\s+{opening}{sole}(?!\s+{YEAR_IN_TEXT}){no_clause}", read.before_mission),
        (rf"\b{since}\s+(?:the\s+)?{shared_name}{craft}", read.from_mission),
        (rf"\b{since}\s+{launch}{shared_name}", read.from_mission),
        (rf"\b{_BEFORE}\s+(?:the\s+)?{shared_name}{craft}", read.before_mission),
        (rf"\b{_BEFORE}\s+{launch}{shared_name}", read.before_mission),
        (rf"\bpost-{shared_name}", read.from_mission),
        (rf"\bpre-{shared_name}", read.before_mission),
        (
            rf"\b(?:in|during|into|for)\s+(?:the|this|our)\s+(?!(?:NO_ERAS)\b){shared_name}[\s-]+era\b",
            read.from_mission,
        ),
        (rf"\bin\s+the\s+(?:era|age|time)\s+of\s+(?:the\s+)?{sole}", read.from_mission),
        (r"\bsince\s+(?:its|their)\s+(?:launch|first\s+light|commissioning|deployment)\b", read.from_its_launch),
    ]


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
