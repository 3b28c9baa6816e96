"""Adds files to a corpus, a few at a time, so that a run that is stopped loses little."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import file_sha256
from pathfinder.errors import CorpusError, UsageError
from pathfinder.fulltext.adding.matching import PaperMatch, match_paper
from pathfinder.fulltext.adding.outcomes import FileOutcome
from pathfinder.fulltext.child import read_apart
from pathfinder.fulltext.document import Document, TextFormat
from pathfinder.fulltext.store import FullTexts, NewText, add

SUFFIXES = frozenset(".pdf .xml .nxml .tei .tex .ltx .gz .tgz .tar .md .markdown .txt".split())
"""Suffixes of the files that are read from a folder; a file named directly is read whatever its suffix."""
BY_CHOICE, BY_STORED = "--paper", "stored before"
N_TOGETHER = 4
"""Number of files that are read, and whose texts are then stored, in one step."""
_MOST_READERS = 4

_TRUST = {text_format: place for place, text_format in enumerate(TextFormat)}

Reader = Callable[[Path], Document]


def files_in(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return the files at `paths`, and the files in any folders among them, at any depth, that may be full texts."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = (each for each in sorted(path.rglob("*")) if each.suffix.lower() in SUFFIXES and each.is_file())
            files += (each for each in inside if not _is_hidden(each.relative_to(path)))
        else:
            files.append(path)
    return tuple(dict.fromkeys(files))


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def add_files(
    corpus_dir: Path,
    files: Sequence[Path],
    *,
    paper_id: str | None = None,
    names: Mapping[Path, str] | None = None,
    read: Reader = read_apart,
) -> Iterator[FileOutcome]:
    """Read `files`, match each to a paper in the corpus, and store the texts; yield an outcome for each file, in order,
    once it is stored.

    With `paper_id`, the only file is the text of that paper; `names` holds the original names of files that were saved
    under other names. A file that was stored earlier is not read again, so a run that was stopped can simply be
    repeated. Raises `UsageError` for a paper that is not in the corpus, and for several files with a `paper_id`.
    """
    if paper_id is not None and len(files) != 1:
        raise UsageError(
            f"--paper names the paper for a single file, but there are {len(files)} files: add them one by one"
        )
    intake = _Intake.open(corpus_dir, paper_id, names or {})
    with ThreadPoolExecutor(min(_MOST_READERS, os.cpu_count() or 1)) as readers:
        for start in range(0, len(files), N_TOGETHER):
            together = files[start : start + N_TOGETHER]
            readings = readers.map(lambda path: intake.reading(path, read), together)
            outcomes = [intake.outcome(path, reading) for path, reading in zip(together, readings, strict=True)]
            intake.store()
            yield from outcomes


_Reading = Document | PaperMatch | str
"""Result for a file: its text, its paper if the text was stored earlier, or the reason why it cannot be read."""


@dataclass
class _Intake:
    """Texts about to be added to a corpus."""

    corpus_dir: Path
    papers: PaperTable
    paper_id: str | None
    names: Mapping[Path, str]
    formats: dict[str, TextFormat]
    """Format from which the text of each paper was read."""
    paper_of_hash: dict[str, str]
    """Ids of papers by the SHA-256 of the files from which their texts were read."""
    waiting: dict[str, NewText] = field(default_factory=dict)

    @classmethod
    def open(cls, corpus_dir: Path, paper_id: str | None, names: Mapping[Path, str]) -> "_Intake":
        manifest, _ = read_manifest(corpus_dir)
        papers = PaperTable(read_table(corpus_dir / manifest.parts["papers"].name))
        if paper_id is not None and int(papers.rows_of([paper_id])[0]) < 0:
            raise UsageError(
                f"{corpus_dir} has no paper {paper_id!r}: search results show the id of each paper below its title"
            )
        texts = FullTexts.open(corpus_dir).texts
        formats = {paper_id: text.road for paper_id, text in texts.items()}
        paper_of_hash = {text.source_sha256: paper_id for paper_id, text in texts.items()}
        return cls(corpus_dir, papers, paper_id, names, formats, paper_of_hash)

    def reading(self, path: Path, read: Reader) -> _Reading:
        """Read a file unless it was stored earlier."""
        if not path.is_file():
            return "it does not exist or is not a file"
        try:
            stored_for = self.paper_of_hash.get(file_sha256(path))
            if stored_for is not None and self.paper_id in (None, stored_for):
                return PaperMatch(stored_for, BY_STORED)
            return read(path)
        except CorpusError as error:
            return str(error)
        except OSError as error:
            return f"it cannot be opened ({error.strerror})"

    def outcome(self, path: Path, reading: _Reading) -> FileOutcome:
        """Decide what to do with a file, and add its text to those to be stored."""
        name = self.names.get(path, str(path))
        if isinstance(reading, str):
            return FileOutcome(name, reason=reading)
        if isinstance(reading, PaperMatch):
            return FileOutcome(name, reading)
        document = replace(reading, provenance=replace(reading.provenance, file=Path(name).name))
        try:
            match = PaperMatch(self.paper_id, BY_CHOICE) if self.paper_id else self._match(document)
        except CorpusError as error:
            return FileOutcome(name, reason=str(error))
        return self._accept(path, document, match)

    def _match(self, document: Document) -> PaperMatch:
        return match_paper(document, document.provenance.file, self.papers)

    def _accept(self, path: Path, document: Document, match: PaperMatch) -> FileOutcome:
        name = self.names.get(path, str(path))
        text_format, before = document.provenance.road, self.formats.get(match.paper_id)
        if before is not None and _TRUST[text_format] > _TRUST[before]:
            reason = (
                f"{match.paper_id!r} has a text from {before}, which is more trustworthy than {text_format}: to "
                f"replace it, remove it first with `pathfinder fulltext remove {self.corpus_dir} {match.paper_id}`"
            )
            return FileOutcome(name, match, reason=reason)
        self.formats[match.paper_id] = text_format
        pdf = path if text_format in (TextFormat.PDF, TextFormat.OCR) else None
        text = NewText(match.paper_id, replace(document, front=""), document.provenance.file, pdf=pdf)
        self.waiting[match.paper_id] = text
        return FileOutcome(name, match, text_format, before, warnings=document.provenance.warnings)

    def store(self) -> None:
        """Store the texts that are waiting."""
        if self.waiting:
            add(self.corpus_dir, tuple(self.waiting.values()))
            self.waiting.clear()
