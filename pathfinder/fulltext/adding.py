"""Adds files to a corpus as the full texts of its papers: read in another process -> matched to a paper -> stored."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote

import pyarrow.compute as pc

from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.merging import same_paper
from pathfinder.corpus.merging.identifiers import name_key, title_key
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import file_sha256
from pathfinder.errors import CorpusError, UsageError
from pathfinder.fulltext.child import read_apart
from pathfinder.fulltext.document import Document, TextFormat
from pathfinder.fulltext.store import FullTexts, NewText, add
from pathfinder.retrieval.known_items.in_questions import rows_of, rows_with_id
from pathfinder.text.identifiers import identifiers_in
from pathfinder.types import Paper

SUFFIXES = frozenset(".pdf .xml .nxml .tei .tex .ltx .gz .tgz .tar .docx .md .markdown .txt".split())
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
            files += (each for each in inside if not any(part.startswith(".") for part in each.relative_to(path).parts))
        else:
            files.append(path)
    return tuple(dict.fromkeys(files))


@dataclass(frozen=True, slots=True)
class PaperMatch:
    """The paper to which a full text belongs, and the evidence: "file name", "identifier", "title" or "--paper"."""

    paper_id: str
    by: str


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """The outcome for a file: its text was added, was already stored, or was rejected."""

    file: str
    """Path of the file, or its address."""
    match: PaperMatch | None = None
    """Paper to which the file belongs; `None` if no such paper was found."""
    format: TextFormat | None = None
    """Format from which the file's text was read; `None` if the text was not added."""
    replaced_format: TextFormat | None = None
    """Format of the earlier text that the file's text replaced; `None` if there was none."""
    reason: str | None = None
    """Reason why the file was rejected; `None` if it was not."""
    warnings: tuple[str, ...] = ()
    """Parts of the added text that could not be read, such as pages or the reference list."""
    may_pass: bool = False
    """True if the text was not added because a host did not answer, or asked to be left alone for a while."""


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
    under other names. A file that was stored earlier is not read again unless its text may lack the rows of its tables,
    so a run that was stopped can simply be repeated. Raises `UsageError` for a paper that is not in the corpus, and for
    several files with a `paper_id`.
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
    outdated: frozenset[str]
    """Those of these files whose texts may lack rows of tables, which are read again."""
    waiting: dict[str, NewText] = field(default_factory=dict)
    read_again: dict[Path, str] = field(default_factory=dict)
    """Papers of the outdated files that have been read."""

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
        outdated = frozenset(text.source_sha256 for text in texts.values() if text.may_lack_rows)
        return cls(corpus_dir, papers, paper_id, names, formats, paper_of_hash, outdated)

    def reading(self, path: Path, read: Reader) -> _Reading:
        """Read a file unless it was stored earlier."""
        if not path.is_file():
            return "it does not exist or is not a file"
        try:
            stored_for = self.paper_of_hash.get(sha256 := file_sha256(path))
            if stored_for is not None and self.paper_id in (None, stored_for):
                if sha256 not in self.outdated:
                    return PaperMatch(stored_for, BY_STORED)
                self.read_again[path] = stored_for
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
            match = (
                PaperMatch(self.paper_id, BY_CHOICE)
                if self.paper_id
                else PaperMatch(again, BY_STORED)
                if (again := self.read_again.get(path))
                else match_paper(document, document.provenance.file, self.papers)
            )
        except CorpusError as error:
            return FileOutcome(name, reason=str(error))
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


# Finds the paper in a corpus to which a full text belongs.
#
# Identifiers come first: those in the name of the file, and those that the first page states for the paper itself.
# Failing that, titles are compared by the rule for merging records (`corpus/merging/rule.py`), with the first
# author's surname and the year if they occur at the beginning of the text; its first lines stand in for a title.

BY_NAME, BY_IDENTIFIER, BY_TITLE = "file name", "identifier", "title"
_NAME_THE_PAPER = "add the file on its own and name its paper (--paper ID)"
_SUFFIX = re.compile(r"(?:\.(?:pdf|n?xml|tei|grobid|tex|ltx|tar|tgz|gz|zip|md|markdown|txt))+$", re.IGNORECASE)
_ARXIV_NAME = re.compile(r"arxiv[-_. ]+(?=[\d\w])", re.IGNORECASE)
_OLD_ARXIV_NAME = re.compile(r"(?<=[a-z])(?=\d{7}(?:v\d+)?$)")
_SMALL_NUMBER = re.compile(r"\d{1,4}")
"""File names that carry no information: browsers number files, and some corpora number papers."""
_WORD = re.compile(r"[A-Za-z]{4,}")
_BEGINNING = 3000
"""Number of characters that are searched for the author and the year."""
_N_WORDS, _N_SHARED = 3, 2
"""Number of a title's longest words that are looked up, and the minimum number of them that a paper's title must share
before the two titles are compared.
"""
_MOST_NAMED = 3
_TITLE_WITHIN, _LINES_OF_TITLE = 8, 3
"""Number of first lines in which a title that no type sets apart is looked for, and the most that it may have."""


