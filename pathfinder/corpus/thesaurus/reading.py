"""A thesaurus out of a file, in whichever of its forms it comes."""

import gzip
import json
import zlib
from dataclasses import dataclass
from pathlib import Path

from pathfinder.corpus.readers.rejected import Rejected
from pathfinder.corpus.thesaurus.concepts import Concept
from pathfinder.corpus.thesaurus.drafts import Drafts
from pathfinder.corpus.thesaurus.entries import read_entries
from pathfinder.corpus.thesaurus.located import Located, located
from pathfinder.corpus.thesaurus.rdf import read_rdf
from pathfinder.errors import CorpusError

MAX_BYTES = 256 * 1024 * 1024
"""More than any thesaurus has; a file without an end must not fill the memory."""

FORMS = "SKOS as RDF/XML or JSON-LD, a tree or a list of concepts as JSON, or JSON lines"
_GZIP_MAGIC = b"\x1f\x8b"
_KNOWN_SCHEMES = {b"//astrothesaurus.org/uat/": "Unified Astronomy Thesaurus"}
"""Titles of thesauri whose files need not say it, by the addresses of their concepts."""


@dataclass(frozen=True, slots=True)
class ThesaurusFile:
    """What a file of a thesaurus brought."""

    name: str
    """The thesaurus's own title, or the file's name where it has none."""
    concepts: tuple[Concept, ...]
    """In the order of the file; deprecated ones are left out."""
    rejected: tuple[Rejected, ...]


def read_thesaurus(path: Path) -> ThesaurusFile:
    """The concepts of the file at `path`, plain or gzipped: SKOS as RDF/XML or JSON-LD, JSON, or JSON lines.

    Raises `CorpusError` where it cannot be read, is of none of these forms, or holds no usable concept.
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
        raise CorpusError(f"{path} holds no concept of a thesaurus{_first(drafts.rejected)}: bring {FORMS}")
    stem = path.name.partition(".")[0]
    known = (title for address, title in _KNOWN_SCHEMES.items() if address in content)
    return ThesaurusFile(drafts.scheme or next(known, stem), concepts, tuple(drafts.rejected))


def _content(path: Path) -> bytes:
    if not path.is_file():
        found = "is a folder: name the file in it" if path.is_dir() else "does not exist: check the path"
        raise CorpusError(f"{path} {found}")
    try:
        with path.open("rb") as plain:
            is_gzipped = plain.read(2) == _GZIP_MAGIC
        with gzip.open(path) if is_gzipped else path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(f"{path}: its gzip data is damaged ({error}): fetch or compress it again") from error
    except OSError as error:
        raise CorpusError(f"{path} cannot be read ({error.strerror}): check the file and its permissions") from error
    if len(content) > MAX_BYTES:
        raise CorpusError(f"{path} unfolds to more than {MAX_BYTES:,} bytes, which no thesaurus has: name another file")
    return content.removeprefix(b"\xef\xbb\xbf")


def _read_lines(content: bytes, drafts: Drafts) -> None:
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            node = json.loads(line.decode(), object_hook=Located, strict=False)
        except (ValueError, RecursionError) as error:
            drafts.reject(number, f"not JSON: {error}")
            continue
        if not isinstance(node, Located):
            drafts.reject(number, "not a JSON object")
            continue
        node.line = number
        read_entries([node], drafts)


def _read_json(content: bytes, drafts: Drafts) -> None:
    try:
        whole = located(content.decode())
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{drafts.file} is neither JSON nor XML ({error}): bring {FORMS}") from error
    if isinstance(whole, dict):
        whole = next((whole[key] for key in ("@graph", "children", "concepts") if key in whole), [whole])
    read_entries(whole if isinstance(whole, list) else [whole], drafts)


def _first(rejected: list[Rejected]) -> str:
    return f" (line {rejected[0].line}: {rejected[0].reason})" if rejected else ""
