"""A corpus as layers see it."""

from pathfinder.corpus.store import Corpus
from pathfinder.landscape.grid import grid_over
from pathfinder.landscape.kept import open_kept
from pathfinder.landscape.landscape import Landscape
from pathfinder.landscape.layers.store import open_layers
from pathfinder.landscape.reviews.placed import open_placed, with_place
from pathfinder.landscape.survey import NO_REVIEWS, Survey


def survey_of(corpus: Corpus, landscape: Landscape) -> Survey:
    """The survey of an open corpus, without its vectors: half a gigabyte, for 350,000 papers, that few layers need."""
    grid = grid_over(landscape.extent)
    stored = corpus.path("layers")
    missions, concepts = open_layers(stored, len(corpus.papers)) if stored else (None, None)
    counted = corpus.path("overlays")
    path = corpus.path("reviews")
    listed = open_placed(path, len(corpus.papers)) if path else None
    reviews = with_place(listed) if listed is not None else None
    return Survey(
        coordinates=landscape.coordinates,
        papers=corpus.papers,
        grid=grid,
        cells=grid.cell_of(landscape.coordinates),
        this_year=corpus.snapshot.year if corpus.snapshot else None,
        thesaurus=corpus.thesaurus,
        reviews=reviews,
        n_reviews_without_place=len(listed) - len(reviews) if listed and reviews is not None else 0,
        reviews_absent=corpus.absent.get("reviews", NO_REVIEWS),
        terms=corpus.terms,
        meaning=corpus.dense,
        missions=missions,
        concepts=concepts,
        kept=open_kept(counted) if counted else None,
    )
