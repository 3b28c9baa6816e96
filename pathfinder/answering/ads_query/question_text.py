"""A question that is being read for ADS: what is left of it, and the words that are phrases of a topic.

`vocabulary.toml` says which words mean which part of a query.
"""

import datetime
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any

from pathfinder.retrieval.years.in_questions import years_named
from pathfinder.text.author_names import CITED_YEAR
from pathfinder.text.english import MONTHS
from pathfinder.text.language.lexicon_tagger import NOUNS, LexiconTagger, read_lexicon
from pathfinder.text.language.tagged_text import tag_text

MAX_PHRASE = 120
"""Number of characters in which a phrase next to a word is looked for."""


@dataclass(frozen=True, slots=True)
class Found:
    """A part of the query, with the place of its words; several terms are alternatives."""

    start: int
    end: int
    kind: str
    terms: tuple[str, ...]


@dataclass(slots=True)
class QuestionText:
    """A question; the words that are taken are null characters in `left`, so that nothing reads across them."""

    question: str
    today: datetime.date | None
    left: str
    tags: dict[int, str]
    """Part of speech of each word, by its place."""
    found: list[Found] = field(default_factory=list)

    def take(self, start: int, end: int) -> None:
        self.left = self.left[:start] + "\x00" * (end - start) + self.left[end:]

    def add(self, start: int, end: int, kind: str, *terms: str) -> None:
        self.take(start, end)
        self.found.append(Found(start, end, kind, terms))

    def matches(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield each match in what is left, also of what is taken meanwhile."""
        place = 0
        while match := pattern.search(self.left, place):
            yield match
            place = max(match.end(), place + 1)


@cache
def vocabulary() -> dict[str, Any]:
    """Return the content of `vocabulary.toml`."""
    content = resources.files(__package__).joinpath("vocabulary.toml").read_text(encoding="utf-8")
    return tomllib.loads(content.replace("{paper}", tomllib.loads(content)["paper"]))


@cache
def word_list(name: str) -> frozenset[str]:
    """Return a list of words of the vocabulary."""
    return frozenset(vocabulary()["words"][name].split())


@cache
def pattern_of(words: str, *, has_case: bool = False) -> re.Pattern[str]:
    """Compile words that stand alone: neither within another word nor next to a hyphen."""
    return re.compile(rf"(?<![\w&/-])(?:{words})(?![\w&/]|-\w)", 0 if has_case else re.IGNORECASE)


_WORD = re.compile(r"[^\s\x00,;:?!()\[\]{}\"“”]+|[,;:?!()\[\]{}\"“”]")


@cache
def _tagger() -> LexiconTagger:
    return LexiconTagger(read_lexicon())


def tags_in(question: str) -> dict[int, str]:
    """Return the part of speech of each word, by its place."""
    tagged = tag_text(question, _tagger())
    return {token.start: tag for token, tag in zip(tagged.tokens, tagged.tags, strict=True)}


CLOSED = frozenset("CC DT EX IN MD PRP PRP$ RP TO UH WDT WP WRB".split())
"""Tags of words that say how other words belong together."""
UNREAD = frozenset("CD VB VBD VBG VBN VBP VBZ".split())
"""Tags of words that are no topics, but may change what is asked."""
_ADJECTIVES = frozenset("JJ JJR JJS VBN VBG".split())

_ASKS_AFTER = re.compile(r"\b(?:how|i'd|we'd|could you|can you|(?:any|some)(?:one|body)) $", re.IGNORECASE)
_ASKS_BEFORE = re.compile(r" (?:me|us)\b")
"""What stands around the words of a request: "I'd love", "how big", "point me to"."""


def _is_topical(text: QuestionText, word: re.Match[str], before: str, after: str | None) -> bool:
    """Return whether a word is part of a topic: a noun, a name or an adjective, or what stands before one of them.
    `before` is the word next to it, and `after` the tag of the next word, if that one is part of a topic.
    """
    plain, tag = word[0].casefold().strip("'."), tag_of(text, word)
    start, end = word.span()
    is_asking = _ASKS_AFTER.search(text.question, max(start - 12, 0), start) or _ASKS_BEFORE.match(text.question, end)
    is_in_name = word[0].istitle() and before.istitle() and before.casefold() not in word_list("dropped")  # "Milky Way"
    is_dropped = plain.removesuffix("'s") in word_list("dropped") and not is_in_name
    if is_asking or is_dropped or not re.search(r"\w", plain):
        return False
    if len(plain) == 1 and not plain.isdigit():
        return tag in NOUNS or (word[0].isupper() and before[:1].isupper())  # "M dwarfs", "Cen A"
    starts_sentence = text.question[max(start - 2, 0) : start].strip()[-1:] in ("", ".", "?", "!", ":")
    is_name = any(map(str.isdigit, plain)) or (word[0][0].isupper() and not starts_sentence)
    if tag in NOUNS or tag == "" or (is_name and "'" not in plain and tag not in CLOSED):
        return True
    if tag == "RB":
        return plain.endswith("ly") and after in _ADJECTIVES
    is_gerund = tag == "VB" and plain.endswith("ing") and (not before or read_lexicon().get(before.casefold()) == "IN")
    if tag in ("CD", "VBN", "VBG") or is_gerund:  # "on ionized gas", "observing proposals"
        return after is not None or (plain.endswith("ing") and plain not in read_lexicon())  # "microlensing papers"
    return tag in _ADJECTIVES or (tag == "SYM" and "'" not in plain and word[0] not in MONTHS)


def tag_of(text: QuestionText, word: re.Match[str]) -> str:
    """Return the part of speech of a word; empty if the tagger divides the text elsewhere."""
    tags = [text.tags[place] for place in range(*word.span()) if place in text.tags and text.question[place].isalnum()]
    return tags[-1] if tags else ""


def phrases(text: QuestionText, start: int = 0, end: int | None = None) -> list[tuple[bool, list[re.Match[str]]]]:
    """Return the runs of words that are topics in a part of what is left, and each other word as a run of its own."""
    words = list(_WORD.finditer(text.left, start, len(text.left) if end is None else end))
    runs: list[tuple[bool, list[re.Match[str]]]] = []
    after: str | None = None
    for place in reversed(range(len(words))):
        word, is_joined = words[place], bool(runs) and words[place].end() + 1 == runs[0][1][0].start()
        before = words[place - 1][0] if place and words[place - 1].end() + 1 == word.start() else ""
        is_topical = _is_topical(text, word, before, after if is_joined else None)
        if is_topical and is_joined and after is not None:
            runs[0][1].insert(0, word)
        else:
            runs.insert(0, (is_topical, [word]))
        after = tag_of(text, word) if is_topical else None
    return runs


def phrase_before(text: QuestionText, end: int) -> list[re.Match[str]]:
    """Return the words of the topic that ends where, or just before, `end`."""
    is_topical, run = (phrases(text, max(end - MAX_PHRASE, 0), end) or [(False, [])])[-1]
    return run if is_topical and end - run[-1].end() < 2 else []


def phrase_after(text: QuestionText, start: int) -> list[re.Match[str]]:
    """Return the words of the topic that begins at `start`."""
    is_topical, run = (phrases(text, start, start + MAX_PHRASE) or [(False, [])])[0]
    return run if is_topical and run[0].start() == start else []


# Reads years, months and days in a question for ADS.


def read_dates(text: QuestionText) -> None:
    """Read years, months, days, and those on which ADS learned of papers."""
    came = "(?:first )?(?:appear(?:ed|ing)|c[ao]m(?:e|ing) out) "
    lead = rf"(?:published |submitted |dated |{came})?(?:(?:between|from|in|during|of|on) )?(?:the )?"
    to = r"(?: ?[-–] ?| (?:to|until|till|thro?ugh|thru|up to) (?:the )?)"
    unit = r"(?:[ÅK]|angstr\w+|kelvins?|[nkm]?m|[kMG]?pc|[kMG]?Hz|[km]?eV|days|stars|galaxies|objects|sources)"
    for words, form in (
        (rf"{lead}(?P<a>{_DATE}){to}(?P<b>{_DATE})(?! ?{unit}\b)", "[{} TO {}]"),
        (rf"(?:published |submitted |dated )?(?:between|from) (?P<a>{_DATE}) and (?P<b>{_DATE})", "[{} TO {}]"),
        (
            rf"{lead}(?P<a>{_DATE})(?:,? (?:or|and) (?:later|after(?:wards)?|newer|since|onwards?)| onwards?)",
            "[{} TO *]",
        ),
        (rf"{lead}(?P<a>{_DATE})(?:,? (?:or|and) (?:earlier|before|older))", "[* TO {}]"),
        (rf"(?:since|(?P<beside>after)|starting(?: in)?|no earlier than) (?:the )?(?P<a>{_DATE})", "[{} TO *] "),
        (rf"from (?P<a>{_DATE}) on(?= ?$)", "[{} TO *]"),
        (rf"(?:(?P<beside>before)|until|till|up to|no later than|by) (?:the )?(?P<a>{_DATE})", "[* TO {}] "),
        (rf"{lead}(?P<a>{_DATE})", "{} "),
    ):
        for match in text.matches(pattern_of(words)):
            last = _date(match["b"], _NONE) if "?P<b>" in words else _NONE
            ends = sorted([_date(match["a"], last), last][: form.count("{}")])  # "1 to 15 March 2024"
            has_months = any(month for _, month, _ in ends)
            if all(year and (month or not day) for year, month, day in ends) and (has_months or form[-1] == "]"):
                if match.groupdict().get("beside"):
                    ends = [_beside(ends[0], 1 if form.startswith("[{}") else -1)]
                dates = form.strip().format(*("-".join(filter(None, end)) for end in ends))
                dates = dates if has_months else re.sub(r"\[(\d+) TO (\d+)\]", r"\1-\2", dates)
                text.add(*match.span(), "date", f"{'pubdate' if has_months else 'year'}:{dates}")
    for match in text.matches(pattern_of(rf"{lead}{CITED_YEAR}(?:(?:,? (?:or|and) |, ){CITED_YEAR}){{1,9}}(?![\w-])")):
        text.add(*match.span(), "date", *(f"year:{year}" for year in re.findall(CITED_YEAR, match[0])))
    for match in text.matches(re.compile(rf"(?<=\x00)[ ,]+\(?({CITED_YEAR})\)?(?![\w-])")):  # "MNRAS 2015"
        text.add(*match.span(), "date", f"year:{match[1]}")
    for match in text.matches(pattern_of(rf"from ({CITED_YEAR})(?= on \w)")):
        text.add(*match.span(), "date", f"year:{match[1]}")
    # "Papers on the comet that appeared in 1994" may be about the year of the comet.
    topic = r"(?: (?:on|about|of|by|from|with)(?: (?!(?:that|which|who|the|an?|how)\b)[\w'’-]+){1,7})?,?"
    said = rf"(?P<said> (?:(?:that|which) )?{came}in (?P<year>{CITED_YEAR}))"
    for match in text.matches(pattern_of(rf"{vocabulary()['paper']}{topic}{said}")):
        text.add(*match.span("said"), "date", f"year:{match['year']}")
    # Years are read from words around them, so what is taken stays a noun there.
    # In "from the 1990s on comets", the "on" is not that of "from 1990 on".
    left = re.sub("\x00{6,}", lambda taken: "papers".ljust(len(taken[0])), text.left)
    years = years_named(re.sub(r"(?<=\d0s) on(?= \w)", " of", left), text.today)
    is_in_phrase = years is not None and years.words[0].isdigit() and phrase_before(text, years.spans[0][0])
    if years is not None and not is_in_phrase:
        value = f"[{years.first or '*'} TO {years.last or '*'}]"
        if years.first and years.last:
            value = f"{years.first}" if years.first == years.last else f"{years.first}-{years.last}"
        nouns = pattern_of(rf"(?:{vocabulary()['paper']} )*").match(text.left, years.spans[0][0])
        start, end = max(years.spans[0][0], nouns.end() if nouns else 0), years.spans[0][1]
        for span in years.spans:
            text.take(*span)
        text.add(start, end, "date", f"year:{value}")
    for match in text.matches(pattern_of(rf"(?:from|in|of|for|published in) ({CITED_YEAR})(?! ?(?:-|to) ?\d)")):
        text.add(*match.span(), "date", f"year:{match[1]}")
    for match in text.matches(
        pattern_of(rf"{lead}(?:(?:early|mid|late)[- ])?(?:({'|'.join(_DECADES)})|'(\d)0s|({CITED_YEAR[:-2]})0s)")
    ):
        tens = _DECADES.get((match[1] or "").casefold()) or int(match[2] or match[3])
        first = 10 * (tens if tens > 99 else tens + (190 if tens > 2 else 200))
        text.add(*match.span(), "date", f"year:{first}-{first + 9}")
    for match in text.matches(pattern_of(rf"{came}(?=\x00)")):
        text.take(*match.span())
    for match in text.matches(pattern_of(r"(?:added|entered|indexed|ingested|put) (?:to|into|in|on) (?:the )?ads")):
        text.take(*match.span())
        if named := [part for part in text.found if part.kind == "date" and part.start >= match.end()]:
            date = min(named, key=lambda part: part.start)
            low, high = (re.findall(r"\*|\d[\d-]{6,}|\d{4}", date.terms[0]) * 2)[:2]
            low, high = (f"{end}{rest}" if len(end) == 4 else end for end, rest in ((low, "-01-01"), (high, "-12-31")))
            term = f"entry_date:{low if low == high else f'[{low} TO {high}]'}"
            text.found[text.found.index(date)] = replace(date, terms=(term,))


_MONTHS = [name[:3].casefold() for name in MONTHS]
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th|(?!\d))"
_MONTH = rf"(?:{'|'.join(MONTHS)}|Sept|{'|'.join(name[:3] for name in MONTHS)})\.?"
_DATE_WORD = rf"(?:{CITED_YEAR}|{_DAY}|{_MONTH})"
_DATE = rf"(?:[12]\d{{3}}-[01]\d(?:-[0-3]\d)?(?!\d)|{_DATE_WORD}(?:(?: of)?,? {_DATE_WORD}){{0,2}})"
_NONE = ("", "", "")
_DECADES = {"thirties": 3, "forties": 4, "fifties": 5, "sixties": 6, "seventies": 7, "eighties": 8, "nineties": 9}


def _date(words: str, end: tuple[str, str, str]) -> tuple[str, str, str]:
    """Return year, month and day; what is missing is that of `end`, the end of the range."""
    if iso := re.fullmatch(r"(\d{4})-(\d\d)(?:-(\d\d))?", words):
        return iso[1], iso[2], iso[3] or ""
    year, month, day = (
        match[1] if (match := re.search(rf"\b({form})(?!\w)", words, re.IGNORECASE)) else ""
        for form in (CITED_YEAR, _MONTH, r"[0-3]?\d(?=st|nd|rd|th|\b)")
    )
    month = f"{_MONTHS.index(month[:3].casefold()) + 1:02d}" if month else end[1] if day else ""
    return year or end[0], month, day and f"{int(day):02d}"


def _beside(end: tuple[str, str, str], step: int) -> tuple[str, str, str]:
    """Return the day or month after (`step` 1) or before (-1) a date with a month; the date itself if it is on no
    calendar.
    """
    year, month, day = end
    if day:
        try:
            date = datetime.date(int(year), int(month), int(day)) + datetime.timedelta(step)
        except ValueError:
            return end
        return f"{date.year}", f"{date.month:02d}", f"{date.day:02d}"
    years, months = divmod(12 * int(year) + int(month) - 1 + step, 12)
    return f"{years}", f"{months + 1:02d}", ""
