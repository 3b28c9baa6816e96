"""Formats references in a citation style (CSL), with citeproc-py."""

import re
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path

from pathfinder.corpus.links import paper_address
from pathfinder.errors import UsageError
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.text.author_names import is_group, parse_name
from pathfinder.text.english import counted
from pathfinder.text.journal_places import place_of
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper

STYLES = {
    "short": "references without titles",
    "titles": "references with titles",
    "numbered": "numbered references",
}
"""The styles that come with Pathfinder, with a description of each. The path of a CSL 1.0 file can be given instead of
a name.
"""


OTHERS = "et al."
_LAST_OF_MANY = re.compile(rf",?(?: &| and)? {re.escape(OTHERS)}")
"""`OTHERS` as styles write it. It stands for the authors that a source left out, but a style takes it for the name of
the last author.
"""


def references(papers: Sequence[Paper], style: str = "short") -> list[str]:
    """Format each of `papers`, as plain text, in the order of the style: by authors and year, or as given.

    `style` is one of `STYLES` or the path of a CSL file. Raises `UsageError` for any other style.
    """
    from citeproc import Citation, CitationItem, CitationStylesBibliography, formatter
    from citeproc.source.json import CiteProcJSON

    # citeproc-py confuses ids that differ only in case, and reads markup in them; row numbers avoid both.
    items = [{**_reference(paper), "id": str(row)} for row, paper in enumerate(papers)]
    bibliography = CitationStylesBibliography(_style(style), CiteProcJSON(items), formatter.plain)
    for item in items:
        bibliography.register(Citation([CitationItem(item["id"])]))
    bibliography.sort()
    return [_LAST_OF_MANY.sub(f", {OTHERS}", str(line)) for line in bibliography.bibliography()]


def references_text(papers: Sequence[Paper], style: str = "short") -> str:
    """Write the references of `papers`, one per line."""
    return "".join(f"{line}\n" for line in references(papers, style))


def incomplete_note(papers: Iterable[Paper]) -> str | None:
    """Say how many references to journals lack something that a reader looks for; `None` if none does."""
    places = [(paper, place_of(paper)) for paper in papers if paper.journal]
    n = sum(not (place.volume and place.pages and paper.doi) for paper, place in places)
    return f"{counted(n, 'reference')} without volume, pages or DOI, to be completed by hand" if n else None


def csl_item(paper: Paper) -> JsonObject:
    """Describe a paper in CSL-JSON."""
    place = place_of(paper)
    item = {
        "id": paper.paper_id,
        "type": "article-journal" if paper.journal or paper.pmid else "article",
        "title": readable(paper.title),
        "author": [_csl_name(author) for author in paper.authors],
        "issued": {"date-parts": [[paper.year]]} if paper.year else None,
        "container-title": place.journal,
        "volume": place.volume,
        "page": place.pages,
        "number": f"arXiv:{paper.arxiv_id}" if paper.arxiv_id and not paper.journal else None,
        "DOI": paper.doi,
        "PMID": paper.pmid,
        "URL": paper_address(paper),
    }
    return {key: value for key, value in item.items() if value}


def _reference(paper: Paper) -> JsonObject:
    """Describe a paper for a style: "et al." is added as an author if the source left some out."""
    item = csl_item(paper)
    if paper.authors and paper.has_more_authors:
        item["author"] = [*item["author"], {"literal": OTHERS}]
    return item


def _csl_name(author: str) -> dict[str, str]:
    if is_group(author):
        return {"literal": readable(author)}
    name = parse_name(author)
    parts = {"family": name.last, "given": name.first, "suffix": name.suffix}
    return {key: readable(part) for key, part in parts.items() if part} if name.first else {"literal": readable(author)}


def _style(name: str) -> object:
    if name in STYLES:
        file = resources.files("pathfinder.operations.export").joinpath("reference_styles", f"{name}.csl")
        with resources.as_file(file) as path:
            return _read_style(path)
    if not Path(name).is_file():
        raise UsageError(f"there is no style {name!r}: write {', '.join(STYLES)}, or the path of a CSL file")
    return _read_style(Path(name))


def _read_style(path: Path) -> object:
    from citeproc import CitationStylesStyle
    from lxml.etree import LxmlError

    try:
        return CitationStylesStyle(str(path), validate=False)
    except (LxmlError, ValueError, AttributeError) as error:
        raise UsageError(f"{path} is not a citation style in CSL 1.0 ({error}): name another file") from error


def authors_in_text(paper: Paper) -> str:
    """Name the authors of a paper within a sentence: one, two, or the first and "et al."; if it has none,
    give its title.
    """
    names = [readable(author) if is_group(author) else parse_name(readable(author)).last for author in paper.authors]
    if not names:
        return f"“{readable(paper.title)}”"
    return f"{names[0]} et al." if paper.has_more_authors or len(names) > 2 else " and ".join(names)
