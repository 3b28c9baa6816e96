"""Questions that ask who was first: the earliest papers that claim it come first.

A paper fits if it matches the question well, and one of its sentences, read together with its title, contains every
content word of the question and, near one of them, a word by which papers claim to be first ("the first detection of",
"discovered"). If none does, one also fits whose first sentence claims to be first and that has the subject as a
keyword. The papers that fit are ordered by time, because a paper from before a discovery cannot claim it, while
later ones mention it.
"""

import re
from collections.abc import Set
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from pathfinder.index.words import INDEX_STOP_WORDS, QUESTION_STOP_WORDS, content_stems, stems, words
from pathfinder.retrieval.known_items.titles import TitleMatch
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.years.in_questions import MAX_WORDS
from pathfinder.text.latex.search_text import plain_text
from pathfinder.text.sentences import split_sentences
from pathfinder.text.stop_words import SPOKEN_ENGLISH
from pathfinder.types import Candidates, Paper, SearchRequest

STAGE = "earliest"
N_READ = 30
"""Number of papers, best match first, that are read for claims."""
LEAST_SCORE = 0.75
"""Minimum fused score, in [0, 1], of a paper that fits the question well."""
MAX_APART, FAR_APART = 4, 12
"""Maximum number of words from a claim to the next content word of the question: "the first direct detection of", and
"proposed that".
"""
MAX_AFTER = 8
"""Maximum number of words from a content word to the claim: "gamma-ray bursts, short flashes of ..., were discovered".
"""
SHARE_IN_SENTENCE = 0.5
"""Minimum share of the question's content words in the sentence that claims to be first; the title may have the others.
"""

