"""Writes a paper's place in the citation network as JSON for programs."""

from pathfinder.export.plain_json import JsonObject, as_json
from pathfinder.export.records import paper_record
from pathfinder.types import PaperCitations, RelatedPaper


def citations_record(citations: PaperCitations, as_of: int | None = None) -> JsonObject:
    """Describe what a paper cites, and what cites it.

    "references" and "cited_by" list papers in the corpus, "outside" other works as `scheme:id`; "co_cited" and
    "coupled" list papers with n_shared and similarity. "n_cited_by" counts the papers that cite it, up to the end of
    the year "as_of" if that is not null, and "citations_by_year" counts them by year.
    """
    return {
        **paper_record(citations.paper),
        "references": [paper_record(paper) for paper in citations.references],
        "outside": list(citations.outside),
        "as_of": as_of,
        "n_cited_by": citations.n_cited_by(as_of),
        "cited_by": [paper_record(paper) for paper in citations.cited_by],
        "citations_by_year": as_json(citations.citations_by_year),
        "co_cited": [_related_paper(related_paper) for related_paper in citations.co_cited],
        "coupled": [_related_paper(related_paper) for related_paper in citations.coupled_papers],
    }


def _related_paper(related_paper: RelatedPaper) -> JsonObject:
    return {
        **paper_record(related_paper.paper),
        "n_shared": related_paper.n_shared,
        "similarity": related_paper.similarity,
    }
