"""Chooses the sentences of a digest: from each hit the sentence that answers best, and from the first hit perhaps
two.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.answering.digest.closeness import MAX_READ, Abstract, closeness_of
from pathfinder.answering.digest.features import content_stems, features_of
from pathfinder.answering.digest.scorer import fitted_model
from pathfinder.index.ports import TokenSource
from pathfinder.models.ports import Embedder
from pathfinder.text.sentences import readable_spans
from pathfinder.types import Floats, Hit, Paper

WORTH_QUOTING = 0.6
"""Minimum score of a hit to be quoted, as a fraction of the best hit's score: if a corpus has only two papers on a
question, the third hit is about something else.
"""

WORTH_A_SECOND_LINE = 0.7
"""Minimum probability of a second line from the first paper, as a fraction of that of its first line."""

WORTH_SHOWING = 0.7
"""Minimum token match of a line, as a fraction of the best line's."""

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
    """See `Closeness`."""

    @property
    def answers(self) -> bool:
        """True if it comes close enough to the question to answer it."""
        return self.token_match >= fitted_model().least_token_match

    @property
    def sentence(self) -> str:
        """The sentence, verbatim."""
        return self.paper.abstract[self.start : self.end]


def choose_lines(
    question: str, hits: Sequence[Hit], embedder: Embedder, tokens: TokenSource | None = None
) -> tuple[Line, ...]:
    """Choose the lines in the rank order of their papers; none if no hit has an abstract.

    The rows of `hits` must refer to the same corpus as `tokens`.
    """
    best = max((hit.score.fused or 0.0 for hit in hits), default=0.0)
    quoted = [hit for hit in hits if hit.paper.has_abstract and (hit.score.fused or 0.0) >= WORTH_QUOTING * best]
    if not quoted:
        return ()
    abstracts = [_abstract(hit) for hit in quoted]
    lines: list[Line] = []
    for place, closeness in enumerate(closeness_of(question, abstracts, embedder, tokens)):
        sentences = abstracts[place].sentences
        probabilities = fitted_model().probabilities(features_of(question, sentences, closeness))
        for number in _best(sentences, probabilities)[: 2 if place == 0 else 1]:
            start, end = readable_spans(quoted[place].paper.abstract)[number]
            line = Line(
                quoted[place].paper, start, end, float(probabilities[number]), float(closeness.token_match[number])
            )
            if not any(_repeats(line.sentence, other.sentence) for other in lines):
                lines.append(line)
    best_match = max(line.token_match for line in lines)
    return tuple(line for line in lines if line.token_match >= WORTH_SHOWING * best_match)


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


def _repeats(sentence: str, other: str) -> bool:
    own, others = content_stems(sentence), content_stems(other)
    return len(own & others) >= SAME * max(len(own | others), 1)
