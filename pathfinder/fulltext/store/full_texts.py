"""The full texts of a corpus, open for reading."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from pathfinder.corpus.manifest import Manifest, read_manifest
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.parts import file_sha256
from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged, UsageError
from pathfinder.export.plain_json import JsonObject
from pathfinder.fulltext.document import Document, TextFormat
from pathfinder.fulltext.store.arrow_file import read_document_bytes
from pathfinder.fulltext.store.list_file import FOLDER, StoredText, pdf_name, read_list

_DIGITS = 16


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


def full_texts_record(texts: FullTexts) -> JsonObject:
    """Return {"n_papers", "by_road", "bytes"}: the number of papers with a full text, in total and by format, and the
    total size of the texts in bytes.
    """
    return {"n_papers": len(texts.texts), "by_road": texts.by_format, "bytes": texts.n_bytes}


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
