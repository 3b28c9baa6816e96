"""Identifiers of papers: finds DOIs, arXiv ids and bibcodes in a text, and removes the prefixes and web addresses often
attached to them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import unquote

LONGEST_IDENTIFIER = 256
"""Maximum number of characters of an identifier in a text."""
_DOI_PREFIX = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_ARXIV_PREFIX = re.compile(r"(?:https?://arxiv\.org/abs/|arxiv:\s*)", re.IGNORECASE)
_DOI_OF_ARXIV = r"10\.48550/arxiv\."
_ARXIV_DOI = re.compile(_DOI_OF_ARXIV, re.IGNORECASE)
_VERSION = re.compile(r"(?<=\d)v\d+$", re.IGNORECASE)

_ARCHIVE = (
    r"(?:astro-ph|acc-phys|bayes-an|chem-ph|cmp-lg|plasm-ph|gr-qc|hep-(?:ex|lat|ph|th)|nucl-(?:ex|th)|quant-ph|cond-mat|math-ph|math|physics|nlin|cs|q-bio|"
    r"q-alg|alg-geom|chao-dyn|solv-int|patt-sol|adap-org|comp-gas|dg-ga|funct-an|atom-ph|ao-sci|supr-con|mtrl-th)"
)
ARXIV_ID = rf"(?:\d\d(?:0[1-9]|1[0-2])\.\d{{4,5}}|{_ARCHIVE}(?:\.[A-Z]{{2}})?/\d{{7}})(?:v\d+)?"
"""An arXiv id of either form: 2408.01556 (since April 2007) or astro-ph/9805201 (before), with or without a version."""
BIBCODE = r"(?<![\w.])(?:1[4-9]|20)\d\d[A-Za-z&][A-Za-z0-9.&+]{13}[A-Z.](?!\w)"
"""The 19 characters of a bibcode: year, journal, volume, page, first letter of the first author."""
_BIBCODE_PARTS = re.compile(r"(?P<year>\d{4})[\w.&+]{5}(?P<volume>[\w.]{4})[\w.](?P<page>[\w.]{4})[\w.]")
_ARXIV_BIBCODE = re.compile(r"\d{4}arxiv(\d{4})(\d{4,5})[a-z.]", re.IGNORECASE)
ARXIV_STAMP = re.compile(
    rf"arxiv:\s*{ARXIV_ID}\s+\[[\w.-]{{2,20}}\]\s+\d{{1,2}}\s+[a-z]{{3}}\s+(?:19|20)\d\d(?!\d)", re.IGNORECASE
)
"""The stamp that arXiv prints in the margin of a paper: id, class and date."""

_ARXIV_ADDRESS = re.compile(
    rf"(?:https?://)?(?:[\w-]{{1,63}}\.)?arxiv\.org/(?:abs|pdf|html|format|e-print)/({ARXIV_ID})(?:\.pdf)?(?![\w/])",
    re.IGNORECASE,
)
_ADS_ADDRESS = re.compile(
    r"(?:https?://)?(?:[\w-]{1,63}\.){0,8}adsabs\.harvard\.edu/(?:#?abs|full)/([^/\s?#]+)\S*", re.IGNORECASE
)
_ARXIV_MARKED = re.compile(
    rf"(?:arxiv\s*:\s*|arxiv\s+(?=\d|{_ARCHIVE})|(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?{_DOI_OF_ARXIV})"
    rf"({ARXIV_ID})(?!\w)",
    re.IGNORECASE,
)
_ARXIV_BARE = re.compile(rf"(?<![\w./:-])({ARXIV_ID})(?![\w%]|[./-]\w)")
_NEXT_IDENTIFIER = r"[,;](?:arxiv\b|doi:|https?:)"
"""Beginning of another identifier directly after a DOI, as printed in some reference lists."""
_DOI = re.compile(
    rf"(?:doi:\s*|https?://[^\s]{{0,256}}?/(?=10\.))?\b(10\.\d{{4,9}}/(?:(?!{_NEXT_IDENTIFIER})[^\s\"<>?#]){{1,{LONGEST_IDENTIFIER}}})",
    re.IGNORECASE,
)
_BIBCODE = re.compile(rf"({BIBCODE})")
_ARXIV_ID = re.compile(rf"(?:arxiv:)?{ARXIV_ID}", re.IGNORECASE)
_CLOSING = {")": "(", "]": "[", "}": "{"}
_SUBJECT_CLASS = re.compile(r"(?<=[a-z])\.[a-z]{2}(?=/\d{7})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BibcodeParts:
    """Parts of a bibcode, in lower case and without the dots that pad them; a missing part is empty."""

    year: str
    volume: str
    page: str


class IdentifierKind(StrEnum):
    """Kinds of identifiers that identify a paper in every corpus."""

    ARXIV = "arXiv id"
    DOI = "DOI"
    BIBCODE = "bibcode"


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier in a text; with its prefix or address, it extends from `start` to `end`."""

    kind: IdentifierKind
    text: str
    """The identifier without prefix or address, as in the text."""
    start: int
    end: int
    is_marked: bool
    """True if only an identifier can look like this; false for a bare number such as 2408.01556."""

    @property
    def key(self) -> str:
        """The identifier as `identifier_key` writes it."""
        return identifier_key(self.text)

    def __str__(self) -> str:
        return f"{self.kind} {self.text}"


