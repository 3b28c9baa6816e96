"""What every reader's map of one corpus shares, made when it is first asked for."""

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.landscape.layer import Absent, Layer, Offer
from pathfinder.landscape.layers.catalogue import is_kept
from pathfinder.landscape.scene_record import history_record
from pathfinder.landscape.view_record import Sampler

BY_CORPUS: dict[str | type[Any], Callable[[Any], Any]] = {Pathfinder: lambda pf: pf.corpus.name.version}
MAX_LAYERS = 64
"""Kept for all readers together; at 96 x 96 cells one takes some 100 kB."""


@st.cache_resource(show_spinner=False, max_entries=2, hash_funcs=BY_CORPUS)
def sampler(pf: Pathfinder) -> Sampler | None:
    """Papers of a view, drawn by lot; `None` for a corpus without a map."""
    coordinates = pf.corpus.coordinates
    return None if coordinates is None else Sampler(coordinates, pf.corpus.papers)


@st.cache_resource(show_spinner=False, max_entries=2, hash_funcs=BY_CORPUS)
def history(pf: Pathfinder) -> dict[str, Any] | None:
    """How many papers of each year lie where; `None` where there is nothing to play."""
    if pf.atlas is None or pf.corpus.coordinates is None:
        return None
    return history_record(pf.corpus.coordinates, pf.corpus.papers.years(), pf.atlas.grid)


@st.cache_resource(show_spinner=False, max_entries=2, hash_funcs=BY_CORPUS)
def year_span(pf: Pathfinder) -> tuple[int, int] | None:
    """The first and the last year of the corpus's papers; `None` where no year is known."""
    years = pf.corpus.papers.years()
    known = years[~np.isnan(years)]
    return (int(known.min()), int(known.max())) if len(known) else None


@st.cache_resource(show_spinner="Looking up the layers ...", max_entries=2, hash_funcs=BY_CORPUS)
def offers(pf: Pathfinder) -> tuple[Offer | Absent, ...]:
    """The layers that can be switched on, and those that cannot."""
    return pf.layers()


def layer(pf: Pathfinder, slug: str, years: tuple[int, int] | None) -> Layer | Absent:
    """One layer, as the corpus keeps it or as it was counted. Raises `UsageError` for a slug that is no layer's."""
    if pf.survey is not None and is_kept(pf.survey, slug):
        return _kept(pf, slug)
    return _counted(pf, slug, years)


@st.cache_resource(show_spinner=False, max_entries=MAX_LAYERS, hash_funcs=BY_CORPUS)
def _kept(pf: Pathfinder, slug: str) -> Layer | Absent:
    return pf.layer(slug)


@st.cache_resource(show_spinner="Counting ...", max_entries=MAX_LAYERS, hash_funcs=BY_CORPUS)
def _counted(pf: Pathfinder, slug: str, years: tuple[int, int] | None) -> Layer | Absent:
    return pf.layer(slug, years)
