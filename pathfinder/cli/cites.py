"""The command `pathfinder cites`: lists what a paper in a corpus cites, and what cites it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from pathfinder.cli.options import CorpusFolder, JsonFlag
from pathfinder.cli.output import write_json, write_lines
from pathfinder.cli.settings import corpus_folder
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from pathfinder.types import Paper, PaperCitations, RelatedPaper

_AS_OF = "Count citing papers only up to the end of YEAR."


def cites(
    paper_id: Annotated[str, typer.Argument(metavar="PAPER_ID", help="Id of a paper in the corpus.")],
    corpus: CorpusFolder = None,
    as_of: Annotated[int | None, typer.Option("--as-of", metavar="YEAR", help=_AS_OF)] = None,
    as_json: JsonFlag = False,
) -> None:
    """List what a paper cites, what cites it, the papers cited together with it, and those that cite the same works."""
    from pathfinder.corpus.store import open_corpus
    from pathfinder.export.citations import citations_record
    from pathfinder.retrieval.citations.of_paper import citations_of

    citations = citations_of(paper_id, open_corpus(corpus_folder(corpus, read_settings())))
    write_json(citations_record(citations, as_of)) if as_json else write_lines(_lines(citations, as_of))


def _lines(citations: "PaperCitations", as_of: int | None) -> Iterator[str]:
    yield _paper(citations.paper)
    yield from _lines_of("cites in this corpus", citations.references)
    yield f"cites elsewhere: {len(citations.outside):,}"
    yield from (f"  {work}" for work in citations.outside)
    yield from _lines_of("cited in this corpus by", citations.cited_by)
    if as_of is not None:
        yield f"cited up to {as_of}: {citations.n_cited_by(as_of):,}"
    yield from _related_lines("cited together with it", citations.co_cited, "by {}", "paper")
    yield from _related_lines("cite the same works", citations.coupled_papers, "{}", "work")


def _lines_of(heading: str, papers: "Sequence[Paper]") -> Iterator[str]:
    yield f"{heading}: {len(papers):,}"
    yield from (f"  {_paper(paper)}" for paper in papers)


def _related_lines(heading: str, related_papers: "Sequence[RelatedPaper]", form: str, what: str) -> Iterator[str]:
    yield f"{heading}: {'' if related_papers else 'none'}".rstrip()
    for each in related_papers:
        n_in_words = f"1 {what}" if each.n_shared == 1 else f"{each.n_shared:,} {what}s"
        yield f"  {_paper(each.paper)} [{form.format(n_in_words)}]"


def _paper(paper: "Paper") -> str:

    return f"{paper.title} ({paper.known_year or 'year unknown'}) {paper.paper_id}"
