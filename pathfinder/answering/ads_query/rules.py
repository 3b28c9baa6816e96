"""Uses rules instead of a chat model to write an ADS query for a question about papers, if the wording allows it."""

import re
from collections.abc import Sequence

from pathfinder.missions import gazetteer_of
from pathfinder.retrieval.years.in_questions import YearsNamed, years_named
from pathfinder.text.author_names import PARTICLE, TEAM, is_family_name, parse_name
from pathfinder.text.author_year import CITED_YEAR, ET_AL
from pathfinder.text.english import MONTHS, lower
from pathfinder.types import Keyword, SearchRequest

_NAME = (
    r"[A-ZÀ-Þ](?:[\w'’-]{1,40}(?![\w'’-])|\.)(?:\s+(?:[A-ZÀ-Þ]\.){1,3}(?!\w)){0,3}"
    rf"(?:\s+{PARTICLE}(?=(?:\s+{PARTICLE}){{0,2}}\s+[A-ZÀ-Þ])){{0,3}}"
)
"""Bounded repetition, so that matching a text full of capitals does not take exponential time."""
_PERSON = rf"(?:{PARTICLE}\s+){{0,3}}(?:{_NAME}\s*){{1,4}}"
_AUTHORS = (
    re.compile(
        rf"\b(?:(?P<role>first|lead)[\s-]author(?:ed)?\b[^.?]{{0,200}}?\bby|[Bb]y|[Ff]rom)\s+(?P<name>{_PERSON})"
    ),
    re.compile(rf"\b(?P<name>(?:[A-Z][\w-]{{1,60}}\s{{1,9}}){{1,4}}{TEAM})\b"),
    re.compile(rf"\b(?:has|have|did|does)\s+(?P<name>{_PERSON})\s*(?:publish|writ(?:e|ten)|wrote|author|co-?author)"),
    re.compile(rf"\b(?P<name>{_PERSON}){ET_AL}"),
    re.compile(
        rf"\b(?P<name>{_PERSON})['’]s?\s+(?:papers|articles|publications|(?:first[\s-]author|refereed)\s+papers)"
    ),
)
_FIRST_AUTHOR = re.compile(rf"\b(?:first|lead)[\s-]author|{ET_AL}", re.IGNORECASE)
_PAPER_OF_YEAR = re.compile(rf"\b{_PERSON}(?:{ET_AL},?\s*)?\s*\(?(?P<year>{CITED_YEAR})\b")
"""A paper named by its author and year, as in "Riess et al. (2016)"."""
_CITING = re.compile(
    r"\b(?:papers|articles|works)\s+(?:that\s+)?cit(?:e|ing)\b|\bhow\s+(?:many|often|much)\b[^?]*\bcit(?:ed|ations?)\b",
    re.IGNORECASE,
)
_MOST_CITED = re.compile(r"\b(?:(?P<n>\d{1,3})\s+)?(?:most|top|best)[\s-]+(?:highly[\s-]+)?cited\b", re.IGNORECASE)
_PEER_REVIEW = re.compile(r"\b(?:refereed|peer[\s-]reviewed)\b", re.IGNORECASE)
_THESES = re.compile(r"\b(?:PhD|doctoral)\s+(?:theses|thesis|dissertations?)\b", re.IGNORECASE)
_JOURNALS = {
    "ApJ": r"ApJ|Astrophysical Journal(?! Letters| Supp)",
    "ApJL": r"ApJL|Astrophysical Journal Letters",
    "ApJS": r"ApJS|Astrophysical Journal Supplement(?: Series)?",
    "AJ": r"AJ|Astronomical Journal",
    "MNRAS": r"MNRAS|Monthly Notices(?: of the Royal Astronomical Society)?",
    "A&A": r"A&A|Astronomy (?:and|&) Astrophysics(?! Review)",
    "ARA&A": r"ARA&?A|Annual Review of Astronomy and Astrophysics",
    "PASP": r"PASP",
    "PASJ": r"PASJ",
    "Natur": r"(?:in|by) Nature(?! Astronomy)",
    "NatAs": r"Nature Astronomy",
    "Sci": r"(?:in|by) Science",
}
_TALK = frozenset(
    "paper papers article articles publication publications author authors astronomer astronomers people journal "
    "journals number count list literature citation citations research work works preprint preprints study studies "
    "thesis theses dissertation dissertations phd doctoral first-author refereed peer-reviewed cited abstract "
    "abstracts title titles".split()
)
"""Words that are common in questions about papers but say nothing about the subject of those papers."""
_PLACES = lower(MONTHS) | frozenset(
    "nasa esa eso europe america asia africa china japan india germany france italy spain britain canada australia "
    "galaxy galaxies stars earth".split()
)
"""Places, agencies and months that may follow "from" or "by" but are not authors."""
MAX_READ = 1000
"""Maximum number of characters of a question that are read; questions about papers are shorter."""
N_MOST_CITED = 10
"""Number of papers to list for "the most cited" if the question gives no number."""


