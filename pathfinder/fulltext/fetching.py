"""Fetches open-access full texts for the papers in a corpus: locate -> fetch -> read in another process -> store."""

import re
import tempfile
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.merging import identifier_keys
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.readers.lines import GZIP_MAGIC
from pathfinder.corpus.schemas.arxiv import OAI, RAW
from pathfinder.corpus.schemas.xml import child_text, parse_xml
from pathfinder.errors import CorpusError, ProviderError, RateLimited, Unreachable
from pathfinder.fulltext.adding import FileOutcome, PaperMatch
from pathfinder.fulltext.child import read_apart
from pathfinder.fulltext.document import Document, TextFormat
from pathfinder.fulltext.store import FullTexts, NewText, add
from pathfinder.settings import Settings
from pathfinder.sources.http.addresses import AddressRule
from pathfinder.sources.http.failures import LeftAlone
from pathfinder.sources.http.open_file import OpenFile, fetch_open_file
from pathfinder.sources.http.web import FetchReply, Web, WebSurroundings
from pathfinder.sources.json_pages import json_object, list_of
from pathfinder.sources.kinds.arxiv import PACE_SECONDS, arxiv_host
from pathfinder.sources.kinds.oai import oai_host
from pathfinder.sources.kinds.openalex import openalex_host
from pathfinder.text.identifiers import arxiv_id_in, doi_key
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


def fetch_texts(
    corpus_dir: Path, guests: Guests, n_most: int = MOST_TEXTS, without: Container[str] = ()
) -> Iterator[FileOutcome]:
    """Fetch, read and store the full texts of papers that have none, at most `n_most`; yield an outcome for each
    open-access paper, whether or not its text could be stored. The papers with the ids `without` are left out.

    A run that follows one that was stopped continues with the papers that still have no text. Any run ends early,
    with the reason as its last outcome, when a host keeps failing or OpenAlex does not answer.
    """
    locator, n_added = Locator(guests.settings, guests.around), 0
    if n_most <= 0:
        return
    try:
        for place in (place for papers in _without_text(corpus_dir, without) for place in locator.places(papers)):
            outcome = _fetch(corpus_dir, place, guests, locator)
            yield outcome
            n_added += outcome.format is not None
            if n_added >= n_most:
                return
    except ProviderError as error:
        yield FileOutcome("(the rest)", reason=str(error))


def _without_text(corpus_dir: Path, without: Container[str]) -> Iterator[list[Paper]]:
    """Yield the papers without full text, a few at a time."""
    manifest, _ = read_manifest(corpus_dir)
    papers = PaperTable(read_table(corpus_dir / manifest.parts["papers"].name))
    texts, together = FullTexts.open(corpus_dir).texts, list[Paper]()
    for paper in papers:
        if paper.paper_id not in texts and paper.paper_id not in without:
            together.append(paper)
        if len(together) == N_TOGETHER:
            yield together
            together = []
    yield together


@dataclass(frozen=True, slots=True)
class TextAddresses:
    """A paper with the addresses of its full text, the best first."""

    paper_id: str
    by: str
    """Origin of the addresses: "arXiv" or "OpenAlex"."""
    addresses: tuple[str, ...]
    pace_seconds: float
    licence: str | None = None
    """Licence of the text, if it is known already."""
    arxiv_id: str | None = None


@dataclass(frozen=True, slots=True)
class Locator:
    """Finds places where papers can be read."""

    settings: Settings
    around: WebSurroundings

    def places(self, papers: Sequence[Paper]) -> Iterator[TextAddresses]:
        """Yield a place for each paper that has one, those on arXiv first. Raises a `ProviderError` if OpenAlex does
        not answer.
        """
        others = []
        for paper in papers:
            ids = identifier_keys(paper).get("arxiv")
            if ids:
                yield self._in_arxiv(paper.paper_id, min(ids))
            else:
                others.append(paper)
        for start in range(0, len(others), N_TOGETHER):
            yield from self._by_openalex(others[start : start + N_TOGETHER])

    def licence_in_arxiv(self, arxiv_id: str) -> str | None:
        """Return the licence of a paper on arXiv; `None` if arXiv does not state it or does not answer."""
        query = {"verb": "GetRecord", "metadataPrefix": "arXivRaw", "identifier": f"oai:arXiv.org:{arxiv_id}"}
        try:
            with Web(oai_host(self.settings), self.around) as web:
                return web.get("oai", query, _licence)
        except ProviderError:
            return None

    def _in_arxiv(self, paper_id: str, arxiv_id: str, licence: str | None = None) -> TextAddresses:
        address = arxiv_host(self.settings).address.rstrip("/")
        addresses = (f"{address}/e-print/{arxiv_id}", f"{address}/pdf/{arxiv_id}")
        return TextAddresses(paper_id, ARXIV, addresses, PACE_SECONDS, licence, arxiv_id)

    def _by_openalex(self, papers: Sequence[Paper]) -> Iterator[TextAddresses]:
        with Web(openalex_host(self.settings), self.around) as web:
            for name, ids in (("doi", _dois(papers)), ("ids.openalex", _works(papers))):
                if ids:
                    query: dict[str, str | int] = {
                        "filter": f"{name}:{'|'.join(ids)}",
                        "select": _FIELDS,
                        "per_page": len(ids),
                    }
                    for work in web.get("works", query, lambda reply: list_of(json_object(reply.content), "results")):
                        yield from self._of_work(work, ids)

    def _of_work(self, work: Any, ids: Mapping[str, str]) -> Iterator[TextAddresses]:
        if not isinstance(work, dict):
            return
        keys = (doi_key(str(work.get("doi") or "")), str(work.get("id") or "").rpartition("/")[2].lower())
        paper_id = next((ids[key] for key in keys if key and key in ids), None)
        location = work.get("best_oa_location")
        if paper_id is None or not isinstance(location, dict):
            return
        address, licence = location.get("pdf_url"), location.get("license")
        licence = plain_licence(licence) if isinstance(licence, str) else None
        if isinstance(address, str) and location.get("is_oa") is True:
            arxiv_id = arxiv_id_in(address, is_marked=True)
            if arxiv_id:
                yield self._in_arxiv(paper_id, arxiv_id, licence)
            else:
                yield TextAddresses(paper_id, OPENALEX, (address,), _USUAL_PACE, licence)


