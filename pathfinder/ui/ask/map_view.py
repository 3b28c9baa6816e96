"""The papers of a result on the map of the whole corpus."""

from collections.abc import Sequence

import streamlit as st

from pathfinder.figures.map import MAP_CONFIG, describe_map, map_figure
from pathfinder.landscape.drawing.scene import hit_dots
from pathfinder.session import Pathfinder
from pathfinder.types import Hit, SearchResult
from pathfinder.ui.map.map_state import MAX_QUESTION
from pathfinder.ui.papers import selection
from pathfinder.ui.shared import panels, resources

MAP = "Map"
VIEWS = "ask.map"
"""Place of other views of the papers: functions of the open corpus and the result."""
SMALL = 280
"""Height in pixels of a map shown next to other content."""


def panel(pf: Pathfinder, result: SearchResult | None = None) -> None:
    """Draw the hits of a result on the map, or in another view. If the corpus has no map, show a sentence in
    place of the map; the other views do not need one.

    Before the first question, the map shows the whole corpus, and makes the browser load the drawing code in advance.
    """
    shown_on = _shown_on() if result is not None and result.hits else MAP
    if result is not None and shown_on != MAP:
        panels.panels(VIEWS)[shown_on](pf, result)
        return
    landscape = pf.landscape
    if landscape is None:
        st.info(resources.no_map(pf))
        return
    hits = () if result is None else result.hits
    dots = hit_dots(hits, landscape.coordinates)
    figure = map_figure(landscape, dots, selected_rows=_selected_rows(hits))
    if hits:
        figure.update_layout(showlegend=False, height=SMALL)
    st.plotly_chart(figure, key="map-figure", theme=None, config=MAP_CONFIG, alt=describe_map(landscape, dots))
    if st.button("Open the large map", key="large-map", icon=":material/map:", type="tertiary"):
        st.switch_page("pages/map.py", query_params=_on_large_map(result))


def _shown_on() -> str:
    choice = st.segmented_control(
        "View of the papers",
        (MAP, *panels.panels(VIEWS)),
        default=MAP,
        key="shown-on",
        required=True,
        format_func=str.capitalize,
        label_visibility="collapsed",
    )
    return str(choice)


def without_atlas(pf: Pathfinder) -> None:
    """Draw the map of a corpus that has no tiles, and say how to make them; if the corpus has no map, show a
    sentence instead.
    """
    if pf.landscape is None:
        st.info(resources.no_map(pf))
        return
    st.info(f"This map cannot be panned or zoomed: {pf.corpus.absent.get('atlas', 'the corpus has no atlas')}.")
    st.plotly_chart(map_figure(pf.landscape, ()), key="map-plain", theme=None, config=MAP_CONFIG)


def _on_large_map(result: SearchResult | None) -> dict[str, str | list[str]]:
    """Return the address parameters with which the Map page shows `result`."""
    if result is None or not result.hits:
        return {}
    return {"q": result.request.query[:MAX_QUESTION], "found": [hit.paper.paper_id for hit in result.hits]}


def _selected_rows(hits: Sequence[Hit]) -> set[int]:
    return {hit.row for hit in selection.selected_hits(hits)}