def match_paper(document: Document, file_name: str, papers: PaperTable) -> PaperMatch:
    """Find the paper to which `document`, read from a file with this name, belongs.

    Raises `CorpusError`, with the reason and what to do, if there is no such paper or more than one.
    """
    stems = dict.fromkeys(spellings_of_name(unquote(_SUFFIX.sub("", file_name))))
    own = {int(row) for stem in stems if not _SMALL_NUMBER.fullmatch(stem) for row in rows_with_id(stem, papers)}
    by_name, by_identifier = own or _rows_named_in(stems, papers), _rows_named_in(document.identifiers, papers)
    if by_name and by_identifier and not by_name & by_identifier:
        raise CorpusError(
            f"its file name refers to {_ids(by_name, papers)}, but its text states the identifier of "
            f"{_ids(by_identifier, papers)}: {_NAME_THE_PAPER}"
        )
    if by_name and by_identifier:
        return _only(by_name & by_identifier, BY_IDENTIFIER, papers)
    if rows := by_name or by_identifier:
        return _only(rows, BY_NAME if by_name else BY_IDENTIFIER, papers)
    of_several: set[int] = set()
    for title in (document.title,) if document.title else _first_lines(document.front):
        if len(rows := set(_rows_with_title(replace(document, title=title), papers))) == 1:
            return _only(rows, BY_TITLE, papers)
        of_several = of_several or rows
    if of_several:
        return _only(of_several, BY_TITLE, papers)
    title = f"its title is {document.title[:120]!r}" if document.title else "it has no title"
    raise CorpusError(
        f"no paper in the corpus has its identifiers or its title ({title}): if the corpus has the paper, "
        f"{_NAME_THE_PAPER}"
    )


def _only(rows: set[int], by: str, papers: PaperTable) -> PaperMatch:
    if len(rows) > 1:
        raise CorpusError(f"by its {by} it may belong to {_ids(rows, papers)}: {_NAME_THE_PAPER}")
    return PaperMatch(papers[rows.pop()].paper_id, by)


def _ids(rows: Iterable[int], papers: PaperTable) -> str:
    ids = [papers[row].paper_id for row in sorted(rows)]
    more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return ", ".join(map(repr, ids[:_MOST_NAMED])) + more


def spellings_of_name(stem: str) -> Iterator[str]:
    """Yield a file name and the identifiers that it may stand for: file names cannot contain a slash or, often, a
    colon.
    """
    yield stem
    with_prefix = _ARXIV_NAME.sub("arXiv:", stem)
    yield with_prefix
    yield _OLD_ARXIV_NAME.sub("/", with_prefix)
    for sign in "_-":
        yield with_prefix.replace(sign, "/", 1)
        yield with_prefix.replace(sign, "/")
        yield "/".join(with_prefix.rsplit(sign, 1))
    yield with_prefix.replace("_", " ")


def _rows_named_in(texts: Iterable[str], papers: PaperTable) -> set[int]:
    return {int(row) for text in texts for identifier in identifiers_in(text) for row in rows_of(identifier, papers)}


def words_of_beginning(document: Document) -> frozenset[str]:
    """Return the opening words of a text, including its authors if the format provides them."""
    paragraphs = (paragraph.text for section in document.sections[:2] for paragraph in section.paragraphs)
    return frozenset(title_key("\n".join((document.front, *paragraphs))[:_BEGINNING]).words)


def is_text_of(document: Document, words: frozenset[str], paper: Paper) -> bool:
    """Return whether a text is that of `paper`, judged by its title and, if `words` contain them, author and year."""
    year = paper.year or (paper.date.year if paper.date else None)
    record = Paper(
        paper_id="",
        title=document.title,
        abstract="",
        authors=paper.authors[:1] if paper.authors and name_key(paper.authors[0]) in words else (),
        year=year if str(year) in words else None,
    )
    return same_paper(record, paper) is not None


def _first_lines(front: str) -> Iterator[str]:
    """Yield what may be the title of a text in one size of type: some lines of its front, one after another.

    A word such as "Erratum" or "Comment", on whichever line, is part of the title: without it, the title would be that
    of another paper.
    """
    lines = front.splitlines()[:_TITLE_WITHIN]
    markers = title_key("\n".join(lines)).markers
    for start in range(len(lines)):
        for end in range(start + 1, min(start + _LINES_OF_TITLE, len(lines)) + 1):
            title = " ".join(lines[start:end])
            if title_key(title).markers == markers and len(set(_WORD.findall(title.lower()))) >= _N_SHARED:
                yield title


def _rows_with_title(document: Document, papers: PaperTable) -> Iterator[int]:
    longest = sorted(dict.fromkeys(_WORD.findall(document.title.lower())), key=len, reverse=True)[:_N_WORDS]
    if not longest:
        return
    titles = papers.column("title")
    n_shared: Counter[int] = Counter()
    for word in longest:
        n_shared.update(pc.indices_nonzero(pc.match_substring(titles, word, ignore_case=True)).to_pylist())
    words, n_needed = words_of_beginning(document), min(_N_SHARED, len(longest))
    yield from (row for row, n in n_shared.items() if n >= n_needed and is_text_of(document, words, papers[row]))
