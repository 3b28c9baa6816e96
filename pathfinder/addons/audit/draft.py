"""Reads a draft: LaTeX with what it inputs, Markdown or DOCX, and its BibTeX file, in a process with limits.

Nothing in a draft is executed, and no file outside its folder is opened, however it is named or linked.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from pydantic import TypeAdapter

from pathfinder.corpus.readers.bibtex import read_bibtex_records
from pathfinder.corpus.readers.reader import RejectedRow
from pathfinder.corpus.schemas.bibtex_entry import bibtex_paper
from pathfinder.corpus.schemas.fields import Unusable
from pathfinder.errors import CorpusError, PathfinderError, UsageError
from pathfinder.fulltext.child import MAX_MEMORY, REFUSAL_STATUS, limit_memory, run_apart
from pathfinder.fulltext.document import Document, InTextCitation, Paragraph
from pathfinder.fulltext.docx_file import read_docx
from pathfinder.fulltext.formats import resolve_citations
from pathfinder.fulltext.latex.source import INPUT, Joiner, decode_source, expand_macros, without_comments
from pathfinder.fulltext.latex.words import BEGIN, BibliographyEntry, entries, without_private_use
from pathfinder.fulltext.latex_file import latex_document
from pathfinder.fulltext.markdown_file import read_markdown
from pathfinder.fulltext.plain import read_plain
from pathfinder.operations.export.references import authors_in_text
from pathfinder.types import Paper
from pathfinder.types.texts import one_line

MAX_SECONDS = 60
"""Limit on the time for reading a draft [seconds]."""
MAX_BYTES = 16 << 20
"""Limit on the size of each file, and on that of all files of a draft together."""
MAX_FILES = 500
SUFFIXES = (".tex", ".ltx", ".md", ".markdown", ".txt", ".docx")
"""Suffixes of the drafts that are read."""

_CITE = re.compile(
    r"\\(?!citestyle|citereset|citealias)(?:[A-Za-z]*cite[A-Za-z]*|Cite[A-Za-z]*|nocite)\*?"
    r"(?:\s*\[[^\]\n]{0,300}\]){0,2}\s*\{([^{}]{1,5000})\}"
)
_BIBLIOGRAPHY = re.compile(r"\\(?:bibliography|addbibresource(?:\[[^\]\n]{0,100}\])?)\s*\{([^{}\n]{1,1000})\}")
_PANDOC = re.compile(r"\[[^\[\]\n]{0,300}?@[^\[\]\n]{1,500}\]|(?<![\w@])@[\w:.#$%&+?<>~/-]{0,99}\w")
_PANDOC_KEY = re.compile(r"(?<![\w@])-?@([\w:.#$%&+?<>~/-]{0,99}\w)")


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft as read."""

    document: Document
    cited: tuple[str, ...]
    """Keys that it cites anywhere, also in captions and tables, in order; "*" for all."""
    listed: dict[str, Paper]
    """Entries of its BibTeX file by their keys; empty if it has none."""
    twice: tuple[str, ...] = ()
    """Keys that two entries of the file share."""
    warnings: tuple[str, ...] = ()
    """What could not be read, and why."""


_DRAFT = TypeAdapter(Draft)


def read_draft_apart(path: Path, bib: Path | None = None) -> Draft:
    """Read a draft in another process, within `MAX_SECONDS` and `MAX_MEMORY`.

    `path` is a file, or a folder with the LaTeX of one paper; without `bib`, the BibTeX files that the draft names
    count. Raises `UsageError` with the reason and the way out if it cannot be read.
    """
    if not path.is_dir() and not (path.is_file() and path.suffix.lower() in SUFFIXES):
        what = f"ends in {path.suffix!r}" if path.is_file() else "does not exist"
        raise UsageError(f"{path} {what}: name a folder with LaTeX, or a file that ends in {', '.join(SUFFIXES)}")
    if bib is not None and not bib.is_file():
        raise UsageError(f"{bib} is not a file: --bib names the BibTeX file of the draft")
    files = [str(each.resolve()) for each in (path, bib) if each is not None]
    command = (sys.executable, "-P", "-m", "pathfinder.addons.audit.draft", *files)
    try:
        status, reply, complaint = run_apart(command, MAX_SECONDS, path.name)
    except CorpusError as error:
        raise UsageError(f"{error}: divide the draft, and name its parts one by one") from error
    if status == REFUSAL_STATUS:
        raise UsageError(complaint.decode("utf-8", "replace").strip())
    if status < 0:
        raise UsageError(
            f"{path.name} could not be read: its reader was killed (signal {-status}), perhaps because it needs more "
            f"than {MAX_MEMORY >> 30} GB of memory: divide the draft, and name its parts one by one"
        )
    if status:
        last = complaint.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise UsageError(
            f"{path.name} could not be read ({one_line(last) or f'status {status}'}): save it in another form "
            f"({', '.join(SUFFIXES)})"
        )
    draft = _DRAFT.validate_json(reply)
    if not any(True for _ in _paragraphs(draft.document)):
        raise UsageError(f"{path.name} holds no text: name the file on which LaTeX is run, or the folder that holds it")
    return draft


