"""Places the reviews of a corpus on its map during the build."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pathfinder.building.directory import BuildDirectory
from pathfinder.building.progress import Progress
from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile, check_whole, place_part
from pathfinder.corpus.store import Corpus
from pathfinder.index.milvus import open_vectors
from pathfinder.index.neighbours import nearest_among
from pathfinder.landscape.data.landscape import open_landscape
from pathfinder.landscape.data.map_data import NO_REVIEWS
from pathfinder.landscape.data.placed_reviews import (
    ListedReview,
    ReviewList,
    open_placed,
    place_reviews,
    rows_of_reviews,
    write_reviews,
)
from pathfinder.landscape.projection.placing import N_NEIGHBOURS, place_papers
from pathfinder.models.ports import Embedder, Vectors

N_TITLES = 500
PERCENTILE = 0.5


def reviews_part(
    place: BuildDirectory,
    manifest: Manifest,
    previous: Corpus | None,
    new_list: ReviewList | None,
    embedder: Embedder,
    progress: Progress,
) -> CorpusFile | str:
    """Place the reviews in the new list on the map or, without a list, those of the previous corpus; return the reason
    if there are none.
    """
    if "landscape" not in manifest.parts:
        return manifest.absent["landscape"]
    papers = PaperTable(read_table(place.corpus / manifest.parts["papers"].name))
    known_reviews = new_list.reviews if new_list else _listed_previously(previous)
    coordinates = open_landscape(place.corpus / manifest.parts["landscape"].name).coordinates
    progress.start("placing reviews", None)
    places = _places(place, manifest, embedder, papers, coordinates, _missing(papers, known_reviews))
    reviews = place_reviews(papers, coordinates, known_reviews, places)
    progress.finish()
    if not reviews:
        return NO_REVIEWS
    staging_file = place.staging / "reviews.json"
    write_reviews(reviews, staging_file)
    part = place_part(staging_file, "reviews", place.corpus)
    check_whole(place.corpus, part)
    return part


def _listed_previously(previous: Corpus | None) -> tuple[ListedReview, ...]:
    path = previous.path("reviews") if previous else None
    if previous is None or path is None:
        return ()
    return tuple(review.as_given for review in open_placed(path, len(previous.papers)) if review.is_listed)


def _missing(papers: PaperTable, reviews: Sequence[ListedReview]) -> list[str]:
    return [review.title for review, row in zip(reviews, rows_of_reviews(papers, reviews), strict=True) if row is None]


def _places(
    place: BuildDirectory,
    manifest: Manifest,
    embedder: Embedder,
    papers: PaperTable,
    coordinates: NDArray[np.float32],
    titles: list[str],
) -> NDArray[np.float32]:
    """Place each title according to the papers most similar to it; NaN if no paper is similar enough."""
    if not titles:
        return np.empty((0, 2), dtype=np.float32)
    dense = open_vectors(place.corpus / manifest.parts["dense"].name)
    vectors = dense.vectors(np.arange(len(dense), dtype=np.int64))
    title_vectors = embedder.embed(titles, "document")
    places = place_papers(vectors, coordinates, title_vectors)
    places[_similarity(vectors, title_vectors) < _least_similarity(vectors, papers, embedder)] = np.nan
    return places


def _similarity(vectors: Vectors, others: Vectors) -> NDArray[np.float32]:
    """Return, for each of `others`, the mean of its cosines with the papers nearest to it."""
    _, apart = nearest_among(others, vectors, min(N_NEIGHBOURS, len(vectors)))
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
