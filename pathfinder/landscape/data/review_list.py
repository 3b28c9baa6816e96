"""A list of review articles: JSON lines with `title`, `year` and identifiers (`bibcode`, `doi`, `identifier`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pathfinder.corpus.readers.json_lines import read_json_records
from pathfinder.corpus.readers.rejected_rows import RejectedRow
from pathfinder.corpus.schemas.dates import MAX_YEAR, MIN_YEAR, read_date
from pathfinder.corpus.schemas.fields import Unusable, list_field, shorten, text_field
from pathfinder.errors import CorpusError
from pathfinder.text.identifiers import identifier_key

_IDENTIFIERS = ("bibcode", "doi", "arxiv_id", "arxiv", "identifier", "identifiers")


@dataclass(frozen=True, slots=True)
class ListedReview:
    """A review as given in the list."""

    title: str
    year: int | None = None
    identifiers: tuple[str, ...] = ()
    """Normalised by `identifier_key`."""
    known_as: str = ""
    """The first identifier, spelled as in the list."""


@dataclass(frozen=True, slots=True)
class ReviewList:
    """The content of a file of reviews."""

    reviews: tuple[ListedReview, ...]
    rejected_rows: tuple[RejectedRow, ...]


def read_reviews(path: Path) -> ReviewList:
    """Read the reviews in the file at `path`, plain or gzipped, one JSON object per line.

    Raises `CorpusError` if it cannot be read or contains no usable review.
    """
    if not path.is_file():
        raise CorpusError(f"{path} {'is a folder: name the file in it' if path.is_dir() else 'does not exist'}")
    reviews, rejected_rows = [], []
    for number, record in read_json_records(path):
        if isinstance(record, RejectedRow):
            rejected_rows.append(record)
            continue
        try:
            reviews.append(_review(record))
        except Unusable as reason:
            rejected_rows.append(RejectedRow(path.name, number, str(reason), None))
    if not reviews:
        first = f" (line {rejected_rows[0].line}: {rejected_rows[0].reason})" if rejected_rows else ""
        raise CorpusError(f"{path} contains no reviews{first}: use JSON lines with a title, a year and identifiers")
    return ReviewList(tuple(reviews), tuple(rejected_rows))


def _review(record: Mapping[str, object]) -> ListedReview:
    title = text_field(record, "title")
    if title is None:
        raise Unusable("no title")
    date_text = text_field(record, "year", "date")
    year, _ = read_date(date_text or "")
    if date_text and year is None:
        raise Unusable(f"not a valid date: {shorten(date_text)} has no year from {MIN_YEAR} to {MAX_YEAR}")
    identifiers = list_field(record, *_IDENTIFIERS)
    keys = tuple(dict.fromkeys(identifier_key(identifier) for identifier in identifiers))
    return ListedReview(title, year, keys, identifiers[0] if identifiers else "")
