"""Reads years, months and days in a question for ADS."""

import re
from dataclasses import replace

from pathfinder.answering.ads_query.question_text import QuestionText, pattern_of, phrase_before, vocabulary
from pathfinder.retrieval.years.in_questions import years_named
from pathfinder.text.author_year import CITED_YEAR
from pathfinder.text.english import MONTHS


def read_dates(text: QuestionText) -> None:
    """Read years, months, days, and those on which ADS learned of papers."""
    lead = r"(?:published |submitted |dated )?(?:(?:between|from|in|during|of|on) )?(?:the )?"
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
        (rf"(?:since|after|starting(?: in)?|no earlier than) (?:the )?(?P<a>{_DATE})", "[{} TO *] "),
        (rf"from (?P<a>{_DATE}) on(?= ?$)", "[{} TO *]"),
        (rf"(?:before|until|till|up to|no later than|by) (?:the )?(?P<a>{_DATE})", "[* TO {}] "),
        (rf"{lead}(?P<a>{_DATE})", "{} "),
    ):
        for match in text.matches(pattern_of(words)):
            last = _date(match["b"], _NONE) if "?P<b>" in words else _NONE
            ends = sorted([_date(match["a"], last), last][: form.count("{}")])  # "1 to 15 March 2024"
            has_months = any(month for _, month, _ in ends)
            if all(year and (month or not day) for year, month, day in ends) and (has_months or form[-1] == "]"):
                dates = form.strip().format(*("-".join(filter(None, end)) for end in ends))
                dates = dates if has_months else re.sub(r"\[(\d+) TO (\d+)\]", r"\1-\2", dates)
                text.add(*match.span(), "date", f"{'pubdate' if has_months else 'year'}:{dates}")
    for match in text.matches(re.compile(rf"(?<=\x00)[ ,]+\(?({CITED_YEAR})\)?(?![\w-])")):  # "MNRAS 2015"
        text.add(*match.span(), "date", f"year:{match[1]}")
    for match in text.matches(pattern_of(rf"from ({CITED_YEAR})(?= on \w)")):
        text.add(*match.span(), "date", f"year:{match[1]}")
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
