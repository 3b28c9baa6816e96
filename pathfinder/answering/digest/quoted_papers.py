"""Chooses what a digest quotes: the papers on the question's subject, not those on a neighbouring one, or the full-text
passage that was found for the question, if the paper's passages contain more of the question than any abstract.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathfinder.answering.assessment.target_names.kinds import named_target
from pathfinder.answering.assessment.target_names.name_in_text import describes
from pathfinder.answering.digest import cues
from pathfinder.answering.digest.scoring import (
    Abstract,
    closeness_of,
    content_stems,
    coverage,
    shared_words,
    subjects_of,
    weight_of_subjects,
)
from pathfinder.answering.grounding.readings import PASSAGE_BREAK
from pathfinder.index.words import INDEX_STOP_WORDS, stems, words
from pathfinder.models.ports import Embedder, TokenEmbedder
from pathfinder.profile import Profile, astronomy
from pathfinder.text.sentences import is_prose, is_row, sentence_spans, split_sentences
from pathfinder.types import DigestForm, Finding, Floats, Hit, Paper

WORTH_QUOTING = 0.6
"""Minimum score at which a hit is quoted, as a fraction of the best hit's score: if a corpus has only two papers on a
question, the third hit is about something else.
"""

LEAST_QUOTED = 0.54
"""Minimum score at which a hit is quoted if it contains nearly all the words of the question, as a fraction of the best
hit's score: if many papers answer a question, the first must not be the only one quoted.
"""

WELL_COVERED = 0.65
"""Minimum coverage, as a fraction of the highest, at which a hit counts as containing nearly all the words of the
question.
"""

SUBJECTS_OF_A_NARROW_QUESTION = 8
"""Minimum number of subject words in a question for it to count as narrow: it then paraphrases one result of one paper.
"""

SCORE_SHARE, COVERAGE_SHARE, TITLE_SHARE, MATCH_SHARE = 0.45, 0.2, 0.15, 0.2
"""Terms of the factor by which a paper's search score is multiplied to measure to what degree the paper is about a
question: a constant, and the weights of its coverage, its title's coverage and its token match.
"""

LEAST_ABOUT = {
    DigestForm.FACT: 0.74,
    DigestForm.VALUES: 0.78,
    DigestForm.SIDES: 0.78,
    DigestForm.FINDINGS: 0.78,
    DigestForm.LIST: 0.62,
}
"""Minimum degree to which a paper must be about a question to be quoted, as a fraction of the best paper's; lower for
lists, whose items are spread over many papers, and for facts, which some papers do not name.
"""

LATEST = 9_999
"""Year used to sort papers whose year is unknown."""

MAIN = 0.7
"""Minimum degree to which the main paper, which is quoted first, must be about the question, as a fraction of the best
paper's; if several papers reach it, the one that the search ranks highest is the main paper.
"""

LEAST_ABOUT_OF_THE_FIRST, LEAST_ABOUT_OF_MANY = 0.92, 0.85
"""Minimum degree to which a paper must be about a question that asks who was first, as a fraction of the best paper's:
the second if at least `MANY_ALIKE` papers reach it.
"""
MANY_ALIKE = 4

MOST_PAPERS = {
    DigestForm.FACT: 3,
    DigestForm.VALUES: 4,
    DigestForm.SIDES: 4,
    DigestForm.FINDINGS: 4,
    DigestForm.LIST: 6,
}
"""Maximum number of papers from which sentences are quoted, by form: a few good lines are better than many."""

MOST_OF_AN_OPEN_QUESTION = 6
"""Maximum number of papers quoted for a question with one or two subjects, such as "black holes", on which many papers
can be quoted.
"""

SUBJECTS_OF_AN_OPEN_QUESTION = 2

MOST_OF_A_NARROW_QUESTION = 5
"""Maximum number of papers quoted for a narrow question, in the order of the search."""


@dataclass(frozen=True, slots=True)
class QuotedPapers:
    """The hits to quote, in rank order."""

    hits: tuple[Hit, ...]
    coverages: Floats
    """Share of the question's subjects that each hit contains, [0, 1]."""
    titles: Floats
    """Share of these subjects in each title, [0, 1]."""
    weights: Floats
    """Summed weight of the subjects that each hit contains, see `weight_of_subjects`."""


def is_narrow(question: str) -> bool:
    """Return whether a question paraphrases a result of one paper."""
    return len(subjects_of(question)) >= SUBJECTS_OF_A_NARROW_QUESTION


