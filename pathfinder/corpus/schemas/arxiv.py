"""Papers from arXiv's own metadata dump, "arxiv-metadata-oai-snapshot": one JSON object per line."""

import datetime
from dataclasses import replace
from email.utils import parsedate_to_datetime

from pathfinder.corpus.schemas.fields import Record, Unusable, clean, shorten, text_field
from pathfinder.corpus.schemas.tidy import require, tidy_paper
from pathfinder.types import Paper, Provenance

LICENCE = "CC0-1.0"
"""Licence of arXiv's metadata."""


def is_arxiv_record(record: Record) -> bool:
    """Return whether `record` has the fields that only arXiv's dump has."""
    return "authors_parsed" in record or "versions" in record


def arxiv_paper(record: Record) -> Paper:
    """Return the paper that `record` describes, dated by its first version. Raises `Unusable` with the reason."""
    arxiv_id = require(text_field(record, "id"), "no id")
    date = _first_version(record)
    fields = {
        "id": arxiv_id,
        "arxiv_id": arxiv_id,
        "title": record.get("title"),
        "abstract": record.get("abstract"),
        "authors": _authors(record),
        "date": date.isoformat() if date else None,
        "journal": record.get("journal-ref"),
        "categories": record.get("categories"),
        "doi": record.get("doi"),
    }
    versions = record.get("versions")
    last = versions[-1] if isinstance(versions, list) and versions else None
    name = last.get("version") if isinstance(last, dict) else None
    provenance = (Provenance("arxiv", arxiv_id, name if isinstance(name, str) else None, licence=LICENCE),)
    return replace(tidy_paper(fields), provenance=provenance)


def _first_version(record: Record) -> datetime.date | None:
    """Return the day of version 1; `update_date` is the day of the last change, and says nothing about the first
    version.
    """
    versions = record.get("versions")
    if not versions:
        return None
    records = [version for version in versions if isinstance(version, dict)] if isinstance(versions, list) else []
    first = next((version for version in records if version.get("version") == "v1"), records[0] if records else None)
    creation_time = first.get("created") if isinstance(first, dict) else None
    if not isinstance(creation_time, str):
        raise Unusable(f"versions must be a list of objects with `created`, got {shorten(versions)}")
    try:
        return parsedate_to_datetime(creation_time).date()
    except ValueError:
        raise Unusable(
            f"not a valid date: {shorten(creation_time)} is not a weekday, a date and a time in GMT"
        ) from None


def _authors(record: Record) -> list[str]:
    """Return names as "Last, First" or "Last, First, Jr": the dump lists the parts of a name separately."""
    name_lists = record.get("authors_parsed")
    if name_lists is None:
        return []
    if not isinstance(name_lists, list) or not all(_is_parsed_name(name) for name in name_lists):
        raise Unusable(f"authors_parsed must be a list of lists of strings, got {shorten(name_lists)}")
    names = (", ".join(part for part in map(clean, name[:3]) if part) for name in name_lists)
    return [name for name in names if name]


def _is_parsed_name(name: object) -> bool:
    return isinstance(name, list) and all(isinstance(part, str) for part in name)
