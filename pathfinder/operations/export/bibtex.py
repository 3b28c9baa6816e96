"""Writes papers as BibTeX entries that contain only known facts, with keys in the style of ADS."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pathfinder.corpus.links import ADDRESS_IN_TEXT, ads_url, may_be_passed_on, pubmed_url, terms
from pathfinder.text.author_names import is_group, parse_name
from pathfinder.text.english import ARTICLES, PREPOSITIONS, lower
from pathfinder.text.identifiers import is_bibcode
from pathfinder.text.journal_places import place_of
from pathfinder.text.latex.display import inert_tex, readable
from pathfinder.types import Paper

_NAMES_OF_VENUES = dict.fromkeys(("inproceedings", "conference", "incollection", "inbook", "proceedings"), "booktitle")
_OWN_FIELDS = (
    *("number", "eid", "editor", "edition", "chapter", "series", "publisher", "address", "school", "institution"),
    *("organization", "isbn", "issn", "translator", "language", "urldate"),
)
_RANGE = re.compile(r"\s?[-–—]+\s?")
_ADDRESS = re.compile(r"https?://[\w/:?#@!$&'*+,;=%.~()-]+")
"""An address of which no sign ends the field, or begins a macro."""
_OWN_KEY = re.compile(r"[A-Za-z0-9À-ÖØ-öø-ſ_:.+/'&?()-]{1,200}")
_IDENTIFIER = re.compile(r"[A-Za-z0-9_:.+/'&?()<>\[\];,=@!*#-]{1,300}")
"""The characters that BibTeX and LaTeX take for themselves, so that nothing in a key or an identifier can run: with a
circumflex, for one, TeX writes any other character. "&" stands in the keys of ADS, "#" in old DOIs.
"""
_SMALL_WORDS = lower((*ARTICLES, *PREPOSITIONS, *"and is are how what".split()))


def bibtex(papers: Sequence[Paper], live: Mapping[str, str] | None = None) -> str:
    """Write one entry per paper, in order, each with a unique key; `live` names the live sources of papers that the
    corpus lacks, by paper id.

    An entry from the reader's own file keeps its key, if TeX could not run it (`_OWN_KEY`), its type and the fields
    that Pathfinder does not use (`Paper.record_fields`). Any other key is the bibcode or, if there is none, the first
    author, year and first word of the title, such as "riess1998observational"; a paper in a journal is an `@article`,
    any other a `@misc`. The field `note` says that a paper was withdrawn, retracted or found live; `status` and
    `status_from` tell programs that it was withdrawn or retracted; `annote`, which no style prints, says why its
    abstract is left out (`export/links.py`). Summaries by somebody else are left out too, and the keywords that came
    with them.
    """
    sources = live or {}
    entries = []
    for paper, key in zip(papers, bibtex_keys(papers), strict=True):
        kind = _kind(paper)
        fields = _fields(paper, kind, sources.get(paper.paper_id))
        entries.append(f"@{kind}{{{key}" + "".join(f",\n  {name} = {{{value}}}" for name, value in fields) + "\n}")
    return "\n\n".join(entries) + "\n" if papers else ""


def bibtex_keys(papers: Sequence[Paper]) -> list[str]:
    """Return the keys of the entries that `bibtex` writes for `papers`, in order: a reader's own keys go first, so that
    a made-up one gives way.
    """
    own = [(paper.record_field("key") or "").strip() for paper in papers]
    is_own = [_OWN_KEY.fullmatch(key) is not None for key in own]
    order = sorted(range(len(papers)), key=lambda place: not is_own[place])
    unique_keys = _unique(own[place] if is_own[place] else _key(papers[place]) for place in order)
    keys = dict(zip(order, unique_keys, strict=True))
    return [keys[place] for place in range(len(papers))]


_KIND = re.compile(r"(?!(?:comment|string|preamble)$)[a-z]{2,20}")
_OF_PREPRINTS = ("misc", "unpublished", "online")


def _kind(paper: Paper) -> str:
    own = paper.record_field("kind") or ""
    has_appeared = paper.journal is not None and own in _OF_PREPRINTS  # as another source of a merged record says
    return own if _KIND.fullmatch(own) and not has_appeared else "article" if paper.journal else "misc"


def _fields(paper: Paper, kind: str, live: str | None) -> Iterator[tuple[str, str]]:
    if paper.authors:
        names = [_author(author) for author in paper.authors]
        yield "author", " and ".join([*names, "others"] if paper.has_more_authors else names)
    # The inner braces keep BibTeX from converting proper names to lower case.
    yield "title", f"{{{inert_tex(paper.title)}}}"
    place, eid = place_of(paper), paper.record_field("eid")
    if place.journal and (kind in _NAMES_OF_VENUES or place.journal != paper.record_field("series")):
        yield _NAMES_OF_VENUES.get(kind, "journal"), inert_tex(place.journal)
    if paper.year is not None:
        yield "year", str(paper.year)
    if place.volume:
        yield "volume", inert_tex(place.volume)
    if place.pages and (paper.record_field("pages") or place.pages != eid):
        yield "pages", inert_tex(_RANGE.sub("--", place.pages))
    for name in _OWN_FIELDS:
        if text := paper.record_field(name):
            yield name, inert_tex(text)
    if address := _ADDRESS.fullmatch(paper.record_field("url") or ""):
        yield "url", address[0]
    elif paper.pmid and not (paper.doi or paper.arxiv_id or paper.bibcode):
        yield "url", pubmed_url(paper.pmid)
    if paper.date is not None and paper.date.year == paper.year:
        yield "month", str(paper.date.month)
        yield "day", str(paper.date.day)
    elif month := paper.record_field("month"):
        yield "month", inert_tex(month)
    yield from _identifiers(paper)
    if paper.subjects and not paper.is_summary:
        yield "keywords", inert_tex("; ".join(paper.subjects))
    own_note = paper.record_field("note")
    remarks = [paper.warning, f"found live in {live}, not in the corpus" if live else None]
    remarks = [each for each in remarks if each and each.casefold() not in (own_note or "").casefold()]
    if note := "; ".join(filter(None, remarks)):
        note = f"{note[0].upper()}{note[1:]}"
    if note or own_note:
        yield "note", inert_tex("; ".join(filter(None, (note, own_note))))
    if paper.status:
        yield "status", inert_tex(paper.status)
    if paper.status and paper.status_from:
        yield "status_from", inert_tex(paper.status_from)
    is_withheld = paper.has_abstract and not paper.is_summary and not may_be_passed_on(paper)
    if paper.has_abstract and not paper.is_summary and not is_withheld:
        yield "abstract", inert_tex(paper.abstract)
    own_annote, use = paper.record_field("annote") or "", (terms(paper) or "") if is_withheld else ""
    if annote := "; ".join(filter(None, (own_annote, use if use not in own_annote else ""))):
        yield "annote", inert_tex(annote)


def _identifiers(paper: Paper) -> Iterator[tuple[str, str]]:
    yield from _identifier("doi", paper.doi)
    for eprint in _identifier("eprint", paper.arxiv_id):
        yield from (eprint, ("archivePrefix", "arXiv"))
    if howpublished := paper.record_field("howpublished"):
        yield "howpublished", _with_addresses(howpublished)
    elif paper.arxiv_id and not paper.journal:
        # For a @misc, the styles that come with BibTeX print this field, but none of the others for identifiers.
        yield "howpublished", f"arXiv:{inert_tex(paper.arxiv_id)}"
    if paper.arxiv_id and paper.categories:
        yield from _identifier("primaryClass", paper.categories[0])
    if paper.bibcode:
        yield "adsurl", ads_url(paper.bibcode)
    yield from _identifier("pmid", paper.pmid)


def _identifier(name: str, text: str | None) -> Iterator[tuple[str, str]]:
    """Yield the field of an identifier; none if it has other characters: without them it would be another one."""
    if text and _IDENTIFIER.fullmatch(text):
        yield name, text


def _with_addresses(text: str) -> str:
    pieces, end = [], 0
    for address in ADDRESS_IN_TEXT.finditer(text):
        pieces += [inert_tex(text[end : address.start()]), rf"\url{{{address[0]}}}"]
        end = address.end()
    return "".join((*pieces, inert_tex(text[end:])))


def _author(author: str) -> str:
    """Write the name in BibTeX's order, "Last, Jr, First"; braces keep a group's name together."""
    is_one_name = is_group(author)
    author = readable(author)  # a brace or a macro could hide an "and"
    if is_one_name or is_group(author) or _AND.search(author):
        return f"{{{inert_tex(author)}}}"
    name = parse_name(author)
    last, suffix, first = map(inert_tex, (name.last, name.suffix, name.first))
    # BibTeX takes hyphens and ties alone for nothing, and stops.
    others = (part if any(map(str.isalnum, part)) else f"{{{part}}}" for part in (suffix, first) if part)
    return ", ".join((f"{{{last}}}", *others))


_AND = re.compile(r"\band\b", re.IGNORECASE)
"""A word at which BibTeX would divide the name of a group."""


def _key(paper: Paper) -> str:
    if paper.bibcode and is_bibcode(paper.bibcode):
        return paper.bibcode
    author = _word(parse_name(readable(paper.authors[0])).last) if paper.authors else ""
    words = [word for word in map(_word, readable(paper.title).split()) if word]
    word = next((word for word in words if word not in _SMALL_WORDS), "".join(words[:1]))
    return f"{author}{paper.year or ''}{word}" or "untitled"


def _word(text: str) -> str:
    """Keep only the ASCII letters and digits of `text`, in lower case, which every version of BibTeX accepts in a
    key.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", plain.lower())


def _unique(keys: Iterable[str]) -> Iterator[str]:
    """Make each key unique: the second "riess1998observational" becomes "riess1998observational-2"."""
    lowercase_keys: set[str] = set()
    for key in keys:
        candidate, n = key, 1
        # BibTeX does not distinguish "Aa" from "aa".
        while candidate.lower() in lowercase_keys:
            n += 1
            candidate = f"{key}-{n}"
        lowercase_keys.add(candidate.lower())
        yield candidate
