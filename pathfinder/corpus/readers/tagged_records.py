"""Records from files with a tag and a value on each line: RIS, as written by Zotero, EndNote and journals; NBIB, as
written by PubMed and ERIC; the plain text of Web of Science; and the ENW of EndNote and Google Scholar.

The formats differ in the width of the tag and in how a record begins and ends:

    TY  - JOUR              PMID- 12345678          PT J                    %0 Journal Article
    AU  - Smith, A.         FAU - Smith, A.         AU Smith, A             %A Smith, A.
    ER  -                   (an empty line)         ER                      (an empty line)
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path

from pathfinder.corpus.readers.decoding import decode, encoding_notes, read_text
from pathfinder.corpus.readers.reader import Reader, RejectedRow, Schema
from pathfinder.corpus.schemas.fields import Record, shorten
from pathfinder.corpus.schemas.reference_managers import enw_paper, nbib_paper, ris_paper, web_of_science_paper

_RIS_TAGS = (
    "A1|A2|A3|A4|AB|AD|AN|AU|AV|BT|C[1-8]|CA|CN|CP|CT|CY|DA|DB|DO|DP|ED|EP|ER|ET|ID|IS|J1|J2|JA|JF|JO|KW|L[1-4]|LA|LB|"
    "LK|M[1-3]|N1|N2|NV|OP|PB|PP|PY|RI|RN|RP|SE|SN|SP|ST|SV|T[1-3]|TA|TI|TT|TY|U[1-5]|UR|VL|VO|Y1|Y2"
)
_RIS_LINE = re.compile(r"([A-Z][A-Z0-9])\s{1,2}-(?:\s(.*)|\s*)")
_LOOSE_RIS_LINE = re.compile(rf"(?<!\s)\s*+({_RIS_TAGS})\s*+-\s?(.*)", re.IGNORECASE)
"""A line in a file whose spaces are not those of the standard, or whose tags are in lower case: only known tags count,
because "UV-bright" may begin a line.
"""
_NBIB_LINE = re.compile(r"([A-Z]{2,4}) *-(?: (.*)|)")
_WOS_LINE = re.compile(r"([A-Z][A-Z0-9])(?: (.*)|)")
_ENW_LINE = re.compile(r"(%[0-9A-Z@!#$&()*+=<>?^|~\[\]])(?: (.*)|)")
_RIS_START = re.compile(r"(?:\s|\d+\.\s)*TY\s*-\s*\w", re.IGNORECASE)
_NBIB_START = re.compile(r"\s*(?:PMID|OWN ) *- ?\w")
_WOS_START = re.compile(r"\s*(?:FN (?:Clarivate|Thomson|ISI)|VR \d|PT [A-Z]\s)")
_ENW_START = re.compile(r"\s*%(?:0 [A-Z]|[AT] \S)")
_NUMBERING = re.compile(r"\d+\.")
"""A number in front of a record, written by some programs."""
_LONGEST_PARAGRAPH = 100
"""Number of lines in which the title of a record is looked for."""
NOTE = "N1"
"""Tag of a note in RIS; spaces at the beginning of its line belong to the note."""


@dataclass(frozen=True, slots=True)
class _Form:
    """How records are written in a format."""

    name: str
    line: re.Pattern[str]
    """A line with a tag and a value."""
    start: str
    """Tag with which a record begins."""
    end: str | None
    """Tag with which a record ends; `None` for an empty line."""
    outside: tuple[str, ...] = ()
    """Tags of the lines around the records."""
    lists: tuple[str, ...] = ()
    """Tags of which each further line is another value, rather than the rest of the first."""
    once: frozenset[str] = frozenset()
    """Tags of which a record has one: with another, after an empty line, the next record has begun."""


_RIS = _Form("RIS", _RIS_LINE, "TY", "ER", lists=("KW",))
_NBIB = _Form("NBIB", _NBIB_LINE, "PMID", None)
_WOS = _Form(
    "Web of Science", _WOS_LINE, "PT", "ER", ("FN", "VR", "EF"), ("AU", "AF", "BA", "BE", "BF", "C1", "CA", "CR", "GP")
)

_ENW = _Form("ENW", _ENW_LINE, "%0", None, lists=("%A", "%K"), once=frozenset({"%0", "%T"}))


def tagged_records(path: Path, form: _Form) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the records of `path` in order, each with the line of its first tag and a list of values for each tag.

    A record without its end ends where the next begins. Where the tag that begins one is missing, as in files from
    ERIC, a record begins with the first tag of the file, after an empty line; in ENW, also with lines after an empty
    one that repeat a type or a title. Lines of text before or between records are yielded as `RejectedRow`, one for
    those that follow each other, and one for a file without a record.
    """
    text = read_text(path)
    lines = list(_tagged_lines(text, form.line))
    if form is _RIS and not any(tag == form.start for _, tag, _ in lines):
        lines = list(_tagged_lines(text, _LOOSE_RIS_LINE))
    tags = {tag for _, tag, _ in lines}
    if not tags.difference(("", *form.outside)):
        if text.strip():
            reason = f"no record in the whole file: in the format {form.name}, one begins with {form.start}"
            yield 1, RejectedRow(path.name, 1, reason, None)
        return
    first_tag = next(tag for _, tag, _ in lines if tag)
    # In ENW, the type may stand anywhere in a record.
    start = form.start if form.start in tags and form is not _ENW else first_tag
    first_line, last_tag, after_blank, in_text = 0, "", True, False
    record: dict[str, list[str]] = {}
    for index, (number, tag, value) in enumerate(lines):
        if tag in form.outside or not (tag or value) or (not record and _NUMBERING.fullmatch(value)):
            after_blank = True
            continue
        begins = tag == start and (after_blank or (start == form.start and (not form.once or tag in record)))
        if tag and after_blank and form.once.intersection(record):
            paragraph = takewhile(lambda line: line[1] or line[2], lines[index : index + _LONGEST_PARAGRAPH])
            begins = begins or any(each in form.once and each in record for _, each, _ in paragraph)
        if record and (tag == form.end or begins):
            yield first_line, record
            record = {}
        if tag == form.end:
            pass
        elif tag and record:
            record.setdefault(tag, []).append(value)
        elif tag:
            first_line, record = number, {tag: [value]}
        elif record and last_tag in form.lists:
            record[last_tag].append(value)
        elif record:
            # A long value continues on the lines that follow; they are joined by spaces, but in a note by line breaks.
            record[last_tag][-1] += ("\n" if last_tag == NOTE else " ") + value
        elif not in_text:
            reason = f"text outside any record, which begins with {start}: {shorten(value)}"
            yield number, RejectedRow(path.name, number, reason, None)
        in_text, last_tag, after_blank = not (tag or record), tag or last_tag, False
    if record:
        yield first_line, record


def _tagged_lines(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the number, tag and value of each line; the tag is empty if the line has none."""
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.lstrip("\ufeff").rstrip()  # noqa: PLW2901
        match = pattern.fullmatch(line)
        if match:
            value = match[2] or ""
            yield number, match[1].upper(), value if match[1] == NOTE else value.strip()
        else:
            yield number, "", line.strip()


def _reader(form: _Form, suffixes: tuple[str, ...], begins: Callable[[str], object], schema: Schema) -> Reader:
    def is_form(head: bytes) -> bool:
        return begins(decode(head)) is not None

    records = partial(tagged_records, form=form)
    return Reader(form.name, suffixes, records, schema, is_form, anywhere=True, notes=encoding_notes)


RIS = _reader(_RIS, (".ris",), _RIS_START.match, ris_paper)
NBIB = _reader(_NBIB, (".nbib", ".medline"), _NBIB_START.match, nbib_paper)
WEB_OF_SCIENCE = _reader(_WOS, (".ciw", ".isi"), _WOS_START.match, web_of_science_paper)
ENW = _reader(_ENW, (".enw", ".refer"), _ENW_START.match, enw_paper)
