"""Places the reviews of a corpus on its map during the build."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.building.work import Work
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile
from pathfinder.index.engines import open_vectors
from pathfinder.index.neighbours import nearest_among
from pathfinder.landscape.data.landscape import open_landscape
from pathfinder.landscape.data.map_data import NO_REVIEWS
from pathfinder.landscape.data.placed_reviews import (
    ListedReview,
    open_placed,
    place_reviews,
    rows_of_reviews,
    write_reviews,
)
from pathfinder.landscape.projection.projection import N_PLACING, place_papers
from pathfinder.models.ports import Embedder, Vectors

N_TITLES = 500
PERCENTILE = 0.5


def reviews_part(work: Work) -> CorpusFile | str:
    """Place the reviews in the new list on the map or, without a list, those of the previous corpus; return the reason
    if there are none.
    """
    if "landscape" not in work.manifest.parts:
        return work.manifest.absent["landscape"]
    papers, previous = work.papers, work.previous
    path = previous.path("reviews") if previous else None
    known_reviews: tuple[ListedReview, ...] = ()
    if work.plan.inputs.reviews:
        known_reviews = work.plan.inputs.reviews.reviews
    elif previous and path:
        placed = open_placed(path, len(previous.papers))
        known_reviews = tuple(review.as_given for review in placed if review.is_listed)
    coordinates = open_landscape(work.path("landscape")).coordinates
    rows = rows_of_reviews(papers, known_reviews)
    missing = [review.title for review, row in zip(known_reviews, rows, strict=True) if row is None]
    with work.stage("placing reviews"):
        places = _places(work, coordinates, missing)
        reviews = place_reviews(papers, coordinates, known_reviews, places)
    if not reviews:
        return NO_REVIEWS
    return work.make_part("reviews", "reviews.json", lambda path: write_reviews(reviews, path))


def _places(work: Work, coordinates: NDArray[np.float32], titles: list[str]) -> NDArray[np.float32]:
    """Place each title according to the papers most similar to it; NaN if no paper is similar enough."""
    if not titles:
        return np.empty((0, 2), dtype=np.float32)
    dense = open_vectors(work.path("dense"))
    vectors = dense.vectors(np.arange(len(dense), dtype=np.int64))
    title_vectors = work.embedder.embed(titles, "document")
    places = place_papers(vectors, coordinates, title_vectors)
    places[_similarity(vectors, title_vectors) < _least_similarity(vectors, work.papers, work.embedder)] = np.nan
    return places


def _similarity(vectors: Vectors, others: Vectors) -> NDArray[np.float32]:
    """Return, for each of `others`, the mean of its cosines with the papers nearest to it."""
    _, apart = nearest_among(others, vectors, min(N_PLACING, len(vectors)))
    similarity: NDArray[np.float32] = np.mean(1 - apart**2 / 2, axis=1, dtype=np.float32)
    return similarity


def _least_similarity(vectors: Vectors, papers: PaperTable, embedder: Embedder) -> float:
    """Measure the similarity that 199 of 200 titles in the corpus reach; a title such as "Introduction", or that of a
    memoir, falls short.

    It is measured with the embedder in use, because the cosines of two models cannot be compared. The 15 papers nearest
    to a title include its own, which raises the mean by no more than a thirtieth.
    """
    titles = papers.titles()
    sample = np.unique(np.linspace(0, len(titles) - 1, N_TITLES).astype(np.int64))
    own = embedder.embed([titles[row] for row in sample], "document")
    return float(np.percentile(_similarity(vectors, own), PERCENTILE))
