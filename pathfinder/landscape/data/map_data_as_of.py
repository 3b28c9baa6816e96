"""The data behind the map as of a given year: the data of the whole corpus, limited to papers dated no later than that
year.
"""

from dataclasses import replace

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.landscape.data.groups import Groups
from pathfinder.landscape.data.landscape import Landscape
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.data.placed_reviews import Review
from pathfinder.types import Rows


def map_data_as_of(whole: MapData, corpus: Corpus, landscape: Landscape) -> MapData:
    """Collect the data of `corpus`, a corpus as of a given year, from the data of the `whole` corpus.

    Layers are computed on request from these papers alone, because the stored ones are based on all papers. Reviews
    without a year are left out, and reviews without a place are not counted. Raises `ValueError` for a whole corpus.
    """
    if corpus.as_of is None:
        raise ValueError("the corpus is not as of a given year: use the data of its map")
    rows, year = corpus.as_of.rows, corpus.as_of.year
    own = np.full(corpus.as_of.n_whole, -1, dtype=np.int64)
    own[rows] = np.arange(len(rows))
    placed_reviews = None if whole.reviews is None else [_review(review, own, landscape) for review in whole.reviews]
    reviews = (
        None
        if placed_reviews is None
        else tuple(r for r in placed_reviews if r and r.year is not None and r.year <= year)
    )
    absent = whole.reviews_absent if reviews else f"no listed review with a place on the map is from {year} or earlier"
    return replace(
        whole,
        coordinates=landscape.coordinates,
        papers=corpus.papers,
        cell_of_paper=whole.cell_of_paper[rows],
        this_year=year,
        reviews=reviews,
        n_reviews_without_place=0,
        reviews_absent=whole.reviews_absent if whole.reviews is None else absent,
        terms=corpus.terms,
        dense=corpus.dense,
        missions=_groups(whole.missions, own),
        concepts=_groups(whole.concepts, own),
        features=corpus.features,
        stored_layers=None,
        part_names={},
        opened_atlas=None,
    )


def _groups(groups: Groups | None, own: Rows) -> Groups | None:
    """Renumber the rows of the groups; a group that is left without papers is kept, but empty."""
    if groups is None:
        return None
    rows = {name: own[groups.rows_at(place)] for place, name in enumerate(groups.names)}
    return Groups.of({name: members[members >= 0] for name, members in rows.items()})


def _review(review: Review, own: Rows, landscape: Landscape) -> Review | None:
    """Renumber the row of a review; `None` if the review is a paper that was left out."""
    if review.row is None:
        return review
    row = int(own[review.row])
    if row < 0:
        return None
    x, y = map(float, landscape.coordinates[row])
    return replace(review, row=row, x=x, y=y)
