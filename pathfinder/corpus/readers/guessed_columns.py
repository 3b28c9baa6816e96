"""Columns of tables from Zotero, Scopus, Web of Science, OpenAlex, Lens and others: their meaning is guessed from their
names, and what separates the authors from their cells.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from pathfinder.corpus.schemas.author_lists import authors_in, comma_style
from pathfinder.corpus.schemas.fields import Record
from pathfinder.corpus.schemas.tidy import ADDRESSES, NOTES

_NAMES = {
    "id": (
        "key",
        "citation_key",
        "citekey",
        "eid",
        "unique_wos_id",
        "ut_(unique_wos_id)",
        "accession_number",
        "ut",
        "lens_id",
        "publication_id",
        "record_id",
    ),
    "title": (
        "article_title",
        "document_title",
        "paper_title",
        "display_name",
        "primary_title",
        "item_title",
        "ti",
        "t1",
    ),
    "abstract": ("abstract_note", "abstract_text", "summary_text", "ab"),
    "authors": (
        "author_full_names",
        "full_author_names",
        "authors_full",
        "authorships.author.display_name",
        "author(s)",
        "author/s",
        "author_names",
        "author_name",
        "author_list",
        "all_authors",
        "first_authors",
        "creators",
        "creator(s)",
        "creator",
        "af",
        "au",
        "a1",
        "fau",
        "authors_(raw_affiliation)",
    ),
    "year": ("publication_year", "published_year", "pub_year", "pubyear", "year_published", "py"),
    "date": ("publication_date", "pubdate", "date_published", "published_date"),
    "journal": (
        "publication_title",
        "source_title",
        "journal_title",
        "journal_name",
        "journal/book",
        "publication",
        "pub",
        "so",
        "primary_location.source.display_name",
        "source",
    ),
    "doi": ("doi_link", "item_doi", "di"),
    "arxiv_id": ("arxiv", "arxiv_number", "arxiv_identifier"),
    "bibcode": ("ads_id", "ads_bibcode"),
    "pmid": ("pubmed_id", "medline_pmid", "pm"),
    "openalex_id": ("openalex", "work_id"),
    "citation_count": (
        "cited_by",
        "cited_by_count",
        "times_cited",
        "times_cited,_all_databases",
        "times_cited,_wos_core",
        "cites",
        "citing_works_count",
        "article_citation_count",
        "tc",
    ),
    "keywords": ("author_keywords", "manual_tags", "tags", "index_keywords", "keyword", "de"),
}
"""Names under which other programs write a field: lower case, with underscores for spaces."""

_SAME = {"_id": "id", "paper_id": "id", "text": "abstract", "author": "authors", "published": "date"}
_FULL_NAMES = ("author_full_names", "full_author_names", "af")
"""Columns that give the authors of another column with their first names."""
FIELDS = frozenset(
    (
        *(*_NAMES, *_FULL_NAMES, "_id", "paper_id", "text", "summary", "author", "published", "citations"),
        *(*ADDRESSES, *NOTES),
    )
)
_MOST_ROWS = 5000
"""Number of rows that show what separates the authors."""
_Row = TypeVar("_Row")


def guessed_fields(columns: Sequence[str]) -> dict[str, str]:
    """Map each column with a foreign name to the field that it holds; columns with plain names need no guessing."""
    fields = {_SAME.get(name, name) for name in columns}
    guesses = {}
    for field, names in _NAMES.items():
        column = next((name for name in names if name in columns), None)
        if field not in fields and column:
            guesses[column] = field
    return guesses


def foreign_record(record: Record) -> Record:
    """Return a row of another program's table, whose own id counts only if the paper has no identifier."""
    own_id = record.get("id") or record.get("paper_id")
    return {**{name: value for name, value in record.items() if name not in ("id", "paper_id")}, "own_id": own_id}


def with_author_lists(
    read: Callable[[Path], Iterator[tuple[int, Record | _Row]]],
) -> Callable[[Path], Iterator[tuple[int, Record | _Row]]]:
    """Return a reader like `read` that divides the authors in the cells of a table.

    Only the cells of a column together show what its commas mean, so that the first 5,000 rows are read twice.
    """

    def read_divided(path: Path) -> Iterator[tuple[int, Record | _Row]]:
        cells = (_author_cell(row) for _, row in islice(read(path), _MOST_ROWS) if isinstance(row, Mapping))
        style = comma_style(filter(None, cells))
        for number, row in read(path):
            if isinstance(row, Mapping) and (cell := _author_cell(row)):
                plain = {name: value for name, value in row.items() if name != "author"}
                yield number, {**plain, "authors": list(authors_in(cell, style))}
            else:
                yield number, row

    return read_divided


def _author_cell(row: Record) -> str:
    """Return the text that lists the authors of a row, if possible with their first names; empty if none does."""
    if "authors_parsed" in row:  # arXiv's dump gives the names in their parts
        return ""
    values = (row.get(name) for name in (*_FULL_NAMES, "authors", "author"))
    return next((value for value in values if isinstance(value, str) and value.strip().upper() not in ("", "NA")), "")