def bare_doi(text: str | None) -> str | None:
    """Return `10.1/X` for `https://doi.org/10.1/X` or `doi: 10.1/X`; `None` if `text` is empty or `None`."""
    return _without(_DOI_PREFIX, text) if text else None


def doi_key(text: str | None) -> str | None:
    """Return a bare DOI in lower case, for comparison: DOIs are case-insensitive. `None` if `text` is empty or
    `None`.
    """
    doi = bare_doi(text)
    return doi.lower() if doi else None


def bare_arxiv_id(text: str | None) -> str | None:
    """Return `2408.01556` for `arXiv:2408.01556` or its arxiv.org address; `None` if `text` is empty or `None`."""
    return _without(_ARXIV_PREFIX, text) if text else None


def without_version(arxiv_id: str) -> str:
    """Return `2408.01556` for `2408.01556v2`."""
    return _VERSION.sub("", arxiv_id)


def arxiv_id_of_doi(doi: str) -> str | None:
    """Return the arXiv id in a DOI made by arXiv, `10.48550/arXiv.2408.01556`; `None` for any other DOI."""
    plain = _without(_DOI_PREFIX, doi.strip())
    rest = _without(_ARXIV_DOI, plain)
    return without_version(rest) if rest != plain and is_arxiv_id(rest) else None


def identifier_key(text: str) -> str:
    """Normalise a DOI, an arXiv id or a bibcode for comparison: lower case, no prefix, no arXiv version or subject
    class.
    """
    plain = _without(_ARXIV_PREFIX, _without(_DOI_PREFIX, text.strip()))
    return _SUBJECT_CLASS.sub("", without_version(_without(_ARXIV_DOI, plain))).casefold()


def identifiers_in(text: str) -> tuple[Identifier, ...]:
    """Find the identifiers in `text`, in order; a part of an identifier that looks like another identifier does not
    count.
    """
    identifiers: list[Identifier] = []
    is_taken = bytearray(len(text))
    for identifier in _all_in(text):
        if is_taken.find(1, identifier.start, identifier.end) < 0:
            identifiers.append(identifier)
            is_taken[identifier.start : identifier.end] = b"\1" * (identifier.end - identifier.start)
    return tuple(sorted(identifiers, key=lambda identifier: identifier.start))


def arxiv_id_in(text: str | None, *, is_marked: bool = False) -> str | None:
    """Return the first arXiv id in a text, without its version; `None` if there is none.

    If `is_marked` is true, a bare number such as 2408.01556 does not count.
    """
    all_in = identifiers_in(text) if text else ()
    fitting = (each for each in all_in if each.kind is IdentifierKind.ARXIV and (each.is_marked or not is_marked))
    first = next(fitting, None)
    return without_version(first.text) if first else None


