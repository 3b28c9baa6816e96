r"""Reads the reference list: \bibitem entries, in the document or in a .bbl file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pathfinder.fulltext.latex.braces import find_braces
from pathfinder.text.identifiers import IdentifierKind, identifiers_in
from pathfinder.text.latex.unescape import unescape_tex

BEGIN, END = r"\begin{thebibliography}", r"\end{thebibliography}"
_ITEM = re.compile(r"\\bibitem(?![A-Za-z])")
_LABEL = re.compile(r"^(.*?)(?:(?<!\s)\s+)?\((\d{4}[a-z]?)\)")
_DROPPED_COMMANDS = re.compile(
    r"\\(?:newblock|bibinfo|bibfield|bibnamefont|bibfnamefont|natexlab|BibitemOpen|BibitemShut|Eprint)\b"
)
_LINK = re.compile(r"\\(?:href|doi)(?:@noop)?\s*\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class BibliographyEntry:
    """An entry in the list, and how the text refers to it."""

    key: str
    text: str
    """The entry as written, without markup."""
    doi: str | None
    arxiv_id: str | None
    names: str
    """Its authors as citations name them, such as "Trumpler et al."; empty if the document cites by number."""
    year: str


def entries(text: str) -> Iterator[BibliographyEntry]:
    r"""Yield the entries in `text`, starting from its \begin{thebibliography}, each key only once."""
    start = text.find(BEGIN)
    end = text.find(END, start)
    if start < 0:
        return
    keys: set[str] = set()
    source = find_braces(text[start : end if end >= 0 else len(text)])
    items = [match.end() for match in _ITEM.finditer(source.text)]
    for position, following in zip(items, [*items[1:], len(source.text) + len(r"\bibitem")], strict=False):
        label, behind = _label(source.text, position, source.closing)
        key = source.group(behind)
        if key is None or not key[0].strip() or key[0].strip() in keys:
            continue
        keys.add(key[0].strip())
        entry = source.text[key[1] : following - len(r"\bibitem")]
        names = _LABEL.match(_words(label))
        ids = _identifiers(entry)
        yield BibliographyEntry(
            key[0].strip(),
            _words(entry),
            ids.get(IdentifierKind.DOI),
            ids.get(IdentifierKind.ARXIV),
            names[1] if names else "",
            names[2] if names else "",
        )


def _label(text: str, position: int, closing: dict[int, int]) -> tuple[str, int]:
    """Return the optional label at `position` and the position after it; brackets within groups do not end it."""
    start = position + len(text[position : position + 50]) - len(text[position : position + 50].lstrip())
    if not text.startswith("[", start):
        return "", start
    place = start + 1
    while place < len(text) and text[place] != "]":
        place = closing.get(place, place) + 1
    return text[start + 1 : place], place + 1


def _identifiers(text: str) -> dict[IdentifierKind, str]:
    """Return the first identifier of each kind in an entry, whose links are searched too."""
    links = " ".join(match[1] for match in _LINK.finditer(text))
    return {each.kind: each.text for each in reversed(identifiers_in(f"{_words(text)} {links}"))}


def _words(text: str) -> str:
    plain = _DROPPED_COMMANDS.sub("", text).replace("{\\ ", "{ ")
    return " ".join(unescape_tex(_LINK.sub("", plain).replace("\n", " ")).replace("{", "").replace("}", "").split())
