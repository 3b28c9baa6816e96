"""Writes papers as BibTeX entries that contain only known facts, with keys in the style of ADS."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pathfinder.export.links import ads_url, may_be_passed_on, terms
from pathfinder.text.author_names import is_group, parse_name
from pathfinder.text.english import ARTICLES, PREPOSITIONS, lower
from pathfinder.text.identifiers import is_bibcode
from pathfinder.text.latex.display import inert_tex, readable
from pathfinder.types import Paper

_UNFIT = re.compile(r"[{}\\\s\x00-\x1f\x7f-\x9f]")
_SMALL_WORDS = lower((*ARTICLES, *PREPOSITIONS, *"and is are how what".split()))


def bibtex(papers: Sequence[Paper], live: Mapping[str, str] | None = None) -> str:
    """Write one entry per paper, in order, each with a unique key; `live` names the live sources of papers that the
    corpus lacks, by paper id.

    The key is the bibcode or, if there is none, the first author, year and first word of the title, such as
    "riess1998observational". A paper in a journal is an `@article`; any other is a `@misc`. The field `note` says that
    a paper was withdrawn, retracted or found live; `status` and `status_from` tell programs that it was withdrawn or
    retracted; `annote`, which no style prints, says why its abstract is left out (`export/links.py`). Summaries by
    somebody else are left out too.
    """
    sources = live or {}
    entries = []
    for paper, key in zip(papers, bibtex_keys(papers), strict=True):
        kind, fields = "article" if paper.journal else "misc", _fields(paper, sources.get(paper.paper_id))
        entries.append(f"@{kind}{{{key}" + "".join(f",\n  {name} = {{{value}}}" for name, value in fields) + "\n}")
    return "\n\n".join(entries) + "\n" if papers else ""


def bibtex_keys(papers: Sequence[Paper]) -> list[str]:
    """Return the keys of the entries that `bibtex` writes for `papers`, in order."""
    return list(_unique(map(_key, papers)))


def _fields(paper: Paper, live: str | None) -> Iterator[tuple[str, str]]:
    if paper.authors:
        names = [_author(author) for author in paper.authors]
        are_all = paper.n_authors is None or paper.n_authors <= len(names)
        yield "author", " and ".join(names if are_all else [*names, "others"])
    # The inner braces keep BibTeX from converting proper names to lower case.
    yield "title", f"{{{inert_tex(paper.title)}}}"
    if paper.journal:
        yield "journal", inert_tex(paper.journal)
    if paper.year is not None:
        yield "year", str(paper.year)
    if paper.date is not None and paper.date.year == paper.year:
        yield "month", str(paper.date.month)
        yield "day", str(paper.date.day)
    yield from _identifiers(paper)
    if paper.subjects:
        yield "keywords", inert_tex("; ".join(paper.subjects))
    remarks = (paper.warning, f"found live in {live}, not in the corpus" if live else None)
    if note := "; ".join(filter(None, remarks)):
        yield "note", inert_tex(f"{note[0].upper()}{note[1:]}")
    if paper.status:
        yield "status", inert_tex(paper.status)
    if paper.status and paper.status_from:
        yield "status_from", inert_tex(paper.status_from)
    if paper.has_abstract and not paper.is_summary:
        is_passed_on = may_be_passed_on(paper)
        yield ("abstract", inert_tex(paper.abstract)) if is_passed_on else ("annote", inert_tex(terms(paper) or ""))


def _identifiers(paper: Paper) -> Iterator[tuple[str, str]]:
    if paper.doi:
        yield "doi", _identifier(paper.doi)
    if paper.arxiv_id:
        yield "eprint", _identifier(paper.arxiv_id)
        yield "archivePrefix", "arXiv"
        if not paper.journal:
            # For a @misc, the styles that come with BibTeX print this field, but none of the others for identifiers.
            yield "howpublished", f"arXiv:{inert_tex(paper.arxiv_id)}"
        if paper.categories:
            yield "primaryClass", _identifier(paper.categories[0])
    if paper.bibcode:
        yield "adsurl", ads_url(paper.bibcode)
    if paper.pmid:
        yield "pmid", _identifier(paper.pmid)


def _author(author: str) -> str:
    """Write the name in BibTeX's order, "Last, Jr, First"; braces keep a group's name together."""
    author = readable(author)  # a brace or a macro could hide an "and"
    if is_group(author) or _AND.search(author):
        return f"{{{inert_tex(author)}}}"
    name = parse_name(author)
    last, suffix, first = map(inert_tex, (name.last, name.suffix, name.first))
    # BibTeX takes hyphens and ties alone for nothing, and stops.
    others = (part if any(map(str.isalnum, part)) else f"{{{part}}}" for part in (suffix, first) if part)
    return ", ".join((f"{{{last}}}", *others))


_AND = re.compile(r"\band\b", re.IGNORECASE)
"""A word at which BibTeX would divide the name of a group."""


def _identifier(text: str) -> str:
    return _UNFIT.sub("", text)


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
