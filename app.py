"""Pathfinder in the browser: page configuration and navigation only."""

from contextlib import nullcontext

import streamlit as st

from pathfinder.ui import as_of
from pathfinder.ui.pages import navigation
from pathfinder.ui.shared import frame, jobs, kiosk, own_machine, resources, state, visit_corpus
from pathfinder.ui.shared.jobs import freeze_libraries
from pathfinder.ui.stars import browser_storage

own_machine.begin_run()
visit_corpus.begin_run()
profile = resources.profile()
st.set_page_config(page_title=profile.title, page_icon=profile.icon, layout="wide")
pages = navigation()
page = st.navigation(pages, position="hidden" if kiosk.is_on() else "top")
if kiosk.is_on() and page.url_path != "world":
    page = st.navigation(pages, position="top")  # only the World page works as a public display
frame.go_on({each.url_path: each for section in pages.values() for each in section})
frame.dress()
if not kiosk.is_on():
    browser_storage.synchronise()
is_readable = kiosk.is_on() or as_of.bar(page.url_path)
with (
    jobs.TURNS.turn(frame.waiting(), is_short=state.is_found()) if page.url_path in jobs.SHORT_PAGES else nullcontext()
):
    if is_readable:
        page.run()
freeze_libraries()
