"""The papers of a result on the map of the whole corpus."""

import html
from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.landscape.drawing.scene import hit_dots
from pathfinder.landscape.figures.map import MAP_CONFIG, describe_map, map_figure
from pathfinder.types import SearchResult
from pathfinder.ui.map.map_state import MAX_QUESTION
from pathfinder.ui.papers import selection
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.frame import script

_FIRST_NAMES = -0.8
"""Zoom at which the names on the first page are drawn: its map is about half as wide as the one of zoom 0."""
_EDGE = 0.2
"""Share of the width of the map at whose ends a name is written inwards."""
_PHONE, _SIZE, _LETTER = 350, 14, 7
"""Width of the map on a phone, where the fewest names fit, and size and usual width of their letters, in pixels."""
SMALL = 280
"""Height in pixels of a map shown next to other content."""
_FIGURE, _CLICKED = "map-small", "map-small-clicked"
_CONFIG = {**MAP_CONFIG, "scrollZoom": False}
"""The wheel scrolls the page."""


def panel(pf: Pathfinder) -> None:
    """Draw the map of the whole corpus, before the first question; if there is no map, say why. It makes the browser
    load the drawing code in advance.
    """
    st.header("Map", anchor="map")
    if (landscape := pf.landscape) is None:
        st.info(resources.no_map(pf))
        return
    figure = map_figure(landscape, ())
    names = [*figure.layout.annotations]
    pixels, taken = _PHONE / (landscape.extent.right - landscape.extent.left), list[tuple[float, float, float]]()
    for label in () if pf.atlas is None else pf.atlas.labels:
        share, half = (label.x - landscape.extent.left) * pixels / _PHONE, _LETTER * len(label.text) / 2
        anchor = "left" if share < _EDGE else "right" if share > 1 - _EDGE else "center"
        x, y = share * _PHONE + {"left": half, "right": -half, "center": 0}[anchor], label.y * pixels
        is_free = all(abs(x - x2) > half + half2 or abs(y - y2) > 1.2 * _SIZE for x2, y2, half2 in taken)
        if label.min_zoom <= _FIRST_NAMES and is_free:  # of two names that would overlap, the more important one
            taken.append((x, y, half))
            place = {"x": label.x, "y": label.y, "text": html.escape(label.text), "xanchor": anchor}
            font = {"color": "#ffffff", "size": _SIZE, "shadow": "0 0 4px #0e1626"}
            names.append({**place, "showarrow": False, "font": font})
    figure.update_layout(dragmode=False, annotations=names)  # a swipe scrolls the page
    st.plotly_chart(figure, key="map-figure", theme=None, config=_CONFIG)
    if st.button("Open the large map", key="large-map", icon=":material/map:"):
        st.switch_page(script("map"))


def without_atlas(pf: Pathfinder) -> None:
    """Draw the map of a corpus without tiles, and say how to make them; a sentence if it has no map."""
    if pf.landscape is None:
        st.info(resources.no_map(pf))
        return
    st.info(f"This map cannot be panned or zoomed: {pf.corpus.absent.get('atlas', 'the library has no atlas')}.")
    st.plotly_chart(map_figure(pf.landscape, ()), key="map-plain", theme=None, config=MAP_CONFIG)


def small(pf: Pathfinder, result: SearchResult) -> None:
    """Draw the papers of a result on the map, next to their list; a click on a dot selects its paper in both."""
    if (landscape := pf.landscape) is None:
        st.info(resources.no_map(pf))
        return
    dots = hit_dots(result.hits, landscape.coordinates)
    chosen_rows = {hit.row for hit in selection.selected_hits(result.hits)}
    figure = map_figure(landscape, dots, selected_rows=chosen_rows)
    n_signs = len({dot.outlier for dot in dots})  # one sign explains itself
    figure.update_layout(showlegend=n_signs > 1, height=SMALL, clickmode="event+select")
    if (region := result.request.region) is not None:
        x, y = zip(*region.corners, strict=True)
        line, colour = {"color": "white", "dash": "dot"}, "rgba(255, 255, 255, 0.1)"
        area = {"x": x, "y": y, "mode": "lines", "fill": "toself", "fillcolor": colour, "line": line}
        figure.add_scatter(hoverinfo="skip", showlegend=False, **area)
    # Streamlit keeps what is to be called for each figure that a visit has drawn, so it may not hold the result.
    paper_ids = [hit.paper.paper_id for hit in result.hits]
    look: dict[str, Any] = {"theme": None, "config": _CONFIG, "height": SMALL, "alt": describe_map(landscape, dots)}
    selecting = partial(_select_clicked, paper_ids)
    st.plotly_chart(figure, key=_FIGURE, on_select=selecting, selection_mode="points", **look)
    (left, right), (bottom, top) = figure.layout.xaxis.range, figure.layout.yaxis.range
    far = [str(dot.rank) for dot in dots if not (left <= dot.x <= right and bottom <= dot.y <= top)]
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Open the large map", key="large-map", icon=":material/map:", type="tertiary"):
            st.switch_page(script("map"), query_params={"q": result.request.query[:MAX_QUESTION], "found": paper_ids})
        if far:
            st.caption(f"Far off, perhaps beyond the edge: {', '.join(far)}", width="content")


def _select_clicked(paper_ids: Sequence[str]) -> None:
    """Select the papers of the dots that were clicked since the last call, or deselect them."""
    ranks = {int(point["customdata"]) for point in st.session_state[_FIGURE].selection.points}
    for rank in ranks ^ st.session_state.get(_CLICKED, set()):
        if rank <= len(paper_ids):
            selection.toggle(paper_ids[rank - 1])
    st.session_state[_CLICKED] = ranks
