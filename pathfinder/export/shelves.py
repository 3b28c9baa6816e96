"""Writes a shelf for programs and for other tools: JSON, CSV, Markdown, RIS and CSL-JSON; BibTeX is in `bibtex.py`."""

import json
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from pathfinder.export.links import paper_link
from pathfinder.export.plain_json import JsonObject
from pathfinder.export.references import csl_item
from pathfinder.export.tables import table
from pathfinder.export.terms import may_be_passed_on
from pathfinder.shelves.merging import MergedShelf
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import readable
from pathfinder.text.markdown import as_typed
from pathfinder.types import Paper, without_control_characters

SHELF_COLUMNS = (
    "rank", "id", "title", "authors", "year", "journal", "doi", "arxiv_id", "url", "state", "why", "tags", "note",
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
                "state": entry.state.value,
                "why": entry.why,
                "note": entry.note,
                "tags": list(entry.tags),
            }
        )
    return {"name": shelf.name, "n": len(rows), "papers": rows}


def merger_record(merger: MergedShelf) -> JsonObject:
    """Describe a merger: Cohen's kappa, and both states of each paper on which the two readers differ."""
    return {
        "name": merger.shelf.name,
        "n": len(merger.shelf.papers),
        "n_shared": merger.n_shared,
        "kappa": merger.kappa,
        "differences": [
            {
                "id": each.paper_id,
                "ours": {"state": each.ours.value, "why": each.our_reason},
                "theirs": {"state": each.theirs.value, "why": each.their_reason},
            }
            for each in merger.differences
        ],
    }


def shelf_csv(shelf: Shelf, papers: Mapping[str, Paper]) -> str:
    """Write a line for each paper, with `SHELF_COLUMNS`, formatted as in `tables.hits_csv`."""
    return table(SHELF_COLUMNS, _csv_rows(shelf, papers))


def _csv_rows(shelf: Shelf, papers: Mapping[str, Paper]) -> Iterator[tuple[object, ...]]:
    for rank, entry in enumerate(shelf.papers, start=1):
        paper = papers.get(entry.paper_id)
        facts = (
            (
                readable(paper.title), "; ".join(map(readable, paper.authors)), paper.year, paper.journal, paper.doi,
                paper.arxiv_id, paper_link(paper).url,
            )
            if paper
            else (None,) * 7
        )  # fmt: skip
        yield rank, entry.paper_id, *facts, entry.state.value, entry.why, "; ".join(entry.tags), entry.note


def shelf_markdown(shelf: Shelf, papers: Mapping[str, Paper]) -> str:
    """Write a numbered list with links, states, tags and notes; the reader's own words are written as typed."""
    lines = [f"# {as_typed(shelf.name)}", ""]
    for rank, entry in enumerate(shelf.papers, start=1):
        paper = papers.get(entry.paper_id)
        title = f"[{as_typed(readable(paper.title))}]({paper_link(paper).url})" if paper else as_typed(entry.paper_id)
        year = f" ({paper.year})" if paper and paper.year else ""
        why = f": {as_typed(' '.join(entry.why.split()))}" if entry.why else ""
        tags = f"; tags: {as_typed(', '.join(entry.tags))}" if entry.tags else ""
        lines.append(f"{rank}. {title}{year} - {entry.state}{why}{tags}")
        lines.extend(f"   > {line}" if line else "   >" for line in _note_lines(entry.note))
    return "\n".join(lines) + "\n"


def _note_lines(note: str) -> Iterator[str]:
    """Yield the lines of a note for Markdown; two spaces at the end of a line make a line break."""
    lines = [as_typed(line.rstrip()) for line in note.splitlines()]
    for line, following in zip_longest(lines, lines[1:]):
        yield f"{line}  " if line and following else line


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
    yield "TY", "JOUR" if paper.journal else "GEN"
    yield "ID", paper.paper_id
    yield "TI", readable(paper.title)
    yield from (("AU", readable(author)) for author in paper.authors)
    for tag, value in (("PY", paper.year), ("JO", paper.journal), ("DO", paper.doi)):
        if value is not None:
            yield tag, str(value)
    yield "UR", paper_link(paper).url
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
