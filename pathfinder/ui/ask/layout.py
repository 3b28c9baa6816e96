"""The five tabs of the Ask page and the column next to them. Papers and map stay visible whichever tab is open."""

from dataclasses import dataclass

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer
from streamlit.delta_generator import DeltaGenerator

from pathfinder.ui.papers import paper_table

TABS = ("Answer", "Papers", "Consensus", "Map", "Trace")

FOLLOW_LINKS = """
export default function() {
  const papersTab = () => [...document.querySelectorAll('[role=tab]')].find(tab => tab.textContent.trim() === 'Papers')
  const leadTo = id => {
    // The card is drawn when its tab is open, which takes a busy server a while; a reader who does something else
    // in the meantime is not moved.
    let until = Date.now() + 20000
    for (const act of ['pointerdown', 'wheel', 'keydown'])
      document.addEventListener(act, () => { until = 0 }, {once: true})
    let pressed = 0
    const show = () => {
      const card = document.getElementById(id)
      if (card?.closest('[inert]') === null) return card.scrollIntoView({block: 'start'})
      // A click while the page is being redrawn is lost.
      const tab = papersTab()
      if (tab?.getAttribute('aria-selected') !== 'true' && Date.now() > pressed + 500) {
        pressed = Date.now()
        tab?.click()
      }
      if (Date.now() < until) setTimeout(show, 50)
    }
    show()
  }
  const follow = event => {
    const link = event.target.closest?.('a[href^="#paper-"]')
    if (!link) return
    event.preventDefault()
    event.stopPropagation()
    leadTo(link.getAttribute('href').slice(1))
  }
  document.addEventListener('click', follow, true)
  if (location.hash.startsWith('#paper-')) {
    // A link that was followed before this script was loaded.
    leadTo(location.hash.slice(1))
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return () => document.removeEventListener('click', follow, true)
}
"""
"""Script that opens the tab containing a paper's card when a link to that card is followed, wherever the link is on the
page.
"""


@dataclass(frozen=True, slots=True)
class Places:
    """Placeholders for the parts of the page."""

    answer: DeltaGenerator
    papers: DeltaGenerator
    are_papers_open: bool
    consensus: DeltaGenerator
    map: DeltaGenerator
    """Placeholder for the map: in its own tab while that is open, otherwise next to the tabs."""
    is_map_open: bool
    trace: DeltaGenerator
    hits_place: DeltaGenerator | None
    """Placeholder next to the tabs for a short list of the papers; `None` while their cards are open."""


def places() -> Places:
    """Draw the tabs and the column next to them; the first tab stays open until the reader opens another."""
    _follow_links()()
    left, right = st.columns([13, 7], gap="large")
    answer, papers, consensus, map_tab, trace = left.tabs(TABS, key="tab", on_change="rerun")
    with right:
        beside, hits_place = st.container(), st.container()
    is_map_open = bool(map_tab.open)
    map_place = map_tab if is_map_open else beside
    has_cards = papers.open and not paper_table.is_open()
    listed_in = None if has_cards else hits_place
    return Places(answer, papers, bool(papers.open), consensus, map_place, is_map_open, trace, listed_in)


@st.cache_resource(show_spinner=False)
def _follow_links() -> ComponentRenderer:
    """Create the component once for all visitors: it contains only the script above."""
    return st.components.v2.component("paper_links", js=FOLLOW_LINKS)
