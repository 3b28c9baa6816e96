"""The formats in which a shelf can be written, for the page and the command line."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pathfinder.export.bibtex import bibtex
from pathfinder.export.references import STYLES, references_text
from pathfinder.export.shelves import shelf_csl, shelf_csv, shelf_markdown, shelf_ris, tagged_line
from pathfinder.export.terms import may_be_passed_on
from pathfinder.shelves.files import shelf_text
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper

Papers = Mapping[str, Paper]


@dataclass(frozen=True, slots=True)
class ShelfForm:
    """A format, with a function that writes a shelf and those of its papers that the corpus has."""

    label: str
    suffix: str
    mime: str
    write: Callable[[Shelf, Papers], str]
    keeps_all: bool = True
    """True if papers that the corpus no longer has are also written."""


def shelf_nbib(shelf: Shelf, papers: Papers) -> str:
    """Write a record in PubMed's format for each paper that the corpus has; its PMID is empty if the
    corpus does not know it.
    """
    records = []
    for entry in shelf.papers:
        if paper := papers.get(entry.paper_id):
            fields = (*_nbib_facts(paper), *(("OT", tag) for tag in entry.tags))
            records.append("\n".join((*(tagged_line(tag, text, 4) for tag, text in fields), "")))
    return "\n".join(records)


def _nbib_facts(paper: Paper) -> Iterator[tuple[str, str]]:
    yield "PMID", paper.pmid or ""
    yield "TI", readable(paper.title)
    yield from (("FAU", readable(author)) for author in paper.authors)
    for tag, value in (("DP", paper.year), ("JT", paper.journal)):
        if value is not None:
            yield tag, str(value)
    if paper.doi:
        yield "LID", f"{paper.doi} [doi]"
    if paper.has_abstract and not paper.is_summary and may_be_passed_on(paper):
        yield "AB", readable(paper.abstract)


def _reference_form(style: str, label: str) -> ShelfForm:
    def write(_: Shelf, papers: Papers) -> str:
        return references_text(list(papers.values()), style)

    return ShelfForm(f"{label.capitalize()} (text)", "txt", "text/plain", write, keeps_all=False)


FORMS: Mapping[str, ShelfForm] = {
    "json": ShelfForm("The whole shelf (JSON)", "json", "application/json", lambda shelf, _: shelf_text(shelf) + "\n"),
    "bibtex": ShelfForm(
        "BibTeX", "bib", "text/x-bibtex", lambda _, papers: bibtex(list(papers.values())), keeps_all=False
    ),
    "ris": ShelfForm("RIS", "ris", "application/x-research-info-systems", shelf_ris, keeps_all=False),
    "csl": ShelfForm("CSL-JSON", "csl.json", "application/json", shelf_csl, keeps_all=False),
    "nbib": ShelfForm("NBIB (PubMed)", "nbib", "text/plain", shelf_nbib, keeps_all=False),
    **{name: _reference_form(name, label) for name, label in STYLES.items()},
    "csv": ShelfForm("CSV", "csv", "text/csv", shelf_csv),
    "markdown": ShelfForm("Markdown", "md", "text/markdown", shelf_markdown),
}
"""Every format, by its name on the command line."""
