"""The app over an enlarged corpus, and the naive way beside it: every paper in one scattergl. Run by `map_page`."""

import os
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st

from benchmarks.enlarged import enlarged
from pathfinder.explorer import Pathfinder
from pathfinder.ui import resources
from pathfinder.ui.settling import settle_libraries

ROOT = Path(__file__).parents[1]


@st.cache_resource
def opened() -> Pathfinder:
    """Made once for all visitors."""
    return enlarged(Path(os.environ["PATHFINDER_CORPUS"]), int(os.environ["ENLARGED_TO"]))


def naive() -> None:
    """What a first try would be: coordinates and titles of all papers to the browser."""
    pf = opened()
    assert pf.corpus.coordinates is not None
    x, y = pf.corpus.coordinates.T
    figure = go.Figure(go.Scattergl(x=x, y=y, mode="markers", marker={"size": 3}, hovertext=pf.corpus.papers.titles()))
    st.plotly_chart(figure, key="naive")


def made() -> None:
    """Seen once the papers are made."""
    st.write("The papers are there.")


st.set_page_config(layout="wide")
opened()
resources.pathfinder = opened
pages = [st.Page(made, default=True), st.Page(ROOT / "pages/map.py"), st.Page(naive, url_path="naive")]
st.navigation(pages, position="hidden").run()
settle_libraries()  # as app.py does