def choose_papers(question: str, hits: Sequence[Hit]) -> QuotedPapers:
    """Return the hits that score not much lower than the best and have at least one sentence in their abstract."""
    texts = [f"{hit.paper.title} {hit.paper.abstract}" for hit in hits]
    coverages, weights = coverage(question, texts), weight_of_subjects(question, texts)
    titles = coverage(question, [hit.paper.title for hit in hits])
    best = max((hit.score.fused or 0.0 for hit in hits), default=0.0)
    narrow = is_narrow(question)

    def least(place: int) -> float:
        is_well_covered = not narrow and coverages[place] >= WELL_COVERED * coverages.max() > 0
        return LEAST_QUOTED if is_well_covered else WORTH_QUOTING

    places = [
        place
        for place, hit in enumerate(hits)
        if split_sentences(hit.paper.abstract)  # an abstract may be nothing but dots or a heading
        and (hit.score.fused or 0.0) >= least(place) * best
    ]
    return QuotedPapers(tuple(hits[place] for place in places), coverages[places], titles[places], weights[places])


def about(papers: QuotedPapers, token_matches: Sequence[float]) -> Floats:
    """Return the degree to which each of the first papers is about the question, as a fraction of the best paper's.

    `token_matches` holds the token match of the closest sentence in each of these papers; the other papers were not
    read, and are left out.
    """
    n = len(token_matches)
    scores = np.array([hit.score.fused or 0.0 for hit in papers.hits[:n]])
    shares = (
        SCORE_SHARE
        + COVERAGE_SHARE * _relative(papers.coverages[:n])
        + TITLE_SHARE * _relative(papers.titles[:n])
        + MATCH_SHARE * _relative(np.array(token_matches))
    )
    return _relative(_relative(scores) * shares)


def on_the_subject(
    question: str, quoted_papers: QuotedPapers, measures: Floats, form: DigestForm, profile: Profile | None = None
) -> list[int]:
    """Return the positions of the papers to quote: the main one first, the others in rank order; `measures` come from
    `about`. The first hit is always among them, with two exceptions: a list quotes only papers that describe what it
    lists, if there are any, and if the question asks who was first, the earliest papers come first.
    """
    years = [hit.paper.year for hit in quoted_papers.hits]
    # Knowledge about a thing is spread over many papers, and so are the things in a list.
    least = LEAST_ABOUT[DigestForm.LIST if cues.ASKS_WHAT_IS_KNOWN.search(question) else form]
    near = [place for place, measure in enumerate(measures) if place == 0 or measure >= least or is_narrow(question)]
    if form is DigestForm.LIST:
        # The papers that contain the words with which the question describes what it asks for; all if none does.
        target = named_target(question, profile)
        papers = [(place, quoted_papers.hits[place].paper) for place in near]
        places_described = [place for place, paper in papers if target is None or describes(target, paper.text)]
        near = places_described or near
    is_open = form is DigestForm.FINDINGS and len(subjects_of(question)) <= SUBJECTS_OF_AN_OPEN_QUESTION
    most = MOST_OF_AN_OPEN_QUESTION if is_open else MOST_PAPERS[form]
    if is_narrow(question):
        return near[: max(most, MOST_OF_A_NARROW_QUESTION)]
    if cues.ASKS_WHO.search(question) and cues.ASKS_FOR_THE_FIRST.search(question):
        alike = [place for place in near if measures[place] >= LEAST_ABOUT_OF_MANY]
        if len(alike) < MANY_ALIKE:
            alike = [place for place in alike if measures[place] >= LEAST_ABOUT_OF_THE_FIRST]
        return sorted(alike, key=lambda place: years[place] or LATEST)[:most]
    defining = [
        place
        for place in near
        if any(
            cues.says_what_it_is(question, each) for each in split_sentences(quoted_papers.hits[place].paper.abstract)
        )
    ]
    places_on_subject = sorted(sorted(near, key=lambda place: (place != 0, -measures[place]))[:most])
    mains = defining or [place for place in places_on_subject if measures[place] >= MAIN] or places_on_subject[:1]
    main = mains[0]
    return [main, *(place for place in places_on_subject if place != main)][:most]


def _relative(values: Floats) -> Floats:
    largest = values.max(initial=0.0)
    return np.asarray(values / largest, dtype=np.float64) if largest > 0 else np.ones_like(values)


# Recognises papers on the object whose designation a question names, such as GW150914, and papers on its siblings,
# such as GW151226.

