"""Finds the papers in the pool whose title, or one of whose keywords, was typed as the question.

Case, punctuation, spaces, accents and LaTeX are ignored. Some consecutive words of a single title are enough. If a
title has four words or more, the part before its colon is enough; an article or preposition may be missing, a long word
may have one wrong letter, and a very long one two.
Numbers and numerals must be the same: "Paper II" is not "Paper III".
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache
from itertools import chain

import pyarrow.compute as pc

from pathfinder.corpus.papers import PaperTable
from pathfinder.index.words import QUESTION_STOP_WORDS, contains, content_stems
from pathfinder.retrieval.known_items.in_questions import STAGE
from pathfinder.retrieval.stages import StageLog
from pathfinder.text.latex.letters import GREEK_NAMES
from pathfinder.text.latex.search_text import plain_text, subscripts_written_on
from pathfinder.text.spelling import fold, typing_errors
from pathfinder.types import Candidates


class TitleMatch(StrEnum):
    """Ways in which a question can be the title of a paper, as shown to readers."""

    WHOLE = "title"
    WITHOUT_SUBTITLE = "title without its subtitle"
    MISTYPED = "title, with small differences"
    WORDS = "words of the title"
    KEYWORD = "keyword"


MAX_BEARERS = 3
"""Number of papers in the pool above which a keyword that they share is a subject, and names none of them."""

MOST_WORDS_OF_KEYWORD = 8
"""Maximum number of words in a question that is compared with the keywords of the whole pool, which takes 2 ms."""
N_COMPARED = 100
"""Number of papers, best match first, whose titles are compared: few papers match a title better than the paper that
bears it. Keywords are those of the whole pool, because no text need hold them.
"""
MAX_WORDS = 60
"""Number of words above which a question is not taken for a title."""
MIN_WORDS, MIN_WORDS_OF_PART = 2, 4
"""Minimum number of words in a whole title, and in a title that the question only nearly matches: "Cosmology" is a
subject, unless it is in quotation marks.
"""
MAX_DIFFERENCES = 3
"""Maximum number of places in which a mistyped title may differ."""
MIN_CONTENT, MIN_RARE = 3, 2
"""Number of words, apart from stop words, by which a part of a title names a paper, and the number that is enough if
one of them occurs in no other paper found: "Hanny's Voorwerp".
"""
SHARE_OF_WORDS = 0.5
"""Minimum share of the question's words that a title must contain for the two to be compared."""
LONG, VERY_LONG = 5, 10
"""Minimum length, in letters, of a word that may have one typo, and of a word that may have two."""

_WORD, _ASCII_WORD = re.compile(r"[^\W_]+"), re.compile(r"[A-Za-z]+")
_QUOTED_TITLE = re.compile(r"[\"“«].*[\"”»]")
_QUOTED_PHRASE = re.compile(r"[\"“«]([^\"“”«»]+)[\"”»]")
_SUBTITLE = re.compile(r"[:?!]\s+|(?<!\s)\s+[-–—]+\s+|\.\s+(?=[A-Z])")
_MAY_BE_MISSING = frozenset("a an the of in on at to for from with and by".split())
_DIGIT = re.compile(r"(?<![^\W_])\d(?![^\W_])")
"""A number of one digit, which the indexes drop."""
_NUMERAL = re.compile(r"\d|^(?:[ivx]+)$")
_GREEK = str.maketrans(GREEK_NAMES)


def with_titled(question: str, candidates: Candidates, papers: PaperTable, log: StageLog) -> Candidates:
    """Mark the papers whose title is `question`, or is in quotation marks in it, or at most three that have it as a
    keyword, unless it names papers by identifier; no stage is recorded for a question that names no paper.
    """
    if candidates.named_rows:
        return candidates
    with log.stage(STAGE, is_optional=True) as stage:
        pool = papers.take(candidates.rows[:N_COMPARED])
        is_short = len(_words(question)) <= MOST_WORDS_OF_KEYWORD
        match = (
            titles_like(question, pool.titles())
            or _title_within(question, pool.titles())
            or _keywords_like(question, papers.take(candidates.rows) if is_short else pool)
            or _words_of_one(question, pool)
        )
        if match is None:
            if title := another_part(question, pool.titles()):
                log.note(f"no title here has these words and numbers: “{title}” has other numbers")
            return candidates
        kind, places = match
        stage.ran = kind.value
    return replace(candidates, named_rows={int(candidates.rows[place]): kind.value for place in places})


