"""Makes links to a paper (on arXiv, by its DOI, in ADS, PubMed and OpenAlex), or to a search for its title."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from pathfinder.text.author_names import parse_name
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper

if TYPE_CHECKING:
    from pathfinder.profile.profile import Bibliography

_PAGE = ("url:http://", "url:https://")
_OF_ADDRESSES = "/:?#@!$&'*+,;=%~"
"""Characters in a web address that are left unescaped."""
ADDRESS_IN_TEXT = re.compile(
    r"(?<!\S)https?://[\w/:?#@!$&'*+,;=%.~()-]{0,1000}(?:\([\w%,.-]{1,100}\)|[\w/#@$&*+=%~-])(?=[).,;:!?']{0,9}(?!\S))"
)
r"""An address that may stand within `\url{}`, without the punctuation behind it."""
_ADS = "https://ui.adsabs.harvard.edu"
_CROSSREF = "https://search.crossref.org/search/works?q="


@dataclass(frozen=True, slots=True)
class Link:
    """A web address with its label."""

    label: str
    url: str


def paper_links(paper: Paper) -> tuple[Link, ...]:
    """List links to the pages of `paper`: on arXiv, by its DOI, in ADS, in PubMed, any that a web search found, and in
    OpenAlex. All are made from the paper's identifiers; none is guessed.
    """
    links = (
        Link("arXiv", f"https://arxiv.org/abs/{quote(paper.arxiv_id)}") if paper.arxiv_id else None,
        Link("DOI", f"https://doi.org/{quote(paper.doi)}") if paper.doi else None,
        Link("ADS", ads_url(paper.bibcode)) if paper.bibcode else None,
        Link("PubMed", pubmed_url(paper.pmid)) if paper.pmid else None,
    )
    places = paper.other_ids if any(links) else _with_own_page(paper)
    pages = (other.removeprefix("url:") for other in places if other.startswith(_PAGE))
    openalex = Link("OpenAlex", f"https://openalex.org/{quote(paper.openalex_id)}") if paper.openalex_id else None
    # Escaped, because the address comes from a stranger and ends up in Markdown.
    own = (Link("web page", quote(url, safe=_OF_ADDRESSES)) for url in pages)
    return tuple(link for link in (*links, *own, openalex) if link)


def _with_own_page(paper: Paper) -> tuple[str, ...]:
    """Return the further identifiers of a paper, and the address in the reader's own entry: that of a website."""
    address = ADDRESS_IN_TEXT.search(paper.record_field("howpublished") or "")
    own = paper.record_field("url") or (address[0] if address else None)
    return (*paper.other_ids, f"url:{own}") if own else paper.other_ids


def paper_address(paper: Paper) -> str | None:
    """Return the address of the first of `paper_links`; `None` if there is none: a file gives no search as the address
    of a paper.
    """
    return next((link.url for link in paper_links(paper)), None)


def paper_link(paper: Paper, bibliography: "Bibliography") -> Link:
    """Return the first of `paper_links`, or a link to a search for the title if the paper has no identifier.

    `bibliography` is the service for the corpus's field: ADS is searched for the exact title and the first author; for
    a field without such a service, Crossref is searched for the title.
    """
    from pathfinder.profile.profile import Bibliography

    if links := paper_links(paper):
        return links[0]
    if bibliography is Bibliography.ADS:
        query = f"title:{_phrase(readable(paper.title))}"
        if paper.authors:
            query += f" author:{_phrase('^' + _search_name(paper.authors[0]))}"
        return Link("ADS search", ads_search_url(query))
    return Link("Crossref search", f"{_CROSSREF}{quote(readable(paper.title), safe='')}")


def ads_url(bibcode: str) -> str:
    """Return the address of the ADS page of a bibcode."""
    return f"{_ADS}/abs/{quote(bibcode, safe='')}/abstract"


def pubmed_url(pmid: str) -> str:
    """Return the address of the PubMed page of an id."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{quote(pmid, safe='')}"


def ads_search_url(query: str) -> str:
    """Return the address at which ADS shows the results of `query`, written in ADS's own query language."""
    return f"{_ADS}/search/q={quote(query, safe='')}"


def _search_name(author: str) -> str:
    name = parse_name(readable(author))
    return f"{name.last}, {name.first[0]}" if name.first else name.last


def _phrase(text: str) -> str:
    """Quote `text` as an exact phrase for ADS, whose query language does not allow quotation marks within a phrase."""
    return '"' + " ".join(text.replace("\\", " ").replace('"', " ").split()) + '"'


# Decides whether the whole abstract of a paper may be written into a file, and says why.


FILE = "file"
"""Name of the source of papers that come from the reader's own files."""


OPEN_LICENCES = ("CC-BY", "CC0", "CC-0", "PUBLIC")
"""Prefixes of the names of licences that let anyone show a text unchanged."""


def is_open_licence(licence: str | None) -> bool:
    """Return whether a full text may be shown to anyone; it may not if its licence is unknown."""
    return (licence or "").upper().startswith(OPEN_LICENCES)


def may_be_passed_on(paper: Paper) -> bool:
    """Return whether the whole abstract may be exported: it may if it comes from the reader's own file, or if one of
    its sources states a licence.
    """
    origins = paper.provenance
    return not origins or any(each.licence is not None or each.source == FILE for each in origins)


def terms(paper: Paper) -> str | None:
    """Return the licences stated by the sources of a paper, such as "arxiv: CC0-1.0", or the reason why its abstract is
    left out: "abstract left out: ads states no licence for it". `None` if neither applies.
    """
    if paper.has_abstract and not may_be_passed_on(paper):
        sources = list(dict.fromkeys(each.source for each in paper.provenance))
        *others, last = sources
        states = f"{', '.join(others)} and {last} state" if others else f"{last} states"
        return f"abstract left out: {states} no licence for it"
    licences = dict.fromkeys(f"{each.source}: {each.licence}" for each in paper.provenance if each.licence)
    return "; ".join(licences) or None