_DESIGNATION = re.compile(
    r"(?<![\w-])(?P<stem>[A-Z][A-Za-z\d]*-|[a-z]{3,20}\d?-(?=\d{1,4}[a-h]\b)|[A-Z][A-Za-z]*(?=\d{2})|[A-Z]{2,}\s(?=\d{2}))(?P<number>\d+)"
    r"(?P<letter>\s?[a-z](?!\w)|[A-Z])?"
)
"""Letters, a number and perhaps a letter: "GW150914", "M87", "WASP-12b", "SN 1987A"; not "H0" or "CO2". A
planet's is also read in lower case: "trappist-1e"."""


_SHORT_PART = re.compile(r"^\w\s|\s\w\*?$|\s[A-Z]-\d$")
"""A name that loses a part where it is indexed by words: "Sagittarius A*", "T Tauri", "Vela X-1"."""


def is_on_the_object(question: str, paper: Paper, profile: Profile | None = None) -> bool:
    """Return whether `paper` names every object that `question` names, under any name that the profile, by default that
    of astronomy, has for it, and does not name a sibling of a designation in its title instead; true if the question
    names none.
    """
    profile = profile or astronomy()
    text = paper.text
    for alias in profile.aliases:
        if alias.is_wide or not re.search(alias.in_questions, question, re.IGNORECASE):
            continue
        if not re.search(alias.in_papers, text, re.IGNORECASE):
            return False
    for names in profile.other_names:
        is_asked = any(_SHORT_PART.search(name) and _is_name_in(name, question) for name in names)
        if is_asked and not any(_is_name_in(name, text) for name in names):
            return False
    for match in {match[0]: match for match in _DESIGNATION.finditer(question)}.values():
        others = [name for names in profile.other_names if match[0] in names for name in names]
        is_named = _pattern(match).search(text) or any(_is_name_in(name, text) for name in others)
        if not is_named or _names_a_sibling(match, paper.title):
            return False
    return True


_PROPER_NAME = re.compile(r"(?<=[^\s.?!:]\s)[A-Z][a-z]+(?:[ -][A-Z][a-z]+)+")


def with_proper_names(question: str, hits: Sequence[Hit], profile: Profile | None = None) -> Sequence[Hit]:
    """Return the hits that have each name of two words with capitals in `question`, such as "Planet Nine"; those
    without it stay if no hit has it, if one writes it with other capitals, as what is no name, or if the profile has an
    alias for it, such as the Milky Way, which is where most things are.
    """
    aliases = (profile or astronomy()).aliases
    for name in dict.fromkeys(_PROPER_NAME.findall(question)):
        texts = [hit.paper.text for hit in hits]
        is_known = any(re.search(alias.in_questions, name, re.IGNORECASE) for alias in aliases)
        spellings = {each for text in texts for each in re.findall(re.escape(name), text, re.IGNORECASE)}
        if not is_known and spellings == {name}:
            hits = [hit for hit, text in zip(hits, texts, strict=True) if name in text]
    return hits


def _is_name_in(name: str, text: str) -> bool:
    """Return whether a text has a name; "a" is a letter of one only in a text without capitals: "Virgo a cluster"."""
    if name.casefold() not in text.casefold():
        return False
    flags = 0 if name.endswith(" A") and not text.islower() else re.IGNORECASE
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, flags) is not None


def _pattern(match: re.Match[str]) -> re.Pattern[str]:
    """Return a pattern that matches a designation with or without a space or a hyphen between its parts."""
    stem, letter = re.escape(match["stem"].rstrip("- ")), (match["letter"] or "").strip()
    pattern = rf"(?<!\w){stem}[-\s~]?{match['number']}(?!\d)[-\s~]?(?:[A-Z]{{0,2}}\s?)?{letter}"
    return re.compile(pattern, re.IGNORECASE if stem.islower() else 0)


def _names_a_sibling(question_name: re.Match[str], title: str) -> bool:
    stem = question_name["stem"].rstrip("- ")
    numbers = {match["number"] for match in _DESIGNATION.finditer(title) if match["stem"].rstrip("- ") == stem}
    return bool(numbers) and question_name["number"] not in numbers


# Quotes a full-text passage. It was chosen among all the passages of its paper (`retrieval/best_passages.py`), which
# says more about it than any sentence says about itself; so its best sentence is quoted together with those around it.
# If no sentence has most of what the passage has of the question, the passage is shown as a whole, and the words that
# match are marked.

LONGEST = 120
"""Maximum number of words quoted around a sentence, unless it alone is longer."""

MOST_BEFORE = 2
"""Maximum number of sentences quoted before the one that answers, so that a reader need not search for it."""

