"""The reviews of a corpus, found in it or placed on its map when it is built."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pathfinder.building.progress import Progress
from pathfinder.building.workplace import Workplace
from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.papers import PaperTable, read_table
from pathfinder.corpus.parts import Part, check_whole, place_part
from pathfinder.corpus.store import Corpus
from pathfinder.index.dense import DenseIndex
from pathfinder.landscape.landscape import open_landscape
from pathfinder.landscape.placing import place_papers
from pathfinder.landscape.reviews.listing import ListedReview, ReviewList
from pathfinder.landscape.reviews.placed import open_placed, place_reviews, rows_of_reviews, write_reviews
from pathfinder.models.ports import Embedder

NO_REVIEWS = "no reviews were given: build with --reviews FILE"
_PLACED_FROM = ("papers", "dense", "landscape")


def reviews_part(
    place: Workplace,
    manifest: Manifest,
    before: Corpus | None,
    given: ReviewList | None,
    embedder: Embedder,
    progress: Progress,
) -> Part | str:
    """The reviews that were given now, else those that the corpus has, on its map; or why there are none."""
    if "landscape" not in manifest.parts:
        return manifest.absent["landscape"]
    known = before.manifest.parts.get("reviews") if before else None
    if before and known and given is None and _still_hold(before, manifest):
        return known
    papers = PaperTable(read_table(place.corpus / manifest.parts["papers"].name))
    listed = given.reviews if given else _listed_before(before)
    coordinates = open_landscape(place.corpus / manifest.parts["landscape"].name).coordinates
    progress.start("placing reviews", None)
    elsewhere = _places(place, manifest, embedder, coordinates, _missing(papers, listed))
    reviews = place_reviews(papers, coordinates, listed, elsewhere)
    progress.finish()
    if not reviews:
        return NO_REVIEWS
    staged = place.staging / "reviews.json"
    write_reviews(reviews, staged)
    part = place_part(staged, "reviews", place.corpus)
    check_whole(place.corpus, part)
    return part


def _still_hold(before: Corpus, manifest: Manifest) -> bool:
    return all(before.manifest.parts.get(role) == manifest.parts.get(role) for role in _PLACED_FROM)


def _listed_before(before: Corpus | None) -> tuple[ListedReview, ...]:
    path = before.path("reviews") if before else None
    if before is None or path is None:
        return ()
    return tuple(review.listed for review in open_placed(path, len(before.papers)) if review.is_listed)


def _missing(papers: PaperTable, listed: Sequence[ListedReview]) -> list[str]:
    """Titles of the reviews that are not in the corpus."""
    return [review.title for review, row in zip(listed, rows_of_reviews(papers, listed), strict=True) if row is None]


def _places(
    place: Workplace, manifest: Manifest, embedder: Embedder, coordinates: NDArray[np.float32], titles: list[str]
) -> NDArray[np.float32]:
    """A place for each title, by the papers that are most like it."""
    if not titles:
        return np.empty((0, 2), dtype=np.float32)
    dense = DenseIndex.open(place.corpus / manifest.parts["dense"].name)
    vectors = dense.vectors(np.arange(len(dense), dtype=np.int64))
    return place_papers(vectors, coordinates, embedder.embed(titles, "document"))
