"""The reviews of a corpus, placed on its map, as they lie on disk: one JSON file."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import CorpusDamaged
from pathfinder.landscape.reviews.listing import ListedReview, identifier_key
from pathfinder.landscape.survey import Review


@with_config(ConfigDict(extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class PlacedReview:
    """A review with its place."""

    title: str
    year: int | None
    identifiers: tuple[str, ...]
    known_as: str
    is_listed: bool
    """It is of the list that was given, and not only marked as a review in the corpus."""
    row: int | None
    """Of the corpus; `None`: it was placed by its title, if at all."""
    x: float | None
    y: float | None
    """`None`: no paper here is like its title, so that nothing says where it belongs."""

    @property
    def listed(self) -> ListedReview:
        """It, as its list had it."""
        return ListedReview(self.title, self.year, self.identifiers, self.known_as)


_ADAPTER = TypeAdapter(tuple[PlacedReview, ...])


def rows_of_reviews(papers: PaperTable, listed: Sequence[ListedReview]) -> list[int | None]:
    """The row of each listed review that is in the corpus, by any of its identifiers; `None` for the others."""
    row_of: dict[str, int] = {}
    for name in ("paper_id", "arxiv_id", "doi", "bibcode"):
        for row, text in enumerate(papers.column(name).to_pylist()):
            if text:
                row_of.setdefault(identifier_key(text), row)
    return [next((row_of[key] for key in review.identifiers if key in row_of), None) for review in listed]


def place_reviews(
    papers: PaperTable,
    coordinates: NDArray[np.float32],
    listed: Sequence[ListedReview],
    elsewhere: NDArray[np.float32],
) -> tuple[PlacedReview, ...]:
    """The listed reviews, then the papers of the corpus that are marked as reviews and were not listed.

    `elsewhere` has a place, shape (n, 2), for each listed review that is not in the corpus, in their order; NaN where
    it has none.
    """
    rows = rows_of_reviews(papers, listed)
    others = iter(elsewhere)
    placed = []
    for review, row in zip(listed, rows, strict=True):
        x, y = map(float, coordinates[row] if row is not None else next(others))
        place = (None, None) if isnan(x) else (x, y)
        placed.append(PlacedReview(review.title, review.year, review.identifiers, review.known_as, True, row, *place))
    marked = np.flatnonzero(np.array(papers.column("is_review").to_pylist(), dtype=np.bool_))
    for row in sorted(set(marked.tolist()) - {row for row in rows if row is not None}):
        paper = papers[row]
        year = paper.published.year if paper.published else None
        x, y = map(float, coordinates[row])
        placed.append(PlacedReview(paper.title, year, (), paper.paper_id, False, row, x, y))
    return tuple(placed)


def write_reviews(reviews: Sequence[PlacedReview], path: Path) -> None:
    """Write `reviews`; the same ones, the same bytes."""
    lines = ",\n".join(json.dumps(asdict(review), ensure_ascii=False) for review in reviews)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def open_placed(path: Path, n_papers: int) -> tuple[PlacedReview, ...]:
    """What `write_reviews` wrote. Raises `CorpusDamaged` for anything else."""
    try:
        reviews = _ADAPTER.validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise _damaged(path, " ".join(str(error).split())) from error
    if not all(review.row is None or 0 <= review.row < n_papers for review in reviews):
        raise _damaged(path, f"it names a row beyond the {n_papers} papers")
    return reviews


def with_place(reviews: Sequence[PlacedReview]) -> tuple[Review, ...]:
    """Those that have a place, as layers see them."""
    return tuple(
        Review(r.title, r.year, r.x, r.y, r.row, r.known_as) for r in reviews if r.x is not None and r.y is not None
    )


def _damaged(path: Path, why: str) -> CorpusDamaged:
    return CorpusDamaged(f"{path} cannot be read ({why}): build again with --reviews FILE")
