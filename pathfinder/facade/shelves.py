"""The papers on a shelf that its corpus has, those that a file adds, and those that the shelf may be missing."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

from pathfinder.corpus.readers import RejectedRow, read_rows, reader_of
from pathfinder.corpus.readers.tagged_records import NOTE, RIS
from pathfinder.corpus.schemas.fields import Record
from pathfinder.corpus.schemas.reference_managers import ris_paper
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.facade.pathfinder import Pathfinder
from pathfinder.plugins import Registry
from pathfinder.shelves.shelf import Shelf, ShelfStore, State, is_shelf_file, joined_notes, merge, read_shelf
from pathfinder.sources import Access, Row, Window, open_sources
from pathfinder.text.author_names import parse_name
from pathfinder.text.identifiers import bare_arxiv_id, doi_key
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper

SHELF_FILES: Registry[Any] = Registry("pathfinder.shelf_files", FunctionType, {}, "kind of shelf file")
"""Functions that read a shelf from a file, by the suffix of the file."""
MAX_MORE = 20
"""Maximum number of a shelf's papers from which a search for similar papers starts."""
NO_PAPER_REMEDY = (
    "each entry needs a title; correct the entries, or export the file again as BibTeX, RIS, CSL-JSON, NBIB or CSV"
)
_RANK = re.compile(r"rank \d+")


@dataclass(frozen=True, slots=True)
class MissingPaper:
    """A paper that is not on a shelf, with its ties to the papers that are."""

    paper: Paper
    n_cited_by: int
    """Number of papers on the shelf that cite it."""
    similar_rank: int | None
    """Its rank among the papers most similar to the shelf, counted from 1; `None` if it is not one of them."""


def check_ids(pf: Pathfinder, paper_ids: Iterable[str]) -> None:
    """Raise `UsageError` for a paper that is not in the corpus."""
    ids = list(paper_ids)
    for paper_id, row in zip(ids, pf.corpus.papers.rows_of(ids), strict=True):
        if row < 0:
            raise UsageError(f"{pf.corpus.name.name} has no paper {paper_id!r}: take an id from `pathfinder search`")


def papers_of(pf: Pathfinder, shelf: Shelf) -> dict[str, Paper]:
    """Return those papers on the shelf that the corpus still has, by id, in the order of the shelf."""
    rows = [row for row in pf.corpus.papers.rows_of(shelf.paper_ids) if row >= 0]
    return {paper.paper_id: paper for paper in (pf.corpus.papers[int(row)] for row in rows)}


@dataclass(frozen=True, slots=True)
class ShelfIntake:
    """The papers that a file adds to a shelf."""

    shelf: Shelf
    """The papers in the file that the corpus has."""
    unknown: tuple[str, ...]
    """Titles or ids of the papers that the corpus lacks."""
    rejected_rows: tuple[RejectedRow, ...] = ()
    """Records in the file that cannot be read, with the reasons."""
    is_shelf: bool = False
    """True for a shelf file, whose papers have states."""

    @property
    def has_papers(self) -> bool:
        """True if at least one of its records is a paper, whether or not the corpus has it."""
        return bool(self.shelf.papers or self.unknown)

    def faults(self) -> tuple[str, ...]:
        """Describe each record that cannot be read."""
        return tuple(f"{row.file}, line {row.line}: {row.reason}" for row in self.rejected_rows)


def read_file(pf: Pathfinder, path: Path, name: str) -> ShelfIntake:
    """Read papers for the shelf `name` from a shelf file, or from BibTeX, RIS, CSL-JSON, NBIB, CSV or any other file
    that a corpus can be built from.

    A paper is recognised by its DOI, arXiv id, bibcode, PubMed id or id, or by its title, year and first author
    together. A shelf file, or another file with a shelf, also supplies notes, tags and states, and RIS supplies notes
    (N1).
    """
    if (shelf := _stored_shelf(path)) is None:
        if reader_of(path) == RIS:
            return _intake(pf, RIS.read(path, _paper_without_note), name, _ris_notes(path))
        return _intake(pf, read_rows(path), name, {})
    rows = pf.corpus.papers.rows_of(shelf.paper_ids)
    lost_ids = tuple(paper_id for paper_id, row in zip(shelf.paper_ids, rows, strict=True) if row < 0)
    return ShelfIntake(Shelf(name, shelf.remove(lost_ids).papers), lost_ids, is_shelf=True)


def _stored_shelf(path: Path) -> Shelf | None:
    """Return the shelf in a shelf file, or in another file that may hold one; `None` for other files."""
    if (suffix := path.suffix.removeprefix(".")) in SHELF_FILES:
        shelf: Shelf = SHELF_FILES.use(suffix, partial(SHELF_FILES.get(suffix), path))
        return shelf
    return read_shelf(path) if is_shelf_file(path) else None


def read_source(pf: Pathfinder, source: str, name: str, access: Access) -> ShelfIntake:
    """Read papers for the shelf `name` from a source, such as `zotero:` for the Zotero library on this machine; they
    are recognised in the same way as those from a file.
    """
    (source_file,) = open_sources([source], Window(), access)
    return _intake(pf, source_file.rows, name, {})


def _intake(pf: Pathfinder, rows: Iterable[Row], name: str, notes: Mapping[int, str]) -> ShelfIntake:
    """Recognise the papers in `rows`. `notes` maps the line of each record to its notes."""
    id_of_key = {key: paper.paper_id for paper in pf.corpus.papers for key in _keys(paper)}
    shelf, unknown, rejected_rows = Shelf(name), list[str](), list[RejectedRow]()
    for line, record in rows:
        if isinstance(record, RejectedRow):
            rejected_rows.append(record)
        elif paper_id := next((id_of_key[key] for key in _keys(record) if key in id_of_key), None):
            shelf = shelf.add([paper_id])
            shelf = shelf.set_note(paper_id, joined_notes(shelf.paper(paper_id).note, notes.get(line, "")))
        else:
            unknown.append(record.title or record.paper_id)
    return ShelfIntake(shelf, tuple(unknown), tuple(rejected_rows))


