"""The full texts of a corpus: a file for each text, in a folder next to the parts, and a part that lists them.

A text belongs to a paper, not to a version of the corpus: an update keeps it, and so does a rollback. The text of a
removed paper is kept, hidden, as long as the earlier version has the paper, so that a rollback brings it back too.
"""

import hashlib
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import TypeAdapter, ValidationError

from pathfinder.corpus.lock import lock_corpus
from pathfinder.corpus.manifest import Manifest, earlier_manifest, part_names, read_manifest, write_manifest
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.parts import CorpusFile, file_sha256, is_part_name, place_part
from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged, CorpusError, UsageError
from pathfinder.fulltext.document import Box, Document, TextFormat
from pathfinder.text.files import replacing
from pathfinder.text.strict_json import first_fault

_DIGITS = 16
_WITH_ROWS = frozenset({TextFormat.JATS, TextFormat.LATEX, TextFormat.DOCX, TextFormat.MARKDOWN})
"""Formats of which rows of tables are read."""


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
    has_rows: bool | None = None
    """True if rows of tables were read too, where the format has them; `None` in lists of earlier versions."""

    def __post_init__(self) -> None:
        if not is_part_name(self.file):
            raise ValueError(f"no full text is stored as {self.file!r}")

    @property
    def may_lack_rows(self) -> bool:
        """Whether the text may lack the rows of its tables because an earlier version read it."""
        return self.road in _WITH_ROWS and not self.has_rows


@dataclass(frozen=True, slots=True)
class FullTexts:
    """The papers in a corpus that have a full text; each text is read from its file when it is needed."""

    folder: Path
    """Folder of the corpus."""
    texts: Mapping[str, StoredText] = field(default_factory=dict)
    """Full texts of papers in the corpus, keyed and sorted by paper id."""

    @classmethod
    def open(cls, corpus_dir: Path) -> "FullTexts":
        """Open the full texts of the corpus in `corpus_dir`; it is not an error if there are none."""
        manifest, _ = read_manifest(corpus_dir)
        return cls(corpus_dir, texts_of(corpus_dir, manifest))

    @property
    def paper_ids(self) -> tuple[str, ...]:
        """Ids of the papers that have a full text, in alphabetical order."""
        return tuple(self.texts)

    @property
    def version(self) -> str:
        """Hash of the contents of all texts and of the ids of their papers."""
        content = "".join(f"{paper_id}\0{text.sha256}\0" for paper_id, text in self.texts.items())
        return hashlib.sha256(content.encode()).hexdigest()[:_DIGITS]

    @property
    def by_format(self) -> dict[str, int]:
        """Number of texts by format, the most trustworthy format first."""
        counts = Counter(text.road for text in self.texts.values())
        return {text_format.value: counts[text_format] for text_format in TextFormat if counts[text_format]}

    @property
    def n_bytes(self) -> int:
        """Size of all texts on disk, in bytes."""
        return sum({text.file: text.n_bytes for text in self.texts.values()}.values())

    def document(self, paper_id: str) -> Document:
        """Read the full text of a paper.

        Raises `UsageError` if the paper has none, and `CorpusDamaged` if its file is missing or has been altered.
        """
        text = self.texts.get(paper_id)
        if text is None:
            raise UsageError(
                f"{self.folder} has no full text of {paper_id!r}: add it with "
                f"`pathfinder fulltext add {self.folder} FILE --paper {paper_id}`"
            )
        path = self.folder / FOLDER / text.file
        try:
            content = path.read_bytes()
        except OSError as error:
            raise CorpusDamaged(f"{path} cannot be read ({error.strerror}): {CORPUS_REMEDY}") from error
        if hashlib.sha256(content).hexdigest() != text.sha256:
            raise CorpusDamaged(f"{path} was altered (its SHA-256 differs): {CORPUS_REMEDY}")
        return read_document_bytes(content, path)

    def pdf(self, paper_id: str) -> Path | None:
        """Return the stored PDF from which the text of a paper was read; `None` if the text was read from a
        file of another format, or before PDFs were stored. Raises `CorpusDamaged` if the PDF has been altered.
        """
        text = self.texts.get(paper_id)
        path = self.folder / FOLDER / pdf_name(text.source_sha256) if text else None
        if text is None or path is None or not path.is_file():
            return None
        if file_sha256(path) != text.source_sha256:
            raise CorpusDamaged(f"{path} has been altered (its SHA-256 differs): add the file again")
        return path

    def verify(self) -> None:
        """Check every text by reading it.

        Raises `CorpusDamaged` for the first one whose file is missing or has been altered.
        """
        for paper_id in self.texts:
            self.document(paper_id)


def texts_of(folder: Path, manifest: Manifest) -> dict[str, StoredText]:
    """Return the listed texts whose papers are in this version of the corpus, keyed and sorted by paper id."""
    texts = read_list(folder, manifest)
    present = papers_among(folder, manifest, texts)
    return {paper_id: texts[paper_id] for paper_id in sorted(present)}


