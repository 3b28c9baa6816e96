"""The app on an enlarged corpus and, for comparison, a naive page that draws every paper in one scattergl trace. Run by
`map_page`.
"""

import os
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st

from benchmarks.enlarged import enlarge
from pathfinder.facade import Pathfinder
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.jobs import freeze_libraries

ROOT = Path(__file__).parents[1]


@st.cache_resource
def open_demo() -> Pathfinder:
    """Open the corpus once for all visitors."""
    return enlarge(Path(os.environ["PATHFINDER_CORPUS"]), int(os.environ["ENLARGED_TO"]))


def naive() -> None:
    """Draw the map in the obvious way: send the coordinates and titles of all papers to the browser."""
    pf = open_demo()
    assert pf.corpus.coordinates is not None
    x, y = pf.corpus.coordinates.T
    figure = go.Figure(go.Scattergl(x=x, y=y, mode="markers", marker={"size": 3}, hovertext=pf.corpus.papers.titles()))
    st.plotly_chart(figure, key="naive")


def ready() -> None:
    """Say on the page that the papers are ready."""
    st.write("The papers are there.")


st.set_page_config(layout="wide")
open_demo()
resources.pathfinder = open_demo
pages = [st.Page(ready, default=True), st.Page(ROOT / "pathfinder/ui/places/map.py"), st.Page(naive, url_path="naive")]
st.navigation(pages, position="hidden").run()
freeze_libraries()  # as app.py does
