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
from pathfinder.index.neighbours import nearest_among
from pathfinder.landscape.landscape import open_landscape
from pathfinder.landscape.placing import N_NEIGHBOURS, place_papers
from pathfinder.landscape.reviews.listing import ListedReview, ReviewList
from pathfinder.landscape.reviews.placed import open_placed, place_reviews, rows_of_reviews, write_reviews
from pathfinder.models.ports import Embedder, Vectors

NO_REVIEWS = "no reviews were given: build with --reviews FILE"
N_TITLES = 500
PERCENTILE = 0.5
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
    elsewhere = _places(place, manifest, embedder, papers, coordinates, _missing(papers, listed))
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
    place: Workplace,
    manifest: Manifest,
    embedder: Embedder,
    papers: PaperTable,
    coordinates: NDArray[np.float32],
    titles: list[str],
) -> NDArray[np.float32]:
    """A place for each title, by the papers that are most like it; NaN where no paper is like it enough."""
    if not titles:
        return np.empty((0, 2), dtype=np.float32)
    dense = DenseIndex.open(place.corpus / manifest.parts["dense"].name)
    vectors = dense.vectors(np.arange(len(dense), dtype=np.int64))
    given = embedder.embed(titles, "document")
    places = place_papers(vectors, coordinates, given)
    places[_likeness(vectors, given) < _least_likeness(vectors, papers, embedder)] = np.nan
    return places


def _likeness(vectors: Vectors, given: Vectors) -> NDArray[np.float32]:
    """Mean cosine of each of `given` to the papers nearest to it."""
    _, apart = nearest_among(given, vectors, min(N_NEIGHBOURS, len(vectors)))
    likeness: NDArray[np.float32] = np.mean(1 - apart**2 / 2, axis=1, dtype=np.float32)
    return likeness


def _least_likeness(vectors: Vectors, papers: PaperTable, embedder: Embedder) -> float:
    """What 199 of 200 titles of the corpus's own papers reach: an "Introduction", or a memoir, does not.

    Measured with the embedder at hand, since cosines of one model say nothing of those of another. A title's own
    paper is among its nearest; of 15, it lifts the mean by no more than a thirtieth.
    """
    titles = papers.titles()
    sample = np.unique(np.linspace(0, len(titles) - 1, N_TITLES).astype(np.int64))
    own = embedder.embed([titles[row] for row in sample], "document")
    return float(np.percentile(_likeness(vectors, own), PERCENTILE))
