"""What the papers of the open library have and lack, with buttons that fetch what is missing, and that add the papers
of PDFs and of the Zotero on this machine.
"""

from pathlib import Path

import streamlit as st

from pathfinder.building.filling import STEPS
from pathfinder.building.ledger import FULL_TEXT, FieldCoverage, Holding, completeness, last_asked, ledger
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.operations.child.orders import Order
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.sources import SOURCES
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.ui.corpus import permissions, uploads, works
from pathfinder.ui.shared.resources import BY_CORPUS

CONSENT = (
    "Ask OpenAlex, arXiv and Crossref (and Semantic Scholar, if you have a key) about these papers: they receive their "
    "DOIs, arXiv or PubMed ids, or titles with years and first authors, and nothing else. Open full texts are fetched "
    "from arXiv and the addresses that OpenAlex knows, each with its licence, and the list of retracted papers from "
    "Crossref."
)
PDF = ".pdf"
RECOGNISED = (
    "A PDF is recognised by the DOI or arXiv id on its first page, or by its title; its record comes from a host, and "
    "its text is stored."
)
_NOBODY, _MOST_GAPS = "no host has it", 2000
_TITLES = {
    "identifiers": "DOI, arXiv or PubMed id",
    "date": "Full date",
    "citation_count": "Citation count with its day",
}


def panel(pf: Pathfinder, may: permissions.Permissions, home: Path) -> None:
    """Show how many papers have each field, from whom and since when, and offer to fetch the rest, and to add papers;
    before hosts are asked for the first time, the visitor must agree. Raises `UsageError` if something is being built,
    or if a folder cannot be found.
    """
    folder, fields = pf.corpus.folder, st.container(gap="xsmall")
    is_allowed = may.may_change(folder) and may.may("sources")
    agrees = is_allowed and (last_asked(folder) is not None or st.checkbox(CONSENT, key="complete-consent"))
    steps: tuple[str, ...] = ()
    if not is_allowed:
        how = None if may.may("sources") else permissions.allowed_by("sources")
        st.caption("Only its owner can complete this library.", help=how)
    else:
        tip, icon = None if agrees else "Agree above first.", ":material/download:"
        if st.button("Complete this library", "complete", tip, type="primary", icon=icon, disabled=not agrees):
            steps = STEPS
    in_place = _in_place(pf)
    for name, coverage in _completeness(pf, last_asked(folder)).items():
        with fields.container(horizontal=True, vertical_alignment="bottom"):
            n_all = coverage.n_papers + coverage.none + coverage.unavailable + coverage.not_asked
            st.progress(coverage.n_papers / max(n_all, 1), _text(name, coverage, n_all, in_place.get(name, "")))
            if coverage.not_asked and agrees and st.button("Fill", key=f"complete-{name}"):
                steps = ("texts" if name == FULL_TEXT else "records",)
    with st.expander("What is missing, paper by paper", key="complete-gaps", on_change="rerun") as gaps:
        if gaps.open:
            rows, narrow = _gaps(pf, last_asked(folder)), st.column_config.TextColumn(width="small")
            widths = {"Paper": st.column_config.TextColumn(width="medium"), "Lacks": narrow}
            alt = f"{len(rows)} gaps, with the reasons"
            st.dataframe(rows[:_MOST_GAPS], hide_index=True, column_config=widths, alt=alt)
            if len(rows) > _MOST_GAPS:
                all_of_them = "; `pathfinder complete --ledger` lists them all" if may.is_owner else ""
                st.caption(f"The first {_MOST_GAPS:,} of {len(rows):,}{all_of_them}.")
    own = _own_sources(agrees=agrees) if is_allowed and may.is_owner else {}
    if steps or own:
        order = Order("complete", folder, {"only": [*(steps or STEPS)], **own})
        works.begin(order, home, permissions.environment(may, folder), empties=bool(own))


def _own_sources(*, agrees: bool) -> JsonObject:
    """Offer to add a folder of PDFs, or Zotero on this machine; return the options of `complete` once it is asked."""
    with st.expander("Add a folder of PDFs, or my Zotero library"):
        st.caption(f"{RECOGNISED} Papers that are here already are not added twice.")
        place = st.text_input("Folder of PDFs on this machine", key=uploads.key("complete-folder")).strip()
        adds_folder = st.button("Add the papers of the PDFs", key="complete-files", disabled=not (agrees and place))
        tip = (
            "Zotero 7 or newer has to run, with *Allow other applications on this computer* switched on. Its "
            "collections become shelves, its attached files full texts."
        )
        if st.button("Add my Zotero library", "complete-zotero", disabled=not agrees, help=tip):
            return {"zotero": True}
    if not adds_folder:
        return {}
    folder = Path(place).expanduser()
    if not (folder.is_absolute() and folder.exists()):
        raise UsageError(f"{place!r} is no folder on this machine: give its whole path, beginning with / or ~")
    return {"files": [str(folder)]}


@st.cache_data(show_spinner="Looking for gaps ...", max_entries=4, hash_funcs=BY_CORPUS)
def _gaps(pf: Pathfinder, after: int | None) -> list[dict[str, str]]:  # noqa: ARG001  part of the key
    return [
        {"Paper": readable(entry.title), "Lacks": _title(name), "Why": why_missing(holding)}
        for entry in ledger(pf.corpus)
        for name, holding in entry.holdings.items()
        if holding.source is None
    ]


def why_missing(holding: Holding) -> str:
    """Say why a paper lacks a field."""
    return _NOBODY if holding.is_absent else str(holding.why)


def _title(name: str) -> str:
    return _TITLES.get(name, name.replace("_", " ").capitalize())


def _text(name: str, coverage: FieldCoverage, n_all: int, in_place: str) -> str:
    names = {kind.scheme: kind.label for kind in SOURCES.all()} | {"arxiv": "arXiv", "oai": "arXiv", "file": "a file"}
    sources = ", ".join(names.get(source, source) for source in coverage.by_source)
    since = f", {coverage.since:%d %B %Y}" if coverage.since else ""
    why = {_NOBODY: coverage.none, "could not be had": coverage.unavailable, "not looked up yet": coverage.not_asked}
    notes = [f"from {for_markdown(sources)}{since}"] if sources else []
    notes += [in_place] if in_place else []
    notes += [f"{reason}: {n:,}" for reason, n in why.items() if n]
    return f"**{_title(name)}** {coverage.n_papers:,} of {n_all:,} :gray[{' · '.join(notes)}]"


@st.cache_data(show_spinner=False, max_entries=4, hash_funcs=BY_CORPUS)
def _in_place(pf: Pathfinder) -> dict[str, str]:
    """Say how many papers have something in place of a field."""
    n_counts = sum(paper.citation_count is not None and paper.citations_on is None for paper in pf.corpus.papers)
    counts = {
        "abstract": ("a summary in its place", pf.corpus.manifest.counts.summaries),
        "citation_count": ("a count without its day", n_counts),
    }
    return {name: f"{what}: {n:,}" for name, (what, n) in counts.items() if n}


@st.cache_data(show_spinner="Counting what the papers have ...", max_entries=4, hash_funcs=BY_CORPUS)
def _completeness(pf: Pathfinder, after: int | None) -> dict[str, FieldCoverage]:  # noqa: ARG001  part of the key
    return completeness(pf.corpus)
