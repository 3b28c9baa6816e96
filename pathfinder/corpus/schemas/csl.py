"""Papers from CSL JSON items (https://docs.citationstyles.org), as written by Zotero, Mendeley and pandoc."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pathfinder.corpus.schemas.ads import provenance_in_file
from pathfinder.corpus.schemas.dates import date_of_parts
from pathfinder.corpus.schemas.fields import Record, clean
from pathfinder.corpus.schemas.markup import without_markup
from pathfinder.corpus.schemas.tidy import tidy_paper
from pathfinder.types import Paper

_KINDS = ("article-journal", "article-magazine", "article-newspaper", "paper-conference")
"""Types that only CSL JSON has."""
_PLACES_OF_IDS = ("URL", "number", "archive_location", "archiveID", "publisher", "container-title")


def is_csl_record(record: Record) -> bool:
    """Return whether `record` has fields that only CSL JSON items have."""
    kind = record.get("type") if "authors" not in record else None
    return isinstance(record.get("issued"), Mapping) or kind in _KINDS or bool(kind and "container-title" in record)


def csl_paper(item: Record) -> Paper:
    """Return the paper that an item describes. Raises `Unusable` with the reason if it describes none."""
    own_id = _text(item, "citation-key") or _text(item, "id")
    venue = _text(item, "container-title") or _text(item, "collection-title")
    fields = {
        "own_id": own_id,
        "doi": _text(item, "DOI"),
        "pmid": _text(item, "PMID"),
        "pmcid": _text(item, "PMCID"),
        "url": [*filter(None, (_text(item, name) for name in _PLACES_OF_IDS)), own_id],
        "note": item.get("note"),
        "title": _text(item, "title"),
        "abstract": _text(item, "abstract"),
        "authors": list(_names(item.get("author"))),
        "date": _issue_date(item.get("issued")),
        "journal": venue,
        "venue": venue,
        "volume": _text(item, "volume"),
        "pages": _text(item, "page"),
        "keywords": without_markup(_text(item, "keyword") or "").replace(",", ";"),
        "is_review": _text(item, "type") in ("review", "review-article"),
    }
    paper = tidy_paper(fields)
    return replace(paper, provenance=provenance_in_file(own_id or paper.paper_id, (_text(item, "source"),)))


def _text(item: Record, name: str) -> str | None:
    """Return the cleaned text of a field or, if the field is a list, of its first entry. Anything else counts as
    missing.
    """
    value = item.get(name)
    first = value[0] if isinstance(value, list) and value else value
    return clean(str(first)) or None if isinstance(first, str | int) else None


def _issue_date(value: object) -> str:
    if not isinstance(value, Mapping):
        return ""
    return date_of_parts(value) or next((str(value[name]) for name in ("raw", "literal") if value.get(name)), "")


def _names(value: object) -> Iterator[str]:
    """Yield names as "Last, First" or "Last, First, Jr"; the name of a group is not divided."""
    for name in value if isinstance(value, list) else []:
        if not isinstance(name, Mapping):
            continue
        parts = {key: clean(str(part)) for key, part in name.items() if isinstance(part, str)}
        particles = (parts.get("dropping-particle"), parts.get("non-dropping-particle"))
        last = " ".join(part for part in (*particles, parts.get("family") or parts.get("literal")) if part)
        whole = ", ".join(part for part in (last, parts.get("given"), parts.get("suffix")) if part)
        if whole:
            yield whole
