"""Pathfinder in the browser: page configuration, navigation and the line above every page."""

from urllib.parse import urlencode

import streamlit as st

from pathfinder.ui import as_of
from pathfinder.ui.pages import moved, navigation
from pathfinder.ui.papers.papers import open_link
from pathfinder.ui.shared import frame, own_machine, resources, state, visit_corpus
from pathfinder.ui.shared.jobs import freeze_libraries
from pathfinder.ui.stars import browser_storage

own_machine.begin_run()
visit_corpus.begin_run()
profile = resources.profile()
st.set_page_config(
    page_title=profile.title,
    page_icon=profile.icon,
    layout="wide",
    initial_sidebar_state="collapsed",
    menu_items={
        "About": f"**{profile.title}** finds papers, answers with sentences that you can check, and shows where the "
        "papers lie on a map.\n\n"
        "[How to ask, how papers are ranked, what is kept and sent, and what is open here](about)"
    },
)
drawn, silent = st.container(), st.container(key="silent", height=1, border=False)  # what only acts takes no room
pages = navigation()
page = st.navigation(pages, position="hidden" if frame.is_kiosk() else "top")
if visit_corpus.folder_of_visit() is None and page.url_path not in ("library", "about"):
    st.switch_page(frame.script("library"))  # the one place with something to do before a library is there
if page.url_path in moved():  # it leads elsewhere before the browser can answer to anything that is drawn
    page.run()
if not page.url_path and frame.is_gone_back():  # Ask has no path
    open_link(urlencode({name: st.query_params.get_all(name) for name in st.query_params}, doseq=True))
if not frame.is_kiosk():
    with silent:
        frame.begin_at_top(page.url_path or f"? {state.asked()}")  # Ask has no path
        browser_storage.synchronise()
    frame.places(pages)
with drawn:
    if not frame.is_kiosk():
        browser_storage.offer_union()
    if frame.is_kiosk() or as_of.bar():
        page.run()
if not frame.is_kiosk():
    with silent:
        browser_storage.synchronise("end")  # a question asked in this run is kept, even if it is the last run
    as_of.today()
freeze_libraries()
