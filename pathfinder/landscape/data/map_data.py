"""The data behind the map: the place of each paper, and everything else known about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.features import FeatureDictionary
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.corpus.thesaurus import Thesaurus
from pathfinder.errors import CorpusError
from pathfinder.index.ports import VectorIndex
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.groups import Groups, open_paper_groups
from pathfinder.landscape.data.landscape import Atlas, Landscape
from pathfinder.landscape.data.layer_store import StoredLayers, open_stored_layers
from pathfinder.landscape.data.placed_reviews import Review, open_placed, with_place
from pathfinder.landscape.density import Extent, Grid, grid_over
from pathfinder.profile.profile import FacilityCatalogue
from pathfinder.types import Floats, Rows

NO_REVIEWS = "this corpus has no list of reviews: build with --reviews FILE"
NO_THESAURUS = "this corpus has no thesaurus: build with --thesaurus FILE"
NO_FEATURES = "this corpus has no features: to add them, build again from its sources in the same folder"
NO_GROUPS = (
    "this corpus does not say which papers mention which mission or concept: to add this, build again from its sources "
    "into the same folder"
)
NO_CATALOGUE = (
    "the profile of this corpus names no catalogue of facilities: build with a profile that does (services.facilities)"
)


@dataclass(frozen=True, eq=False)
class MapData:
    """A corpus as seen by its map and its layers; row i refers to the same paper everywhere."""

    coordinates: NDArray[np.float32]
    """Shape (n, 2)."""
    papers: PaperTable
    grid: Grid
    cell_of_paper: Rows
    """The cell of each paper, shape (n,)."""
    this_year: int | None
    """The year of the snapshot; `None` if nothing is dated."""
    thesaurus: Thesaurus | None = None
    reviews: tuple[Review, ...] | None = None
    """Reviews with a place on the map; `None` if the corpus has no reviews."""
    n_reviews_without_place: int = 0
    """Number of listed reviews that do not resemble any paper in the corpus."""
    reviews_absent: str = NO_REVIEWS
    """The reason why the corpus has no reviews, if it has none, and how to add some."""
    terms: KeywordIndex | None = None
    """The index of papers by keyword, if available."""
    dense: VectorIndex | None = None
    """An index of the papers' vectors, if available."""
    missions: Groups | None = None
    """Papers from any year that mention each mission, by the mission's slug; if `None`, `missions_absent` gives the
    reason.
    """
    missions_absent: str = NO_GROUPS
    """The reason why there are no missions, if there are none, and how to add some."""
    concepts: Groups | None = None
    """Papers that have one of a concept's names as a keyword or within one, by the concept's id; `None` if there is no
    thesaurus, or if the corpus is from a version that did not store these papers.
    """
    features: FeatureDictionary | None = None
    """Features of the papers; if `None`, `features_absent` gives the reason."""
    features_absent: str = NO_FEATURES
    """The reason why there are no features, if there are none, and how to add them."""
    stored_layers: StoredLayers | None = None
    """Layers computed when the corpus was built; `None` if all are computed on request."""
    part_names: Mapping[str, str] = field(default_factory=dict)
    """The names of the corpus's parts by role; each contains a hash of the part's content."""
    opened_atlas: Atlas | None = None
    """The atlas, if one was opened; use `atlas` to read it."""

    @property
    def atlas(self) -> Atlas:
        """The parts of the map that were drawn when the corpus was built. Raises `CorpusError` if there are none."""
        if self.opened_atlas is None:
            raise CorpusError("this map has no tiles or names: build the corpus again to draw them")
        return self.opened_atlas

    @property
    def extent(self) -> Extent:
        """The whole map."""
        return self.grid.extent

    @cached_property
    def years(self) -> Floats:
        """The year of each paper, shape (n,); NaN if unknown."""
        return self.papers.years()

    def rows_of_years(self, years: tuple[int, int] | None) -> Rows:
        """Select the rows of the papers from `years` (first and last, inclusive); `None` selects all papers, including
        those without a year.
        """
        if years is None:
            return np.arange(len(self.coordinates))
        # A comparison with NaN is false.
        return np.flatnonzero((self.years >= years[0]) & (self.years <= years[1]))

    @property
    def why_no_reviews(self) -> str:
        """The reason why there are no reviews on the map, if there are none, and how to add some."""
        if self.reviews is not None and self.n_reviews_without_place:
            n = self.n_reviews_without_place
            reason = (
                "the only listed review has no place on the map"
                if n == 1
                else f"none of the {n:,} listed reviews has a place on the map"
            )
            return (
                f"{reason}, because no paper here is similar to it: build with --reviews FILE, a list from "
                "the field of this corpus"
            )
        return self.reviews_absent


def map_data_of(corpus: Corpus, landscape: Landscape) -> MapData:
    """Collect the data of an open corpus. The vectors stay in their index: those of 350,000 papers take half a
    gigabyte.
    """
    grid = grid_over(landscape.extent)
    groups, stored_layers, reviews = (corpus.path(role) for role in ("groups", "layers", "reviews"))
    missions, concepts = open_paper_groups(groups, len(corpus.papers)) if groups else (None, None)
    has_catalogue = corpus.profile.services.facilities is not FacilityCatalogue.NONE
    all_reviews = open_placed(reviews, len(corpus.papers)) if reviews else None
    placed_reviews = with_place(all_reviews) if all_reviews is not None else None
    return MapData(
        coordinates=landscape.coordinates,
        papers=corpus.papers,
        grid=grid,
        cell_of_paper=grid.cell_of(landscape.coordinates),
        this_year=corpus.snapshot.year if corpus.snapshot else None,
        thesaurus=corpus.thesaurus,
        reviews=placed_reviews,
        n_reviews_without_place=len(all_reviews) - len(placed_reviews)
        if all_reviews and placed_reviews is not None
        else 0,
        reviews_absent=corpus.absent.get("reviews", NO_REVIEWS),
        terms=corpus.terms,
        dense=corpus.dense,
        missions=missions if has_catalogue else None,
        missions_absent=NO_GROUPS if has_catalogue else NO_CATALOGUE,
        concepts=concepts,
        features=corpus.features,
        features_absent=corpus.absent.get("features", NO_FEATURES),
        stored_layers=open_stored_layers(stored_layers) if stored_layers else None,
        part_names={role: part.name for role, part in corpus.manifest.parts.items()},
    )


def describe_paper_count(n: int) -> str:
    """Write a count of papers as text: "1 paper", "1,200 papers"."""
    return f"{n:,} {'paper' if n == 1 else 'papers'}"


# The data behind the map as of a given year: the data of the whole corpus, limited to papers dated no later than that
# year.


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
