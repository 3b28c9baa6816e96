"""Works from OpenAlex (https://developers.openalex.org): one JSON object each, as in its API and its exports."""

import re
from collections.abc import Iterable

from pathfinder.corpus.schemas.fields import Record, Unusable, inner, objects, shorten, text_field, texts
from pathfinder.corpus.schemas.tidy import hosted_paper, require
from pathfinder.types import Paper

LICENCE = "CC0-1.0"
"""Licence of OpenAlex's data."""

MAX_WORDS = 20_000
"""Limit on the number of words in an abstract; positions beyond it are mistakes."""

_WORK = re.compile(r"(?:https?://openalex\.org/)?(W\d+)", re.IGNORECASE)


def is_openalex_record(record: Record) -> bool:
    """Return whether `record` has a field that is found only in OpenAlex's works."""
    return "abstract_inverted_index" in record or "authorships" in record


def openalex_paper(record: Record) -> Paper:
    """Return the paper that a work describes. Raises `Unusable` with the reason if it describes none."""
    work_id = require(_work_id(text_field(record, "id")), "no id")
    venue = text_field(inner(inner(record, "primary_location"), "source"), "display_name")
    is_retracted = record.get("is_retracted") is True
    biblio = inner(record, "biblio")
    positions_of = inner(record, "abstract_inverted_index")
    word_at: dict[int, str] = {}
    for word, positions in positions_of.items():
        if not isinstance(positions, list) or not all(isinstance(place, int) for place in positions):
            raise Unusable(f"abstract_inverted_index must hold lists of positions, got {shorten(positions)}")
        word_at.update((place, word) for place in positions if 0 <= place < MAX_WORDS)
    # OpenAlex has no field for arXiv ids, but lists the address at arXiv.
    places = [inner(record, "primary_location"), *objects(record, "locations")]
    fields = {
        "id": work_id,
        "openalex_id": work_id,
        "title": text_field(record, "title", "display_name"),
        "abstract": " ".join(" ".join(word_at[place].split()) for place in sorted(word_at)),
        "authors": [name for entry in objects(record, "authorships") for name in _names([inner(entry, "author")])],
        "date": record.get("publication_date") or record.get("publication_year"),
        "journal": venue,
        "venue": venue,
        "volume": biblio.get("volume"),
        "page": biblio.get("first_page"),
        "last_page": biblio.get("last_page"),
        "keywords": _names(objects(record, "keywords")) or _names(objects(record, "topics")),
        "citation_count": record.get("cited_by_count"),
        "is_review": record.get("type") == "review",
        "doi": record.get("doi"),
        "pmid": inner(record, "ids").get("pmid"),
        "url": [address for place in places if (address := text_field(place, "landing_page_url"))],
        "references": [f"openalex:{work}" for work in map(_work_id, texts(record, "referenced_works")) if work],
        "status": "retracted" if is_retracted else None,
        "status_from": "openalex" if is_retracted else None,
    }
    return hosted_paper(fields, "openalex", work_id, text_field(record, "updated_date"), LICENCE)


def _names(entries: Iterable[Record]) -> list[str]:
    return [name for entry in entries if (name := text_field(entry, "display_name"))]


def _work_id(address: str | None) -> str | None:
    match = _WORK.fullmatch(address) if address else None
    return match[1].upper() if match else None
