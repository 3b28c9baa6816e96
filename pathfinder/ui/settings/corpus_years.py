"""Years from a link, clipped to those of the corpus, because the slider offers no others."""

from pathfinder.session import Pathfinder
from pathfinder.ui.map import map_cache

Years = tuple[int, int] | None


def years_here(pf: Pathfinder, years: Years) -> tuple[Years, tuple[str, ...]]:
    """Return the part of `years` (both inclusive) that lies within the corpus's years; `None`, with a note, if there is
    none.
    """
    if years is None:
        return None, ()
    span = map_cache.year_span(pf)
    ignored = f"the link's years {years[0]}-{years[1]} were ignored"
    if span is None:
        return None, (f"{ignored}: no paper in this corpus has a date",)
    first, last = max(years[0], span[0]), min(years[1], span[1])
    if first > last:
        return None, (f"{ignored}: the papers of this corpus are from {span[0]} to {span[1]}",)
    return (first, last), ()
