"""The layers of a corpus: what can be switched on, and what cannot, with the reason and the way to it."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from pathfinder.errors import UsageError
from pathfinder.landscape.gaps.offers import LAYERS, gap_offers
from pathfinder.landscape.layer import Absent, Layer, Offer
from pathfinder.landscape.layers import authors, found, growth, hotspots, missions, reviews, topics
from pathfinder.landscape.layers import years as years_layers
from pathfinder.landscape.layers.dates import YearSpan
from pathfinder.landscape.survey import Survey

Offers = tuple[Offer | Absent, ...]

_OFFERS: tuple[Callable[[Survey], Offers], ...] = (
    growth.growth_offers,
    hotspots.hotspots_offers,
    years_layers.years_offers,
    reviews.review_offers,
    gap_offers,
    topics.topic_offers,
    missions.mission_offers,
    authors.author_offers,
    found.shelf_offers,
)
"""What each kind of layer has to offer, in the order of the list."""

_WHOLE: Mapping[str, Callable[[Survey], Layer | Absent]] = MappingProxyType(
    {
        growth.SLUG: growth.growth_layer,
        hotspots.SLUG: hotspots.hotspots_layer,
        years_layers.SLUG: years_layers.years_layer,
        reviews.SLUG: reviews.reviews_layer,
        **LAYERS,
        topics.SLUG: topics.topics_layer,
    }
)
"""Layers with nothing to choose, by slug: a corpus keeps them."""
N_WHOLE = len(_WHOLE)

_CHOSEN: Mapping[str, Callable[[Survey, str, YearSpan | None], Layer | Absent]] = MappingProxyType(
    {
        topics.KIND: topics.topic_layer,
        missions.KIND: missions.mission_layer,
        authors.KIND: authors.author_layer,
        # A shelf is what was chosen, of whatever years.
        found.SHELF: lambda survey, paper_ids, _years: found.shelf_layer(survey, paper_ids),
    }
)
"""Layers of something, by what stands before the colon of their slug."""


def catalogue(survey: Survey) -> Offers:
    """Every layer that may be asked for; nothing is counted that takes longer than a list may.

    One that a build tried to count and could not is told with the reason.
    """
    absent = {one.slug: one for one in survey.kept.absent} if survey.kept else {}
    return tuple(absent.get(offer.slug, offer) for offers in _OFFERS for offer in offers(survey))


def whole_layers(survey: Survey) -> Iterator[Layer | Absent]:
    """Every layer with nothing to choose, counted now, whatever is kept."""
    return (count(survey) for count in _WHOLE.values())


def is_kept(survey: Survey, slug: str) -> bool:
    """Whether the layer was counted when the corpus was built, so that it need only be read."""
    return survey.kept is not None and slug in survey.kept.slugs


def layer(survey: Survey, slug: str, years: YearSpan | None = None) -> Layer | Absent:
    """The layer called `slug`, such as "growth" or "mission:jwst"; of `years` only, where that means something.

    One that the corpus keeps is read, any other counted.

    Raises `UsageError` for a slug that is no layer's, or that lacks its choice.
    """
    kind, colon, choice = slug.partition(":")
    if not colon and slug in _WHOLE:
        return survey.kept.read(slug) if survey.kept and is_kept(survey, slug) else _WHOLE[slug](survey)
    if kind in _CHOSEN and choice.strip():
        return _CHOSEN[kind](survey, choice.strip(), years)
    known = ", ".join((*_WHOLE, *(f"{kind}:..." for kind in _CHOSEN)))
    raise UsageError(f"there is no layer {slug!r}: name one of {known}")
