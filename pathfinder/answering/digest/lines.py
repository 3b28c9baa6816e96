"""Chooses the sentences of a digest: from each hit the sentence that answers best, and from the first hit perhaps
two.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathfinder.answering.digest import cues
from pathfinder.answering.digest.closeness import MAX_READ, Abstract, closeness_of
from pathfinder.answering.digest.features import content_stems, coverage, features_of, subjects_of
from pathfinder.answering.digest.scorer import fitted_model
from pathfinder.index.ports import TokenSource
from pathfinder.models.ports import Embedder
from pathfinder.text.author_names import parse_name
from pathfinder.text.sentences import readable_spans, split_sentences
from pathfinder.types import Floats, Hit, Paper

WORTH_QUOTING = 0.6
"""Minimum score of a hit to be quoted, as a fraction of the best hit's score: if a corpus has only two papers on a
question, the third hit is about something else.
"""

WORTH_A_SECOND_LINE = 0.7
"""Minimum probability of a second line from the first paper, as a fraction of that of its first line."""

WORTH_SHOWING = 0.7
"""Minimum token match of a line, as a fraction of the best line's."""

LEAST_QUOTED = 0.54
"""Minimum score of a hit that contains nearly all words of the question to be quoted, as a fraction of the best hit's:
where many papers answer, the first must not stand alone.
"""

WELL_COVERED = 0.65
"""Minimum coverage of a hit that contains nearly all words of the question, as a fraction of the best hit's."""

SUBJECTS_OF_A_NARROW_QUESTION = 8
"""Minimum number of words for subjects in a question that counts as narrow: it paraphrases a result of one paper."""

LEAST_COVERED, LEAST_COVERED_IF_NARROW = 0.45, 0.22
"""Minimum coverage of a paper that answers: the share of the question's subjects in its title and abstract. A narrow
question is a paraphrase, and shares fewer words with the paper that answers it.
"""

LEAST_COVERED_BESIDE = 0.4
"""Minimum coverage of a paper for its line to be shown, as a fraction of that of the paper which covers most."""

NOISE = 0.9
"""Fraction of the model's least token match below which a line is shown only if all lie below it."""

FACT_GAIN, FURTHER_FACT_GAIN, MOST_FACTS = 0.5, 0.1, 3
"""Additions to the probability of a sentence that names a person, a date or a place that is asked for: for the first,
and for each further one up to three in all.
"""

SAME = 0.9
"""Minimum share of words in common at which a sentence counts as repeating an earlier line (Jaccard index of their
stems).
"""

WORDS_OF_A_SENTENCE = range(5, 91)
"""Acceptable number of words in a sentence: shorter ones are headings, longer ones are lists."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence that is quoted."""

    paper: Paper
    start: int
    end: int
    """`paper.abstract[start:end]` is the sentence."""
    probability: float
    """Estimated probability that it answers the question if its paper does, in [0, 1]."""
    token_match: float
    """See `Closeness`; if the question asks who, when or where, the best of its paper, as a name shares no word with
    the question.
    """
    coverage: float = 1.0
    """Share of the question's subjects that its paper contains, in [0, 1], weighted by rarity."""
    least_coverage: float = 0.0
    """Coverage below which its paper does not answer, in [0, 1]."""
    names_the_fact: bool = True
    """False if the question asks who, when or where, and the sentence names no person, date or place."""

    @property
    def answers(self) -> bool:
        """True if it comes close enough to the question to answer it."""
        is_close = self.token_match >= fitted_model().least_token_match
        return is_close and self.coverage >= self.least_coverage and self.names_the_fact

    @property
    def sentence(self) -> str:
        """The sentence, verbatim."""
        return self.paper.abstract[self.start : self.end]


def choose_lines(
    question: str, hits: Sequence[Hit], embedder: Embedder, tokens: TokenSource | None = None
) -> tuple[Line, ...]:
    """Choose the lines in the rank order of their papers; none if no hit has an abstract with a sentence in it.

    The rows of `hits` must refer to the same corpus as `tokens`.
    """
    quoted, covered = _quoted(question, hits)
    if not quoted:
        return ()
    asks_for_a_fact = any(cue.search(question) for cue in (cues.ASKS_WHO, cues.ASKS_WHEN, cues.ASKS_WHERE))
    abstracts = [_abstract(hit) for hit in quoted]
    lines: list[Line] = []
    for place, closeness in enumerate(closeness_of(question, abstracts, embedder, tokens)):
        paper, sentences = quoted[place].paper, abstracts[place].sentences
        probabilities = fitted_model().probabilities(features_of(question, sentences, closeness))
        facts = np.array([facts_in(question, paper, sentence) for sentence in sentences])
        gains = FACT_GAIN * (facts > 0) + FURTHER_FACT_GAIN * np.maximum(facts - 1, 0)
        for number in _best(sentences, probabilities + gains * asks_for_a_fact)[: 2 if place == 0 else 1]:
            start, end = _with_its_turn(paper.abstract, number)
            line = Line(
                paper,
                start,
                end,
                probability=float(probabilities[number]),
                token_match=float(closeness.token_match.max() if asks_for_a_fact else closeness.token_match[number]),
                coverage=float(covered[place]),
                least_coverage=LEAST_COVERED_IF_NARROW if _is_narrow(question) else LEAST_COVERED,
                names_the_fact=bool(facts[number]),
            )
            if not any(_repeats(line, other) for other in lines):
                lines.append(line)
    return _worth_showing(lines, asks_for_a_fact, _is_narrow(question))


