"""Records from RIS and NBIB files: a tag and a value on each line, as written by Zotero, EndNote, journals and PubMed.

The two formats differ in the width of the tag and in how a record begins and ends:

    TY  - JOUR              PMID- 12345678
    AU  - Smith, A.         FAU - Smith, A.
    ER  -                   (an empty line)
"""

import re
from collections.abc import Iterator
from pathlib import Path

from pathfinder.corpus.readers.decoding import read_text
from pathfinder.corpus.readers.reader import Reader
from pathfinder.corpus.readers.rejected_rows import RejectedRow
from pathfinder.corpus.schemas.fields import Record
from pathfinder.corpus.schemas.reference_managers import nbib_paper, ris_paper

_RIS_LINE = re.compile(r"([A-Z][A-Z0-9])\s{1,2}-(?:\s(.*)|\s*)")
_NBIB_LINE = re.compile(r"([A-Z]{2,4}) *- ?(.*)")
_NUMBERING = re.compile(r"\d+\.")
"""A number in front of a record, written by some programs."""
_START_OF_RIS, _END_OF_RIS, _START_OF_NBIB = "TY", "ER", "PMID"
NOTE = "N1"
"""Tag of a note in RIS; spaces at the beginning of its line belong to the note."""


def read_ris_records(path: Path) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the records of `path` in order, each with the line of its "TY" and a list of values for each tag.

    A record without an "ER" ends where the next begins. Lines outside records are yielded as `RejectedRow`.
    """
    return _records(path, _RIS_LINE, _START_OF_RIS, _END_OF_RIS)


def read_nbib_records(path: Path) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the records of `path` in order, each with the line of its "PMID" and a list of values for each tag."""
    return _records(path, _NBIB_LINE, _START_OF_NBIB, None)


def _records(
    path: Path, pattern: re.Pattern[str], start: str, end: str | None
) -> Iterator[tuple[int, Record | RejectedRow]]:
    first_line, last_tag = 0, ""
    record: dict[str, list[str]] = {}
    for number, tag, value in _tagged_lines(read_text(path), pattern):
        if tag in (start, end):
            if record:
                yield first_line, record
            first_line, record, last_tag = number, {tag: [value]} if tag == start else {}, tag
        elif not record:
            if _NUMBERING.fullmatch(value):
                continue
            reason = f"a line outside any record; a record begins with {start}"
            yield number, RejectedRow(path.name, number, reason, None)
        elif tag:
            record.setdefault(tag, []).append(value)
            last_tag = tag
        else:
            # A long value continues on the lines that follow; they are joined by spaces, but in a note by line breaks.
            record[last_tag][-1] += ("\n" if last_tag == NOTE else " ") + value
    if record:
        yield first_line, record


def _tagged_lines(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the number, tag and value of each line that is not blank; the tag is empty if the line has none."""
    for number, line in enumerate(text.split("\n"), start=1):
        match = pattern.fullmatch(line.rstrip())
        if match:
            value = match[2] or ""
            yield number, match[1], value if match[1] == NOTE else value.strip()
        elif line.strip():
            yield number, "", line.strip()


RIS = Reader("RIS", (".ris",), read_ris_records, ris_paper)

NBIB = Reader("NBIB", (".nbib", ".medline"), read_nbib_records, nbib_paper)
