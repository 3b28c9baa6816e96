"""Papers from CSL JSON items (https://docs.citationstyles.org), as written by Zotero, Mendeley and pandoc."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from pathfinder.corpus.schemas.ads import provenance_in_file
from pathfinder.corpus.schemas.fields import Record, clean
from pathfinder.corpus.schemas.loose_fields import chosen_id, loose_date
from pathfinder.corpus.schemas.tidy import tidy_paper
from pathfinder.corpus.schemas.zotero import with_extra
from pathfinder.text.identifiers import arxiv_id_in, bare_doi, bibcode_in
from pathfinder.types import Paper

_TAG = re.compile(r"</?(?:i|b|em|strong|sub|sup|span|sc)\b[^<>]*>", re.IGNORECASE)
_KINDS = ("article-journal", "article-magazine", "article-newspaper", "paper-conference")
"""Types that only CSL JSON has."""
_PLACES_OF_IDS = ("URL", "DOI", "number", "archive_location", "archiveID", "note", "publisher", "container-title")


def is_csl_record(record: Record) -> bool:
    """Return whether `record` has fields that only CSL JSON items have."""
    kind = record.get("type")
    return isinstance(record.get("issued"), Mapping) or kind in _KINDS or bool(kind and "container-title" in record)


def csl_paper(item: Record) -> Paper:
    """Return the paper that an item describes. Raises `Unusable` with the reason if it describes none."""
    year, date = _issue_date(item.get("issued"))
    note = item.get("note")
    own_id = _text(item, "citation-key") or _text(with_extra({}, note), "id") or _text(item, "id")
    places = [_text(item, name) for name in _PLACES_OF_IDS]
    venue = _text(item, "container-title") or _text(item, "collection-title")
    pmcid = _text(item, "PMCID")
    fields: Record = {
        "arxiv_id": next(filter(None, (arxiv_id_in(place, is_marked=True) for place in places)), None),
        "doi": bare_doi(_text(item, "DOI")),
        "bibcode": next(filter(None, map(bibcode_in, (*places, own_id))), None),
        "pmid": _text(item, "PMID"),
        "other_ids": [f"pmcid:{pmcid}"] if pmcid else [],
        "title": _text(item, "title"),
        "abstract": _text(item, "abstract"),
        "authors": list(_names(item.get("author"))),
        "year": year,
        "date": date,
        "journal": venue,
        "venue": venue,
        "keywords": (_text(item, "keyword") or "").replace(",", ";"),
        "is_review": _text(item, "type") in ("review", "review-article"),
        "remarks": str(note or ""),
    }
    fields = with_extra(fields, note)
    paper = tidy_paper({**fields, "id": chosen_id(fields, own_id)})
    return replace(paper, provenance=provenance_in_file(own_id or paper.paper_id, (_text(item, "source"),)))


def _text(item: Record, name: str) -> str | None:
    """Return the cleaned text of a field or, if the field is a list, of its first entry. Anything else counts as
    missing.
    """
    value = item.get(name)
    first = value[0] if isinstance(value, list) and value else value
    return clean(_TAG.sub("", str(first))) or None if isinstance(first, str | int) else None


def _issue_date(value: object) -> tuple[int | None, str | None]:
    if not isinstance(value, Mapping):
        return None, None
    parts = value.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts and isinstance(parts[0], list) else []
    if first and first[0]:
        return loose_date("-".join(str(part) for part in first), str(first[0]))
    return loose_date(next((str(value[name]) for name in ("raw", "literal") if value.get(name)), None))


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
