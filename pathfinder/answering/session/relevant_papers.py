"""Papers from a search that an answer may use, and the request for a search with another question."""

from collections.abc import Sequence
from dataclasses import replace

from pathfinder.retrieval.authors.persons import STAGE as PERSON
from pathfinder.retrieval.earliest import STAGE as EARLIEST
from pathfinder.types import Hit, Paper, Passage, SearchRequest, SearchResult

NOTHING = "nothing in this corpus is relevant enough"


def with_query(query: str, request: SearchRequest) -> SearchRequest:
    """Return `request` with another `query`, keeping all of the reader's settings, such as years and weights.

    In a request for similar papers, the likeness is dropped, because `query` is a new question.
    """
    return replace(request, query=query, likeness=None)


def is_of_person(result: SearchResult) -> bool:
    """Return whether the question of `result` is the name of a person whose papers the search found."""
    return any(stage.name == PERSON for stage in result.stages)


def of_person(result: SearchResult) -> SearchResult:
    """Return `result` with only the papers by, or else about, the person whose name is the whole question; unchanged
    for any other question.
    """
    named = tuple(hit for hit in result.hits if hit.known_as is not None) if is_of_person(result) else ()
    return replace(result, hits=named) if named else result


def papers_asked_for(result: SearchResult) -> tuple[Hit, ...]:
    """Return the hits that are themselves what is asked for: papers by a person, or the earliest that claims
    what the question asks; none for most questions.
    """
    if is_of_person(result):
        return result.hits
    if not any(stage.name == EARLIEST for stage in result.stages) or result.candidates.lead is None:
        return ()
    first = set(result.candidates.rows[result.candidates.lead > 0].tolist())
    return tuple(hit for hit in result.hits[:1] if hit.row in first)


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
