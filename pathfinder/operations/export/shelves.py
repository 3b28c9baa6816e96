"""Writes a shelf for programs and for other tools: JSON, CSV, Markdown, RIS and CSL-JSON; BibTeX is in `bibtex.py`."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from pathfinder.corpus.links import may_be_passed_on, paper_address, paper_links
from pathfinder.operations.export.bibtex import bibtex
from pathfinder.operations.export.plain_json import JsonObject, same_names, select
from pathfinder.operations.export.references import STYLES, csl_item, references_text
from pathfinder.operations.export.tables import listed_authors, table
from pathfinder.shelves.shelf import Shelf, shelf_text
from pathfinder.text.journal_places import place_of
from pathfinder.text.latex.display import readable
from pathfinder.text.markdown import as_typed, in_markdown
from pathfinder.types import Paper, without_control_characters

SHELF_COLUMNS = (
    "rank", "id", "title", "authors", "year", "journal", "doi", "arxiv_id", "pmid", "url", "state", "why", "tags",
    "note",
)  # fmt: skip


def shelf_record(shelf: Shelf, papers: Mapping[str, Paper]) -> JsonObject:
    """Describe a shelf; "title" and "year" are null for a paper that the corpus no longer has."""
    rows = []
    for entry, paper in ((entry, papers.get(entry.paper_id)) for entry in shelf.papers):
        rows.append(
            {
                "id": entry.paper_id,
                "title": readable(paper.title) if paper else None,
                "year": paper.year if paper else None,
                **select(entry, same_names("state why note tags")),
            }
        )
    return {"name": shelf.name, "n": len(rows), "papers": rows}


def shelf_csv(shelf: Shelf, papers: Mapping[str, Paper]) -> str:
    """Write a line for each paper, with `SHELF_COLUMNS`, formatted as in `tables.hits_csv`."""
    rows = []
    for rank, entry in enumerate(shelf.papers, start=1):
        facts: tuple[object, ...] = (None,) * 8
        if paper := papers.get(entry.paper_id):
            facts = (
                readable(paper.title),
                listed_authors(paper),
                paper.year,
                paper.journal,
                paper.doi,
                paper.arxiv_id,
                paper.pmid,
                paper_address(paper),
            )
        own = entry.state.value, entry.why, "; ".join(entry.tags), entry.note
        rows.append((rank, entry.paper_id, *facts, *own))
    return table(SHELF_COLUMNS, rows)


def shelf_markdown(shelf: Shelf, papers: Mapping[str, Paper]) -> str:
    """Write a numbered list with links, states, tags and notes; the reader's own words are written as typed."""
    lines = [f"# {as_typed(shelf.name)}", ""]
    for rank, entry in enumerate(shelf.papers, start=1):
        paper = papers.get(entry.paper_id)
        title, address = in_markdown(paper.title) if paper else as_typed(entry.paper_id), paper and paper_address(paper)
        title = f"[{title}]({address})" if address else title
        year = f" ({paper.year})" if paper and paper.year else ""
        why = f": {as_typed(' '.join(entry.why.split()))}" if entry.why else ""
        tags = f"; tags: {as_typed(', '.join(entry.tags))}" if entry.tags else ""
        lines.append(f"{rank}. {title}{year} - {entry.state}{why}{tags}")
        # Two spaces at the end of a line make a line break.
        note = [as_typed(line.rstrip()) for line in entry.note.splitlines()]
        for line, following in zip_longest(note, note[1:]):
            lines.append(f"   > {line}{'  ' if following else ''}" if line else "   >")
    return "\n".join(lines) + "\n"


def shelf_ris(shelf: Shelf, papers: Mapping[str, Paper]) -> str:
    """Write a record for each paper that the corpus has. Its rank, its state and each line of the reader's own note
    are written on separate N1 lines, and its tags as keywords (KW).
    """
    records = []
    for rank, entry in enumerate(shelf.papers, start=1):
        if paper := papers.get(entry.paper_id):
            why = f" ({entry.why})" if entry.why else ""
            fields = [
                *_ris_facts(paper), ("N1", f"rank {rank}"), ("N1", f"{entry.state}{why}"),
                *(("KW", tag) for tag in entry.tags), *(("N1", line) for line in entry.note.splitlines()),
            ]  # fmt: skip
            records.append("\n".join((*(tagged_line(tag, text) for tag, text in fields), "ER  - ", "")))
    return "\n".join(records)


def tagged_line(tag: str, text: str, width: int = 2) -> str:
    """Write a field of a record in RIS or, with a tag of `width` 4, in PubMed's format: always a single line."""
    return f"{tag:<{width}}{'- ' if width == 4 else '  - '}{' '.join(without_control_characters(text).splitlines())}"


def _ris_facts(paper: Paper) -> Iterator[tuple[str, str]]:
    yield "TY", "JOUR" if paper.journal or paper.pmid else "GEN"
    yield "ID", paper.paper_id
    yield "TI", readable(paper.title)
    yield from (("AU", readable(author)) for author in paper.authors)
    place = place_of(paper)
    first, _, last = (place.pages or "").partition("-")
    places = (("JO", place.journal), ("VL", place.volume), ("SP", first or None), ("EP", last or None))
    for tag, value in (("PY", paper.year), *places, ("DO", paper.doi), ("AN", paper.pmid)):
        if value is not None:
            yield tag, str(value)
    yield from (("UR", link.url) for link in paper_links(paper))
    if paper.has_abstract and not paper.is_summary and may_be_passed_on(paper):
        yield "AB", readable(paper.abstract)


def shelf_csl(shelf: Shelf, papers: Mapping[str, Paper]) -> str:
    """Write the papers that the corpus has as CSL-JSON, with the note and the tags of each."""
    items = []
    for entry in shelf.papers:
        if paper := papers.get(entry.paper_id):
            own = {"note": entry.note, "keyword": ", ".join(entry.tags)}
            items.append(csl_item(paper) | {key: text for key, text in own.items() if text})
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


# The formats in which a shelf can be written, for the page and the command line.

Papers = Mapping[str, Paper]


@dataclass(frozen=True, slots=True)
class ShelfForm:
    """A format, with a function that writes a shelf and those of its papers that the corpus has."""

    label: str
    suffix: str
    mime: str
    write: Callable[[Shelf, Papers], str]
    keeps_all: bool = True
    """True if papers that are out, and papers that the corpus no longer has, are also written; they would end up in a
    bibliography.
    """


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
    place = place_of(paper)
    for tag, value in (("DP", paper.year), ("JT", place.journal), ("VI", place.volume), ("PG", place.pages)):
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
    "bibtex": ShelfForm(
        "BibTeX", "bib", "text/x-bibtex", lambda _, papers: bibtex(list(papers.values())), keeps_all=False
    ),
    "ris": ShelfForm("RIS", "ris", "application/x-research-info-systems", shelf_ris, keeps_all=False),
    "csl": ShelfForm("CSL-JSON", "csl.json", "application/json", shelf_csl, keeps_all=False),
    "nbib": ShelfForm("NBIB (PubMed)", "nbib", "text/plain", shelf_nbib, keeps_all=False),
    **{name: _reference_form(name, label) for name, label in STYLES.items()},
    "csv": ShelfForm("CSV", "csv", "text/csv", shelf_csv),
    "markdown": ShelfForm("Markdown", "md", "text/markdown", shelf_markdown),
    "json": ShelfForm("The whole shelf (JSON)", "json", "application/json", lambda shelf, _: shelf_text(shelf) + "\n"),
}
"""Every format, by its name on the command line."""
