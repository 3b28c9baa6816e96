"""Records from a JSON file that is one document: a list of objects, an object that holds such a list, or objects over
several lines, one after another.

CSL JSON is a list; Better BibTeX, OpenAlex, ADS, Semantic Scholar and Crossref put the list in an object, and reply
with one object if asked for one paper. The objects are parsed one by one, so that only the last one is lost if the file
ends early.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from pathfinder.corpus.readers.decoding import decode, encoding_notes, read_text
from pathfinder.corpus.readers.guessed_columns import plainly_named
from pathfinder.corpus.readers.reader import Reader, RejectedRow
from pathfinder.corpus.schemas.any_paper import ENVELOPES, any_json_paper
from pathfinder.corpus.schemas.fields import Record, shorten
from pathfinder.errors import CorpusError
from pathfinder.text.strict_json import end_of_next, parse_json, parse_next

_LISTS = ("items", "results", "docs", "papers", "hits", "works", "references", "data")
"""Names that programs give to their lists of records."""
_LIST = re.compile(rf'"(?:{"|".join(_LISTS)})"\s*:\s*\[')
_DOCUMENT = re.compile(
    r'\s*(?:\[|\{[^\S\n]*\r?\n|\{\s*"(?:config|items|results|meta|response|responseHeader|message|docs|papers|hits|works|query|total|offset|'
    r'status"\s*:\s*"ok)"\s*[:,])'
)
"""Beginning of a document: a list, an object over several lines, or one whose first field is never one of a paper."""
_OF_A_PAPER = re.compile(r'"(?:[Tt]itle|DOI)"\s*:')
_BETWEEN = re.compile(r"[\s,]*")


def read_json_document(path: Path) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the objects of the list in `path`, or its own objects, in order, each with the line on which it begins.

    An item that cannot be parsed strictly, or is not an object, is yielded as `RejectedRow`, and so is a fault in the
    text around the list. Raises `CorpusError` if the file contains neither a list of records nor a record.
    """
    text = read_text(path)
    start = position = _start_of_records(text, path)
    is_list = text[:start].endswith("[")
    line, last = 1, 0
    while True:
        position = _BETWEEN.match(text, position).end()  # type: ignore[union-attr] # it also matches the empty text
        line, last = line + text.count("\n", last, position), position
        if position == len(text):
            if is_list:
                yield line, RejectedRow(path.name, line, "the file ends before its list does", None)
            return
        if text[position] == "]" and is_list:
            yield from _fault_around(text[:start] + text[position:], path, line)
            return
        try:
            record, position = parse_next(text, position)
        except (ValueError, RecursionError) as error:
            following = end_of_next(text, position) or _next_like(text, position)
            loss = "" if following else "; everything after it is lost too"
            yield line, RejectedRow(path.name, line, f"not JSON: {error}{loss}", None)
            if following is None:
                return
            position = following
            continue
        yield (
            line,
            (
                plainly_named(record)
                if isinstance(record, dict)
                else RejectedRow(path.name, line, f"not a JSON object: {shorten(record)}", None)
            ),
        )


def _fault_around(document: str, path: Path, line: int) -> Iterator[tuple[int, RejectedRow]]:
    """Yield any fault, such as a second list, in what is left of a document once the items of its list are removed."""
    try:
        parse_json(document)
    except (ValueError, RecursionError) as error:
        yield line, RejectedRow(path.name, line, f"the text around the list that ends here is not JSON: {error}", None)


def _next_like(text: str, position: int) -> int | None:
    """Return the start of the next object with the same indentation as the one at `position`; `None` if there is none.

    Objects inside the broken one are indented further or are on the same line.
    """
    indent = text[text.rfind("\n", 0, position) + 1 : position]
    if indent.strip():
        return None
    following = text.find(f"\n{indent}{{", position)
    return following + 1 + len(indent) if following >= 0 else None


def _start_of_records(text: str, path: Path) -> int:
    start = len(text) - len(text.lstrip())
    if text.startswith("[", start):
        return start + 1
    found, field = _LIST.search(text), _OF_A_PAPER.search(text)
    is_clear = found is None or field is None or (found.end() < field.start() and "references" not in found[0])
    if field and (found is None or (not is_clear and _is_record(text, start))):
        return start
    if found:
        return found.end()
    raise CorpusError(
        f"{path} is a JSON object without a list of records (looked for {', '.join(_LISTS)}) and without a title: "
        "export the records as a list, or write one object on each line"
    )


def _is_record(text: str, start: int) -> bool:
    """Return whether the object at `start` is a record, and any list in it one of its fields."""
    try:
        whole, _ = parse_next(text, start)
    except (ValueError, RecursionError):
        return False
    if not isinstance(whole, dict):
        return False
    inside = next((each for name in ENVELOPES if isinstance(each := whole.get(name), dict)), whole)
    lists = (inside.get(name) for name in _LISTS if name != "references")
    is_list = any(isinstance(each, list) and any(isinstance(item, dict) for item in each) for each in lists)
    return not is_list and ("title" in inside or "DOI" in inside)


def is_document(head: bytes) -> bool:
    """Return whether a file that begins with `head` is a single JSON document, rather than one object per line."""
    return _DOCUMENT.match(decode(head)) is not None


JSON_DOCUMENT = Reader(
    "JSON document", (".json",), read_json_document, any_json_paper, is_document, notes=encoding_notes
)
