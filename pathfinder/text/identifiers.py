"""Identifiers of papers: finds DOIs, arXiv ids, bibcodes and PubMed ids in a text, and removes the prefixes and web
addresses often attached to them.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import unquote

LONGEST_IDENTIFIER = 256
"""Maximum number of characters of an identifier in a text."""
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
    rf"arxiv:\s*{ARXIV_ID}(?:\s+\[[\w.-]{{2,20}}\])?\s+\d{{1,2}}\s+[a-z]{{3}}\s+(?:19|20)\d\d(?!\d)", re.IGNORECASE
)
"""The stamp that arXiv prints in the margin of a paper: id, class (since 2007) and date."""

_ARXIV_ADDRESS = re.compile(
    rf"(?:https?://)?(?:[\w-]{{1,63}}\.)?(?:arxiv[.-]org|alphaxiv\.org|xxx\.lanl\.gov)(?:[.:][\w.:-]{{1,100}})?/"
    rf"(?:abs|pdf|html|format|e-print|ps|src)/({ARXIV_ID})(?:\.pdf)?(?![\w/])",
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
_NEXT_IDENTIFIER = r"[,;|]{0,3}https?:|[,;|]{1,3}(?:arxiv\b|doi\b|10\.\d{4,9}/)"
"""Beginning of another identifier directly after a DOI, as printed in some reference lists."""
_SICI = r"(?:<|%3C)[^\s\"<>?#%]{1,60}(?:>|%3E)\d\.\w{1,3}\.\w{1,3};\d(?:-(?:[\w#]|%23))?"
"""The part in angle brackets of a DOI made from a SICI, an old code for articles (ANSI/NISO Z39.56)."""
_SLASH = r"(?:/|%(?:25)?2F)"
_CHARACTER = r"[^\s\"<>?#\\^`{}|]|[{}](?=\S)"
_DOI, _ANY_DOI = (
    re.compile(
        rf"(?<!\d)(?<!\d\.)10\.\d{{{least},9}}(?:\.\d{{1,9}}){{0,3}}{_SLASH}(?:(?!{_NEXT_IDENTIFIER})(?:{_SICI}|{_CHARACTER})){{1,{LONGEST_IDENTIFIER}}}",
        re.IGNORECASE,
    )
    for least in (4, 1)
)
_LONGEST_ADDRESS = 300
"""Maximum number of characters of a web address before the DOI in it."""
_ADDRESS = re.compile(r"(?:https?:|www\.|(?<![\w.@-])[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}[:/]).*", re.IGNORECASE)
_DOI_WORD = re.compile(r"\bdoi(?:\.org)?\s{0,3}[:=/.]?\s{0,3}\Z", re.IGNORECASE)
_RESOLVER = re.compile(r"doi[.-]org", re.IGNORECASE)
_PAGE_OF_PUBLISHER = re.compile(
    r"(?:/(?:full|abstract|abs|e?pdf|pdfdirect|pdfplus|epub|html|xml|meta|ampdf|full-?text|summary|references|figures|"
    r"tables|citations|citedby|metrics|download|suppinfo|suppl_file|issuetoc|media|related)(?:/html|\.html?)?"
    r"|/(?:full-?text|figures|tables|files?|download|suppl_file|transform)(?:/[^/\s]{1,200}){1,3}"
    r"|(?:v\d{1,2})?\.(?:full|abstract|short|long|e?pdf|html?|xml|supplementary-material|article-(?:info|metrics))"
    r"(?:\.pdf|-text)?(?:\+html)?|(?<=\d{6})v\d{1,2})\Z",
    re.IGNORECASE,
)
"""What publishers add to a DOI in the addresses of their pages: "/full", "/abstract", ".pdf", or bioRxiv's "v2"."""
_BEFORE_NUMBER = re.compile(r"/(?:[a-z]{1,20}-)?article(?:-[a-z]{1,20})?/doi/\Z", re.IGNORECASE)
_NUMBER_OF_ARTICLE = re.compile(r"/\d{1,12}(?:/.*)?\Z")
"""What OUP, AIP and others with the same software add: the number of the article and perhaps its title or a file."""
_REST_OF_ADDRESS = re.compile(r"/?(?:\?[\w.-]{1,40}=|#\w)[^\s<>\"]*")
_ESCAPED = re.compile(r"\\([_&%#])")
"""A sign as LaTeX writes it, in tables too that were made from BibTeX."""
_HEX = re.compile(r"%[0-9a-fA-F]{2}")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff")) | dict.fromkeys(map(ord, "‐‑‒–−"), "-")
"""Characters that a word processor puts in the place of those of a DOI."""
_BROKEN = re.compile(r"(10\.\d{4,9})\s?/\s?")
_PMID = re.compile(
    r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/(?:m/)?pubmed/|\bpmid\s{0,3}[:=]?\s{0,3}|\bmedline:)(\d{1,8})(?!\d)",
    re.IGNORECASE,
)
_PMCID = re.compile(r"\bPMC\d{3,9}(?!\w)", re.IGNORECASE)
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
    """Return the first DOI in a field, `10.1/X` for `https://doi.org/10.1/X`; `None` if there is none (`dois_in`)."""
    return next(iter(dois_in(text)), None)