def _worth_showing(lines: Sequence[Line], asks_for_a_fact: bool, is_narrow: bool) -> tuple[Line, ...]:
    """Return the lines that are not much further from the question than the best; those that name a fact stay."""
    best_match = max(line.token_match for line in lines)
    best_coverage = max(line.coverage for line in lines)
    noise = NOISE * fitted_model().least_token_match
    worthy = [
        line
        for line in lines
        if (asks_for_a_fact and line.names_the_fact)
        or (
            line.token_match >= WORTH_SHOWING * best_match
            and (is_narrow or line.coverage >= LEAST_COVERED_BESIDE * best_coverage)
            and (is_narrow or line.token_match >= noise or best_match < noise)
        )
    ]
    return tuple(worthy or lines)


def facts_in(question: str, paper: Paper, sentence: str) -> int:
    """Return how many persons, dates or places `sentence` names, up to three, if the question asks who, when or where;
    1 for other questions.
    """
    if cues.ASKS_WHO.search(question):
        surnames = {parse_name(author).last for author in paper.authors}
        n_authors = sum(
            len(name) > 1 and re.search(rf"\b{re.escape(name)}\b", sentence) is not None for name in surnames
        )
        return min(max(n_authors, len(cues.NAMES_A_PERSON.findall(sentence))), MOST_FACTS)
    if cues.ASKS_WHEN.search(question):
        return min(len(cues.NAMES_A_DATE.findall(sentence)), 1)
    if cues.ASKS_WHERE.search(question):
        return min(len(cues.NAMES_A_PLACE.findall(sentence)), MOST_FACTS)
    return 1


def _quoted(question: str, hits: Sequence[Hit]) -> tuple[list[Hit], Floats]:
    """Return the hits that are worth quoting, and how much of the question each of them covers."""
    best = max((hit.score.fused or 0.0 for hit in hits), default=0.0)
    covered = coverage(question, [f"{hit.paper.title} {hit.paper.abstract}" for hit in hits])
    narrow = _is_narrow(question)
    places = [
        place
        for place, hit in enumerate(hits)
        if split_sentences(hit.paper.abstract)  # an abstract may consist of dots, or of a heading
        and (hit.score.fused or 0.0)
        >= best * (LEAST_QUOTED if not narrow and covered[place] >= WELL_COVERED * covered.max() > 0 else WORTH_QUOTING)
    ]
    return [hits[place] for place in places], covered[places]


def _is_narrow(question: str) -> bool:
    return len(subjects_of(question)) >= SUBJECTS_OF_A_NARROW_QUESTION


def _with_its_turn(abstract: str, number: int) -> tuple[int, int]:
    """Return the place of a sentence, with the next one if that takes back or turns what the sentence says."""
    spans = readable_spans(abstract)
    start, end = spans[number]
    if number + 1 < len(spans):
        following, last = spans[number + 1]
        if cues.TURN.search(abstract[following:last]) and not abstract[following:last].endswith("?"):
            return start, last
    return start, end


def _abstract(hit: Hit) -> Abstract:
    text = hit.paper.abstract
    spans = [(start, end) for start, end in readable_spans(text) if end <= MAX_READ] or readable_spans(text)[:1]
    return Abstract(hit.row, hit.paper.title, tuple(text[start:end] for start, end in spans))


def _best(sentences: Sequence[str], probabilities: Floats) -> list[int]:
    """Return the numbers of the best sentence and, if it is nearly as good, the second best."""
    usable = [number for number, sentence in enumerate(sentences) if _is_readable(sentence)]
    usable = usable or [number for number, sentence in enumerate(sentences) if sentence]
    order = sorted(usable, key=lambda number: -probabilities[number])
    return [
        number
        for place, number in enumerate(order[:2])
        if place == 0 or probabilities[number] >= WORTH_A_SECOND_LINE * probabilities[order[0]]
    ]


def _is_readable(sentence: str) -> bool:
    """Return whether `sentence` has a readable length and complete formulas, and is not a question."""
    has_whole_formulas = sentence.count("$") % 2 == 0
    return len(sentence.split()) in WORDS_OF_A_SENTENCE and has_whole_formulas and not sentence.endswith("?")


def _repeats(line: Line, other: Line) -> bool:
    if line.paper.paper_id == other.paper.paper_id and line.start < other.end and other.start < line.end:
        return True
    own, others = content_stems(line.sentence), content_stems(other.sentence)
    return len(own & others) >= SAME * max(len(own | others), 1)
