"""The timeline of a topic: papers, first mentions of its terms, consensus and values, year by year."""

import datetime
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pathfinder.addons.timeline.outcome import DEFAULT_PAPERS, MAX_PAPERS, FirstMention, Timeline
from pathfinder.answering.digest.values import values_of_papers
from pathfinder.errors import UsageError
from pathfinder.retrieval.weighting import weigh
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import ConsensusHistory, Paper, SearchResult

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


N_TERMS = 12
FEWEST_PAPERS = 3
"""Minimum number of papers in a timeline that must share a term for it to be listed."""


def timeline_of(
    pf: "Pathfinder", result: SearchResult, n_papers: int = DEFAULT_PAPERS, consensus: ConsensusHistory | None = None
) -> Timeline:
    """Put the best `n_papers` matches of `result`, listed or not, on a timeline, with the first mentions of their terms
    and the values that the question asks for; `consensus` is the result of `consensus_over_time`, if it is to be drawn.

    Raises `UsageError` unless `n_papers` is 2 to `MAX_PAPERS`.
    """
    if not 2 <= n_papers <= MAX_PAPERS:
        raise UsageError(f"a timeline of {n_papers} papers cannot be drawn: ask for 2 to {MAX_PAPERS}")
    best = [hit.paper for hit in weigh(result.candidates, result.request.weighting, n_papers)]
    papers = tuple(replace(paper, year=paper.known_year) for paper in best if paper.known_year is not None)
    notes = []
    if n_undated := len(best) - len(papers):
        notes.append(f"{n_undated} of the papers have no year and are left out")
    if n_summaries := sum(paper.is_summary for paper in papers):
        notes.append(
            f"{n_summaries} of the papers have a summary that somebody else wrote later, so only their titles count as "
            "mentions; a term that such a summary of an earlier paper has is left out"
        )
    keywords = [keyword.text for keyword in result.keywords]
    values = values_of_papers(result.question, papers, profile=pf.profile)
    return Timeline(
        result.request.query,
        papers,
        tuple(sorted(_first_mentions(keywords, papers), key=lambda mention: (mention.paper.year or 0, mention.term))),
        values.values if values is not None else (),
        consensus,
        tuple(notes),
    )


def _first_mentions(keywords: Sequence[str], papers: Sequence[Paper]) -> Iterator[FirstMention]:
    """Yield the first mentions of the question's keywords and of the terms shared by the most papers.

    `papers` all have a year and are given best first. A summary has the words of a later time, so only the title of its
    paper counts; if one of an earlier paper has the term, that paper may have been
    first, and the term is left out. Of papers of the same year, the first by date comes first.
    """
    counts = Counter(term for paper in papers for term in {keyword.lower() for keyword in paper.keywords})
    common = [term for term, n in counts.most_common() if n >= FEWEST_PAPERS]
    texts = [_searchable(paper.title if paper.is_summary else paper.text) for paper in papers]
    summaries = [(paper.year or 0, _searchable(paper.abstract)) for paper in papers if paper.is_summary]
    terms: dict[str, str] = {}
    for term in (*(keyword.lower() for keyword in keywords), *common):
        terms.setdefault(" ".join(lemmas(term)), term)
    terms.pop("", None)
    for phrase, term in list(terms.items())[:N_TERMS]:
        mentioning = [paper for paper, text in zip(papers, texts, strict=True) if f" {phrase} " in text]
        if mentioning:
            first = min(mentioning, key=lambda paper: (paper.year or 0, paper.published or datetime.date.min))
            if not any(year < (first.year or 0) and f" {phrase} " in text for year, text in summaries):
                yield FirstMention(term, first, len(mentioning))


def _searchable(text: str) -> str:
    """Return the lemmas of `text`, with a line break between sentences, so that no term is found across two."""
    sentences = (text[start:end] for start, end in sentence_spans(text))
    return "\n".join(f" {' '.join(lemmas(sentence))} " for sentence in sentences)
