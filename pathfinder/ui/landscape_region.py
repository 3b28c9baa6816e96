"""The region that a reader drew: what is studied there, a question of it alone, and its papers to take home."""

import math

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.export.bibtex import bibtex
from pathfinder.export.latex import for_markdown
from pathfinder.export.tables import papers_csv
from pathfinder.landscape.regions import RegionGrowth, RegionReport, describe_region
from pathfinder.types import Paper, Region
from pathfinder.ui import landscape_cache as cache
from pathfinder.ui import state as asked
from pathfinder.ui.landscape import change
from pathfinder.ui.landscape_state import MapState

N_KEYWORDS, N_TOP = 8, 5
MAX_EXPORTED = 5000
"""Papers that are taken home at once; more would take the server long."""
BAR_HEIGHT = 46
SIGNIFICANT = 0.05
_BY_CORPUS_AND_REGION = cache.BY_CORPUS | {Region: lambda region: region.text}


def panel(pf: Pathfinder, state: MapState) -> None:
    """All of it; nothing where no region is drawn."""
    if state.region is None or pf.survey is None:
        return
    report = _report(pf, state.region)
    with st.container(border=True, gap="small", key="map-region"):
        title, close = st.columns([5, 2], vertical_alignment="center")
        title.markdown("**This region**")
        close.button("Drop it", key="drop-region", on_click=change, kwargs={"region": None}, type="tertiary")
        share = report.n_papers / max(report.n_anywhere, 1)
        st.markdown(f"{report.n_papers:,} of {report.n_anywhere:,} papers, {share:.1%} of the map")
        if report.n_papers:
            _studied(pf, report)
        _ways_on(pf, state.region, report)


@st.cache_resource(show_spinner=False, max_entries=32, hash_funcs=_BY_CORPUS_AND_REGION)
def _report(pf: Pathfinder, region: Region) -> RegionReport:
    if pf.survey is None:
        raise ValueError("only a corpus with a map has regions")
    return describe_region(pf.survey, region)


def _studied(pf: Pathfinder, report: RegionReport) -> None:
    if report.keywords:
        words = (f"{for_markdown(word.text)} ({word.n_papers:,})" for word in report.keywords[:N_KEYWORDS])
        st.markdown(f"What is studied here: {', '.join(words)}")
    if report.years:
        st.html(year_bars(report.years))
    if report.growth is not None:
        st.caption(in_words(report.growth))
    if report.top:
        st.markdown("Most cited here:\n" + "\n".join(_line(pf.corpus.papers[row]) for row in report.top[:N_TOP]))
    for note in _notes(report):
        st.caption(f":material/info: {for_markdown(note)}")


def _line(paper: Paper) -> str:
    year = "year unknown" if paper.year is None else str(paper.year)
    return f"1. :small[{for_markdown(paper.title)} :gray[{year}, {paper.citation_count:,} citations]]"


def _notes(report: RegionReport) -> tuple[str, ...]:
    uncounted = () if not report.n_uncounted else (f"citations are unknown for {report.n_uncounted:,} of them",)
    undated = () if not report.n_undated else (f"{report.n_undated:,} have no year",)
    return (*report.notes, *uncounted, *undated)


def in_words(growth: RegionGrowth) -> str:
    """How fast the region grows, and whether that is more than chance."""
    compared = f"{growth.n_newer:,} papers since {growth.parted} against {growth.n_older:,} before"
    if growth.p > SIGNIFICANT:
        return f"Grows about as the whole map does: {compared} (p = {growth.p:.2g})."
    faster = growth.times > 1
    times = f"{growth.times if faster else 1 / growth.times:.1f} times as {'fast' if faster else 'slowly'}"
    return f"Grows {times} as the whole map: {compared} (p = {growth.p:.2g})."


def year_bars(years: tuple[tuple[int, int], ...]) -> str:
    """HTML of a bar for each year; it holds numbers only, so there is nothing to escape."""
    most = max(n for _, n in years)
    bars = "".join(
        f'<div title="{year}: {n}" style="flex:1;min-width:1px;background:#3a7ab5;'
        f'height:{math.ceil(BAR_HEIGHT * n / most)}px"></div>'
        for year, n in years
    )
    first, last = years[0][0], years[-1][0]
    told = f"Papers a year, {first} to {last}; most in {max(years, key=lambda pair: pair[1])[0]}: {most}"
    ends = f"<span>{first}</span><span>up to {most:,} a year</span><span>{last}</span>"
    return (
        f'<div role="img" aria-label="{told}">'
        f'<div style="display:flex;gap:1px;align-items:flex-end;height:{BAR_HEIGHT}px">{bars}</div>'
        f'<div style="display:flex;justify-content:space-between;font-size:.75rem;opacity:.75">{ends}</div></div>'
    )


def _ways_on(pf: Pathfinder, region: Region, report: RegionReport) -> None:
    if report.n_papers and st.button(
        "Ask about this region only", icon=":material/search:", type="primary", width="stretch"
    ):
        asked.search_within(region)
        st.switch_page("pages/ask.py")
    if not report.n_papers:
        return
    rows = report.rows[:MAX_EXPORTED]
    with st.container(horizontal=True):
        st.download_button(
            "CSV", lambda: papers_csv(pf.corpus.papers.take(rows)).encode("utf-8-sig"), "pathfinder-region.csv",
            "text/csv", on_click="ignore",
        )  # fmt: skip
        st.download_button(
            "BibTeX", lambda: bibtex(list(pf.corpus.papers.take(rows))), "pathfinder-region.bib",
            "text/x-bibtex", on_click="ignore",
        )  # fmt: skip
    if report.n_papers > MAX_EXPORTED:
        st.caption(f"The files hold the first {MAX_EXPORTED:,} of them.")
