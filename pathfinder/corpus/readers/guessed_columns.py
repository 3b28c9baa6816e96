"""Columns of tables from Zotero, Scopus, Web of Science, OpenAlex, Lens and others: their meaning is guessed from their
names, and what separates the authors from their cells.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from pathfinder.corpus.schemas.author_lists import authors_in, comma_style, leaves_out_authors
from pathfinder.corpus.schemas.fields import Record
from pathfinder.corpus.schemas.tidy import ADDRESS, NOTES

_NAMES = {
    "id": "key citationkey citekey eid uniquewosid utuniquewosid accessionnumber ut lensid publicationid recordid",
    "title": "articletitle documenttitle papertitle displayname primarytitle itemtitle ti t1",
    "abstract": "abstractnote abstracttext summarytext ab description",
    "authors": "authorfullnames fullauthornames authorsfull authorsfullnames authorsfullname fullnames "
    "authorshipsauthordisplayname authors authornames authorname authorsnames authorsname authorlist allauthors "
    "authorstring firstauthors creators creator contributors af au a1 fau authorsrawaffiliation",
    "year": "publicationyear publishedyear pubyear yearpublished yearofpublication py",
    "date": "publicationdate pubdate datepublished publisheddate dateofpublication coverdate issued",
    "journal": "publicationtitle sourcetitle journaltitle journalname journalbook publication pub so "
    "primarylocationsourcedisplayname source",
    "volume": "vol vl",
    "pages": "pagerange articlenumber artno",
    "page": "pagestart firstpage startpage startingpage bibliofirstpage bp sp",
    "last_page": "pageend lastpage endpage endingpage bibliolastpage",
    "doi": "doilink doiurl doinumber itemdoi articledoi digitalobjectidentifier prismdoi di",
    "arxiv_id": "arxiv arxivnumber arxividentifier",
    "bibcode": "adsid adsbibcode",
    "pmid": "pubmedid medlinepmid pm",
    "openalex_id": "openalex workid",
    "citation_count": "citedby citedbycount timescited timescitedalldatabases timescitedwoscore cites "
    "citingworkscount articlecitationcount citationcount numberofcitations noofcitations tc",
    "keywords": "authorkeywords manualtags tags indexkeywords keyword de",
}
"""Names under which other programs write a field, by their letters and digits alone: "Author(s)" and "author/s" are
"authors", "Pub. Year" is "pubyear".
"""

_SAME = {"_id": "id", "paper_id": "id", "text": "abstract", "author": "authors", "published": "date"}
_FULL_NAMES = ("author_full_names", "full_author_names", "af")
"""Columns that give the authors of another column with their first names."""
FIELDS = frozenset(
    (
        *(*_NAMES, *_FULL_NAMES, "_id", "paper_id", "text", "summary", "author", "published", "citations"),
        *NOTES,
    )
)
_MOST_ROWS = 5000
"""Number of rows that show what separates the authors."""
_Row = TypeVar("_Row")


def guessed_fields(columns: Sequence[str]) -> dict[str, str]:
    """Map each column with a foreign name to the field that it holds; columns with plain names need no guessing."""
    fields = {_SAME.get(name, name) for name in columns}
    letters = {re.sub(r"[\W_]", "", name): name for name in reversed(columns)}
    guesses = {}
    for field, names in _NAMES.items():
        column = next((letters[name] for name in (field, *names.split()) if name in letters), None)
        if field not in fields and column and not (column == "description" and "summary" in fields):
            guesses[column] = field
    return guesses


def plainly_named(record: Record) -> Record:
    """Return the row of another program's table that was written as an object, with plain names for its columns:
    "Title", "Authors", "Source title"; any other record as it is.
    """
    if "title" in record or all(name == name.lower() for name in record):
        return record
    plain = {"_".join(name.lower().split()): value for name, value in record.items()}
    guesses = guessed_fields(tuple(plain))
    named = {guesses.get(name, name): value for name, value in plain.items()}
    return foreign_record(named) if "title" in named else record


def foreign_record(record: Record) -> Record:
    """Return a row of another program's table, whose own id counts only if the paper has no identifier."""
    own_id = record.get("id") or record.get("paper_id")
    return {**{name: value for name, value in record.items() if name not in ("id", "paper_id")}, "own_id": own_id}


def with_author_lists(
    read: Callable[[Path], Iterator[tuple[int, Record | _Row]]],
) -> Callable[[Path], Iterator[tuple[int, Record | _Row]]]:
    """Return a reader like `read` that divides the authors in the cells of a table, and leaves out addresses of more
    than one of its papers, which are those of a journal or a search.

    Only the cells of a column together show both, so that the first 5,000 rows are read twice.
    """

    def read_divided(path: Path) -> Iterator[tuple[int, Record | _Row]]:
        cells: list[str] = []
        titles: dict[str, str] = {}
        shared: set[str] = set()
        for _, row in islice(read(path), _MOST_ROWS):
            if isinstance(row, Mapping):
                cells.append(_author_cell(row))
                title = re.sub(r"[\W_]", "", str(row.get("title"))).casefold()
                shared |= {each for each in _addresses(row).values() if titles.setdefault(each, title) != title}
        style = comma_style(filter(None, cells))
        for number, row in read(path):
            if not isinstance(row, Mapping):
                yield number, row
                continue
            others = {name for name, address in _addresses(row).items() if address in shared} if shared else set()
            cell = _author_cell(row)
            kept = {
                name: value for name, value in row.items() if name not in others and not (cell and name == "author")
            }
            stated = {"authors": list(authors_in(cell, style))} if cell else {}
            others_too = {"omits_authors": True} if leaves_out_authors(cell) else {}
            yield number, {**kept, **stated, **others_too}

    return read_divided


def _addresses(row: Record) -> dict[str, str]:
    return {name: value for name, value in row.items() if isinstance(value, str) and ADDRESS.fullmatch(name)}


def _author_cell(row: Record) -> str:
    """Return the text that lists the authors of a row, if possible with their first names; empty if none does."""
    if "authors_parsed" in row:  # arXiv's dump gives the names in their parts
        return ""
    values = (row.get(name) for name in (*_FULL_NAMES, "authors", "author"))
    return next((value for value in values if isinstance(value, str) and value.strip().upper() not in ("", "NA")), "")
