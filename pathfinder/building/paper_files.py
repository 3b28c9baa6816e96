"""Files of papers, such as a folder of PDFs, as papers of a corpus with their full texts.

files -> read in other processes -> recognised by an identifier or the title -> records of hosts -> corpus -> full texts
"""

import datetime
import os
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from pathfinder.building.filling import Inquiry, looked_up
from pathfinder.building.flow import build_from
from pathfinder.building.full_texts import index_full_texts
from pathfinder.building.ledger import Desk
from pathfinder.building.progress import Progress, report_each
from pathfinder.building.read_sources import access_for
from pathfinder.building.ready_vectors import ReadyVectors
from pathfinder.building.work import BuildPlan
from pathfinder.corpus.history.choices import Choices
from pathfinder.corpus.manifest import is_corpus
from pathfinder.corpus.merging import merged_record
from pathfinder.corpus.parts import file_sha256
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import CorpusError
from pathfinder.fulltext.adding import add_files, is_text_of, match_paper, spellings_of_name, words_of_beginning
from pathfinder.fulltext.document import Document
from pathfinder.fulltext.fetching import Guests
from pathfinder.fulltext.store import FullTexts
from pathfinder.models.ports import Embedder
from pathfinder.text.identifiers import IdentifierKind, identifiers_in
from pathfinder.types import Paper

_FIRST_LINES = 3
_LONGEST_LINE = 160
_MOST_READERS = 4


@dataclass(frozen=True, slots=True)
class PaperFile:
    """A file, and the paper that it is."""

    file: str
    paper_id: str | None = None
    """Id of its paper in the corpus; `None` if the file was not recognised."""
    by: str | None = None
    """How it was recognised: "identifier" or "title", at a host or in the corpus; "stored before"."""
    why: str | None = None
    """Why it was not recognised, or why its text was not added."""
    first_lines: tuple[str, ...] = ()
    """First lines of a file that was not recognised."""


def take_in_files(
    folder: Path, embedder: Embedder, guests: Guests, files: Sequence[Path], progress: Progress
) -> tuple[PaperFile, ...]:
    """Add the papers of `files` to the corpus in `folder`, or begin one with them, and store their full texts.

    The record of a paper comes from a host, never from its file; a file that nobody knows is listed with its first
    lines. A file that was stored before is not read again, so that a run that was stopped can be repeated.
    """
    corpus = open_corpus(folder) if is_corpus(folder) else None
    stored = {text.source_sha256: paper for paper, text in FullTexts.open(folder).texts.items()} if corpus else {}
    known = {path: stored[digest] for path in files if (digest := file_sha256(path)) in stored}
    documents, faults = _read([path for path in files if path not in known], guests, progress)
    reports = {path: PaperFile(str(path), paper_id, "stored before") for path, paper_id in known.items()}
    reports |= {path: PaperFile(str(path), why=fault) for path, fault in faults.items()}
    unknown: dict[str, Path] = {}
    for path, document in documents.items():
        try:
            if corpus is None:
                raise CorpusError("there is no corpus yet")
            match_paper(document, path.name, corpus.papers)
        except CorpusError:
            unknown[str(path)] = path
    today = datetime.datetime.fromtimestamp(guests.around.clock.now(), datetime.UTC).date()

    def is_same(described: Paper, record: Paper) -> bool:
        document = documents[unknown[described.paper_id]]
        return is_text_of(document, words_of_beginning(document), record)

    inquiry = Inquiry(guests, Desk(today, {}), progress, is_same=is_same)
    described = []
    for name, path in unknown.items():
        found, title = _identifiers(path, documents[path]), documents[path].title
        arxiv_id, doi = found.get(IdentifierKind.ARXIV), found.get(IdentifierKind.DOI)
        described.append(Paper(name, title, "", arxiv_id=arxiv_id, doi=doi))
    inquiry.ask_all(described, Choices())
    papers: dict[str, dict[str, Paper]] = defaultdict(dict)
    for name, path in unknown.items():
        if records := inquiry.records.get(name, []):
            paper = merged_record([record for _, record in records])
            paper = replace(paper, paper_id=paper.arxiv_id or (paper.doi or "").lower() or paper.openalex_id or name)
            papers[records[0][0]].setdefault(paper.paper_id, paper)
        else:
            failures = "; ".join(f"{source} was not asked: {why}" for source, why in inquiry.not_asked.items())
            why = f"no host knows it by an identifier or its title{f' ({failures})' if failures else ''}"
            reports[path] = PaperFile(name, why=why, first_lines=_first_lines(documents[path]))
    if papers:
        sources = [looked_up(source, rows.values()) for source, rows in papers.items()]
        access = access_for(folder, guests.settings, progress)
        build_from(sources, access, folder, embedder, BuildPlan(), progress, ReadyVectors(embedder))
    if is_corpus(folder):
        rest = [path for path in documents if path not in reports]
        for path, outcome in zip(rest, add_files(folder, rest, read=documents.__getitem__), strict=True):
            paper_id, by = (outcome.match.paper_id, outcome.match.by) if outcome.match else (None, None)
            reports[path] = PaperFile(str(path), paper_id, by, outcome.reason)
        index_full_texts(folder, embedder, progress)
    return tuple(reports[path] for path in files)


def _read(paths: Sequence[Path], guests: Guests, progress: Progress) -> tuple[dict[Path, Document], dict[Path, str]]:
    """Read files side by side; return the texts, and why the others cannot be read."""
    documents, faults = {}, {}

    def read(path: Path) -> Document | str:
        try:
            return guests.read(path)
        except CorpusError as error:
            return str(error)

    progress.start("reading files", len(paths))
    with ThreadPoolExecutor(min(_MOST_READERS, os.cpu_count() or 1)) as readers:
        for path, reading in zip(paths, report_each(readers.map(read, paths), progress), strict=True):
            if isinstance(reading, str):
                faults[path] = reading
            else:
                documents[path] = replace(reading, provenance=replace(reading.provenance, file=path.name))
    progress.finish()
    return documents, faults


def _identifiers(path: Path, document: Document) -> dict[IdentifierKind, str]:
    """Return the identifiers that the first page states for the paper or, failing these, those in the file's name."""
    for texts in (document.identifiers, tuple(spellings_of_name(path.stem))):
        found = {each.kind: each.key for text in texts for each in identifiers_in(text)}
        if found.keys() & {IdentifierKind.ARXIV, IdentifierKind.DOI}:
            return found
    return {}


def _first_lines(document: Document) -> tuple[str, ...]:
    lines = [document.title, *document.front.splitlines()]
    lines += [paragraph.text for section in document.sections[:1] for paragraph in section.paragraphs[:_FIRST_LINES]]
    return tuple(line[:_LONGEST_LINE] for line in lines if line.strip())[:_FIRST_LINES]
