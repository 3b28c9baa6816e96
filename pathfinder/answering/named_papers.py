"""Papers that an answer names by author and year, arXiv number or DOI, and that none of its sources bears out."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pathfinder.export.names import parse_name
from pathfinder.types import Paper

_NAME = r"[^\W\d_a-z](?=[\w’'-]{0,40}[a-z])[\w’'-]{1,40}(?!\w)"
_YEAR = r"(?:1[6-9]|20)\d\d"
_DATED = rf"(?:\(\s*(?P<year>{_YEAR})[a-z]?\b[^()]{{0,20}}\)|(?P<bare>{_YEAR})[a-z]?\b)"
_GROUP = r"(?:Collaboration|Consortium|Team)"
_SEVERAL = re.compile(
    rf"\b(?P<name>{_NAME})(?:\s+{_GROUP})?(?:,?\s+et\s+al\b\.?|\s+{_GROUP})(?:['’]s)?,?\s+{_DATED}"
    rf"|\b(?P<first>{_NAME})\s+(?:&|and)\s+{_NAME}(?:,?\s+\((?P<of_two>{_YEAR})[a-z]?\)|,\s+(?P<late>{_YEAR})\b)"
)
"""Smith et al. (2015), Smith et al. 2015, Planck Collaboration (2020), Smith & Jones (2015)."""
_ALONE = re.compile(
    rf"\b(?P<name>{_NAME})\s+\((?P<year>{_YEAR})[a-z]?\)"
    rf"|(?<=[(;])\s?(?P<n>{_NAME})(?:\s+(?:&|and)\s+{_NAME})?,?\s(?P<y>{_YEAR})\b"
)
"""Smith (2015), (Smith 2015), (..., 2014; Smith & Jones 2015)."""
_NO_AUTHORS = frozenset(
    "january february march april may june july august september october november december "
    "abell arp gliese kepler messier sharpless wolf".split()
)
"""What stands before a number without having written a paper: months and catalogues, as in Abell 1689."""
_ARXIV = re.compile(r"\b(?:arxiv\s?:?\s?)((?:\d{4}\.\d{4,5})|(?:[a-z-]+/\d{7}))", re.IGNORECASE)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\])}>,;]*[^\s\])}>,;.]")

YEARS_APART = 2
"""A preprint of 2018 may stand in a journal of 2020, and be cited by either."""
NEAR = 60
"""Characters between a name and its year where a source's text itself cites that paper."""


@dataclass(frozen=True, slots=True)
class Named:
    """A paper that a text names."""

    text: str
    """As it stands there: "Smith et al. (2015)"."""
    end: int
    """Where it ends."""


def unsourced(text: str, papers: Sequence[Paper]) -> tuple[Named, ...]:
    """The papers that `text` names, in its order, less those that are among `papers` or that one of them names.

    A name alone, as in "Euclid (2023)", counts as borne out wherever a source has that name.
    """
    texts = [_folded(f"{paper.title} {paper.abstract}") for paper in papers]
    found = (*_of_several(text, papers, texts), *_of_one(text, papers, texts), *_identified(text, papers))
    return tuple(sorted(found, key=lambda named: named.end))


def _of_several(text: str, papers: Sequence[Paper], texts: list[str]) -> Iterator[Named]:
    for match in _SEVERAL.finditer(text):
        name = _folded(match["name"] or match["first"])
        year = int(match["year"] or match["bare"] or match["of_two"] or match["late"])
        if not (_is_by(name, year, papers) or any(_names(source, name, year) for source in texts)):
            yield Named(match[0], match.end())


def _of_one(text: str, papers: Sequence[Paper], texts: list[str]) -> Iterator[Named]:
    ends = {match.end() for match in _SEVERAL.finditer(text)}
    for match in _ALONE.finditer(text):
        if match.end() in ends:
            continue
        name, year = _folded(match["name"] or match["n"]), int(match["year"] or match["y"])
        is_known = any(re.search(rf"\b{re.escape(name)}\b", source) for source in texts)
        if name not in _NO_AUTHORS and not is_known and not _is_by(name, year, papers):
            yield Named(match[0].strip(), match.end())


def _identified(text: str, papers: Sequence[Paper]) -> Iterator[Named]:
    known = " ".join(_folded(f"{paper.arxiv_id} {paper.doi} {paper.text}") for paper in papers)
    for match in (*_ARXIV.finditer(text), *_DOI.finditer(text)):
        if _folded(match[match.lastindex or 0]) not in known:
            yield Named(match[0], match.end())


def _is_by(name: str, year: int, papers: Sequence[Paper]) -> bool:
    dated = (paper for paper in papers if paper.published and abs(paper.published.year - year) <= YEARS_APART)
    return any(name in _folded(parse_name(author).last).split() for paper in dated for author in paper.authors)


def _names(source: str, name: str, year: int) -> bool:
    return re.search(rf"\b{re.escape(name)}\b.{{0,{NEAR}}}\b{year}", source) is not None


def _folded(text: str) -> str:
    """In small letters without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
