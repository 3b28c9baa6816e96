"""Library: the corpora with where their papers come from, and shelves."""

import time
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.settings import read_settings
from pathfinder.ui import pages
from pathfinder.ui.corpus import complete_panel, new_panel, overview, permissions, progress_panel, texts, upkeep, works
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import resources, visit_corpus, visitors
from pathfinder.ui.shared.panels import Panel
from pathfinder.ui.shelves import panel as shelves_panel


def reporting(draw: Callable[[], None]) -> None:
    """Draw a part of the page or, if that fails, its error."""
    try:
        draw()
    except PathfinderError as error:
        controls.failure(error)


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
    """Draw the open corpus, and ways to build, update and complete one."""
    may, home = permissions.of_visitor(), begin()
    folder = visit_corpus.folder_of_visit()
    controls.notes(*visit_corpus.notes())
    with st.container():  # a single element, so that the tabs below stay as they are
        overview.key_note(may_build=may.may_build and not may.is_owner)
        progress_panel.panel(may, home)
        overview.switch(folder)
    if folder is None:
        st.markdown("No library is open. Build one from your own papers:")
        reporting(lambda: new_panel.panel(may, home, None))
        return
    of_open, of_new, of_update, of_merges, of_texts = st.tabs(["Open", "New", "Update", "Merges", "Full texts"])
    with of_new:
        reporting(lambda: new_panel.panel(may, home, folder))
    with of_open:
        reporting(lambda: overview.panel(resources.whole(), is_owner=may.is_owner))
        reporting(lambda: complete_panel.panel(resources.whole(), may, home))
    with of_update:
        reporting(lambda: upkeep.update_panel(resources.whole(), may, home))
    with of_merges:
        reporting(lambda: upkeep.merges_panel(resources.whole(), may, home))
    with of_texts:
        reporting(lambda: texts.panel(resources.whole(), may, home))


def shelves() -> None:
    """Draw the papers that a reader keeps, with notes, tags and states, and what a shelf may be missing."""
    visit_corpus.write_link()
    shelves_panel.panel(resources.pathfinder())


pages.draw(
    "library",
    {
        "corpora": Panel(10, "Libraries", ":material/library_books:", corpora, is_whole=True),
        "shelves": Panel(20, "Shelves", ":material/star:", shelves),
    },
)
