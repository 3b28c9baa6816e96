"""The morning in Library's what is new: the papers of the last days, with stars and "not for me"."""

import datetime
from functools import partial

import streamlit as st

from pathfinder.addons.standing.morning import MAX_DAYS, MorningPaper, category_of
from pathfinder.addons.standing.morning_operation import (
    atom_feed,
    headline,
    json_feed,
    link,
    morning_markdown,
    outage_lines,
    sources_of,
)
from pathfinder.addons.standing.mornings import OwnMornings, StoredMornings, run_morning
from pathfinder.facade import Pathfinder
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import LiveSource
from pathfinder.ui.papers.paper_lines import facts
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import jobs, resources
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.jobs import once
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.stars import own_shelves
from pathfinder.user_data import data_folder

N_LISTED = 20
_JOB = "morning-run"


def panel(pf: Pathfinder) -> None:
    """Draw the morning of the open shelf; its form is folded until its sources are named for the first time."""
    if not is_visited_here():
        return
    shelf = own_shelves.open_shelf(own_shelves.own_shelves().shelves())
    store = StoredMornings(data_folder(read_settings()), pf.corpus.name)
    own = store.read(shelf.name)
    st.divider()
    if own.sources:
        st.header("The morning", anchor=False)
        _form(pf, shelf, store, own)
    else:  # off unless it is asked for: it finds no more than keywords do (benchmarks/MORNING.md)
        with st.expander("Last night's papers, ranked by how close they are to a shelf"):
            _form(pf, shelf, store, own)
    job = jobs.running_task(_JOB)
    reading = "Reading what is new; arXiv lets a page come every three seconds."
    if job is not None and jobs.watch(job, lambda: st.caption(reading), every=jobs.SLOW_POLL_SECONDS):
        jobs.forget(_JOB)
        with controls.reporting():
            job.result()
        own = store.read(shelf.name)
    if own.mornings:
        morning = own.mornings[-1]
        st.markdown(f"**{for_markdown(headline(morning))}**")
        for line in outage_lines(morning):
            st.warning(for_markdown(line))
        controls.notes(*morning.notes)
        for changed in morning.changed:
            st.markdown(f"Your library: {link(changed.paper)} :red[{for_markdown(changed.change)}]")
        for each in morning.papers:
            _paper(each, shelf, store, own)
        with st.container(horizontal=True):
            for label, text, name, kind in (
                ("Markdown", morning_markdown(morning), "morning.md", "text/markdown"),
                ("JSON Feed", json_feed(own.mornings), "morning.json", "application/feed+json"),
                ("Atom", atom_feed(own.mornings), "morning.atom", "application/atom+xml"),
            ):
                save(label, text, name, mime=kind, type="tertiary")


def _form(pf: Pathfinder, shelf: Shelf, store: StoredMornings, own: OwnMornings) -> None:
    may_ask = LiveSource.ARXIV in resources.live_sources()
    stored = list(filter(None, map(category_of, own.sources)))
    others = [source for source in own.sources if category_of(source) is None]
    with st.form("morning-form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        key = f"morning-categories-{shelf.name}"
        hint = "such as astro-ph.GA"
        categories = st.text_input("Categories of arXiv", " ".join(stored), key=key, placeholder=hint, width=320)
        days = st.number_input("Days", 1, MAX_DAYS, own.days, key=f"morning-days-{shelf.name}", width=120)
        is_pressed = st.form_submit_button("Read what is new", icon=":material/wb_twilight:", disabled=not may_ask)
    beside = f" Also read: {', '.join(others)}." if others else ""
    st.caption(for_markdown(f"Ranked by how close they are to the papers on “{shelf.name}”.{beside}"))
    if not may_ask:
        st.caption("This server does not ask arXiv for its visitors.")
    if is_pressed:
        names = categories.replace(",", " ").split()
        if not names and not others:
            st.info("Name one or more categories of arXiv first, such as astro-ph.GA.")
            return
        with controls.reporting():
            sources = [*(sources_of(names) if names or not others else ()), *others]
            jobs.task(_JOB, lambda: once(partial(run_morning, pf, shelf, store, sources, int(days), None, N_LISTED)))


def _paper(each: MorningPaper, shelf: Shelf, store: StoredMornings, own: OwnMornings) -> None:
    paper_id = each.paper.paper_id
    mark = next((mark for mark in own.marks if mark.paper.paper_id == paper_id), None)
    with st.container(gap="xxsmall", border=True, key=f"morning-paper-{paper_id}"):
        st.markdown(link(each.paper))
        st.caption(" · ".join(facts(each.paper)))
        st.markdown(f":small[{for_markdown(each.reason[:1].upper() + each.reason[1:])}]")
        with st.container(horizontal=True):
            for is_star, label, label_on, icon in (
                (True, "Star", "Starred", ":material/star:"),
                (False, "Not for me", "Was not for me", ":material/thumb_down:"),
            ):
                is_on, key = mark is not None and mark.is_star is is_star, f"morning-{label}-{paper_id}"
                tip = "Later mornings learn from it; press it again to take it back."
                marking = partial(_mark, store, shelf.name, paper_id, is_star)
                st.button(label_on if is_on else label, key, tip, marking, icon=icon, type="tertiary")


def _mark(store: StoredMornings, shelf: str, paper_id: str, is_star: bool) -> None:
    today = datetime.datetime.now(datetime.UTC).date()
    own_shelves.is_stored(lambda: store.change(shelf, lambda own: own.marked(paper_id, is_star=is_star, on=today)))