_FINDING = r"(?:discover|detect|f(?:ind|ound)|observ|identif|spot|notic|saw\b|seen?\b|recogni[sz]|evidence|report)"
_STATING = (
    r"(?:propos|predict|suggest|introduc|measur|show|prov|calculat|comput|deriv|deduc|explain|postulat|formulat|estimat|"
    r"determin)"
)
_FIRST = r"(?:first|earliest|originally)"
_ASKS_FIRST = re.compile(
    rf"\bwho\s+(?:\w+\s+)?(?:{_FIRST}\b|{_FINDING}|{_STATING})|\bwho\s+(?:was|were)\s+the\s+first\b|"
    rf"\bwhen\s+(?:was|were|did)\b[^?]{{1,200}}?\b(?:{_FIRST}|discovered|detected|found)\b|"
    rf"^\W*(?:(?:what|which|when)\s+(?:is|was|were)\s+)?(?:the\s+)?(?:very\s+)?{_FIRST}\s+(?:[\w-]+\s+){{0,2}}?"
    rf"(?:{_FINDING}|measurements?|images?|photographs?|pictures?|maps?|propos|predict|confirm|papers?\s+(?:on|about))",
    re.IGNORECASE,
)
_NO_AUTHORS = re.compile(r"\bwho\s+(?:\w+\s+){0,2}(?:wrote|published|are)\b", re.IGNORECASE)
_SAYS_FIRST = re.compile(rf"\b{_FIRST}\b", re.IGNORECASE)
_CLAIMS = frozenset(stems(words("first earliest discover discovered discovery discoverer pioneer"), frozenset()))
_PROPOSALS = frozenset(stems(words("propose predict suggest postulate"), frozenset()))
_HEDGES = re.compile(r"\b(?:candidates?|cited|claimed|possibl[ey]|may|might|would|could)\b", re.IGNORECASE)
"""Words in a sentence that does not claim to be first itself: "a candidate for the first", "may be the first"."""
_YEAR = re.compile(r"\b(?:1[89]|20)\d{2}\b")
_NAME = re.compile(r"\b[A-Z][\w-]{0,40}(?:\s[A-Z][\w-]{0,40}){1,8}|\b[a-z]{2,20}-[A-Z]\w{1,40}")
"""What may be another thing than a word in it: a name of several words, or "sub-Neptune"."""
_NO_SUBJECT = re.compile(rf"^(?:{_FINDING}\w*|{_FIRST}|ever|papers?|confirm\w*)$", re.IGNORECASE)
_IS_STATING = re.compile(rf"^{_STATING}\w*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FirstAsked:
    """What a question that asks who was first is about, in stems."""

    subject: frozenset[str]
    claims: frozenset[str]
    """Words one of which a sentence must have to claim it."""
    max_apart: int = MAX_APART
    """Maximum number of words from the claim to the next word of the subject."""


def first_asked(question: str) -> FirstAsked | None:
    """Read what `question` asks who was first in; `None` for any other question."""
    if len(question.split()) > MAX_WORDS or not _ASKS_FIRST.search(question) or _NO_AUTHORS.search(question):
        return None
    says_first = _SAYS_FIRST.search(question) is not None
    content = [word for word in words(question) if word not in SPOKEN_ENGLISH and not _NO_SUBJECT.match(word)]
    stated = [] if says_first else [word for word in content if _IS_STATING.match(word)]
    subject = frozenset(stems([word for word in content if word not in stated], QUESTION_STOP_WORDS))
    own_claims = {*stems(stated, QUESTION_STOP_WORDS)}
    if not subject:
        return None
    if own_claims:
        return FirstAsked(
            subject, frozenset(own_claims | (_PROPOSALS if own_claims & _PROPOSALS else set())), FAR_APART
        )
    return FirstAsked(subject, _CLAIMS)


def with_earliest(request: SearchRequest, question: str, candidates: Candidates, log: StageLog) -> Candidates:
    """Give the papers that claim to be first in what `question` asks a lead, the earliest the largest; no stage is
    recorded for other questions, or if no paper claims it.
    """
    asked = first_asked(question) if request.reads_firsts and request.likeness is None else None
    if asked is None or any(kind != TitleMatch.KEYWORD for kind in candidates.named_rows.values()):
        return candidates
    with log.stage(STAGE, is_optional=True) as stage:
        papers = [*islice(candidates.papers, N_READ)]
        fits_well = candidates.fused[: len(papers)] >= LEAST_SCORE
        dated = [place for place, paper in enumerate(papers) if fits_well[place] and _day(paper) is not None]
        dated = [place for place in dated if is_in_place(question, papers[place])]
        fitting = [place for place in dated if _claims(papers[place], asked)]
        fitting = fitting or [place for place in dated if _claims_by_keyword(papers[place], asked)]
        if not fitting:
            return candidates
        fitting.sort(key=lambda place: _day(papers[place]) or 0)
        lead = np.zeros(len(candidates))
        lead[fitting] = np.arange(len(fitting), 0, -1) / len(fitting)
        n = "1 paper claims" if len(fitting) == 1 else f"{len(fitting)} papers claim"
        stage.ran = f"{n} it, earliest first"
        log.note(
            "the question asks who was first, so the papers that say so come first, the earliest at the top: turn "
            "reads_firsts off to list the best matches first",
            says_filter=True,
        )
    return replace(candidates, lead=lead, named_rows={})  # of what a keyword names, the earliest is asked for


def _day(paper: Paper) -> float | None:
    """Return a number that orders papers by time, in years."""
    if paper.date is not None:
        return paper.date.year + paper.date.timetuple().tm_yday / 400
    return None if paper.year is None else float(paper.year)


def _claims(paper: Paper, asked: FirstAsked) -> bool:
    """Return whether a sentence of `paper` claims to be first, or reports that its work was. A sentence with a year
    after that of the paper, as in a later summary, tells what came next.
    """
    title = {*stems(words(plain_text(paper.title)), INDEX_STOP_WORDS)}
    for text in (paper.title, *split_sentences(paper.abstract)):
        sentence = without_longer_names(text, asked.subject, asked.claims)
        # an exoplanet is a planet
        own = [
            bare if (bare := stem.removeprefix("exo")) in asked.subject else stem
            for stem in stems(words(plain_text(sentence)), frozenset())
        ]
        n_own = len(asked.subject.intersection(own))
        if (
            n_own >= SHARE_IN_SENTENCE * len(asked.subject)
            and asked.subject <= title.union(own)
            and _is_near(own, asked)
            and not _HEDGES.search(sentence)
            and not any(int(year) > (paper.known_year or 0) + 1 for year in _YEAR.findall(sentence))
        ):
            return True
    return False


def _claims_by_keyword(paper: Paper, asked: FirstAsked) -> bool:
    """Return whether the first sentence of `paper` claims to be first, and the subject is one of its keywords: what was
    discovered as the acceleration of the universe is called dark energy today.
    """
    first = next(iter(split_sentences(paper.abstract)), "")
    is_keyword = any(content_stems(keyword) == asked.subject for keyword in paper.subjects)
    return is_keyword and not asked.claims.isdisjoint(content_stems(first)) and not _HEDGES.search(first)


def without_longer_names(sentence: str, subject: Set[str], others: Set[str] = frozenset()) -> str:
    """Leave out longer names that hold words of the subject: the Dark Energy Survey did not discover dark energy.
    A name of words of the subject and of `others`, both in stems, stays.
    """

    def kept(name: re.Match[str]) -> str:
        own = {*stems(words(name[0]), INDEX_STOP_WORDS)}
        return name[0] if own <= subject | others or not own & subject else " "

    return _NAME.sub(kept, sentence)


_IN = r"(?:in|on|inside|within|around|throughout)"
_WORD = r"[\w’'-]{1,40}"
_ASKED_IN = re.compile(
    rf"\bwho\b.{{0,200}}\s{_IN}\s+(?:the\s+)?((?!the\b|\d){_WORD}(?:\s{_WORD})?)\W{{0,5}}$", re.IGNORECASE
)
_INSIDE = re.compile(
    rf"\b(?:{_IN}|(?P<of>{_WORD})\sof)\s(?!which\b)(?P<place>(?:{_WORD}\s){{0,3}}{_WORD})", re.IGNORECASE
)
"""What something is in, or of: at most three words come between the preposition and it."""
_FINDS = re.compile(r"\b(?:discover|detect|f(?:ind|ound)|identif|spot)", re.IGNORECASE)
_THING = re.compile(r"[\w-]{1,60}")
_OF = re.compile(rf"({_WORD})\s(?:of|around|in|on|from|after|with|to|and)\s(?:the\s)?$")
"""What a name is part of, or beside: "rings of the "."""


def is_in_place(question: str, paper: Paper) -> bool:
    """Return whether the title or keywords of `paper` name that in which `question` asks who found something, or one of
    its sentences says what is in it: hydrogen between the stars, in the spectrum of one, is not hydrogen in stars.
    Nor does who discovered the rings of Uranus answer who discovered Uranus.
    """
    asked, match = first_asked(question), _ASKED_IN.search(question)
    if asked is None:
        return True
    if match is None:
        return not _FINDS.search(question) or _is_found(paper, asked)
    place = content_stems(match[1])
    if place <= content_stems(" ".join((paper.title, *paper.subjects))):
        return True
    return any(
        place <= content_stems(each["place"]) and (not each["of"] or content_stems(each["of"]) & asked.subject)
        for each in _INSIDE.finditer(paper.abstract)
    )


def _is_found(paper: Paper, asked: FirstAsked) -> bool:
    """Return whether a sentence of `paper` tells of finding what has the one name asked for, and not only of something
    of it or beside it; true if `paper` does not have the name, or it is no name.
    """

    def is_itself(text: str, name: re.Match[str]) -> bool:
        before = _OF.search(text[max(0, name.start() - 60) : name.start()])
        return text[name.end() : name.end() + 1] not in ("'", "’") and (before is None or bool(_FINDS.match(before[1])))

    texts = (paper.title, *split_sentences(paper.abstract))
    named = [[each for each in _THING.finditer(text) if content_stems(each[0]) == asked.subject] for text in texts]
    if not any(named) or any(each[0].islower() for found in named for each in found):
        return True
    return any(
        _FINDS.search(text) and any(is_itself(text, each) for each in found)
        for text, found in zip(texts, named, strict=True)
    )


def _is_near(sentence: list[str], asked: FirstAsked) -> bool:
    """Return whether a claim and a word of the subject are close to each other in `sentence`, in stems."""
    claims = [place for place, stem in enumerate(sentence) if stem in asked.claims]
    subject = [place for place, stem in enumerate(sentence) if stem in asked.subject]
    return any(-MAX_AFTER <= other - one <= asked.max_apart for one in claims for other in subject)
