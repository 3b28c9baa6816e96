"""Makes one record from several records of the same paper."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pathfinder.corpus.merging.identifiers import identifier_names
from pathfinder.types import Paper

_FROM_FIRST = (
    "n_authors",
    "journal",
    "bibcode",
    "arxiv_id",
    "doi",
    "openalex_id",
    "pmid",
    "venue",
    "refereed",
    "preprint_date",
    "citation_rank_in_year",
    "status",
    "status_from",
)
"""Fields taken from the first record that has them."""

_COMBINED_FIELDS = ("categories", "subjects", "keywords", "references", "provenance")
"""Fields in which the merged record combines the values of all records."""


def merged_record(records: Sequence[Paper]) -> Paper:
    """Return one record, with the id of the first.

    It has every identifier; the longest abstract, or a summary only if no record has an abstract; the longest list of
    authors; the union of keywords, subjects, categories and references; the newest citation count with its source and
    day; the provenance of all. Other fields come from the first record that has them.
    """
    first = records[0]
    # A date that is only the preprint's gives way to that of the journal.
    dated_record = next((record for record in records if record.date and record.date != record.preprint_date), first)
    abstract = max(records, key=lambda record: (bool(record.abstract) and not record.is_summary, len(record.abstract)))
    counts = [record for record in records if record.citation_count is not None]
    newest = max(counts, key=lambda record: (str(record.citations_on or ""), record.citation_count or 0), default=first)
    values: dict[str, Any] = {name: _first_known(records, name) for name in _FROM_FIRST}
    values |= {
        name: tuple(dict.fromkeys(item for items in (getattr(record, name) for record in records) for item in items))
        for name in _COMBINED_FIELDS
    }
    values |= {
        "year": dated_record.year or _first_known(records, "year"),
        "date": dated_record.date or _first_known(records, "date"),
        "abstract": abstract.abstract,
        "is_summary": abstract.is_summary,
        "authors": max((record.authors for record in records), key=len),
        "citation_count": newest.citation_count,
        "citations_from": newest.citations_from,
        "citations_on": newest.citations_on,
        "is_review": any(record.is_review for record in records),
    }
    whole_record = replace(first, **values, other_ids=())
    main = identifier_names(whole_record)
    others = (name for record in records for name in sorted(identifier_names(record)) if name not in main)
    return replace(whole_record, other_ids=tuple(dict.fromkeys(others)))


def _first_known(records: Sequence[Paper], name: str) -> Any:
    return next((value for record in records if (value := getattr(record, name)) is not None), None)
