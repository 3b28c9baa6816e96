"""Columns of tables from Zotero, Scopus, Web of Science and OpenAlex, whose meaning is guessed from their names."""

from collections.abc import Sequence

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
    "title": ("article_title", "document_title", "paper_title", "display_name", "primary_title", "ti", "t1"),
    "abstract": ("abstract_note", "summary_text", "ab"),
    "authors": ("author_full_names", "author(s)", "author_names", "authors_full", "au"),
    "year": ("publication_year", "pub_year", "pubyear", "year_published", "published_year", "py"),
    "date": ("publication_date", "pubdate", "date_published", "published_date"),
    "journal": (
        "publication_title",
        "source_title",
        "journal_title",
        "journal_name",
        "publication",
        "pub",
        "so",
        "journal/book",
        "primary_location.source.display_name",
        "source",
    ),
    "doi": ("doi_link", "di"),
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

FIELDS = frozenset(
    (*_NAMES, "_id", "paper_id", "text", "summary", "author", "published", "citations", *ADDRESSES, *NOTES)
)
_SAME = {"_id": "id", "paper_id": "id", "text": "abstract", "author": "authors", "published": "date"}


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
