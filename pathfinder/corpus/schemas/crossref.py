"""Works from Crossref (https://api.crossref.org): one JSON object each."""

from pathfinder.corpus.schemas.author_lists import name_in
from pathfinder.corpus.schemas.dates import date_of_parts
from pathfinder.corpus.schemas.fields import Record, inner, objects, text_field, texts
from pathfinder.corpus.schemas.tidy import hosted_paper, require
from pathfinder.text.identifiers import bare_doi
from pathfinder.types import Paper

LICENCE = "CC0-1.0"
"""Licence of Crossref's metadata; abstracts may have their own terms."""

_STATES = {"retraction": "retracted", "removal": "retracted", "withdrawal": "withdrawn"}
"""Kinds of updates after which a paper should not be relied on; corrections and other kinds leave its status unchanged.
"""
_DATES = ("published-online", "published-print", "published", "issued", "posted", "created")


def crossref_paper(record: Record) -> Paper:
    """Return the paper that a work describes. Raises `Unusable` with the reason."""
    doi = require(bare_doi(text_field(record, "DOI")), "no DOI")
    venue = next(iter(texts(record, "container-title")), None)
    status, status_from = _status(record)
    dois = (bare_doi(text_field(entry, "DOI")) for entry in objects(record, "reference"))
    fields = {
        "id": doi.lower(),
        "doi": doi,
        "title": next(iter(texts(record, "title")), None),
        "abstract": record.get("abstract"),
        "authors": [*filter(name_in, objects(record, "author"))],
        "date": next(filter(None, (date_of_parts(inner(record, name)) for name in _DATES)), None),
        "journal": venue,
        "venue": venue,
        "volume": record.get("volume"),
        "pages": record.get("article-number") or record.get("page"),
        "keywords": list(texts(record, "subject")),
        "citation_count": record.get("is-referenced-by-count"),
        "references": [f"doi:{doi.lower()}" for doi in dois if doi],
        "status": status,
        "status_from": status_from,
    }
    version = text_field(inner(record, "indexed"), "date-time")
    return hosted_paper(fields, "crossref", doi.lower(), version, LICENCE)


def _status(record: Record) -> tuple[str | None, str | None]:
    """Return the status of a paper, and who reports it. `updated-by` is in the record of the retracted paper,
    `update-to` in that of the notice. The same retraction may be listed twice, by the publisher and by Retraction
    Watch.
    """
    updates = [
        (text_field(update, "type") or "", text_field(update, "source")) for update in objects(record, "updated-by")
    ]
    serious = sorted({(_STATES[kind], source or "crossref") for kind, source in updates if kind in _STATES})
    if not serious:
        return None, None
    state = serious[0][0]
    return state, ", ".join(dict.fromkeys(source for kind, source in serious if kind == state))
