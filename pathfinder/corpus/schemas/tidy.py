"""Papers from records with plainly named fields: tidy JSON lines, tables, landmarks, BEIR corpora.

    id, _id or paper_id: required
    title: required
    abstract or text; in their absence, summary; is_summary
    authors or author: a list, or one text with several names (`author_lists.py`); n_authors: a whole number
    year, date or published; journal, venue; refereed
    bibcode, arxiv_id, doi, openalex_id, pmid; other_ids, each as scheme:id
    categories: those of arXiv; keywords, subjects, fields, missions: subjects of the paper
    citation_count or citations; citation_rank_in_year; is_review
    status: withdrawn or retracted; status_from: who says so
    references: a list of scheme:id, or of ids of papers in the same corpus; ref_bibcodes: a list of bibcodes

A record with only a title becomes a paper without an abstract. Other fields are ignored.
"""

from pathfinder.corpus.network.works import ID_SCHEME, SCHEMES
from pathfinder.corpus.schemas.fields import (
    Record,
    Unusable,
    authors_field,
    clean,
    count_field,
    flag_field,
    list_field,
    text_field,
    when_published,
)
from pathfinder.text.identifiers import bare_arxiv_id, bare_doi
from pathfinder.types import Paper

ID_FIELDS = ("id", "_id", "paper_id")
STATES = ("withdrawn", "retracted")
ABSTRACT_FIELDS = ("abstract", "text")


def tidy_paper(record: Record) -> Paper:
    """Return the paper that `record` describes. Raises `Unusable` with the reason if it describes none."""
    paper_id = require(text_field(record, *ID_FIELDS), "no id")
    title = require(text_field(record, "title"), "no title")
    abstract, summary = text_field(record, *ABSTRACT_FIELDS), text_field(record, "summary")
    year, date = when_published(record)
    status = text_field(record, "status")
    return Paper(
        paper_id=paper_id,
        title=title,
        abstract=abstract or summary or "",
        is_summary=flag_field(record, "is_summary") or (abstract is None and summary is not None),
        authors=authors_field(record, "authors", "author"),
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
        openalex_id=text_field(record, "openalex_id"),
        pmid=text_field(record, "pmid"),
        other_ids=list_field(record, "other_ids"),
        venue=text_field(record, "venue"),
        references=_references(record),
        refereed=None if record.get("refereed") in (None, "") else flag_field(record, "refereed"),
        status=status if status in STATES else None,
        status_from=text_field(record, "status_from") if status in STATES else None,
    )


def _references(record: Record) -> tuple[str, ...]:
    """Return the works that a paper cites; a reference without a scheme is the id of a paper. Some programs write
    entries that are neither texts nor whole numbers; these are left out.
    """
    names = [clean(str(name)) for name in _plain_items(record.get("references"))]
    keys = [name if name.partition(":")[0].lower() in SCHEMES else f"{ID_SCHEME}:{name}" for name in names if name]
    bibcodes = [f"bibcode:{clean(str(name))}" for name in _plain_items(record.get("ref_bibcodes"))]
    return tuple(dict.fromkeys([*keys, *bibcodes]))


def _plain_items(value: object) -> list[object]:
    is_plain = isinstance(value, list) and all(isinstance(item, str | int) for item in value)
    return list(value) if is_plain else []  # type: ignore[call-overload]


def require(value: str | None, reason: str) -> str:
    """Return `value`. Raises `Unusable` with the reason if it is missing."""
    if value is None:
        raise Unusable(reason)
    return value