def _ris_notes(path: Path) -> dict[int, str]:
    """Return the notes in a RIS file; the keys are the lines of the records to which they belong.

    In a file written by `export`, the rank and the state come first, and are left out; each further N1 is a line of the
    note. In any other file, each N1 is a paragraph.
    """
    notes = {}
    for line, record in RIS.records(path):
        if not isinstance(record, RejectedRow):
            texts = _notes(record)
            is_own = _is_exported(texts)
            notes[line] = "\n".join(texts[2:]) if is_own else "\n\n".join(filter(None, map(str.strip, texts)))
    return notes


def _paper_without_note(record: Record) -> Paper:
    """Return the paper in a RIS record. Its identifiers are read from its notes, too, unless `export` wrote these: such
    notes are a reader's words, and may name other papers.
    """
    is_own = _is_exported(_notes(record))
    return ris_paper({tag: texts for tag, texts in record.items() if tag != NOTE} if is_own else record)


def _is_exported(notes: Sequence[str]) -> bool:
    return bool(notes) and _RANK.fullmatch(notes[0]) is not None


def _notes(record: Record) -> list[str]:
    notes = record.get(NOTE)
    return list(map(str, notes)) if isinstance(notes, list) else []


def put_on(shelf: Shelf, intake: ShelfIntake) -> Shelf:
    """Return the shelf with the papers of a file added to it; papers already on it keep their state."""
    return merge(shelf, intake.shelf).shelf


def _keys(paper: Paper) -> Iterator[str]:
    """List a paper's identifiers in the form in which they are compared."""
    if doi := doi_key(paper.doi):
        yield f"doi:{doi}"
    if arxiv_id := bare_arxiv_id(paper.arxiv_id):
        yield f"arxiv:{arxiv_id}"
    if paper.bibcode:
        yield f"bibcode:{paper.bibcode}"
    if paper.pmid:
        yield f"pmid:{paper.pmid}"
    yield f"id:{paper.paper_id}"
    author = parse_name(readable(paper.authors[0])).last if paper.authors else ""
    words = re.findall(r"\w+", f"{author} {paper.year or ''} {readable(paper.title)}".casefold())
    yield f"words:{' '.join(words)}"


def missing_papers(pf: Pathfinder, shelf: Shelf, n: int) -> tuple[MissingPaper, ...]:
    """Return up to `n` papers that are not on the shelf but that its papers cite or resemble, most cited first. Papers
    that are out are not counted, whether for citations or for likeness. Without a citation network, only likeness
    counts.
    """
    papers = papers_of(pf, shelf)
    outside = [paper.paper_id for paper in shelf.papers if paper.state is State.OUT and paper.paper_id in papers]
    inside = [paper_id for paper_id in papers if paper_id not in outside]
    if not inside:
        raise UsageError(
            f"the shelf {shelf.name!r} has no papers in this corpus, or all of them are out: add one first"
        )
    has_network = pf.corpus.network is not None
    cited_papers = [paper for key in inside for paper in pf.citations_of(key).references] if has_network else []
    similar = pf.similar(*inside[-MAX_MORE:], less=outside[-MAX_MORE:], top_k=n).hits
    ranks = {hit.paper.paper_id: rank for rank, hit in enumerate(similar, start=1)}
    papers_by_id = {hit.paper.paper_id: hit.paper for hit in similar} | {
        paper.paper_id: paper for paper in cited_papers
    }
    counts = Counter(paper.paper_id for paper in cited_papers)
    missing = [
        MissingPaper(paper, counts[paper_id], ranks.get(paper_id))
        for paper_id, paper in papers_by_id.items()
        if paper_id not in shelf.paper_ids
    ]
    return tuple(sorted(missing, key=lambda each: (-each.n_cited_by, each.similar_rank or n + 1)))[:n]


# Names of shelves: what add-ons keep for a shelf under its name, such as a draft, is renamed with it.

SHELF_RENAMED: Registry[Any] = Registry("pathfinder.shelf_renamed", FunctionType, {}, "listener")
"""Functions called with a reader's shelves, the earlier name of a shelf and its new name, once the shelf is renamed.

A listener that cannot follow raises `UsageError`, and the shelf keeps its earlier name.
"""


def rename_shelf(shelves: ShelfStore, name: str, new: str) -> Shelf:
    """Rename a shelf with what add-ons keep for it, and return it. Raises `UsageError` if there is no shelf `name`, or
    if the new name is taken, and renames nothing.
    """
    shelf = shelves.rename(name, new)
    try:
        _tell(shelves, name, shelf)
    except PathfinderError:
        shelves.undo(shelf.name)
        raise
    return shelf


def undo_shelf(shelves: ShelfStore, name: str) -> Shelf | None:
    """Undo the last change to a shelf, as `shelves.undo` does, and tell add-ons if the shelf has its earlier name
    again.
    """
    shelf = shelves.undo(name)
    if shelf is not None:
        _tell(shelves, name, shelf)
    return shelf


def _tell(shelves: ShelfStore, name: str, shelf: Shelf) -> None:
    if shelf.name != name:
        for listener, follow in zip(SHELF_RENAMED.names(), SHELF_RENAMED.all(), strict=True):
            SHELF_RENAMED.use(listener, partial(follow, shelves, name, shelf.name))