def read_draft(path: Path, bib: Path | None = None) -> Draft:
    """Read a draft in this process, as `read_draft_apart` does. Raises `PathfinderError`, or `OSError`."""
    if path.is_dir() or path.suffix.lower() in (".tex", ".ltx"):
        return _read_latex(path, bib)
    _text_size(path)
    bibs = [] if bib is None else [bib]
    listed, twice, warnings = _read_bibliography(bibs)
    read = {".docx": read_docx, ".txt": read_plain}.get(path.suffix.lower(), read_markdown)
    document = _with_pandoc(resolve_citations(read(path)))
    cited = (key for paragraph in _paragraphs(document) for each in paragraph.citations for key in each.references)
    return Draft(document, tuple(dict.fromkeys(cited)), listed, twice, (*document.provenance.warnings, *warnings))


# LaTeX.


def _read_latex(path: Path, bib: Path | None) -> Draft:
    folder = path if path.is_dir() else path.parent
    files = _Folder(folder.resolve())
    if path.is_dir():
        joiner = Joiner({each.name: files.text(each.name) or "" for each in sorted(folder.glob("*.tex"))[:MAX_FILES]})
        main = joiner.main_file(str(path))
    else:
        main = path.name
    texts = files.with_inputs(main)
    joiner = Joiner(texts)
    text = expand_macros(without_private_use(joiner.join(main)))
    bibs = [bib] if bib is not None else list(files.bibliographies(text))
    listed, twice, warnings = _read_bibliography(bibs)
    cited = tuple(dict.fromkeys(key for match in _CITE.finditer(text) for key in _keys(match[1])))
    typed = tuple(entries(text)) if BEGIN in text else ()
    if not listed and not typed:
        typed = tuple(entries(files.text(f"{Path(main).stem}.bbl") or ""))
    known = (
        *(_entry(key, paper) for key, paper in listed.items()),
        *(each for each in typed if each.key not in listed),
    )
    unknown = [key for key in cited if key != "*" and key not in {each.key for each in known}]
    placeholders = (BibliographyEntry(key, "", None, None, key, "?") for key in unknown)
    warnings = (*joiner.warnings, *files.warnings, *warnings)
    document = latex_document(folder / main, text, (*known, *placeholders), warnings)
    references = tuple(each for each in document.references if each.key not in unknown)
    return Draft(replace(document, references=references), cited, listed, twice, document.provenance.warnings)


def _keys(text: str) -> Iterator[str]:
    yield from filter(None, (key.strip() for key in text.split(",")))


def _entry(key: str, paper: Paper) -> BibliographyEntry:
    text = ", ".join(filter(None, (*paper.authors[:3], str(paper.known_year or ""), paper.title, paper.journal)))
    return BibliographyEntry(
        key, text, paper.doi, paper.arxiv_id, authors_in_text(paper), str(paper.known_year or "no year")
    )


