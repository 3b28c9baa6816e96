"""Plots the values in a digest against the year, and offers them as a table and as a picture."""

from functools import partial

import streamlit as st

from pathfinder.export.tables import values_csv
from pathfinder.figures.dated_values import dated_values
from pathfinder.figures.values import values_figure
from pathfinder.figures.values_file import WRITERS
from pathfinder.types import Answer, Digest

KINDS = {
    ".svg": ("Plot as SVG", "image/svg+xml"),
    ".png": ("Plot as PNG", "image/png"),
    ".html": ("Plot as a web page", "text/html"),
}
"""Label and media type of each kind of file."""


def plot(answer: Answer, digest: Digest) -> None:
    """Draw the values of an answer's digest, and offer the files."""
    papers = {paper.paper_id: paper for paper in answer.sources}
    dated = dated_values(digest.values, papers)
    st.plotly_chart(
        values_figure(digest.values, papers),
        key="digest-values",
        config={"displaylogo": False},
        alt=dated.describe(),
    )
    table = values_csv(
        digest.values, [finding.sentence for finding in digest.findings[: len(digest.values)]], answer.sources
    )
    with st.container(horizontal=True):
        st.download_button(
            "Values as CSV", table.encode("utf-8-sig"), "pathfinder-values.csv", "text/csv", on_click="ignore"
        )
        for suffix, (label, kind) in KINDS.items() if dated.values else ():
            draw = partial(WRITERS[suffix], answer)
            st.download_button(label, draw, f"pathfinder-values{suffix}", kind, on_click="ignore")