def papers_among(folder: Path, manifest: Manifest, paper_ids: Mapping[str, object]) -> frozenset[str]:
    """Return those of `paper_ids` whose papers are in this version of the corpus."""
    if not paper_ids:
        return frozenset()
    column = read_table(folder / manifest.parts["papers"].name).column("paper_id")
    is_named = pc.is_in(column, value_set=pa.array(list(paper_ids), pa.string()))
    return frozenset(column.filter(is_named).to_pylist())


# The part of a corpus that lists its full texts: an Arrow table with a row for each text.

ROLE = "fulltext"
"""Role of the part in the manifest; a corpus without full texts lacks it."""
FOLDER = "fulltext"
"""Folder in the corpus that holds the files of the texts."""


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
        content = path.read_bytes()
    except OSError as error:
        raise CorpusDamaged(f"{path} cannot be read ({error}): {CORPUS_REMEDY}") from error
    return {text.paper_id: text for text in _read_rows(content, path, "a list of full texts", _TEXTS)}


def place_list(folder: Path, texts: Iterable[StoredText]) -> CorpusFile:
    """Write the list of the full texts of the corpus in `folder`, sorted by paper, and return it as a part."""
    staging_file = folder / FOLDER / ".list.arrow"
    staging_file.write_bytes(_rows_bytes(sorted(texts, key=lambda text: text.paper_id), StoredText))
    part = place_part(staging_file, ROLE, folder)
    staging_file.unlink(missing_ok=True)
    return part


# A full text as an Arrow file: a table of one row, with a column for each field of `Document`.
#
# The columns follow from the types in `document.py`. If a field with a default is added there, it takes its default
# when files written by earlier versions are read.

_Rows = TypeVar("_Rows")
_TEXTS = TypeAdapter(list[StoredText])
_DOCUMENT = TypeAdapter(tuple[Document])
_PLAIN = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


def document_bytes(document: Document) -> bytes:
    """Return the content of the Arrow file for `document`; the same document always gives the same bytes."""
    return _rows_bytes([document], Document)


def read_document_bytes(content: bytes, path: Path) -> Document:
    """Read what `document_bytes` returned; `path` is named in error messages. Raises `CorpusDamaged` if `content` is
    anything else.
    """
    return _read_rows(content, path, "the Arrow file of a full text", _DOCUMENT)[0]


def _rows_bytes(rows: Iterable[Any], kind: type) -> bytes:
    """Return the content of an Arrow file whose rows are dataclasses of one kind."""
    table = pa.Table.from_pylist(list(map(asdict, rows)), pa.schema(_fields_of(kind)))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def _read_rows(content: bytes, path: Path, what: str, kind: TypeAdapter[_Rows]) -> _Rows:
    try:
        table = pa.ipc.open_file(pa.py_buffer(content)).read_all()
        table.validate(full=True)
        return kind.validate_python(table.to_pylist())
    except ValidationError as error:
        raise CorpusDamaged(f"{path}: {first_fault(error)}: {CORPUS_REMEDY}") from error
    except (OSError, ValueError) as error:
        raise CorpusDamaged(f"{path} is not {what} ({error}): {CORPUS_REMEDY}") from error


def _fields_of(kind: type) -> list[pa.Field]:
    hints = get_type_hints(kind)
    return [pa.field(field.name, _column(hints[field.name])) for field in fields(kind)]


def _column(hint: Any) -> pa.DataType:
    """Return the type of the column for values of the type `hint`."""
    if NoneType in get_args(hint):
        (hint,) = (other for other in get_args(hint) if other is not NoneType)
    if get_origin(hint) is tuple:
        return pa.list_(_column(get_args(hint)[0]))
    if hint is Box:
        return pa.list_(pa.float64())
    if isinstance(hint, type) and is_dataclass(hint):
        return pa.struct(_fields_of(hint))
    return _PLAIN[str if issubclass(hint, StrEnum) else hint]


# Adds full texts to a corpus, and removes them: each change takes effect when the manifest is replaced.
#
# A text is written before the list that names it, and deleted after the list that no longer names it. If a change is
# interrupted at any point, the corpus has either the texts from before it or those from after it.


@dataclass(frozen=True, slots=True)
class NewText:
    """A full text to be added, with the paper to which it belongs."""

    paper_id: str
    document: Document
    origin: str
    """Name of the file from which the text was read, or the address from which it was fetched."""
    licence: str | None = None
    pdf: Path | None = None
    """PDF from which the text was read, to be stored too, so that its pages can be shown."""


