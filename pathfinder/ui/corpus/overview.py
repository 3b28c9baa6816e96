"""The open corpus: how large it is, what it covers, where its papers come from, and what it lacks."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.building.directory import REJECTED_NAME
from pathfinder.corpus.parts import PART_LABELS
from pathfinder.facade import Pathfinder
from pathfinder.models.ports import KeylessEmbedder
from pathfinder.operations.info import corpus_record
from pathfinder.settings import read_settings
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown, readable, with_options
from pathfinder.ui.corpus.uploads import is_path, is_upload
from pathfinder.ui.shared import visit_corpus
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.resources import BY_CORPUS

_MOST_REJECTED = 200
_TABLE_HEIGHT, _ROW_HEIGHT = 283, 35
"""Maximum height of a table, and the height of a row, in pixels."""
_BAR = "#3a7ab5"
"""Colour that is legible on the backgrounds of both themes."""


def key_note(*, may_build: bool) -> None:
    """Tell a visitor who has built a corpus how to find it again, and ask before a link leads to another set;
    `may_build` says whether the visitor may build corpora here.
    """
    own = visit_corpus.own_folder()
    if visit_corpus.OFFERED_KEY in st.session_state:
        st.warning(
            "This link belongs to another set of libraries, not to yours. If you open it, whatever you build goes "
            "there, where everyone who has the link can read and change it.",
            icon=":material/key:",
        )
        with st.container(horizontal=True):
            answer = visit_corpus.answer_offer
            st.button("Keep mine", key="keep-set", type="primary", on_click=answer, kwargs={"opens": False})
            st.button("Open the other set", key="open-set", on_click=answer, kwargs={"opens": True})
    if own is not None and own.is_dir():
        visit_corpus.remember_key()
        st.info(
            "Anyone with the address of this page can read and change what is built here: bookmark it, and do not "
            "share it. Links to questions let others read the library but not change it. A library that nobody opens "
            f"for {read_settings().visitors_keep_days} days is deleted.",
            icon=":material/key:",
        )
    if visit_corpus.CAME_WITH_LINK in st.session_state and may_build:
        st.caption("The address of this page led to these libraries. If somebody else gave it to you, they are theirs.")
        st.button("Start a set of my own", key="own-set", on_click=visit_corpus.begin_own_set)


def heading(pf: Pathfinder) -> None:
    """Name the open corpus, with its size and its years."""
    record = _record(pf)
    years = sorted(map(int, record["coverage"]["by_year"]))
    n = record["counts"]["papers"]
    facts = [counted(n, "paper")]
    facts += [" to ".join(map(str, dict.fromkeys((years[0], years[-1]))))] if years else []
    facts += ["with summaries in place of abstracts"] if pf.corpus.manifest.counts.summaries == n else []
    st.header(f"{for_markdown(record['name'])} :gray[:small[{', '.join(facts)}]]", anchor="open")
    if is_visited_here():
        st.caption(for_markdown(f"In the folder {pf.corpus.folder}; to delete the library, delete this folder."))
    if isinstance(pf.embedder, KeylessEmbedder):
        st.warning(
            f"The key for {for_markdown(pf.embedder.name)} is not set, so papers are searched by words alone, not by "
            "meaning: set it and restart Pathfinder, or embed the papers again under *More*.",
            icon=":material/key_off:",
        )


def panel(pf: Pathfinder, *, is_owner: bool) -> None:
    """Describe the open corpus: its years, categories, journals and sources."""
    record = _record(pf)
    counts = record["coverage"]
    _by_year(counts["by_year"])
    shares = [
        (name, counts[f"by_{name.lower()}"], counts[plural])
        for name, plural in (("Category", "n_categories"), ("Journal", "n_journals"))
        if counts[f"by_{name.lower()}"]
    ]
    for column, share in zip(st.columns(2, gap="large"), shares, strict=False):
        with column:
            _largest(*share)
    _sources(record, is_owner=is_owner)
    path = pf.corpus.folder / REJECTED_NAME
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
    if not lines:
        return
    with st.expander(f"Rejected rows in the sources: {len(lines):,}"):
        rows = [json.loads(line) for line in lines[:_MOST_REJECTED]]
        table = [{"File": row["file"], "Line": row["line"], "Reason": row["reason"]} for row in rows]
        st.dataframe(table, hide_index=True, alt=f"{len(table)} rejected rows, with the reasons")
        if len(lines) > len(table):
            st.caption(f"The first {len(table)}; `{REJECTED_NAME}` in the library folder lists them all.")


def more(pf: Pathfinder) -> None:
    """Say how the open corpus was made, and what it lacks."""
    record = _record(pf)
    size = sum(part["bytes"] for part in record["parts"].values())
    origin = (
        f"Made by {record['created_by']}, version {record['version']}, profile {record['profile']}; read by "
        f"{record['embedder'].partition(':')[2]}; {size_text(size)} on disk"
    )
    thesaurus = record["thesaurus"]
    terms = f"; {thesaurus['name']}, {thesaurus['licence'] or 'licence unknown'}" if thesaurus else ""
    st.caption(for_markdown(f"{origin}{terms}"))
    if pf.corpus.absent:
        st.header("What this library lacks", anchor="lacks")
        lacks = (f"- No {PART_LABELS.get(role, role)}: {with_options(why)}" for role, why in pf.corpus.absent.items())
        st.markdown("\n".join(lacks))


@st.cache_data(show_spinner="Counting the papers ...", max_entries=4, hash_funcs=BY_CORPUS)
def _record(pf: Pathfinder) -> dict[str, Any]:
    return corpus_record(pf.corpus, n_rejected=0, verified=False)


def size_text(n_bytes: int) -> str:
    """Write a number of bytes in kB, MB or GB (a thousand, a million or a billion bytes)."""
    if n_bytes < 100_000:
        return f"{n_bytes / 1e3:.0f} kB"
    return f"{n_bytes / 1e9:.1f} GB" if n_bytes >= 1e9 else f"{n_bytes / 1e6:.1f} MB"


def _by_year(by_year: Mapping[str, int]) -> None:
    if len(by_year) < 2:
        return  # the heading says it all
    st.header("Papers by year", anchor="years")
    counts = {int(year): n for year, n in by_year.items()}
    years = range(min(counts), max(counts) + 1)  # years without papers too, so that gaps are visible
    table = {"Year": list(map(str, years)), "Papers": [counts.get(year, 0) for year in years]}
    st.bar_chart(table, x="Year", y="Papers", height=220, color=_BAR)


def _largest(name: str, counts: Mapping[str, int], n_all: int) -> None:
    st.header(f"Papers by {name.lower()}", anchor=name.lower())
    rows = [{name: readable(key), "Papers": n} for key, n in counts.items()]
    widths = {name: st.column_config.TextColumn(width="medium"), "Papers": st.column_config.NumberColumn(width="small")}
    height = min(_TABLE_HEIGHT, _ROW_HEIGHT * (len(rows) + 1) + 3)
    st.dataframe(rows, hide_index=True, height=height, column_config=widths, alt=f"Papers by {name.lower()}")
    if n_all > len(rows):
        st.caption(f"The {len(rows)} largest of {n_all:,}.")


def _sources(record: dict[str, Any], *, is_owner: bool) -> None:
    st.header("Sources", anchor="sources")
    if sources := record["sources"]:
        table = {
            "Source": [source_name(entry["source"], is_owner=is_owner) for entry in sources],
            "Date read": [entry["retrieved"] for entry in sources],
            "Licence of the metadata": [entry["licence"] or "each record has its own" for entry in sources],
            "May be shared": [entry["may_be_shared"] for entry in sources],
            "Updated": [not entry["dropped"] for entry in sources],
        }
        st.dataframe(table, hide_index=True, alt=f"{len(sources)} sources")
    else:
        st.caption("This library does not list its sources: it was built with an earlier version.")
    licences = record["coverage"]["by_licence"]
    if licences:
        st.caption("Licences: " + for_markdown(", ".join(f"{name} {n:,}" for name, n in licences.items())))
    if any(not entry["may_be_shared"] for entry in record["sources"]):
        st.warning("This library holds records from a private source: keep it to yourself.")


def source_name(source: str, *, is_owner: bool) -> str:
    """Return a source as written; only the name of a file that was uploaded, or that a stranger looks at."""
    return Path(source).name if is_path(source) and (is_upload(source) or not is_owner) else source
