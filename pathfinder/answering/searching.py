"""Searches that an answer makes on its way: asked in other words, under the reader's own settings."""

from collections.abc import Sequence
from dataclasses import replace

from pathfinder.types import Paper, Passage, SearchRequest, SearchResult

NOTHING = "nothing in this corpus is relevant enough"


def asked_as(query: str, request: SearchRequest) -> SearchRequest:
    """`query` with every setting of the reader's `request`: years, number of papers, weights, stages.

    Where similar papers were asked for, `query` is a question of its own, and not what they should be like.
    """
    return replace(request, query=query, likeness=None)


def relevant(result: SearchResult) -> tuple[Paper, ...]:
    """The papers of the hits; none where the corpus does not bear on the question."""
    if result.assessment is not None and not result.assessment.is_relevant:
        return ()
    return tuple(hit.paper for hit in result.hits)


def passages_of(result: SearchResult) -> dict[str, tuple[Passage, ...]]:
    """The passages of its hits, by paper id."""
    return {hit.paper.paper_id: hit.passages for hit in result.hits}


def told(papers: Sequence[Paper], n_new: int) -> str:
    """What a search found, in words; `n_new` of `papers` had not been seen before."""
    if not papers:
        return NOTHING
    return f"{len(papers)} paper{'' if len(papers) == 1 else 's'}, {n_new} of them new"