def another_part(question: str, titles: Sequence[str]) -> str | None:
    """Return the first title that has the words of `question` one after another, apart from the number of the part:
    "Studies of variables III" beside "Studies of variables. II. Periods"; `None` if a title has these numbers.
    """
    sought = _words(question)
    if not MIN_WORDS_OF_PART <= len(sought) <= MAX_WORDS or not any(map(_NUMERAL.search, sought)):
        return None
    names = [None if _NUMERAL.search(word) else word for word in sought]
    found: str | None = None
    for title in titles:
        words = _words(title)
        parts = [words[start : start + len(sought)] for start in range(len(words) - len(sought) + 1)]
        if sought in parts:
            return None
        if found is None and names in ([None if _NUMERAL.search(word) else word for word in part] for part in parts):
            found = plain_text(title)
    return found


def _title_within(question: str, titles: Sequence[str]) -> tuple[TitleMatch, tuple[int, ...]] | None:
    """Return the first match of a phrase in quotation marks with a whole title, or with one without its subtitle."""
    matches = (titles_like(phrase, titles) for phrase in _QUOTED_PHRASE.findall(question))
    return next((match for match in matches if match is not None and match[0] is not TitleMatch.MISTYPED), None)


def _keywords_like(question: str, pool: PaperTable) -> tuple[TitleMatch, tuple[int, ...]] | None:
    bearers = tuple(place for place, paper in enumerate(pool) if is_keyword(question, paper.subjects))
    return (TitleMatch.KEYWORD, bearers) if 0 < len(bearers) <= MAX_BEARERS else None


def _words_of_one(question: str, pool: PaperTable) -> tuple[TitleMatch, tuple[int, ...]] | None:
    """Return the papers (one, or copies) whose title alone contains the words of `question` one after another; `None`
    if several do, or if the words are too few to single out a paper.
    """
    sought = _words(question.strip(' .?!"“”«»'))
    while sought and sought[0] in _MAY_BE_MISSING:
        sought = sought[1:]
    content = [word for word in sought if word not in QUESTION_STOP_WORDS]
    if not MIN_RARE <= len(content) <= MAX_WORDS:
        return None
    titles = pool.titles()
    bearers = [
        place for place, title in enumerate(map(_words, titles)) if len(sought) < len(title) and contains(title, sought)
    ]
    if not bearers or not (bearers := [*_of_one_title(bearers, titles)]):
        return None
    if len(content) < MIN_CONTENT:
        others = (paper for place, paper in enumerate(pool) if place not in bearers)
        known = {*chain.from_iterable(_words(f"{paper.text} {' '.join(paper.subjects)}") for paper in others)}
        if known.intersection(content) == set(content):
            return None
    return TitleMatch.WORDS, tuple(bearers)


def is_keyword(question: str, keywords: Iterable[str]) -> bool:
    """Return whether one of a paper's `keywords` has the same words and numbers as `question`, apart from stop words:
    "What is Hubble's law?" asks for "Hubble's law", and "Seyfert 2 galaxies" not for "Seyfert galaxies".
    """
    sought, numbers = content_stems(question), _DIGIT.findall(question)
    return bool(sought) and any(
        sought == content_stems(keyword) and numbers == _DIGIT.findall(keyword) for keyword in keywords
    )


