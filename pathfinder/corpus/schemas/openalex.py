"""Works from OpenAlex (https://developers.openalex.org): one JSON object each, as in its API and its exports."""

import re

from pathfinder.corpus.schemas.fields import Record, Unusable, count_field, parse_date, shorten, text_field
from pathfinder.corpus.schemas.json_fields import inner, objects, texts
from pathfinder.corpus.schemas.tidy import require
from pathfinder.text.identifiers import arxiv_id_in, bare_doi
from pathfinder.types import Paper, Provenance

LICENCE = "CC0-1.0"
"""Licence of OpenAlex's data."""

MAX_WORDS = 20_000
"""Limit on the number of words in an abstract; positions beyond it are mistakes."""

_WORK = re.compile(r"(?:https?://openalex\.org/)?(W\d+)", re.IGNORECASE)
_PUBMED = re.compile(r"(?:https?://pubmed\.ncbi\.nlm\.nih\.gov/)?(\d+)/?")


def is_openalex_record(record: Record) -> bool:
    """Return whether `record` has a field that is found only in OpenAlex's works."""
    return "abstract_inverted_index" in record or "authorships" in record


def openalex_paper(record: Record) -> Paper:
    """Return the paper that a work describes. Raises `Unusable` with the reason if it describes none."""
    work_id = require(_work_id(text_field(record, "id")), "no id")
    date_text = text_field(record, "publication_date") or text_field(record, "publication_year")
    year, date = parse_date(date_text) if date_text else (None, None)
    location = inner(record, "primary_location")
    venue = text_field(inner(location, "source"), "display_name")
    count = count_field(record, "cited_by_count")
    is_retracted = record.get("is_retracted") is True
    return Paper(
        paper_id=work_id,
        title=require(text_field(record, "title", "display_name"), "no title"),
        abstract=_abstract(inner(record, "abstract_inverted_index")),
        authors=_authors(record),
        year=year,
        date=date,
        journal=venue,
        venue=venue,
        subjects=_names(record, "keywords") or _names(record, "topics"),
        citation_count=count,
        citations_from="openalex" if count is not None else None,
        is_review=text_field(record, "type") == "review",
        doi=bare_doi(text_field(record, "doi")),
        arxiv_id=_arxiv_id(record),
        openalex_id=work_id,
        pmid=_match(_PUBMED, text_field(inner(record, "ids"), "pmid")),
        references=tuple(f"openalex:{work}" for work in map(_work_id, texts(record, "referenced_works")) if work),
        status="retracted" if is_retracted else None,
        status_from="openalex" if is_retracted else None,
        provenance=(Provenance("openalex", work_id, text_field(record, "updated_date"), licence=LICENCE),),
    )


def _abstract(positions_of: Record) -> str:
    """Return the text of an inverted index, which lists the positions of each word."""
    word_at: dict[int, str] = {}
    for word, positions in positions_of.items():
        if not isinstance(positions, list) or not all(isinstance(place, int) for place in positions):
            raise Unusable(f"abstract_inverted_index must hold lists of positions, got {shorten(positions)}")
        word_at.update((place, word) for place in positions if 0 <= place < MAX_WORDS)
    return " ".join(" ".join(word_at[place].split()) for place in sorted(word_at))


def _authors(record: Record) -> tuple[str, ...]:
    names = (text_field(inner(entry, "author"), "display_name") for entry in objects(record, "authorships"))
    return tuple(name for name in names if name)


def _names(record: Record, field: str) -> tuple[str, ...]:
    names = (text_field(entry, "display_name") for entry in objects(record, field))
    return tuple(name for name in names if name)


def _arxiv_id(record: Record) -> str | None:
    """Return the arXiv id, for which OpenAlex has no field: it is in the DOI or in the address of a location."""
    addresses = [text_field(record, "doi"), *(text_field(place, "landing_page_url") for place in _locations(record))]
    return next((arxiv_id for address in addresses if (arxiv_id := arxiv_id_in(address, is_marked=True))), None)


def _locations(record: Record) -> list[Record]:
    return [inner(record, "primary_location"), *objects(record, "locations")]


def _work_id(address: str | None) -> str | None:
    work_id = _match(_WORK, address)
    return work_id.upper() if work_id else None


def _match(pattern: re.Pattern[str], text: str | None) -> str | None:
    match = pattern.fullmatch(text) if text else None
    return match[1] if match else None
