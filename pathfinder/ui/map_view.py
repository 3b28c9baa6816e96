"""Where the papers of a result lie in the whole corpus."""

from collections.abc import Sequence

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import readable
from pathfinder.figures import MAP_CONFIG, MapPoint, describe_map, map_figure
from pathfinder.landscape.landscape import Landscape
from pathfinder.types import Hit, SearchResult
from pathfinder.ui.landscape_state import MAX_QUESTION

SMALL = 280
"""Pixels of height, beside something else."""


def panel(pf: Pathfinder, result: SearchResult | None = None) -> None:
    """The map, with the hits of a result on it; a sentence where the corpus is too small for one.

    Before a question it shows the whole corpus, and has the browser fetch what draws it.
    """
    st.subheader("Map", anchor="map")
    landscape = pf.landscape
    if landscape is None:
        _too_small(pf)
        return
    hits = () if result is None else result.hits
    close_up = bool(hits) and st.toggle("Close-up of the papers found", key="map-close-up")
    points = map_points(hits, landscape)
    figure = map_figure(landscape, points, close_up=close_up)
    st.plotly_chart(figure, key="map-figure", theme=None, config=MAP_CONFIG)
    if result is not None:
        st.caption(describe_map(landscape, points))
    if st.button("Open the large map", key="large-map", icon=":material/map:"):
        st.switch_page("pages/map.py", query_params=_on_large_map(result))


def without_atlas(pf: Pathfinder) -> None:
    """The map of a corpus without tiles, and how it gets them; a sentence where it is too small for any map."""
    if pf.landscape is None:
        _too_small(pf)
        return
    st.info(f"This map cannot be moved: {pf.corpus.absent.get('atlas', 'the corpus has no atlas')}.")
    st.plotly_chart(map_figure(pf.landscape, ()), key="map-plain", theme=None, config=MAP_CONFIG)


def _on_large_map(result: SearchResult | None) -> dict[str, str | list[str]]:
    """What its address says of `result`."""
    if result is None or not result.hits:
        return {}
    return {"q": result.request.query[:MAX_QUESTION], "found": [hit.paper.paper_id for hit in result.hits]}


def small(pf: Pathfinder, result: SearchResult) -> None:
    """The map to be seen beside something else, with less said of it."""
    if (landscape := pf.landscape) is None:
        _too_small(pf)
        return
    figure = map_figure(landscape, map_points(result.hits, landscape))
    figure.update_layout(showlegend=False, height=SMALL)
    st.plotly_chart(figure, key="map-small", theme=None, config=MAP_CONFIG, height=SMALL)


def _too_small(pf: Pathfinder) -> None:
    n = len(pf.corpus.papers)
    st.info(f"A corpus of {n} {'paper' if n == 1 else 'papers'} is too small for a map.")


def map_points(hits: Sequence[Hit], landscape: Landscape) -> list[MapPoint]:
    """Where each of `hits`, best first, lies on the map."""
    return [_point(rank, hit, landscape) for rank, hit in enumerate(hits, start=1)]


def _point(rank: int, hit: Hit, landscape: Landscape) -> MapPoint:
    x, y = landscape.coordinates[hit.row]
    return MapPoint(
        rank=rank, x=float(x), y=float(y), title=readable(hit.paper.title), year=hit.paper.year, outlier=hit.outlier
    )
