"""The parts of a corpus's map that all readers share, computed when they are first needed."""

from typing import Any

import numpy as np
import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.landscape.canvas.scene_record import Sampler, history_record
from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
from pathfinder.landscape.layers.base import is_stored
from pathfinder.ui.shared.resources import BY_CORPUS

MAX_LAYERS = 64
"""Maximum number of layers cached for all readers together; at 96 x 96 cells a layer takes up about 100 kB."""


@st.cache_resource(show_spinner=False, max_entries=2, hash_funcs=BY_CORPUS)
def sampler(pf: Pathfinder) -> Sampler | None:
    """Create the sampler that chooses the papers drawn in a view; `None` for a corpus without a map."""
    coordinates = pf.corpus.coordinates
    return None if coordinates is None else Sampler(coordinates, pf.corpus.papers)


@st.cache_resource(show_spinner=False, max_entries=2, hash_funcs=BY_CORPUS)
def history(pf: Pathfinder) -> dict[str, Any] | None:
    """Count the papers from each year in each part of the map; `None` if there are no years to play."""
    if pf.atlas is None or pf.corpus.coordinates is None:
        return None
    return history_record(pf.corpus.coordinates, pf.corpus.papers.years(), pf.atlas.grid)


@st.cache_resource(show_spinner=False, max_entries=2, hash_funcs=BY_CORPUS)
def year_span(pf: Pathfinder) -> tuple[int, int] | None:
    """Find the first and last year of the papers in the corpus; `None` if no year is known."""
    years = pf.corpus.papers.years()
    known_years = years[~np.isnan(years)]
    return (int(known_years.min()), int(known_years.max())) if len(known_years) else None


@st.cache_resource(show_spinner="Looking up the layers ...", max_entries=2, hash_funcs=BY_CORPUS)
def layer_list(pf: Pathfinder) -> tuple[LayerInfo | UnavailableLayer, ...]:
    """List the layers that can be turned on, and those that cannot."""
    return pf.layers()


def layer(pf: Pathfinder, slug: str, years: tuple[int, int] | None) -> Layer | UnavailableLayer:
    """Read or compute a layer. Raises `UsageError` for a slug that belongs to no layer."""
    is_made = pf.map_data is not None and is_stored(pf.map_data, slug)  # whatever the years
    return _compute(pf, slug, None if is_made else years)


@st.cache_resource(show_spinner="Computing ...", max_entries=MAX_LAYERS, hash_funcs=BY_CORPUS)
def _compute(pf: Pathfinder, slug: str, years: tuple[int, int] | None) -> Layer | UnavailableLayer:
    return pf.layer(slug, years)


Years = tuple[int, int] | None


def years_here(pf: Pathfinder, years: Years) -> tuple[Years, tuple[str, ...]]:
    """Return the part of `years` (both inclusive) within the corpus's years; `None`, with a note, if there is none."""
    if years is None:
        return None, ()
    span = year_span(pf)
    beginning = f"the link's years {years[0]}-{years[1]} were ignored"
    if span is None:
        return None, (f"{beginning}: no paper in this library has a date",)
    first, last = max(years[0], span[0]), min(years[1], span[1])
    if first > last:
        return None, (f"{beginning}: the papers in this library are from {span[0]} to {span[1]}",)
    return (first, last), ()
