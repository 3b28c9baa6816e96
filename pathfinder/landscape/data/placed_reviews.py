"""The reviews of a corpus with their places on its map, stored as one JSON file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.readers.json_lines import read_json_records
from pathfinder.corpus.readers.reader import RejectedRow
from pathfinder.corpus.schemas.dates import MAX_YEAR, MIN_YEAR, read_date
from pathfinder.corpus.schemas.fields import Unusable, list_field, shorten, text_field
from pathfinder.errors import CorpusDamaged, CorpusError
from pathfinder.text.identifiers import identifier_key
from pathfinder.text.strict_json import read_json

_REMEDY = "build again with --reviews FILE"


@dataclass(frozen=True, slots=True)
class Review:
    """A review article with a place on the map, whether or not it is in the corpus."""

    title: str
    year: int | None
    x: float
    y: float
    row: int | None = None
    """Its row in the corpus; `None` for a review outside the corpus, which was placed by the embedding of its title."""
    identifier: str = ""
    """Bibcode, DOI or arXiv id, as given in the list."""


@dataclass(frozen=True, slots=True)
class ListedReview:
    """A review as given in the list."""

    title: str
    year: int | None = None
    identifiers: tuple[str, ...] = ()
    """Normalised by `identifier_key`."""
    known_as: str = ""
    """The first identifier, spelled as in the list."""


@with_config(ConfigDict(extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class PlacedReview:
    """A review as stored with a corpus, with its place if it has one."""

    title: str
    year: int | None
    identifiers: tuple[str, ...]
    known_as: str
    is_listed: bool
    """True if the review is on the list given to the build; false if only the corpus marks it as a review."""
    row: int | None
    """Its row in the corpus; `None` if it was placed by its title or not placed at all."""
    x: float | None
    y: float | None
    """`None` if the review cannot be placed because its title resembles no paper in the corpus."""

    @property
    def as_given(self) -> ListedReview:
        """The review as given in the list."""
        return ListedReview(self.title, self.year, self.identifiers, self.known_as)


_ADAPTER = TypeAdapter(tuple[PlacedReview, ...])


def rows_of_reviews(papers: PaperTable, reviews: Sequence[ListedReview]) -> list[int | None]:
    """Find the row in the corpus of each listed review by any of its identifiers; `None` if the corpus lacks it."""
    row_of: dict[str, int] = {}
    for name in ("paper_id", "arxiv_id", "doi", "bibcode"):
        for row, text in enumerate(papers.column(name).to_pylist()):
            if text:
                row_of.setdefault(identifier_key(text), row)
    return [next((row_of[key] for key in review.identifiers if key in row_of), None) for review in reviews]


def place_reviews(
    papers: PaperTable,
    coordinates: NDArray[np.float32],
    reviews: Sequence[ListedReview],
    elsewhere: NDArray[np.float32],
) -> tuple[PlacedReview, ...]:
    """Place the listed reviews, then the papers that are not listed but are marked as reviews in the corpus.

    `elsewhere`, shape (n, 2), holds the places of the listed reviews that are not in the corpus, in the order of the
    list; NaN for those without a place.
    """
    rows = rows_of_reviews(papers, reviews)
    others = iter(elsewhere)
    placed_reviews = []
    for review, row in zip(reviews, rows, strict=True):
        x, y = map(float, coordinates[row] if row is not None else next(others))
        place = (None, None) if isnan(x) else (x, y)
        placed_reviews.append(
            PlacedReview(review.title, review.year, review.identifiers, review.known_as, True, row, *place)
        )
    marked_rows = np.flatnonzero(np.array(papers.column("is_review").to_pylist(), dtype=np.bool_))
    for row in sorted(set(marked_rows.tolist()) - {row for row in rows if row is not None}):
        paper = papers[row]
        year = paper.published.year if paper.published else None
        x, y = map(float, coordinates[row])
        placed_reviews.append(PlacedReview(paper.title, year, (), paper.paper_id, False, row, x, y))
    return tuple(placed_reviews)


def write_reviews(reviews: Sequence[PlacedReview], path: Path) -> None:
    """Write `reviews`; the same reviews always produce the same bytes."""
    lines = ",\n".join(json.dumps(asdict(review), ensure_ascii=False) for review in reviews)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def open_placed(path: Path, n_papers: int) -> tuple[PlacedReview, ...]:
    """Read the reviews written by `write_reviews`. Raises `CorpusDamaged` for anything else."""
    reviews = read_json(_ADAPTER, path, _REMEDY)
    if not all(review.row is None or 0 <= review.row < n_papers for review in reviews):
        raise CorpusDamaged(f"{path} names a row beyond the {n_papers} papers: {_REMEDY}")
    return reviews


def with_place(reviews: Sequence[PlacedReview]) -> tuple[Review, ...]:
    """Return the reviews that have a place, as the type that layers read."""
    return tuple(
        Review(r.title, r.year, r.x, r.y, r.row, r.known_as) for r in reviews if r.x is not None and r.y is not None
    )


# A list of review articles: JSON lines with `title`, `year` and identifiers (`bibcode`, `doi`, `identifier`).

_IDENTIFIERS = ("bibcode", "doi", "arxiv_id", "arxiv", "identifier", "identifiers")


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
