"""Papers from a search that an answer may use, and the request for a search with another question."""

from collections.abc import Sequence
from dataclasses import replace

from pathfinder.types import Paper, Passage, SearchRequest, SearchResult

NOTHING = "nothing in this corpus is relevant enough"


def with_query(query: str, request: SearchRequest) -> SearchRequest:
    """Return `request` with another `query`, keeping all of the reader's settings, such as years and weights.

    In a request for similar papers, the likeness is dropped, because `query` is a new question.
    """
    return replace(request, query=query, likeness=None)


def relevant(result: SearchResult) -> tuple[Paper, ...]:
    """Return the papers of the hits, or none if the corpus has nothing relevant to the question."""
    if result.assessment is not None and not result.assessment.is_relevant:
        return ()
    return tuple(hit.paper for hit in result.hits)


def passages_of(result: SearchResult) -> dict[str, tuple[Passage, ...]]:
    """Return the passages of the hits by paper id."""
    return {hit.paper.paper_id: hit.passages for hit in result.hits}


def describe_papers(papers: Sequence[Paper], n_new: int) -> str:
    """Describe the papers that a search found; `n_new` is the number of `papers` not seen before."""
    if not papers:
        return NOTHING
    return f"{len(papers)} paper{'' if len(papers) == 1 else 's'}, {n_new} of them new"
