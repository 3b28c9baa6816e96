"""The panel for a region drawn by the reader: its topics, a search within it, and its papers for export."""

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.index.words import content_stems
from pathfinder.landscape.naming.regions import RegionGrowth, RegionReport, report_region
from pathfinder.landscape.statistics.dates import RECENT_YEARS
from pathfinder.operations.export.bibtex import bibtex
from pathfinder.operations.export.tables import papers_csv
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Region
from pathfinder.ui.map.map_page import PAGE, change
from pathfinder.ui.map.map_state import MapState, view_in_link
from pathfinder.ui.settings import copied_call
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.resources import BY_CORPUS
from pathfinder.ui.stars import stars

N_KEYWORDS, N_TOP = 8, 5
MAX_EXPORTED = 5000
"""Maximum number of papers exported at once; more would keep the server busy for too long."""
SIGNIFICANT = 0.05
_OF_OVERVIEW = content_stems(
    "what is studied, researched, discussed, found, known, shown, done, happening, here, there, about this region, "
    "area, part, place of the map; which topics, subjects, themes, fields, papers, research; overview, summary"
)
"""Words of a question that name no subject of their own."""
_BY_CORPUS_AND_REGION = BY_CORPUS | {Region: lambda region: region.text}


def panel(pf: Pathfinder, state: MapState) -> None:
    """Show the region, if one is drawn."""
    report = None if state.region is None else report_of(pf, state.region)
    if state.region is None or report is None:
        return
    with st.container(border=True, gap="small", key="map-region"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            papers = f"{report.n_papers:,} of {report.n_anywhere:,} papers"
            st.markdown(f"**What is studied here** :gray[:small[{papers}]]", width="content")
            st.button("Clear", key="drop-region", on_click=change, kwargs={"region": None}, type="tertiary")
        overview(pf, report)
        if not report.n_papers:
            return
        rows = report.rows[:MAX_EXPORTED]
        with st.container(horizontal=True):
            save("CSV", lambda: papers_csv(pf.corpus.papers.take(rows)), "pathfinder-region.csv")
            save("BibTeX", lambda: bibtex(list(pf.corpus.papers.take(rows))), "pathfinder-region.bib")
            body = {"region": state.region.text} | ({} if pf.year is None else {"as_of": pf.year})
            copied_call.panel("map/region", body, pf.corpus.name, beside=lambda: view_in_link(PAGE.read()[0].view))
        if report.n_papers > MAX_EXPORTED:
            st.caption(f"The files contain the first {MAX_EXPORTED:,} papers.")


def asks_for_overview(question: str) -> bool:
    """Return whether a question about a region asks for nothing but what is studied there."""
    return content_stems(question) <= _OF_OVERVIEW


@st.cache_resource(show_spinner=False, max_entries=32, hash_funcs=_BY_CORPUS_AND_REGION)
def report_of(pf: Pathfinder, region: Region) -> RegionReport | None:
    """Return what is studied in `region`; `None` for a library without a map."""
    return None if pf.map_data is None else report_region(pf.map_data, region)


def overview(pf: Pathfinder, report: RegionReport) -> None:
    """Show what is studied in a region; nothing if it has no papers."""
    if report.keywords:
        topics = sorted(report.keywords[:N_KEYWORDS], key=lambda word: -word.n_papers)  # of the most distinctive ones
        st.markdown("Topics here: " + ", ".join(f"{for_markdown(word.text)} ({word.n_papers:,})" for word in topics))
    if report.years:
        st.metric(*describe_years(report.years), chart_data=[n for _, n in report.years], chart_type="bar")
    if report.growth is not None and report.growth.p <= SIGNIFICANT:
        st.caption(describe_growth(report.growth))
    if report.top[1:] or (report.top and not report.n_uncounted):  # one count among unknown ones says nothing
        top = [pf.corpus.papers[row] for row in report.top[:N_TOP]]
        n_known = report.n_papers - report.n_uncounted
        where = f"of the {n_known:,} whose citations are known" if report.n_uncounted else "here"
        lines = [f"Most cited {where}:"]
        for paper in top:
            known = f"{paper.year or 'year unknown'}, {paper.citation_count:,} citations"
            lines.append(f"1. :small[{for_markdown(paper.title)} :gray[{known}]]")
        st.markdown("\n".join(lines))
        stars.star_all((paper.paper_id for paper in top), "map-region")
    unknown = () if not report.n_uncounted else (f"{report.n_uncounted:,} of the papers have no known citation count",)
    undated_note = () if not report.n_undated else (f"{report.n_undated:,} of the papers have no year",)
    for note in (*report.notes, *unknown, *undated_note):
        st.caption(f":material/info: {for_markdown(note)}")


def describe_growth(growth: RegionGrowth) -> str:
    """Say how fast the region is growing; for growth that chance does not explain."""
    faster = growth.times > 1
    times = f"{growth.times if faster else 1 / growth.times:.1f} times as {'fast' if faster else 'slowly'}"
    split = f"{growth.n_newer:,} are from {growth.split_date} on, {growth.n_older:,} from before"
    return f"Grows {times} as the whole map: of its papers of the last {RECENT_YEARS} years, {split}."


def describe_years(years: tuple[tuple[int, int], ...]) -> tuple[str, str]:
    """Return the name and the summary of the bars of the years."""
    year, most = max(years, key=lambda pair: pair[1])
    return f"Papers per year, {years[0][0]} to {years[-1][0]}", f"most in {year}: {most:,}"