def is_title(question: str, papers: PaperTable) -> bool:
    """Return whether a paper in the corpus has `question` as its whole title, or as its title without the subtitle."""
    longest = max(_ASCII_WORD.findall(question), key=len, default="")
    if len(longest) < LONG or len(_words(question)) < MIN_WORDS_OF_PART:
        return False
    titles = papers.column("title")
    near = titles.filter(pc.match_substring(titles, longest, ignore_case=True)).to_pylist()
    match = titles_like(question, near)
    return match is not None and match[0] is not TitleMatch.MISTYPED


def titles_like(question: str, titles: Sequence[str]) -> tuple[TitleMatch, tuple[int, ...]] | None:
    """Return how `question` matches one of `titles`, and the positions of the matching titles; `None` if none matches.

    A whole title takes precedence over a part of one, and a part over a mistyped title. Parts and mistyped titles count
    only if they match a single title (or copies of it), because otherwise it is unclear which one is meant.
    """
    words = _words(question)
    if not (1 if _QUOTED_TITLE.fullmatch(question.strip()) else MIN_WORDS) <= len(words) <= MAX_WORDS:
        return None
    letters = "".join(words)
    near = [place for place, title in enumerate(titles) if _shares_words(words, _words(title))]
    if whole := tuple(place for place in near if "".join(_words(titles[place])) == letters):
        return TitleMatch.WHOLE, whole
    if len(words) < MIN_WORDS_OF_PART:
        return None
    if parts := _of_one_title([place for place in near if _is_part(question, titles[place])], titles):
        return TitleMatch.WITHOUT_SUBTITLE, parts
    mistyped_titles = _of_one_title([place for place in near if is_mistyped(words, _words(titles[place]))], titles)
    return (TitleMatch.MISTYPED, mistyped_titles) if mistyped_titles else None


def is_mistyped(words: Sequence[str], title: Sequence[str]) -> bool:
    """Return whether `words` are those of `title`, apart from small differences."""
    differences = SequenceMatcher(None, words, title, autojunk=False).get_opcodes()
    changes = [(words[i:j], title[k:m]) for tag, i, j, k, m in differences if tag != "equal"]
    return len(changes) <= min(MAX_DIFFERENCES, len(title) // 2) and all(_is_small(*change) for change in changes)


def _is_small(of_question: Sequence[str], of_title: Sequence[str]) -> bool:
    if not of_question or not of_title:
        return set(of_question) | set(of_title) <= _MAY_BE_MISSING and len(of_question) + len(of_title) == 1
    word, other = "".join(of_question), "".join(of_title)
    if word == other:
        return True
    if (
        any(map(_NUMERAL.search, (*of_question, *of_title)))
        or word[0] != other[0]
        or abs(len(of_question) - len(of_title)) > 1
    ):
        return False
    length = max(len(word), len(other))
    n_allowed = 0 if length < LONG else 1 if length < VERY_LONG else 2
    return abs(len(word) - len(other)) <= n_allowed and typing_errors(word, other) <= n_allowed


def _is_part(question: str, title: str) -> bool:
    """Return whether `question` is `title` without its subtitle, or the other way round."""
    return any(
        len(main) >= MIN_WORDS_OF_PART and "".join(main) == "".join(_words(other))
        for whole, other in ((title, question), (question, title))
        if (main := _words(_SUBTITLE.split(plain_text(whole).strip(), maxsplit=1)[0])) != _words(whole)
    )


def _of_one_title(places: Sequence[int], titles: Sequence[str]) -> tuple[int, ...]:
    return tuple(places) if len({"".join(_words(titles[place])) for place in places}) == 1 else ()


def _shares_words(words: tuple[str, ...], title: tuple[str, ...]) -> bool:
    n_shared = len(set(words) & set(title))
    return n_shared >= SHARE_OF_WORDS * min(len(set(words)), len(set(title))) or "".join(words) == "".join(title)


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    """Return the words of `text` in lower case, without accents or markup; Greek letters are spelled out."""
    plain = subscripts_written_on(plain_text(text)).translate(_GREEK)
    return tuple(_WORD.findall(fold(plain)))
