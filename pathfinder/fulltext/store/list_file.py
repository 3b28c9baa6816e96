"""The part of a corpus that lists its full texts: an Arrow table with a row for each text."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pydantic import TypeAdapter, ValidationError

from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.parts import CorpusFile, is_part_name, place_part
from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged
from pathfinder.fulltext.document import TextFormat
from pathfinder.text.strict_json import first_fault

ROLE = "fulltext"
"""Role of the part in the manifest; a corpus without full texts lacks it."""
FOLDER = "fulltext"
"""Folder in the corpus that holds the files of the texts."""


@dataclass(frozen=True, slots=True)
class StoredText:
    """A full text in a corpus, as described in the list."""

    paper_id: str
    file: str
    """Name of its file; the name contains a hash of the content."""
    sha256: str
    """SHA-256 of the file."""
    n_bytes: int
    source_sha256: str
    """SHA-256 of the file from which the text was read."""
    road: TextFormat
    """Format of the file from which the text was read."""
    origin: str
    """Name of the file from which the text was read, or the address from which it was fetched."""
    licence: str | None = None
    """Licence of the text, such as "CC-BY-4.0"; `None` if unknown."""

    def __post_init__(self) -> None:
        if not is_part_name(self.file):
            raise ValueError(f"no full text is stored as {self.file!r}")


_TEXTS = TypeAdapter(list[StoredText])
_SCHEMA = pa.schema(
    [
        pa.field("paper_id", pa.string(), nullable=False),
        pa.field("file", pa.string(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
        pa.field("n_bytes", pa.int64(), nullable=False),
        pa.field("source_sha256", pa.string(), nullable=False),
        pa.field("road", pa.string(), nullable=False),
        pa.field("origin", pa.string(), nullable=False),
        pa.field("licence", pa.string()),
    ]
)


def pdf_name(sha256: str) -> str:
    """Return the name under which the PDF with this hash is stored next to the texts."""
    return f"pdf-{sha256[:16]}.pdf"


def read_list(folder: Path, manifest: Manifest) -> dict[str, StoredText]:
    """Return the texts on the list of the corpus in `folder`, keyed by paper id.

    Raises `CorpusDamaged` if the list cannot be read.
    """
    part = manifest.parts.get(ROLE)
    if part is None:
        return {}
    path = folder / part.name
    try:
        table = pa.ipc.open_file(pa.py_buffer(path.read_bytes())).read_all()
        table.validate(full=True)
        texts = _TEXTS.validate_python(table.to_pylist())
    except ValidationError as error:
        raise CorpusDamaged(f"{path}: {first_fault(error)}: {CORPUS_REMEDY}") from error
    except (OSError, ValueError) as error:
        raise CorpusDamaged(f"{path} cannot be read ({error}): {CORPUS_REMEDY}") from error
    return {text.paper_id: text for text in texts}


def place_list(folder: Path, texts: Iterable[StoredText]) -> CorpusFile:
    """Write the list of the full texts of the corpus in `folder`, sorted by paper, and return it as a part."""
    sorted_texts = sorted(texts, key=lambda text: text.paper_id)
    staging_file = folder / FOLDER / ".list.arrow"
    table = pa.Table.from_pydict(
        {name: [getattr(text, name) for text in sorted_texts] for name in _SCHEMA.names}, _SCHEMA
    )
    with pa.OSFile(str(staging_file), "wb") as sink, pa.ipc.new_file(sink, _SCHEMA) as writer:
        writer.write_table(table)
    part = place_part(staging_file, ROLE, folder)
    staging_file.unlink(missing_ok=True)
    return part
