"""Fetches open-access full texts for the papers in a corpus that have none, until enough have been added."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.readers.lines import GZIP_MAGIC
from pathfinder.errors import CorpusError, ProviderError
from pathfinder.fulltext.adding import FileOutcome, PaperMatch
from pathfinder.fulltext.child import read_apart
from pathfinder.fulltext.document import Document, TextFormat
from pathfinder.fulltext.fetching.places import N_TOGETHER, Locator, TextAddresses
from pathfinder.fulltext.store import FullTexts, NewText, add
from pathfinder.settings import Settings
from pathfinder.sources.http.addresses import AddressRule
from pathfinder.sources.http.failures import LeftAlone
from pathfinder.sources.http.open_file import OpenFile, fetch_open_file
from pathfinder.sources.http.web import WebSurroundings
from pathfinder.types import Paper

MOST_TEXTS = 100
"""Number of texts that a run adds by default."""

_HEAD = 1024


@dataclass(frozen=True, slots=True)
class Guests:
    """Everything needed to query hosts, in one place so that tests can replace it."""

    settings: Settings
    around: WebSurroundings
    rule: AddressRule = field(default_factory=AddressRule)
    read: Callable[[Path], Document] = read_apart


def fetch_texts(corpus_dir: Path, guests: Guests, n_most: int = MOST_TEXTS) -> Iterator[FileOutcome]:
    """Fetch, read and store the full texts of papers that have none, at most `n_most`; yield an outcome for each
    open-access paper, whether or not its text could be stored.

    A run that follows one that was stopped continues with the papers that still have no text. Any run ends early,
    with the reason as its last outcome, when a host keeps failing or OpenAlex does not answer.
    """
    locator, n_added = Locator(guests.settings, guests.around), 0
    try:
        for place in (place for papers in _without_text(corpus_dir) for place in locator.places(papers)):
            outcome = _fetch(corpus_dir, place, guests, locator)
            yield outcome
            n_added += outcome.format is not None
            if n_added == n_most:
                return
    except ProviderError as error:
        yield FileOutcome("(the rest)", reason=str(error))


def _without_text(corpus_dir: Path) -> Iterator[list[Paper]]:
    """Yield the papers without full text, a few at a time."""
    manifest, _ = read_manifest(corpus_dir)
    papers = PaperTable(read_table(corpus_dir / manifest.parts["papers"].name))
    texts, together = FullTexts.open(corpus_dir).texts, list[Paper]()
    for paper in papers:
        if paper.paper_id not in texts:
            together.append(paper)
        if len(together) == N_TOGETHER:
            yield together
            together = []
    yield together


def _fetch(corpus_dir: Path, place: TextAddresses, guests: Guests, locator: Locator) -> FileOutcome:
    """Store a text from the first of a place's addresses that provides one. Raises `LeftAlone` if the host of an
    address keeps failing.
    """
    match, reasons = PaperMatch(place.paper_id, place.by), []
    for address in place.addresses:
        try:
            file = fetch_open_file(address, guests.around, place.pace_seconds, guests.rule)
            document = _read(file, place, guests)
        except LeftAlone:
            raise
        except (ProviderError, CorpusError) as error:
            reasons.append(str(error))
            continue
        licence = place.licence or (locator.licence_in_arxiv(place.arxiv_id) if place.arxiv_id else None)
        _store(corpus_dir, NewText(place.paper_id, document, file.address, licence), file)
        return FileOutcome(file.address, match, document.provenance.road, warnings=document.provenance.warnings)
    return FileOutcome(place.addresses[0], match, reason="; ".join(reasons))


def _store(corpus_dir: Path, text: NewText, file: OpenFile) -> None:
    """Store a text, with its file if that is a PDF."""
    if text.document.provenance.road not in (TextFormat.PDF, TextFormat.OCR):
        add(corpus_dir, [text])
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.pdf"
        path.write_bytes(file.content)
        add(corpus_dir, [replace(text, pdf=path)])


def _read(file: OpenFile, place: TextAddresses, guests: Guests) -> Document:
    """Read a file in another process. Raises `CorpusError` if it is not a full text."""
    name = f"{(place.arxiv_id or place.paper_id).replace('/', '_')[:80]}{_suffix(file.content[:_HEAD])}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"text{_suffix(file.content[:_HEAD])}"
        path.write_bytes(file.content)
        document = guests.read(path)
    return replace(document, front="", provenance=replace(document.provenance, file=name))


def _suffix(head: bytes) -> str:
    """Return a suffix for a file with these first bytes; the format itself is recognised from the file's content."""
    if b"%PDF-" in head:
        return ".pdf"
    if head.lstrip().startswith(b"<"):
        return ".xml"
    return ".tar.gz" if head.startswith(GZIP_MAGIC) or head[257:262] == b"ustar" else ".tex"