def add(corpus_dir: Path, texts: Sequence[NewText]) -> None:
    """Store full texts in the corpus, in one step; a paper's earlier text is replaced.

    Raises `UsageError` for a paper that is not in the corpus, and `CorpusError` if the corpus is being changed
    elsewhere.
    """
    with _change(corpus_dir) as (manifest, stored_texts):
        folder = _folder_of(corpus_dir)
        new = {text.paper_id: text for text in texts}
        for paper_id in sorted(new.keys() - papers_among(corpus_dir, manifest, new)):
            raise UsageError(f"{corpus_dir} has no paper {paper_id!r}: name a paper in the corpus by its id")
        folder.mkdir(exist_ok=True)
        stored_texts |= {paper_id: _write_text(folder, text) for paper_id, text in new.items()}


def remove(corpus_dir: Path, paper_ids: Sequence[str]) -> None:
    """Remove the full texts of papers from the corpus, in one step, and delete their files.

    Raises `UsageError`, and removes nothing, if a paper has no full text.
    """
    with _change(corpus_dir) as (manifest, texts):
        present = papers_among(corpus_dir, manifest, texts)
        for paper_id in paper_ids:
            if paper_id not in present:
                raise UsageError(f"{corpus_dir} has no full text of {paper_id!r}: nothing was removed")
            texts.pop(paper_id, None)


def sweep(folder: Path, manifest: Manifest, replaced_manifest: Manifest | None = None) -> Manifest:
    """Remove from the list the texts of papers that neither the current nor the earlier version of the corpus has, and
    delete files that no list names.

    The corpus must be locked, and `manifest` in place; the parts of `replaced_manifest` stay, because another process
    may be opening them. Returns the manifest that is then in place.
    """
    texts = read_list(folder, manifest)
    earlier = earlier_manifest(folder, manifest)
    papers = papers_among(folder, manifest, texts)
    if earlier is not None:
        papers |= papers_among(folder, earlier, texts)
    if texts.keys() - papers:
        texts = {paper_id: texts[paper_id] for paper_id in papers}
        manifest = _replace_list(folder, manifest, texts)
    versions = [version for version in (manifest, earlier, replaced_manifest) if version]
    needed_names = frozenset[str]().union(*(part_names(version) for version in versions))
    files = {text.file for text in texts.values()} | {pdf_name(text.source_sha256) for text in texts.values()}
    unlisted_files = [path for path in folder.glob(f"{ROLE}-*.arrow") if path.name not in needed_names]
    unlisted_files += [path for path in _folder_of(folder).glob("text-*.arrow") if path.name not in files]
    unlisted_files += [path for path in _folder_of(folder).glob("pdf-*.pdf") if path.name not in files]
    for path in unlisted_files:
        if is_part_name(path.name):
            path.unlink()
    return manifest


@contextmanager
def _change(folder: Path) -> Iterator[tuple[Manifest, dict[str, StoredText]]]:
    """Lock the corpus, yield its list of texts so that it can be changed, and put the changed list in place."""
    read_manifest(folder)  # no lock is made where there is no corpus
    with lock_corpus(folder):
        old_manifest, _ = read_manifest(folder)
        before = read_list(folder, old_manifest)
        texts = dict(before)
        yield old_manifest, texts
        manifest = _replace_list(folder, old_manifest, texts) if texts != before else old_manifest
        sweep(folder, manifest, old_manifest)


def _replace_list(folder: Path, manifest: Manifest, texts: Mapping[str, StoredText]) -> Manifest:
    """Put the manifest in place with another list of texts, or without a list if there are none."""
    parts = {role: part for role, part in manifest.parts.items() if role != ROLE}
    if texts:
        parts[ROLE] = place_list(folder, texts.values())
    manifest = replace(manifest, parts=parts)
    write_manifest(folder, manifest)
    return manifest


def _write_text(folder: Path, text: NewText) -> StoredText:
    staging_file = folder / ".text.arrow"
    staging_file.write_bytes(document_bytes(text.document))
    part = place_part(staging_file, "text", folder)
    staging_file.unlink(missing_ok=True)  # still there if the same text was already stored
    if text.pdf is not None:
        with replacing(folder / pdf_name(text.document.provenance.sha256)) as unfinished:
            shutil.copyfile(text.pdf, unfinished)
    (entry,) = part.files
    return StoredText(
        paper_id=text.paper_id,
        file=part.name,
        sha256=entry.sha256,
        n_bytes=entry.length,
        source_sha256=text.document.provenance.sha256,
        road=text.document.provenance.road,
        origin=text.origin,
        licence=text.licence,
        has_rows=text.document.provenance.road in _WITH_ROWS,
    )


def _folder_of(corpus_dir: Path) -> Path:
    """Return the folder of the texts. Raises `CorpusError` for a link, which could lead to somebody else's files."""
    folder = corpus_dir / FOLDER
    if folder.is_symlink():
        raise CorpusError(f"{folder} is a link: replace it with the folder that contains the full texts")
    return folder
