"""A list of review articles: JSON lines with `title`, `year` and identifiers (`bibcode`, `doi`, `identifier`)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pathfinder.corpus.readers.fields import MAX_YEAR, MIN_YEAR, Unusable, list_field, parse_date, text_field
from pathfinder.corpus.readers.lines import MAX_LINE_BYTES, numbered_lines
from pathfinder.corpus.readers.rejected import Rejected
from pathfinder.errors import CorpusError

_IDENTIFIERS = ("bibcode", "doi", "arxiv_id", "arxiv", "identifier", "identifiers")
_ARXIV = re.compile(r"^(?:arxiv:|10\.48550/arxiv\.)", re.IGNORECASE)
_VERSION = re.compile(r"(?<=\d)v\d+$", re.IGNORECASE)
_DOI_LINK = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ListedReview:
    """A review as its list has it."""

    title: str
    year: int | None = None
    identifiers: tuple[str, ...] = ()
    """In one spelling each, as `identifier_key` gives it."""
    known_as: str = ""
    """The first identifier, as the list spells it."""


@dataclass(frozen=True, slots=True)
class ReviewList:
    """What a file of reviews brought."""

    reviews: tuple[ListedReview, ...]
    rejected: tuple[Rejected, ...]


def read_reviews(path: Path) -> ReviewList:
    """The reviews of the file at `path`, plain or gzipped, one JSON object a line.

    Raises `CorpusError` where it cannot be read or holds no usable review.
    """
    if not path.is_file():
        raise CorpusError(f"{path} {'is a folder: name the file in it' if path.is_dir() else 'does not exist'}")
    reviews, rejected = [], []
    for number, line in numbered_lines(path):
        if line is not None and not line.strip():
            continue
        try:
            reviews.append(_review(_parse(line)))
        except Unusable as reason:
            rejected.append(Rejected(path.name, number, str(reason), None))
    if not reviews:
        first = f" (line {rejected[0].line}: {rejected[0].reason})" if rejected else ""
        raise CorpusError(f"{path} holds no review{first}: bring JSON lines with a title, a year and identifiers")
    return ReviewList(tuple(reviews), tuple(rejected))


def identifier_key(text: str) -> str:
    """One spelling of a DOI, an arXiv id or a bibcode: in small letters, no prefix, no version."""
    plain = _DOI_LINK.sub("", text.strip())
    return _VERSION.sub("", _ARXIV.sub("", plain)).casefold()


def _parse(line: bytes | None) -> Mapping[str, object]:
    if line is None:
        raise Unusable(f"the line is longer than {MAX_LINE_BYTES} bytes")
    try:
        record = json.loads(line.decode("utf-8"), strict=False)
    except (ValueError, RecursionError) as error:
        raise Unusable(f"not JSON: {error}") from None
    if not isinstance(record, dict):
        raise Unusable("not a JSON object")
    return record


def _review(record: Mapping[str, object]) -> ListedReview:
    title = text_field(record, "title")
    if title is None:
        raise Unusable("no title")
    written = text_field(record, "year", "date")
    year = parse_date(written)[0] if written else None
    if year is not None and not MIN_YEAR <= year <= MAX_YEAR:
        raise Unusable(f"a bad date: year {year} lies outside {MIN_YEAR}..{MAX_YEAR}")
    identifiers = list_field(record, *_IDENTIFIERS)
    keys = tuple(dict.fromkeys(identifier_key(one) for one in identifiers))
    return ListedReview(title, year, keys, identifiers[0] if identifiers else "")