def _fetch(corpus_dir: Path, place: TextAddresses, guests: Guests, locator: Locator) -> FileOutcome:
    """Store a text from the first of a place's addresses that provides one. Raises `LeftAlone` if the host of an
    address keeps failing.
    """
    match, reasons, may_pass = PaperMatch(place.paper_id, place.by), [], False
    for address in place.addresses:
        try:
            file = fetch_open_file(address, guests.around, place.pace_seconds, guests.rule)
            document = _read(file, place, guests)
        except LeftAlone:
            raise
        except (ProviderError, CorpusError) as error:
            reasons.append(str(error))
            may_pass = may_pass or isinstance(error, (RateLimited, Unreachable))
            continue
        licence = place.licence or (locator.licence_in_arxiv(place.arxiv_id) if place.arxiv_id else None)
        _store(corpus_dir, NewText(place.paper_id, document, file.address, licence), file)
        return FileOutcome(file.address, match, document.provenance.road, warnings=document.provenance.warnings)
    return FileOutcome(place.addresses[0], match, reason="; ".join(reasons), may_pass=may_pass)


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


# Places where the full text of a paper may be read: arXiv, or an open-access location that OpenAlex knows.

ARXIV, OPENALEX = "arXiv", "OpenAlex"
N_TOGETHER = 50
"""Number of papers in one request to OpenAlex."""
_USUAL_PACE = 1.0
"""Seconds between two requests to a host that specifies no interval."""

_FIELDS = "id,doi,best_oa_location"
_SEPARATOR = re.compile(r"[\s,|]")
"""A character at which OpenAlex would end a DOI in a list."""
_CREATIVE_COMMONS = re.compile(r"creativecommons\.org/(?:licenses|publicdomain)/([a-z-]+)/(\d\.\d)", re.IGNORECASE)


def _dois(papers: Iterable[Paper]) -> dict[str, str]:
    """Map DOIs, in the form that is compared with OpenAlex's, to the ids of the papers that have them."""
    dois = ((doi_key(paper.doi), paper.paper_id) for paper in papers)
    return {doi: paper_id for doi, paper_id in dois if doi and doi.startswith("10.") and not _SEPARATOR.search(doi)}


def _works(papers: Iterable[Paper]) -> dict[str, str]:
    """Map the OpenAlex ids of papers without a DOI to the papers' ids."""
    without = (paper for paper in papers if not paper.doi and paper.openalex_id)
    works = ((str(paper.openalex_id).lower(), paper.paper_id) for paper in without)
    return {work: paper_id for work, paper_id in works if re.fullmatch(r"w\d+", work)}


def _licence(reply: FetchReply) -> str | None:
    """Read the licence in an OAI-PMH record. Raises `ValueError` for anything but an OAI-PMH reply."""
    root = parse_xml(reply.content)
    if root.tag != f"{OAI}OAI-PMH":
        raise ValueError("XML that is not an OAI-PMH reply")
    record = root.find(f".//{RAW}arXivRaw")
    licence = child_text(record, f"{RAW}license") if record is not None else None
    return plain_licence(licence) if licence else None


def plain_licence(licence: str) -> str:
    """Return "CC-BY-4.0" for the address of that licence, and "CC-BY" for "cc-by"; leave other licences unchanged."""
    match = _CREATIVE_COMMONS.search(licence)
    if match is not None:
        name = "CC0" if match[1].lower() == "zero" else f"CC-{match[1].upper()}"
        return f"{name}-{match[2]}"
    return licence.upper() if licence.lower().startswith("cc-") else licence[:200]
