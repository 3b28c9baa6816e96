"""Records from BibTeX and BibLaTeX files, such as those from Zotero, ADS, JabRef and Google Scholar."""

import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pathfinder.corpus.readers.decoding import decode, encoding_notes, read_text
from pathfinder.corpus.readers.reader import Reader, RejectedRow
from pathfinder.corpus.schemas.bibtex_entry import bibtex_paper
from pathfinder.corpus.schemas.fields import Record, clean

_FROM_PARENT = {"booktitle": ("booktitle", "title"), "journal": ("journal",), "year": ("year",), "date": ("date",)}
"""Fields that an entry with `crossref` inherits from its parent if it lacks them, with their names in the parent."""
_MARK = re.compile(r'(?<!\\)[{}"]')
_FIRST_ENTRY = re.compile(r"(?:\s*%[^\n]*\n)*\s*@[A-Za-z]+\s*[{(]")
_NEXT_FIELD = re.compile(r"\s*([A-Za-z][\w-]*)\s*=\s*(.*)", re.DOTALL)


def read_bibtex_records(path: Path) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the entries of `path` in order, each with its line number, its key as "key" and its type as "kind".

    An entry that cannot be parsed is yielded as `RejectedRow`, and reading continues with the next entry. An entry that
    repeats a key or a field is still read; if a field is repeated, the first counts.
    """
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import Entry, ParsingFailedBlock

    # The library logs each entry that it cannot parse; here, such entries are yielded.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    library = parse_string(read_text(path), parse_stack=[])
    macros = {key.lower(): _bare(string.value, {}) for key, string in library.strings_dict.items()}
    rows: list[tuple[int, dict[str, str] | RejectedRow]] = []
    for block in library.blocks:
        line = (block.start_line or 0) + 1
        content = block.ignore_error_block if isinstance(block, ParsingFailedBlock) else block
        if isinstance(content, Entry):
            record = {"key": content.key, "kind": content.entry_type.lower()}
            for field in content.fields:
                for name, value in _values(field.key, field.value, macros):
                    record.setdefault(name.lower(), value)
            rows.append((line, record))
        elif isinstance(block, ParsingFailedBlock):
            rows.append(
                (
                    line,
                    RejectedRow(
                        path.name,
                        line,
                        f"not BibTeX: {clean(getattr(block.error, 'abort_reason', None) or str(block.error))}",
                        None,
                    ),
                )
            )
    return _with_parents(rows)


def _values(name: str, text: str, macros: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield a field and, if the comma after its value is missing, the fields that follow in the same value."""
    end = _end_of_group(text)
    following = _NEXT_FIELD.fullmatch(text, end) if text.startswith(("{", '"')) and end < len(text) else None
    yield name, _bare(text[:end] if following else text, macros)
    if following:
        yield from _values(following[1], following[2], macros)


def _bare(text: str, macros: Mapping[str, str]) -> str:
    """Remove the braces or quotation marks around a value, resolve macros, and join the parts linked by "#"."""
    parts, rest = [], text.strip()
    while rest:
        end = _end_of_group(rest) if rest.startswith(("{", '"')) else len(rest.partition("#")[0])
        part, rest = rest[:end].strip(), rest[end:].strip()
        is_enclosed = len(part) > 1 and part[0] in '{"' and part[-1] in '}"'
        parts.append(part[1:-1] if is_enclosed else macros.get(part.lower(), part))
        if not rest.startswith("#"):
            parts.append(rest)
            break
        rest = rest[1:].strip()
    return "".join(parts)


def _end_of_group(text: str) -> int:
    """Return the position after the group or quotation that opens `text`; the length of `text` if it is never
    closed.
    """
    depth = 0
    is_quotation = text.startswith('"')
    for mark in _MARK.finditer(text):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        closes = mark[0] == '"' and mark.start() > 0 if is_quotation else mark[0] == "}"
        if closes and depth <= 0:
            return mark.end()
    return len(text)


def _with_parents(rows: list[tuple[int, dict[str, str] | RejectedRow]]) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the rows; an entry with `crossref` takes the fields that it lacks from its parent, which may be anywhere in
    the file.
    """
    parents: dict[str, dict[str, str]] = {}
    for _, row in rows:
        if not isinstance(row, RejectedRow):
            parents.setdefault(row["key"].casefold(), row)
    for line, row in rows:
        parent_key = row.get("crossref", "").casefold() if isinstance(row, dict) else ""
        parent = parents.get(parent_key) if parent_key else None
        yield line, {**_fields_from_parent(parent), **row} if parent and isinstance(row, dict) else row


def _fields_from_parent(parent: Mapping[str, str]) -> dict[str, str]:
    return {
        name: next(parent[source] for source in sources if source in parent)
        for name, sources in _FROM_PARENT.items()
        if any(source in parent for source in sources)
    }


def is_bibtex(head: bytes) -> bool:
    """Return whether a file that begins with `head` begins with an entry, after comments if any."""
    return _FIRST_ENTRY.match(decode(head)) is not None


BIBTEX = Reader(
    "BibTeX",
    (".bib", ".bibtex", ".biblatex"),
    read_bibtex_records,
    bibtex_paper,
    sniff=is_bibtex,
    anywhere=True,
    notes=encoding_notes,
)
