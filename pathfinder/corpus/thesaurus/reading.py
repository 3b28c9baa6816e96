"""Reads a thesaurus from a file in any of the supported forms."""

from dataclasses import dataclass
from pathlib import Path

from pathfinder.corpus.readers.lines import read_unpacked
from pathfinder.corpus.readers.rejected_rows import RejectedRow
from pathfinder.corpus.thesaurus.concepts import Concept
from pathfinder.corpus.thesaurus.drafts import Drafts
from pathfinder.corpus.thesaurus.entries import read_entries
from pathfinder.corpus.thesaurus.located_objects import LocatedObject, parse_with_lines
from pathfinder.corpus.thesaurus.rdf import read_rdf
from pathfinder.errors import CorpusError
from pathfinder.text.strict_json import parse_json

MAX_BYTES = 256 * 1024 * 1024
"""Limit on the size of a file, larger than any thesaurus, so that an endless file cannot use up all the memory."""

FORMS = "SKOS as RDF/XML or JSON-LD, a JSON tree or list of concepts, or JSON lines"
_KNOWN_SCHEMES = {b"//astrothesaurus.org/uat/": "Unified Astronomy Thesaurus"}
"""Titles of thesauri whose files may lack one, by an address that the URIs of their concepts contain."""


@dataclass(frozen=True, slots=True)
class ThesaurusFile:
    """The content of a thesaurus file."""

    name: str
    """Title of the thesaurus, or the name of the file if it has no title."""
    concepts: tuple[Concept, ...]
    """Concepts in the order in which the file first mentions them, excluding deprecated ones."""
    rejected_rows: tuple[RejectedRow, ...]


def read_thesaurus(path: Path) -> ThesaurusFile:
    """Read the concepts from the file at `path`, plain or gzipped: SKOS as RDF/XML or JSON-LD, JSON, or JSON lines.

    Raises `CorpusError` if the file cannot be read, is in none of these formats, or contains no usable concept.
    """
    content = _content(path)
    drafts = Drafts(path.name)
    if content.lstrip().startswith(b"<"):
        read_rdf(content, drafts)
    elif Path(path.name.lower().removesuffix(".gz")).suffix == ".jsonl":
        _read_lines(content, drafts)
    else:
        _read_json(content, drafts)
    concepts = drafts.concepts()
    if not concepts:
        raise CorpusError(f"{path} contains no thesaurus concept{_first(drafts.rejected_rows)}: use {FORMS}")
    stem = path.name.partition(".")[0]
    titles = (title for address, title in _KNOWN_SCHEMES.items() if address in content)
    return ThesaurusFile(drafts.scheme or next(titles, stem), concepts, tuple(drafts.rejected_rows))


def _content(path: Path) -> bytes:
    if not path.is_file():
        fault = "is a folder: name the file in it" if path.is_dir() else "does not exist: check the path"
        raise CorpusError(f"{path} {fault}")
    content = read_unpacked(path, MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise CorpusError(
            f"{path} unpacks to more than {MAX_BYTES:,} bytes, the limit for a thesaurus: name another file"
        )
    return content


def _read_lines(content: bytes, drafts: Drafts) -> None:
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            node = parse_json(line.decode(), LocatedObject)
        except (ValueError, RecursionError) as error:
            drafts.reject(number, f"not JSON: {error}")
            continue
        if not isinstance(node, LocatedObject):
            drafts.reject(number, "not a JSON object")
            continue
        node.line = number
        read_entries([node], drafts)


def _read_json(content: bytes, drafts: Drafts) -> None:
    try:
        whole = parse_with_lines(content.decode())
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{drafts.file} is neither JSON nor XML ({error}): use {FORMS}") from error
    if isinstance(whole, dict):
        whole = next((whole[key] for key in ("@graph", "children", "concepts") if key in whole), [whole])
    read_entries(whole if isinstance(whole, list) else [whole], drafts)


def _first(rejected_rows: list[RejectedRow]) -> str:
    return f" (line {rejected_rows[0].line}: {rejected_rows[0].reason})" if rejected_rows else ""
