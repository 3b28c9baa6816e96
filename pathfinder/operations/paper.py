"""A paper with its links, its citations in the corpus, and its abstract, if that may be passed on."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pathfinder.corpus.links import Link, may_be_passed_on, paper_links, terms
from pathfinder.errors import UsageError
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.operations.fields import settings_given
from pathfinder.operations.operation import LinkTo, Options, PaperId, PaperLine, QuotedPaper, Shell, declare, result_of
from pathfinder.operations.search import title_and_year
from pathfinder.types import Paper, PaperCitations

if TYPE_CHECKING:
    from pathfinder.corpus.store import Corpus
    from pathfinder.facade import Pathfinder


class CountedCitations(NamedTuple):
    """The citations of a paper, counted up to the end of a year, or all."""

    citations: PaperCitations
    as_of: int | None = None

    @property
    def paper(self) -> Paper:
        return self.citations.paper

    @property
    def n_cited_by(self) -> int:
        """Number of papers that cite it, up to the end of the year "as_of" if that is not null."""
        return self.citations.n_cited_by(self.as_of)


def _citations() -> Any:
    return result_of(
        CountedCitations,
        flat="citations",
        paper=PaperLine,
        coupled="citations.coupled_papers",
        n_cited_by="n_cited_by",
    )


def _citation_lines(counted: CountedCitations) -> Iterator[str]:
    citations, as_of = counted.citations, counted.as_of
    yield _paper(citations.paper)
    for heading, papers in (
        ("cites in this corpus", citations.references),
        ("cited in this corpus by", citations.cited_by),
    ):
        yield f"{heading}: {len(papers):,}"
        yield from (f"  {_paper(paper)}" for paper in papers)
        if papers is citations.references:
            yield f"cites elsewhere: {len(citations.outside):,}"
            yield from (f"  {work}" for work in citations.outside)
    if as_of is not None:
        yield f"cited up to {as_of}: {counted.n_cited_by:,}"
    for heading, related, by, what in (
        ("cited together with it", citations.co_cited, "by ", "paper"),
        ("cite the same works", citations.coupled_papers, "", "work"),
    ):
        yield f"{heading}: {'' if related else 'none'}".rstrip()
        for each in related:
            yield f"  {_paper(each.paper)} [{by}{each.n_shared:,} {what}{'' if each.n_shared == 1 else 's'}]"


def _paper(paper: Paper) -> str:
    return f"{paper.title} ({paper.known_year or 'year unknown'}) {paper.paper_id}"


@declare(
    "cites",
    settings=(),
    opens="corpus",
    result=_citations,
    lines=_citation_lines,
)
def cites(
    corpus: "Corpus",
    paper_id: Annotated[PaperId, Shell("PAPER_ID", "Id of a paper in the corpus.")],
    as_of: Annotated[int | None, Shell("--as-of YEAR", "Count citing papers only up to the end of this year.")] = None,
) -> CountedCitations:
    """List what a paper cites, what cites it, the papers cited with it, and those that cite the same works."""
    from pathfinder.retrieval.citations.ties import citations_of

    return CountedCitations(citations_of(paper_id, corpus), as_of)


MOST_LISTED = 10
"""Number of papers in each list of citations in the JSON for a model."""
_FACTS = "authors n_authors date journal venue categories keywords citation_count arxiv_id doi bibcode openalex_id pmid"


class PaperWithCitations(NamedTuple):
    """A paper with its citations; `None` in a corpus without a citation network."""

    paper: Paper
    citations: CountedCitations | None

    @property
    def abstract(self) -> str | None:
        """Null if none of its sources lets anyone pass it on; "terms" then says why."""
        return self.paper.abstract if may_be_passed_on(self.paper) else None

    @property
    def terms(self) -> str | None:
        """The licences that its sources state, or why the abstract is left out."""
        return terms(self.paper)

    @property
    def links(self) -> tuple[Link, ...]:
        """Its pages at other hosts."""
        return paper_links(self.paper)


def _described() -> Any:
    facts = {name: f"paper.{name}" for name in _FACTS.split()} | {name: name for name in ("abstract", "terms", "links")}
    return result_of(PaperWithCitations, paper=QuotedPaper, **facts, citations=_citations() | None)


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


def _lines(found: PaperWithCitations) -> Iterator[str]:
    paper = found.paper
    yield title_and_year(paper)
    yield from filter(None, ("; ".join(paper.authors), paper.journal))
    yield from (f"{link.label}: {link.url}" for link in found.links)
    if found.abstract is not None:
        yield found.abstract
    yield from filter(None, (found.terms,))
    if found.citations is not None:
        yield f"cited by {found.citations.n_cited_by:,} papers in this corpus (`pathfinder cites {paper.paper_id}`)"


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
    result=_described,
    lines=_lines,
    address="papers/{paper_id:path}",
    is_get=True,
    tool="get_paper",
    brief=_brief,
)
def paper(
    pf: "Pathfinder",
    body: Options,
    paper_id: Annotated[PaperId, Shell("PAPER_ID", "Id of a paper, as a search returns it.")],
) -> PaperWithCitations:
    """Return a paper with its abstract, or the reason why it is left out, its links and its citations."""
    as_of = settings_given(body).get("as_of")
    (paper,) = papers_as_of(pf, [paper_id], as_of)
    then = pf.as_of(as_of)
    has_network = then.corpus.network is not None
    return PaperWithCitations(paper, CountedCitations(then.citations_of(paper_id)) if has_network else None)
