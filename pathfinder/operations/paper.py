"""A paper with its links, its citations in the corpus, and its abstract, if that may be passed on."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pathfinder.errors import UsageError
from pathfinder.export.links import paper_links
from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.export.records import paper_record
from pathfinder.export.terms import may_be_passed_on, terms
from pathfinder.operations.cites import citations_record
from pathfinder.operations.fields import settings_given
from pathfinder.operations.operation import LinkTo, Options, Shell, declare
from pathfinder.operations.search import title_and_year
from pathfinder.types import Paper, PaperCitations

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

MOST_LISTED = 10
"""Number of papers in each list of citations in the JSON for a model."""
_FACTS = same_names(
    "authors n_authors date journal venue categories keywords citation_count arxiv_id doi bibcode openalex_id pmid"
)


class PaperWithCitations(NamedTuple):
    """A paper with its citations; `None` in a corpus without a citation network."""

    paper: Paper
    citations: PaperCitations | None


def papers_as_of(pf: "Pathfinder", paper_ids: list[str], as_of: int | None) -> list[Paper]:
    """Return papers as of a year. Raises `UsageError` for an id that the corpus lacks, and for a paper that is undated
    or from a later year.
    """
    papers = pf.as_of(as_of).corpus.papers
    rows, whole_rows = (each.rows_of(tuple(paper_ids)).tolist() for each in (papers, pf.corpus.papers))
    for paper_id, row, whole_row in zip(paper_ids, rows, whole_rows, strict=True):
        if whole_row < 0:
            raise UsageError(f"no paper in this corpus has the id {paper_id!r}: a search returns ids")
        if row < 0:
            raise UsageError(
                f"the paper {paper_id!r} is dated after {as_of}, or undated, so as of {as_of} it does not exist: leave "
                "it out, or choose a later year"
            )
    return [papers[row] for row in rows]


def _record(found: PaperWithCitations) -> JsonObject:
    paper = found.paper
    return {
        **paper_record(paper),
        **select(paper, _FACTS),
        "abstract": paper.abstract if may_be_passed_on(paper) else None,
        "terms": terms(paper),
        "links": [as_json(link) for link in paper_links(paper)],
        "citations": None if found.citations is None else citations_record(found.citations),
    }


def _lines(found: PaperWithCitations) -> Iterator[str]:
    paper = found.paper
    yield title_and_year(paper)
    yield from filter(None, ("; ".join(paper.authors), paper.journal))
    yield from (f"{link.label}: {link.url}" for link in paper_links(paper))
    if may_be_passed_on(paper):
        yield paper.abstract
    yield from filter(None, (terms(paper),))
    if found.citations is not None:
        yield f"cited by {len(found.citations.cited_by):,} papers in this corpus (`pathfinder cites {paper.paper_id}`)"


def _brief(_: PaperWithCitations, record: JsonObject, linked: LinkTo) -> JsonObject:
    """Add links to the paper and to those in its citations, and cut each list, with a note and its length."""
    citations = record["citations"]
    if citations is None:
        return linked(record)
    lists = {name: citations[name] for name in ("references", "cited_by", "co_cited", "coupled", "outside")}
    is_cut = any(len(entries) > MOST_LISTED for entries in lists.values())
    short = {
        **linked(citations),
        **{f"n_{name}": len(entries) for name, entries in lists.items()},
        **{name: [linked(paper) for paper in lists[name][:MOST_LISTED]] for name in lists if name != "outside"},
        "outside": lists["outside"][:MOST_LISTED],
        "notes": [f"each list ends after {MOST_LISTED} entries: call get_paper with full for all"] if is_cut else [],
    }
    return {**linked(record), "citations": short}


@declare(
    "paper",
    settings=("as_of",),
    record=_record,
    lines=_lines,
    address="papers/{paper_id:path}",
    is_get=True,
    tool="get_paper",
    brief=_brief,
)
def paper(
    pf: "Pathfinder",
    body: Options,
    paper_id: Annotated[str, Shell("PAPER_ID", "Id of a paper, as a search returns it.")],
) -> PaperWithCitations:
    """Return a paper with its abstract, or the reason why it is left out, its links and its citations."""
    as_of = settings_given(body).get("as_of")
    (paper,) = papers_as_of(pf, [paper_id], as_of)
    then = pf.as_of(as_of)
    return PaperWithCitations(paper, then.citations_of(paper.paper_id) if then.corpus.network is not None else None)
