"""What a paper cites, what cites it, and the papers closest to it by citations."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from pathfinder.corpus.store import Corpus
from pathfinder.export.plain_json import JsonObject
from pathfinder.operations.operation import Shell, declare
from pathfinder.operations.results import result_of
from pathfinder.types import Paper, PaperCitations


class CountedCitations(NamedTuple):
    """The citations of a paper, counted up to the end of a year, or all."""

    citations: PaperCitations
    as_of: int | None


_CITATIONS = result_of(PaperCitations, coupled="coupled_papers")


def citations_record(citations: PaperCitations, as_of: int | None = None) -> JsonObject:
    """Write what a paper cites, and what cites it; "n_cited_by" counts the papers that cite it, up to the end of the
    year "as_of" if that is not null.
    """
    record = _CITATIONS.model_validate(citations).model_dump(mode="json")
    return {**record, "as_of": as_of, "n_cited_by": citations.n_cited_by(as_of)}


def _lines(counted: CountedCitations) -> Iterator[str]:
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
        yield f"cited up to {as_of}: {citations.n_cited_by(as_of):,}"
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
    record=lambda counted: citations_record(counted.citations, counted.as_of),
    lines=_lines,
)
def cites(
    corpus: Corpus,
    paper_id: Annotated[str, Shell("PAPER_ID", "Id of a paper in the corpus.")],
    as_of: Annotated[int | None, Shell("--as-of YEAR", "Count citing papers only up to the end of this year.")] = None,
) -> CountedCitations:
    """List what a paper cites, what cites it, the papers cited with it, and those that cite the same works."""
    from pathfinder.retrieval.citations.ties import citations_of

    return CountedCitations(citations_of(paper_id, corpus), as_of)
