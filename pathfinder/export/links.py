"""Where a paper can be read: on arXiv, through its DOI, or in ADS."""

from dataclasses import dataclass
from urllib.parse import quote

from pathfinder.export.latex import readable
from pathfinder.export.names import parse_name
from pathfinder.types import Paper

_ADS = "https://ui.adsabs.harvard.edu"


@dataclass(frozen=True, slots=True)
class Link:
    """An address and what to call it."""

    label: str
    url: str


def paper_links(paper: Paper) -> tuple[Link, ...]:
    """Every address that an identifier of `paper` gives: arXiv, DOI, ADS. None is guessed."""
    links = (
        Link("arXiv", f"https://arxiv.org/abs/{quote(paper.arxiv_id)}") if paper.arxiv_id else None,
        Link("DOI", f"https://doi.org/{quote(paper.doi)}") if paper.doi else None,
        Link("ADS", ads_url(paper.bibcode)) if paper.bibcode else None,
    )
    return tuple(link for link in links if link is not None)


def paper_link(paper: Paper) -> Link:
    """The first of `paper_links`; without an identifier, an ADS search by exact title and first author."""
    return next(iter(paper_links(paper)), Link("ADS search", _search_of(paper)))


def ads_url(bibcode: str) -> str:
    """The page of a bibcode in ADS."""
    return f"{_ADS}/abs/{quote(bibcode, safe='')}/abstract"


def ads_search_url(query: str) -> str:
    """The page on which ADS shows what it finds for `query`, in its own query language."""
    return f"{_ADS}/search/q={quote(query, safe='')}"


def _search_of(paper: Paper) -> str:
    query = f"title:{_phrase(readable(paper.title))}"
    if paper.authors:
        query += f" author:{_phrase('^' + _search_name(paper.authors[0]))}"
    return ads_search_url(query)


def _search_name(author: str) -> str:
    name = parse_name(readable(author))
    return f"{name.last}, {name.first[0]}" if name.first else name.last


def _phrase(text: str) -> str:
    """`text` as an exact phrase of ADS's query language, which has no way to write a quotation mark in one."""
    return '"' + " ".join(text.replace("\\", " ").replace('"', " ").split()) + '"'
