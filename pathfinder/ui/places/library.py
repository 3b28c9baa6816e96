"""Library: the corpora with where their papers come from, and shelves."""

import time
from pathlib import Path

import streamlit as st

from pathfinder.settings import read_settings
from pathfinder.ui import as_of, pages
from pathfinder.ui.corpus import complete_panel, new_panel, overview, permissions, progress_panel, upkeep, works
from pathfinder.ui.papers import paper_table
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import resources, visit_corpus, visitors
from pathfinder.ui.shared.panels import Panel
from pathfinder.ui.shelves import panel as shelves_panel
from pathfinder.ui.stars import stars


def begin() -> Path:
    """Return the folder for new corpora, after deleting visitors' corpora that nobody has opened for a while."""
    settings = read_settings()
    home = visit_corpus.new_corpora(settings)
    for folder in visitors.remove_unused(home, settings.visitors_keep_days, time.time()):
        works.reminder(folder, home).unlink(missing_ok=True)
    visit_corpus.read_key()
    visit_corpus.write_link(with_key=True)
    return home


def corpora() -> None:
    """Draw a way to add papers, the open corpus, what its papers have, all of them, and its upkeep."""
    may, home = permissions.of_visitor(), begin()
    folder = visit_corpus.folder_of_visit()
    controls.notes(*visit_corpus.notes())
    with st.container():  # a single element, so that the parts below stay as they are
        overview.key_note(may_build=may.may_build and not may.is_owner)
        progress_panel.panel(may, home)
    if folder is None:
        st.markdown("No library is open yet.")
        with controls.reporting():
            new_panel.demo(may, home)
            new_panel.panel(may, home, None)
        return
    with st.container(border=may.may_build, key="add-papers"), controls.reporting():
        new_panel.panel(may, home, folder)
    as_of.libraries("library")
    pf = resources.whole()
    overview.heading(pf)
    names = ["What the papers have", "All papers", "Updates", "⋯ More"]
    of_open, of_all, of_update, of_more = st.tabs(names, key="library-tabs", on_change="rerun")
    with of_open:
        with controls.reporting():
            complete_panel.panel(pf, may, home)
        overview.panel(pf, is_owner=may.is_owner)
    with of_all:
        if of_all.open:
            paper_table.library(pf, stars.open_shelf())
    with of_update, controls.reporting():
        upkeep.update_panel(pf, may, home)
    with of_more:
        with controls.reporting():
            upkeep.texts_panel(pf, may, home)
        with controls.reporting():
            upkeep.merges_panel(pf, may, home)
        with controls.reporting():
            upkeep.more_panel(pf, may, home)
        overview.more(pf)


def shelves() -> None:
    """Draw the papers that a reader keeps, with notes, tags and states, and what a shelf may be missing."""
    visit_corpus.write_link()
    shelves_panel.panel(resources.pathfinder())


own = {
    "corpora": Panel(10, "Libraries", ":material/library_books:", corpora, is_whole=True),
    "shelves": Panel(20, "Shelves", ":material/star:", shelves),
}
pages.draw("library", own)
