"""A paper from a record with plainly named fields: tidy JSON lines, tables, landmarks, BEIR corpora.

    id, _id, paper_id     required       authors, author    a list, or one text with ";" between names
    title                 required       n_authors          whole number
    abstract, text        required, or   year, date, published
    summary               this           journal, bibcode, arxiv_id, doi
    categories            arXiv's        citation_count, citations, citation_rank_in_year
    keywords, subjects, fields, missions: given subjects     is_review

Other fields are ignored.
"""

import re

from pathfinder.corpus.readers.fields import (
    Record,
    Unusable,
    count_field,
    flag_field,
    list_field,
    text_field,
    when_published,
)
from pathfinder.types import Paper

ID_FIELDS = ("id", "_id", "paper_id")
ABSTRACT_FIELDS = ("abstract", "text")
_DOI_PREFIX = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_ARXIV_PREFIX = re.compile(r"(?:https?://arxiv\.org/abs/|arxiv:\s*)", re.IGNORECASE)


def tidy_paper(record: Record) -> Paper:
    """The paper that `record` describes. Raises `Unusable` with the reason where it is none."""
    paper_id = required(text_field(record, *ID_FIELDS), "no id")
    title = required(text_field(record, "title"), "no title")
    abstract = text_field(record, *ABSTRACT_FIELDS)
    year, date = when_published(record)
    return Paper(
        paper_id=paper_id,
        title=title,
        abstract=abstract or required(text_field(record, "summary"), "no abstract or summary"),
        is_summary=abstract is None,
        authors=list_field(record, "authors", "author"),
        n_authors=count_field(record, "n_authors"),
        year=year,
        date=date,
        journal=text_field(record, "journal"),
        categories=list_field(record, "categories", separators=" ,;"),
        subjects=list_field(record, "keywords", "subjects", "fields", "missions"),
        citation_count=count_field(record, "citation_count", "citations"),
        citation_rank_in_year=count_field(record, "citation_rank_in_year"),
        is_review=flag_field(record, "is_review"),
        bibcode=text_field(record, "bibcode"),
        arxiv_id=bare_arxiv_id(text_field(record, "arxiv_id")),
        doi=bare_doi(text_field(record, "doi")),
    )


def required(value: str | None, reason: str) -> str:
    """`value`, or `Unusable` with the reason."""
    if value is None:
        raise Unusable(reason)
    return value


def bare_doi(written: str | None) -> str | None:
    """A DOI without the resolver's address before it."""
    return _DOI_PREFIX.sub("", written, count=1) if written else None


def bare_arxiv_id(written: str | None) -> str | None:
    """An arXiv identifier without "arXiv:" or the site's address before it."""
    return _ARXIV_PREFIX.sub("", written, count=1) if written else None