class _Folder:
    """The files of a draft; nothing outside their folder is read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._n_bytes = 0
        self._texts: dict[str, str | None] = {}
        self.warnings: list[str] = []

    def path(self, name: str) -> Path | None:
        """Return the file with this name; `None` if there is none in the folder."""
        path = (self._folder / name.strip().strip('"')).resolve()
        return path if path.is_relative_to(self._folder) and path.is_file() else None

    def text(self, name: str) -> str | None:
        """Return the text of a file; `None` if there is none. Raises `UsageError` if the draft is too large."""
        if name not in self._texts:
            path = self.path(name)
            self._n_bytes += 0 if path is None else path.stat().st_size
            if self._n_bytes > MAX_BYTES or len(self._texts) > 4 * MAX_FILES:
                raise UsageError(
                    f"{self._folder} has more than {MAX_FILES} files or {MAX_BYTES >> 20} MB of LaTeX: name the main "
                    "file of the draft"
                )
            self._texts[name] = None if path is None else decode_source(path.read_bytes())
        return self._texts[name]

    def with_inputs(self, main: str) -> dict[str, str]:
        """Return the text of a file, and of all that it inputs, by their names."""
        texts: dict[str, str] = {}
        waiting = [main]
        while waiting:
            name = waiting.pop()
            text = self.text(name) if name not in texts else None
            if text is None:
                continue
            texts[name] = text
            for match in INPUT.finditer(without_comments(text)):
                place = match[1] or match[2]
                waiting += [each + ending for each in (place, PurePath(place).name) for ending in ("", ".tex")]
        return texts

    def bibliographies(self, text: str) -> Iterator[Path]:
        """Yield the BibTeX files that a draft names; one that is not in the folder is noted."""
        for match in _BIBLIOGRAPHY.finditer(text):
            for name in _keys(match[1]):
                path = self.path(name if name.endswith(".bib") else f"{name}.bib")
                if path is None:
                    self.warnings.append(f"the bibliography {name!r} is not in the folder: name its file with --bib")
                else:
                    yield path


# Bibliographies.


def _read_bibliography(paths: Iterable[Path]) -> tuple[dict[str, Paper], tuple[str, ...], tuple[str, ...]]:
    """Return the entries by key, the keys of several entries, and what could not be read."""
    listed: dict[str, Paper] = {}
    twice: list[str] = []
    warnings: list[str] = []
    for path in paths:
        _text_size(path)
        for line, record in read_bibtex_records(path):
            if isinstance(record, RejectedRow):
                warnings.append(f"{path.name}, line {line}: {record.reason}")
                continue
            key = str(record["key"])
            if key in listed:
                twice.append(key)
                continue
            try:
                listed[key] = bibtex_paper(record)
            except Unusable as error:
                if record.get("author") or record.get("title"):
                    listed[key] = Paper(key, "", "")
                warnings.append(f"{path.name}, line {line}: {key}: {error}")
    return listed, tuple(dict.fromkeys(twice)), tuple(warnings)


def _text_size(path: Path) -> None:
    if path.stat().st_size > MAX_BYTES:
        raise UsageError(f"{path.name} is larger than {MAX_BYTES >> 20} MB, the limit: divide it")


# Markdown and DOCX.


def _paragraphs(document: Document) -> Iterator[Paragraph]:
    for section in document.sections:
        yield from section.paragraphs


def _with_pandoc(document: Document) -> Document:
    """Add the citations in Pandoc's notation, "[@key]", unless the text cites in another way."""
    if any(paragraph.citations for paragraph in _paragraphs(document)):
        return document
    sections = (
        replace(section, paragraphs=tuple(map(_cited_by_key, section.paragraphs))) for section in document.sections
    )
    return replace(document, sections=tuple(sections))


def _cited_by_key(paragraph: Paragraph) -> Paragraph:
    marks = ((match, tuple(_PANDOC_KEY.findall(match[0]))) for match in _PANDOC.finditer(paragraph.text))
    citations = tuple(InTextCitation(*match.span(), keys) for match, keys in marks if keys)
    return replace(paragraph, citations=citations)


def main() -> None:
    """Read the draft, and perhaps the bibliography, in the arguments, and write it as JSON."""
    limit_memory()
    path, *bib = map(Path, sys.argv[1:])
    try:
        reply = _DRAFT.dump_json(read_draft(path, *bib))
    except (PathfinderError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(REFUSAL_STATUS)
    except (MemoryError, RecursionError):
        sys.stderr.write(f"{path.name} needs more than {MAX_MEMORY >> 30} GB of memory to be read: divide the draft\n")
        sys.exit(REFUSAL_STATUS)
    sys.stdout.buffer.write(reply)


if __name__ == "__main__":
    main()