MOST_OF_THE_PASSAGE = 0.7
"""Share that the best sentence must have of what the passage has of the question (benchmarks/ANSWERS.md)."""

_WORD_OR_FORMULA = re.compile(r"\$\$?[^$]+\$\$?|[^\W_][\w-]*")

ABSENT_SHARE = 0.2
"""Weight of the share of the question's subjects that a paper lacks, against the token match of its best passage: that
of a logistic regression over questions to 19 papers, asked with and without their paper (benchmarks/ANSWERS.md).
"""

TYPICAL_MATCH = 0.53
"""Stands for the token match if the embedder has no token vectors, because its cosines have another scale; the paper
may then lack a fifth of the subjects.
"""

LEAST_SUPPORT, CERTAIN_SUPPORT = 0.485, 0.51
"""Support below which a paper does not answer the question, and below which it is doubtful whether it does: of the
questions asked without their paper, 0.85 and 0.90 lie below these.
"""


def quoted_passage(question: str, hits: Sequence[Hit]) -> Finding | None:
    """Return the quotation from the first full-text passage of the first of `hits`, whose papers are read with their
    passages, if one of its passages contains more of the question than every abstract; `None` if none does. Passages
    without prose and rows are left out.
    """
    first = hits[0]
    abstracts = [f"{hit.paper.title} {hit.paper.abstract.split(PASSAGE_BREAK)[0]}" for hit in hits]
    passages = [f"{first.paper.title} {each.heading} {each.text}" for each in first.full_text]
    shares = coverage(question, [*abstracts, *passages])
    quotations = [
        (share, finding)
        for passage, share in zip(first.full_text, shares[len(hits) :], strict=True)
        if (at := first.paper.abstract.find(passage.text)) >= 0
        and (finding := _quotation(question, first.paper.paper_id, passage.text, at)) is not None
    ]
    says_more = any(share > shares[: len(hits)].max() for share, _ in quotations)
    return quotations[0][1] if says_more else None


def support(question: str, hit: Hit, embedder: Embedder) -> float | None:
    """Return how well the paper of `hit` supports an answer to `question`, by the token match of its best passage and
    by the question's subjects that neither its title, its abstract nor any of its full text has; `None` if it has no
    full text, because nobody knows what it lacks.
    """
    if not hit.full_text:
        return None
    of_paper = {*stems(words(hit.paper.text), INDEX_STOP_WORDS)}
    subjects = subjects_of(question)
    absent = len(subjects & {*hit.absent_words} - of_paper) / max(len(subjects), 1)
    match = TYPICAL_MATCH
    if isinstance(embedder, TokenEmbedder):
        passages = [Abstract(hit.row, hit.paper.title, (passage.text,)) for passage in hit.full_text]
        match = max(float(each.token_match.max()) for each in closeness_of(question, passages, embedder))
    return match - ABSENT_SHARE * absent


def _quotation(question: str, paper_id: str, text: str, at: int) -> Finding | None:
    """Return the sentence, or row of a table, with the most of the question, with those around it as far as `LONGEST`
    allows, or all of them if it lacks much of what `text` has of the question; `None` if `text`, which begins at `at`,
    has neither prose nor rows.
    """
    spans = sentence_spans(text)
    sentences = [text[start:end] for start, end in spans]
    is_usable = np.array([is_prose(each) or is_row(each) for each in sentences], dtype=np.bool_)
    if not is_usable.any():
        return None
    *shares, share_of_text = shared_words(question, [*sentences, text])
    lengths = [len(sentence.split()) for sentence in sentences]
    first = last = best = int(np.argmax(np.where(is_usable, shares, -1.0)))
    is_whole = shares[best] < MOST_OF_THE_PASSAGE * share_of_text
    while True:
        fitting = [
            place
            for place in (last + 1, first - 1)
            if 0 <= place < len(spans)
            and is_usable[place]
            and (is_whole or place >= best - MOST_BEFORE)
            and (is_whole or sum(lengths[min(first, place) : max(last, place) + 1]) <= LONGEST)
        ]
        if not fitting:
            break
        addition = max(fitting, key=lambda place: shares[place])
        first, last = min(first, addition), max(last, addition)
    start, end = spans[first][0], spans[last][1]
    marked = _matches(question, text[start:end]) if is_whole else ()
    return Finding(paper_id, text[start:end], at + start, at + end, marked=marked)


def _matches(question: str, text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each word and formula in `text` that has a word of the question."""
    asked = content_stems(question)
    return tuple(match.span() for match in _WORD_OR_FORMULA.finditer(text) if asked & content_stems(match[0]))