def dois_in(text: str | None) -> tuple[str, ...]:
    """Return the DOIs in a field of a record, in order and each once, as registered but for capitals.

    A field may hold a web address, also of a proxy or a publisher, percent signs, entities, a final dot, or several
    DOIs.
    """
    if not text or "10." not in text:
        return ()
    plain = _ESCAPED.sub(r"\1", html.unescape(text) if "&" in text else text)
    plain = _BROKEN.sub(r"\1/", plain if plain.isascii() else plain.translate(_INVISIBLE))
    found = [*_dois(plain, _DOI)] or [*_dois(plain, _ANY_DOI)]
    return tuple({identifier.text.lower(): identifier.text for identifier in reversed(found)}.values())[::-1]


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
    plain = bare_doi(doi) or doi
    rest = _without(_ARXIV_DOI, plain)
    return without_version(rest) if rest != plain and is_arxiv_id(rest) else None


def doi_of_arxiv(arxiv_id: str) -> str:
    """Return the DOI that arXiv makes from an id, in lower case: `10.48550/arxiv.2408.01556`."""
    return f"10.48550/arxiv.{without_version(arxiv_id)}".lower()


def identifier_key(text: str) -> str:
    """Normalise a DOI, an arXiv id or a bibcode for comparison: lower case, no prefix, no arXiv version or subject
    class.
    """
    plain = _without(_ARXIV_PREFIX, text.strip())
    plain = bare_doi(plain) or plain
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


def pmid_in(text: str | None) -> str | None:
    """Return the first PubMed id that a text marks as one, or the address of whose page it gives; `None` if there is
    none.
    """
    match = _PMID.search(text) if text else None
    return match[1] if match else None


def pmcid_in(text: str | None) -> str | None:
    """Return the first id of PubMed Central in a text, "PMC7054432"; `None` if there is none."""
    match = _PMCID.search(text) if text else None
    return match[0].upper() if match else None


def is_bibcode(text: str) -> bool:
    """Return whether a text is a bibcode and nothing else, regardless of case."""
    return re.fullmatch(BIBCODE, text, re.IGNORECASE) is not None


def is_doi(text: str) -> bool:
    """Return whether a text is a DOI and nothing else."""
    return bare_doi(text) == text and _DOI.match(text) is not None


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
    yield from _dois(text, _DOI)
    yield from (_of(IdentifierKind.BIBCODE, match) for match in _BIBCODE.finditer(text))
    for match in _ARXIV_BARE.finditer(text):
        yield _of(IdentifierKind.ARXIV, match, is_marked="/" in match[1])


def _of(kind: IdentifierKind, match: re.Match[str], *, is_marked: bool = True) -> Identifier:
    return Identifier(kind, match[1], *match.span(), is_marked)


def _dois(text: str, pattern: re.Pattern[str]) -> Iterator[Identifier]:
    """Yield the DOIs in a text, each with the address or the word "doi" before it."""
    end = 0
    for match in pattern.finditer(text):
        before = text[max(end, match.start() - _LONGEST_ADDRESS) : match.start()]
        address = _ADDRESS.search("" if before[-1:].isspace() else (before.split() or [""])[-1])
        word = None if address else _DOI_WORD.search(before[-15:])
        is_query = address is not None and "?" in address[0]
        written = _without_closing(match[0].partition("&")[0] if is_query else match[0])
        end = match.start() + len(written)
        doi = written
        if address and not _RESOLVER.search(address[0]):
            if _BEFORE_NUMBER.search(address[0]) and (number := _NUMBER_OF_ARTICLE.search(doi, doi.find("/") + 1)):
                doi = doi[: number.start()]
            doi = _PAGE_OF_PUBLISHER.sub("", _PAGE_OF_PUBLISHER.sub("", doi))
        for _ in range(2):
            doi = unquote(doi) if _HEX.search(doi) else doi
        doi = _without_closing((doi.split() or [""])[0])
        if address and (rest := _REST_OF_ADDRESS.match(text, end)):
            end += len(_without_closing(rest[0]))
        prefix = len(address[0]) if address else len(word[0]) if word else 0
        yield Identifier(IdentifierKind.DOI, doi, match.start() - prefix, end, True)


def _without_closing(doi: str) -> str:
    """Return `doi` without the punctuation of the sentence around it; a closing bracket stays if the DOI contains its
    opening one.
    """
    if doi[-1:].isalnum():
        return doi
    surplus = {closing: doi.count(closing) - doi.count(opening) for closing, opening in _CLOSING.items()}
    end = len(doi)
    while end and (doi[end - 1] in ".,;:'’”/*…" or surplus.get(doi[end - 1], 0) > 0):
        end -= 1
        if doi[end] in surplus:
            surplus[doi[end]] -= 1
    return doi[:end]


def _without(prefix: re.Pattern[str], text: str) -> str:
    match = prefix.match(text)
    return text[match.end() :] if match else text
