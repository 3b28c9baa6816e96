"""The years of a link, read against those of the corpus: the slider has no others."""

from pathfinder.explorer import Pathfinder
from pathfinder.ui import landscape_cache as cache

Years = tuple[int, int] | None


def years_here(pf: Pathfinder, years: Years) -> tuple[Years, tuple[str, ...]]:
    """The part of `years`, both inclusive, that lies within the corpus's; `None`, with a note, where none does."""
    if years is None:
        return None, ()
    span = cache.year_span(pf)
    ignored = f"the link's years {years[0]}-{years[1]} were ignored"
    if span is None:
        return None, (f"{ignored}: no paper of this corpus is dated",)
    first, last = max(years[0], span[0]), min(years[1], span[1])
    if first > last:
        return None, (f"{ignored}: the papers of this corpus are of {span[0]} to {span[1]}",)
    return (first, last), ()
