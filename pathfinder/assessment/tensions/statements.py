"""Statements from two papers, one of which denies what the other says, or says the opposite."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from pathfinder.assessment.evidence.parsed_sentences import ParsedSentence
from pathfinder.assessment.evidence.polarity import Polarity, denial_conflict, direction_conflict
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Paper, Tension, TensionKind, TensionSide

FEWEST_WORDS = 4
"""Minimum number of content words that both statements must share."""
LEAST_SHARED = 0.5
"""Minimum share of each statement's content words that the other must also contain."""
LEAST_NEAR = 4
"""Minimum number of nearby words that two opposite words must have in common, in statements with several direction
words.
"""
MOST_NAMED = 5
LEAST_DENIED = 0.65
"""Minimum share of the words common to both statements that a denial must cover; a denial that covers less concerns
something else.
"""
ALMOST_SAME = 0.8
"""Share of each statement's words that the other contains, above which both concern the same thing, however far a
denial reaches.
"""
_NO_FINDING = re.compile(
    r"\b(?:unclear|unknown|(?:poorly|not (?:yet |well |fully )*) ?(?:understood|known|constrained)|(?:im|not )possible|"
    r"debated?|open question|whether|remains? to be|difficult|challenging|"
    r"we (?:study|explore|investigate|examine|consider|discuss|aim))\b",
    re.IGNORECASE,
)
"""Words that show that a sentence expresses a doubt, or says what is studied rather than what was found."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence in an abstract."""

    paper: Paper
    reading: ParsedSentence


def statements_of(paper: Paper) -> tuple[Statement, ...]:
    """Return the sentences in a paper that may state a finding and have enough content words to be compared."""
    sentences = (sentence for sentence in split_sentences(paper.abstract) if not _NO_FINDING.search(sentence))
    readings = map(ParsedSentence, sentences)
    return tuple(Statement(paper, reading) for reading in readings if len(reading.topic) >= FEWEST_WORDS)


def statement_tensions(statements: Sequence[Statement]) -> Iterator[Tension]:
    """Yield the pairs of statements from different papers that share a subject but say opposite things about it; for
    any two papers, only the pair that shares the most words.
    """
    best: dict[tuple[str, str], tuple[float, Tension]] = {}
    for first, second in combinations(statements, 2):
        if first.paper.paper_id == second.paper.paper_id:
            continue
        shared_stems = first.reading.topic & second.reading.topic
        least = len(shared_stems) / max(len(first.reading.topic), len(second.reading.topic))
        if len(shared_stems) < FEWEST_WORDS or least < LEAST_SHARED:
            continue
        if reason := _conflict(first.reading, second.reading, shared_stems, least):
            lower_id, upper_id = sorted((first.paper.paper_id, second.paper.paper_id))
            if least > best.get((lower_id, upper_id), (0.0, None))[0]:
                best[lower_id, upper_id] = least, _tension(first, second, shared_stems, reason)
    yield from (tension for _, tension in sorted(best.values(), key=lambda entry: -entry[0]))


def _conflict(first: ParsedSentence, second: ParsedSentence, shared_stems: frozenset[str], share: float) -> str | None:
    """Describe how two statements conflict: two words in them have opposite directions, or one denies what the other
    asserts; `None` if they do not. `share` is the fraction of each statement's words that are `shared_stems`.
    """
    if conflict := direction_conflict(first.polarity, second.polarity):
        return conflict.replace("in the text", "in one").replace("in the source", "in the other")
    if conflict := _reversal(first.polarity, second.polarity):
        return conflict
    denied_stems = first.polarity.denied_stems | second.polarity.denied_stems
    is_denied = share >= ALMOST_SAME or len(denied_stems & shared_stems) >= LEAST_DENIED * len(shared_stems)
    if is_denied and denial_conflict(first.polarity, second.polarity):
        return "one denies what the other asserts"
    return None


def _reversal(first: Polarity, second: Polarity) -> str | None:
    """Describe two opposite words, one from each statement, that appear among the same words; unlike
    `direction_conflict`, it also compares statements with several direction words. `None` if there are none.
    """
    for mine in first.directions:
        rivals = [theirs for theirs in second.directions if theirs.axis == mine.axis]
        opposite = max((r for r in rivals if r.sign != mine.sign), key=lambda r: len(r.near & mine.near), default=None)
        same = max((len(r.near & mine.near) for r in rivals if r.sign == mine.sign), default=0)
        if opposite is not None and len(opposite.near & mine.near) >= max(LEAST_NEAR, same + 1):
            return f'"{mine.text}" in one, "{opposite.text}" in the other'
    return None


def _tension(first: Statement, second: Statement, shared_stems: frozenset[str], reason: str) -> Tension:
    sides = sorted((first, second), key=lambda each: each.paper.year or 0)
    words = [word for word in sides[0].reading.plain.split() if ParsedSentence(word).topic & shared_stems]
    subject = " ".join(dict.fromkeys(word.strip(".,;:()").lower() for word in words[:MOST_NAMED]))
    earlier, later = (TensionSide(each.paper, each.reading.text) for each in sides)
    return Tension(TensionKind.STATEMENTS, subject, (earlier, later), reason)
