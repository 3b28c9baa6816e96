"""The layers of what is missing, as they stand in the list; nothing is counted for it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from pathfinder.landscape.gaps import bridges, scores, unnamed
from pathfinder.landscape.gaps.naming import too_few
from pathfinder.landscape.layer import Absent, Layer, Offer
from pathfinder.landscape.layers.reviews import GROUP
from pathfinder.landscape.survey import Survey

LAYERS: Mapping[str, Callable[[Survey], Layer | Absent]] = MappingProxyType(
    {scores.SLUG: scores.gaps_layer, bridges.SLUG: bridges.bridges_layer, unnamed.SLUG: unnamed.unnamed_layer}
)
"""By slug."""

_SAYS = (
    (scores.SLUG, scores.TITLE, "Regions that grow or are cited beyond chance and that no recent review covers."),
    (bridges.SLUG, bridges.TITLE, "Papers whose nearest papers in meaning lie in regions that do not touch."),
    (unnamed.SLUG, unnamed.TITLE, "Keywords of many papers of one region that the thesaurus has no name for."),
)


def gap_offers(survey: Survey) -> tuple[Offer | Absent, ...]:
    """All three, or why one cannot be made."""
    return tuple(_offer(survey, slug, title, says) for slug, title, says in _SAYS)


def _offer(survey: Survey, slug: str, title: str, says: str) -> Offer | Absent:
    found_in = unnamed.sources(survey) if slug == unnamed.SLUG else too_few(survey, slug, title)
    return found_in if isinstance(found_in, Absent) else Offer(slug, title, says, GROUP)
