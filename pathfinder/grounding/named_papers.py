"""Finds papers that an answer names by author and year, arXiv number or DOI, but that are neither among its sources nor
named by one of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pathfinder.grounding.marks import CITE_MACRO
from pathfinder.profile import shipped_compounds
from pathfinder.text.author_names import TEAM, parse_name
from pathfinder.text.author_year import CITED_YEAR, ET_AL
from pathfinder.text.english import MONTHS, OPENERS, PREPOSITIONS, lower
from pathfinder.text.identifiers import IdentifierKind, identifiers_in
from pathfinder.text.spelling import fold
from pathfinder.types import Paper

_NAME = r"[^\W\d_a-z](?=[\w’'-]{0,40}[a-z])[\w’'-]{1,40}(?!\w)"
_YEAR_OF_PAPER = rf"(?:[(\[]\s*(?P<year>{CITED_YEAR})[a-z]?\b[^()\[\]]{{0,20}}[)\]]|(?P<bare>{CITED_YEAR})[a-z]?\b)"
_SEVERAL = re.compile(
    rf"\b(?P<name>{_NAME})(?:\s+{TEAM})?(?:{ET_AL}|\s+{TEAM})(?:['’]s)?,?\s+{_YEAR_OF_PAPER}"
    rf"|\b(?P<first>{_NAME})\s+(?:&|and)\s+{_NAME}(?:,?\s+\((?P<of_two>{CITED_YEAR})[a-z]?\)|,\s+(?P<late>{CITED_YEAR})[a-z]?\b)"
)
"""Matches Smith et al. (2015), Smith et al. 2015, Planck Collaboration (2020), Smith & Jones (2015)."""
_ALONE = re.compile(
    rf"\b(?P<name>{_NAME})\s+\((?P<year>{CITED_YEAR})[a-z]?\)"
    rf"|(?<=[(\[;])\s?(?P<n>{_NAME})(?:\s+(?:&|and)\s+{_NAME})?,?\s(?P<y>{CITED_YEAR})[a-z]?\b"
)
"""Matches Smith (2015), (Smith 2015), [Smith, 2015], (..., 2014; Smith & Jones 2015a)."""
_KEYS = re.compile(rf"\[(@?[^\[\]\n]{{5,200}})\]|{CITE_MACRO}\{{([^{{}}\n]{{5,200}})\}}")
_KEY = re.compile(
    rf"@?(?P<name>[^\W\d_]{{2,30}}?)(?:[-_:]?et_?al)?[-_:.]?(?P<year>{CITED_YEAR})[-_:]?[a-z]{{0,15}}", re.IGNORECASE
)
"""Matches the keys of a bibliography: Smith2020, @smith2020, smith_etal:2020a."""
_NO_AUTHORS = lower((*MONTHS, *OPENERS, *PREPOSITIONS)) | frozenset(
    "until before during around about and or see between".split()
)
"""Words that may precede a year but are not authors: months, prepositions and words that open a sentence."""

YEARS_APART = 2
"""Maximum number of years between the date of a paper and the year in a citation of it: a preprint from 2018 may appear
in a journal in 2020 and be cited with either year.
"""
NEAR = 60
"""Maximum number of characters between a name and a year in the text of a source for the source to count as citing the
paper by that author from that year.
"""


@dataclass(frozen=True, slots=True)
class PaperName:
    """A paper that a text names."""

    text: str
    """The name as written: "Smith et al. (2015)"."""
    end: int
    """End of the name in the text."""


def papers_without_source(text: str, papers: Sequence[Paper]) -> tuple[PaperName, ...]:
    """Find the papers that `text` names, in order, except those that are among `papers` or are named by one of them.

    A paper given by a single name, as in "Euclid (2023)", counts as named by a source if the source mentions that name.
    """
    texts = [fold(f"{paper.title} {paper.abstract}") for paper in papers]
    named_papers = (
        *_of_several(text, papers, texts),
        *_of_one(text, papers, texts),
        *_by_keys(text, papers, texts),
        *_by_identifiers(text, papers),
    )
    return tuple(sorted(named_papers, key=lambda mention: mention.end))


def _of_several(text: str, papers: Sequence[Paper], texts: list[str]) -> Iterator[PaperName]:
    for match in _SEVERAL.finditer(text):
        name = fold(match["name"] or match["first"])
        year = int(match["year"] or match["bare"] or match["of_two"] or match["late"])
        if not (_is_by(name, year, papers) or any(_names(source, name, year) for source in texts)):
            yield PaperName(match[0], match.end())


def _of_one(text: str, papers: Sequence[Paper], texts: list[str]) -> Iterator[PaperName]:
    ends = {match.end() for match in _SEVERAL.finditer(text)}
    for match in _ALONE.finditer(text):
        if match.end() in ends:
            continue
        name, year = fold(match["name"] or match["n"]), int(match["year"] or match["y"])
        is_known = any(re.search(rf"\b{re.escape(name)}\b", source) for source in texts)
        is_entry = (
            match["n"] is not None and name in shipped_compounds().catalogues
        )  # (Abell 1689), but not Kepler (2011)
        if name not in _NO_AUTHORS and not is_entry and not is_known and not _is_by(name, year, papers):
            yield PaperName(match[0].strip(), _behind_bracket(text, match.end()))


def _by_keys(text: str, papers: Sequence[Paper], texts: list[str]) -> Iterator[PaperName]:
    r"""Yield the papers without a source that are named by bibliography keys, in brackets or in a \cite."""
    for keys in _KEYS.finditer(text):
        group = keys.lastindex or 1
        for part in re.finditer(r"[^,;\s]+", keys[group]):
            key = _KEY.fullmatch(part[0])
            # SN1987A and AT2018cow are not names of people.
            if key is None or (group == 1 and key["name"].isupper()):
                continue
            name, year = fold(key["name"]), int(key["year"])
            if not (_is_by(name, year, papers) or any(_names(source, name, year) for source in texts)):
                yield PaperName(part[0], _behind_bracket(text, keys.start(group) + part.end()))


def is_dated(name: str) -> bool:
    """Return whether `name` is a key made of author and year, such as smith2020."""
    return _KEY.fullmatch(name) is not None


def _behind_bracket(text: str, end: int) -> int:
    """Return the end of a name, or of the brackets around it if they end with the name."""
    return end + 1 if text[end : end + 1] in ("]", "}") else end


def _by_identifiers(text: str, papers: Sequence[Paper]) -> Iterator[PaperName]:
    own = (f"arXiv:{paper.arxiv_id} doi:{paper.doi} {paper.bibcode} {paper.text}" for paper in papers)
    own_keys = {identifier.key for each in own for identifier in identifiers_in(each)}
    for identifier in identifiers_in(text):
        if (identifier.is_marked or identifier.kind is not IdentifierKind.ARXIV) and identifier.key not in own_keys:
            yield PaperName(text[identifier.start : identifier.end], _behind_bracket(text, identifier.end))


def _is_by(name: str, year: int, papers: Sequence[Paper]) -> bool:
    papers_of_that_time = (
        paper for paper in papers if paper.published and abs(paper.published.year - year) <= YEARS_APART
    )
    return any(
        name in fold(parse_name(author).last).split() for paper in papers_of_that_time for author in paper.authors
    )


def _names(source: str, name: str, year: int) -> bool:
    return re.search(rf"\b{re.escape(name)}\b.{{0,{NEAR}}}\b{year}", source) is not None