def bibcode_in(text: str | None) -> str | None:
    """Return the first bibcode in a text or in an ADS address; `None` if there is none."""
    all_in = identifiers_in(text) if text else ()
    return next((each.text for each in all_in if each.kind is IdentifierKind.BIBCODE), None)


def is_bibcode(text: str) -> bool:
    """Return whether a text is a bibcode and nothing else, regardless of case."""
    return re.fullmatch(BIBCODE, text, re.IGNORECASE) is not None


def is_doi(text: str) -> bool:
    """Return whether a text is a DOI and nothing else."""
    return _DOI.fullmatch(text) is not None


def is_arxiv_id(text: str) -> bool:
    """Return whether a text is an arXiv id, with or without `arXiv:`, and nothing else."""
    return _ARXIV_ID.fullmatch(text) is not None


def bibcode_parts(bibcode: str) -> BibcodeParts | None:
    """Return the year, volume and page of a bibcode; `None` for any other text."""
    parts = _BIBCODE_PARTS.fullmatch(bibcode)
    return BibcodeParts(*(parts[name].strip(".").lower() for name in ("year", "volume", "page"))) if parts else None


def volume_and_page(bibcode: str) -> tuple[str, str] | None:
    """Return the volume and the first page given by a bibcode, as a journal prints them: 2021ApJ...908L...6R ("908",
    "L6") or 2016PhRvL.116f1102A ("116", "061102"); `None` where there are none, as in the bibcode of a preprint.

    The character before the page belongs to it: a capital is printed, and a small letter stands for two digits.
    """
    parts = bibcode_parts(bibcode)
    if parts is None or not (parts.volume.isdigit() and parts.page) or arxiv_id_of(bibcode):
        return None
    sign, page = bibcode[13], bibcode[14:18].strip(".")
    if sign.islower():
        return parts.volume, f"{ord(sign) - ord('a') + 1:02}{page:0>4}"
    return parts.volume, f"{sign.strip('.')}{page}"


def arxiv_id_of(bibcode: str) -> str | None:
    """Return the arXiv id in a bibcode such as 2024arXiv240801556I; `None` for the bibcode of a journal article."""
    match = _ARXIV_BIBCODE.fullmatch(bibcode)
    return f"{match[1]}.{match[2]}" if match else None


def _all_in(text: str) -> Iterator[Identifier]:
    """Yield everything that looks like an identifier, the most certain first."""
    yield from (_of(IdentifierKind.ARXIV, match) for match in _ARXIV_ADDRESS.finditer(text))
    for match in _ADS_ADDRESS.finditer(text):
        inner = identifiers_in(unquote(match[1]))
        yield from (Identifier(only.kind, only.text, *match.span(), True) for only in inner[:1])
    yield from (_of(IdentifierKind.ARXIV, match) for match in _ARXIV_MARKED.finditer(text))
    for match in _DOI.finditer(text):
        doi = _without_closing(match[1])
        yield Identifier(IdentifierKind.DOI, doi, match.start(), match.start(1) + len(doi), True)
    yield from (_of(IdentifierKind.BIBCODE, match) for match in _BIBCODE.finditer(text))
    for match in _ARXIV_BARE.finditer(text):
        yield _of(IdentifierKind.ARXIV, match, is_marked="/" in match[1])


def _of(kind: IdentifierKind, match: re.Match[str], *, is_marked: bool = True) -> Identifier:
    return Identifier(kind, match[1], *match.span(), is_marked)


def _without_closing(doi: str) -> str:
    """Return `doi` without the punctuation of the sentence around it; a closing bracket stays if the DOI contains its
    opening one.
    """
    while doi and (doi[-1] in ".,;:'’”" or (doi[-1] in _CLOSING and doi.count(doi[-1]) > doi.count(_CLOSING[doi[-1]]))):
        doi = doi[:-1]
    return doi


def _without(prefix: re.Pattern[str], text: str) -> str:
    match = prefix.match(text)
    return text[match.end() :] if match else text
