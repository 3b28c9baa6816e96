"""Identifiers of a paper itself, from the first page of its file, never those of its references or data."""

import re
from collections.abc import Iterable, Iterator

from pathfinder.text.identifiers import (
    ARXIV_STAMP,
    Identifier,
    IdentifierKind,
    bare_arxiv_id,
    identifiers_in,
    without_version,
)

FRONT_CHARACTERS = 20_000
"""Number of characters at the beginning of a file without pages that count as its first page."""
MOST_WORDS = 40
"""Maximum number of words in a running head or an address; anything longer is running text."""

_NAMES = {IdentifierKind.DOI: "doi", IdentifierKind.ARXIV: "arxiv", IdentifierKind.BIBCODE: "bibcode"}
_DATA = re.compile(r"10\.(?:5281|26093|17909|5270|6084|5061|7910|17632|4121|5072|5067|25574|17876)/")
"""DOI prefixes of archives of data and software, such as Zenodo, CDS, MAST and Dryad."""


def paper_identifiers(lines: Iterable[str]) -> tuple[str, ...]:
    """Return identifiers such as "doi:10.1086/300499" and "arxiv:2605.19850", at most one of each kind.

    `lines` are the lines of the first page other than running text: heads, title, addresses. If they contain two
    identifiers of one kind, neither counts, unless arXiv's stamp, with version, class and date, shows which one is
    meant.
    """
    names_of_kind: dict[IdentifierKind, dict[str, str]] = {}
    stamp = ""
    for line in lines:
        is_stamped = ARXIV_STAMP.fullmatch(line.strip())
        for each in _in_line(line):
            names_of_kind.setdefault(each.kind, {}).setdefault(each.key, each.text)
            stamp = stamp or (each.text if is_stamped else "")
    if stamp:
        names_of_kind[IdentifierKind.ARXIV] = {stamp: stamp}
    singles = ((kind, [*names_of_kind.get(kind, {}).values()]) for kind in _NAMES)
    return tuple(_with_prefix(kind, values[0]) for kind, values in singles if len(values) == 1)


def checked_identifier(kind: str, value: str) -> str | None:
    """Return "kind:value" for an identifier that a file states in a separate field; `None` for an invalid DOI, arXiv id
    or bibcode.
    """
    plain = bare_arxiv_id(value) if kind == "arxiv" else value
    if kind not in _NAMES.values():
        return f"{kind}:{value}"
    matches = (each for each in identifiers_in(plain or "") if _NAMES[each.kind] == kind)
    first = next(matches, None)
    return _with_prefix(first.kind, first.text) if first else None


def _in_line(line: str) -> Iterator[Identifier]:
    if len(line.split()) <= MOST_WORDS:
        says_arxiv = "arxiv" in line.lower()
        for each in identifiers_in(line):
            is_alone = "/" in each.text and each.text == line.strip()  # as "astro-ph/9901001" in the corner of a page
            if (each.is_marked or says_arxiv or is_alone) and not _DATA.match(each.text):
                yield each


def _with_prefix(kind: IdentifierKind, value: str) -> str:
    return f"{_NAMES[kind]}:{without_version(value) if kind is IdentifierKind.ARXIV else value}"
