"""Current NASA ADS records of the papers in a result: shown to a reader with a token, and not stored anywhere."""

from collections.abc import Mapping

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.settings import Settings
from pathfinder.sources.ads_lookup import AdsRecord, look_up
from pathfinder.sources.http.pace import Clock
from pathfinder.sources.http.web import surroundings_of
from pathfinder.sources.live.asking import impatient
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import SearchResult
from pathfinder.ui.shared.visit_entries import settings_of_visit

LONGEST_WAIT = 10.0
"""Maximum time in seconds that the page waits until ADS may be asked again."""


@st.fragment
def panel(result: SearchResult) -> None:
    """Offer a look-up of the hits in ADS; draw nothing for a reader without a token, or if the corpus is read as of a
    given year, because ADS knows only today's citations.
    """
    settings = settings_of_visit()
    if settings.ads_api_token is None or not result.hits or result.request.as_of is not None:
        return
    with st.expander("Current NASA ADS records", type="compact"):
        if not st.button("Look up the papers", key="ads-look-up", icon=":material/search:"):
            st.caption(
                "Bibcodes, citation counts and references as of now, fetched with your token. Nothing is stored."
            )
            return
        try:
            records = looked_up(result, settings)
        except PathfinderError as error:
            st.error(for_markdown(str(error)))
            return
        st.dataframe(rows(result, records), hide_index=True)
        st.caption(f"{len(records)} of {len(result.hits)} papers are in ADS.")


def looked_up(result: SearchResult, settings: Settings, clock: Clock | None = None) -> dict[str, AdsRecord]:
    """Return what ADS knows about the hits, by paper id. Raises a `ProviderError` if it does not answer."""
    clock = clock or Clock()
    around = surroundings_of(settings, impatient(clock, clock.now() + LONGEST_WAIT), lambda _: None)
    return look_up([hit.paper for hit in result.hits], settings, around)


def rows(result: SearchResult, records: Mapping[str, AdsRecord]) -> list[dict[str, str | int | None]]:
    """Make a row for each hit, best first; cells are empty for a paper that is not in ADS."""
    table_rows: list[dict[str, str | int | None]] = []
    for rank, hit in enumerate(result.hits, start=1):
        record = records.get(hit.paper.paper_id)
        table_rows.append({
            "Rank": rank,
            "Title": readable(hit.paper.title),
            "Bibcode": None if record is None else record.bibcode,
            "Citations": None if record is None else record.citation_count,
            "References": None if record is None else len(record.references),
        })  # fmt: skip
    return table_rows
