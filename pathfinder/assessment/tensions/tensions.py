"""Looks for tensions among papers, and for what later papers say about each tension."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pathfinder.assessment.evidence.parsed_sentences import ParsedSentence
from pathfinder.assessment.tensions.statements import statement_tensions, statements_of
from pathfinder.assessment.tensions.values import owned_values, value_tensions
from pathfinder.errors import UsageError
from pathfinder.export.records import year_of
from pathfinder.profile import Profile
from pathfinder.retrieval.weighting import weigh
from pathfinder.text.sentences import split_sentences
from pathfinder.types import LaterSentence, Paper, SearchResult, Tension, Tensions, TensionSide

MAX_COMPARED = 100
"""Maximum number of papers that are compared, each with every other."""
MOST_LATER = 2
"""Maximum number of sentences from later papers that are quoted for a tension."""
LEAST_OF_SUBJECT = 0.5
"""Minimum share of a subject's words that a sentence from a later paper must contain to be about it."""
_WEIGHS = re.compile(
    r"\b(?:tensions?|discrepan\w+|disagree\w*|conflict\w*|inconsisten\w+|reconcil\w+|resolv\w+|contradict\w*|"
    r"controvers\w+|debate\w*|at odds|in contrast to|agree\w*|consistent with)\b",
    re.IGNORECASE,
)
"""Words that show that a sentence weighs findings against each other."""
_HOW = re.compile(
    r"\b(?:using|use|used|based on|by means of|with (?:the|a|an|new)|from (?:the|new)|analy[sz]\w+|observ\w+|data|"
    r"simulat\w+|model\w*|sample|method)\b",
    re.IGNORECASE,
)
"""Words that show that a sentence says how something was found."""


def tensions_of(result: SearchResult, n_papers: int, profile: Profile) -> Tensions:
    """Find tensions among the best `n_papers` matches of `result`; any of its candidates may be quoted as later papers.

    Raises `UsageError` unless `n_papers` is 2 to `MAX_COMPARED`.
    """
    if not 2 <= n_papers <= MAX_COMPARED:
        raise UsageError(f"{n_papers} papers cannot be compared with each other: choose 2 to {MAX_COMPARED}")
    papers = [hit.paper for hit in weigh(result.candidates, result.request.weighting, n_papers)]
    return find_tensions(result.question, papers, result.candidates.papers, profile)


def find_tensions(
    question: str, papers: Sequence[Paper], further: Sequence[Paper] = (), profile: Profile | None = None
) -> Tensions:
    """Find the pairs of `papers` that disagree on a value or a statement, and quote what later papers say about it.

    Args:
        question: question that found the papers.
        papers: papers to compare, each with every other.
        further: other papers that may be quoted as later ones.
        profile: profile of the field, by default astronomy, which names its quantities.
    """
    values = [value for paper in papers for value in owned_values(paper, profile)]
    statements = [statement for paper in papers for statement in statements_of(paper)]
    apart, n_too_far = value_tensions(values)
    by_values = sorted(apart, key=lambda tension: -(tension.sigma or 0.0))
    pairs = {_pair(tension) for tension in by_values}
    by_statements = [tension for tension in statement_tensions(statements) if _pair(tension) not in pairs]
    papers_by_id = {paper.paper_id: paper for paper in (*papers, *further)}
    return Tensions(
        question,
        len(papers),
        len(values),
        tuple(_with_context(tension, list(papers_by_id.values())) for tension in (*by_values, *by_statements)),
        n_too_far=n_too_far,
    )


def _pair(tension: Tension) -> frozenset[str]:
    return frozenset(side.paper.paper_id for side in tension.sides)


def _with_context(tension: Tension, papers: Sequence[Paper]) -> Tension:
    earlier, later = tension.sides
    return replace(tension, sides=(_with_method(earlier), _with_method(later)), later=_later(tension, papers))


def _with_method(side: TensionSide) -> TensionSide:
    """Add the sentence that says how a finding was made: the finding's own, or else the nearest one before it that does
    so.
    """
    sentences = split_sentences(side.paper.abstract)
    if side.quotation not in sentences:
        return side
    place = sentences.index(side.quotation)
    method = next((sentence for sentence in sentences[place::-1] if _HOW.search(sentence)), None)
    return replace(side, method=method)


def _later(tension: Tension, papers: Sequence[Paper]) -> tuple[LaterSentence, ...]:
    """Quote sentences that weigh findings on the subject, from papers later than both sides; the newest come first."""
    years = [year_of(side.paper) for side in tension.sides]
    if None in years:
        return ()
    newest = max(year for year in years if year is not None)
    subject = ParsedSentence(tension.subject).stems
    later = [paper for paper in papers if (year_of(paper) or 0) > newest]
    sentences = (
        LaterSentence(paper, sentence)
        for paper in sorted(later, key=lambda paper: -(year_of(paper) or 0))
        for sentence in split_sentences(paper.abstract)
        if _WEIGHS.search(sentence) and len(subject & ParsedSentence(sentence).stems) >= LEAST_OF_SUBJECT * len(subject)
    )
    return tuple(sentence for sentence, _ in zip(sentences, range(MOST_LATER), strict=False))