def query_by_rules(request: SearchRequest, keywords: Sequence[Keyword]) -> str | None:
    """Write the query for the question of `request`; `None` if the question names nothing to search for.

    `keywords` are those found in the question. Together they name its subject, and each must occur in a paper's title,
    abstract or keywords.
    """
    question = " ".join(request.query.split())[:MAX_READ]
    question_years = years_named(question, request.today)
    author, name = _author(question)
    journal, journal_words = _journal(question)
    used_words = f"{name} {journal_words}"
    subject = [f'abs:"{_plain(text)}"' for text in _subject(keywords, used_words)]
    years = [f"year:{_span(question_years)}"] if question_years else []
    is_citing = _CITING.search(question) is not None and _MOST_CITED.search(question) is None
    if is_citing and author:
        # "Papers that cite Riess et al. 2016": the year belongs to the cited paper.
        of_year = _PAPER_OF_YEAR.search(question)
        cited_years = [f"year:{of_year['year']}"] if of_year else years
        return f"citations({' '.join([author, *subject, *cited_years])})"
    parts = [part for part in (author, *subject, journal) if part]
    if not parts:
        return None
    parts += years
    parts += ["property:refereed"] if _PEER_REVIEW.search(question) else []
    parts += ["doctype:phdthesis"] if _THESES.search(question) else []
    query = " ".join(parts)
    if match := _MOST_CITED.search(question):
        return f"topn({int(match['n'] or 0) or N_MOST_CITED}, {query}, citation_count desc)"
    return query


def _author(question: str) -> tuple[str, str]:
    """Return the author in the form that ADS uses, and the words that name the author; both empty if there is none."""
    for pattern in _AUTHORS:
        for match in pattern.finditer(question):
            name = match["name"].strip(" .,")
            if _is_thing(name):
                continue
            if not any(re.fullmatch(words, name) or re.fullmatch(words, f"by {name}") for words in _JOURNALS.values()):
                first = "^" if _FIRST_AUTHOR.search(question) else ""
                return f'author:"{first}{_last_first(name)}"', name
    return "", ""


def _last_first(name: str) -> str:
    """Turn "Vera C. Rubin" into "Rubin, Vera C."; leave "van Dokkum" and "Planck Collaboration" unchanged."""
    if is_family_name(name):  # "Di Matteo" is more often a family name than a person called Di
        return name
    parts = parse_name(name)
    return ", ".join(filter(None, (parts.last, parts.first, parts.suffix)))


def _journal(question: str) -> tuple[str, str]:
    for stem, words in _JOURNALS.items():
        if match := re.search(rf"(?<![\w&])(?:{words})(?![\w&])", question):
            return f'bibstem:"{stem}"', match[0]
    return "", ""


def _subject(keywords: Sequence[Keyword], used_words: str) -> list[str]:
    of_others = {word.casefold() for word in re.findall(r"\w+", used_words)}
    subjects = []
    for keyword in keywords:
        content = [word for word in re.findall(r"[^\s]+", keyword.text) if word.casefold() not in _TALK]
        plain = re.findall(r"\w+", " ".join(content).casefold())
        if plain and not set(plain) <= of_others:
            subjects.append(" ".join(content))
    return list(dict.fromkeys(subjects))


def _plain(text: str) -> str:
    return " ".join(re.sub(r'["\\“”]', " ", text).split())


def _span(years: YearsNamed) -> str:
    if years.first and years.last:
        return f"{years.first}" if years.first == years.last else f"{years.first}-{years.last}"
    return f"[{years.first or '*'} TO {years.last or '*'}]"


def _is_thing(name: str) -> bool:
    """Return whether `name` is a facility ("Planck", but not "Planck Collaboration"), an object, a place or a month."""
    gazetteer, lowercase_name = gazetteer_of(), name.casefold()
    return lowercase_name in gazetteer.facilities | gazetteer.ambiguous | gazetteer.objects | _PLACES
