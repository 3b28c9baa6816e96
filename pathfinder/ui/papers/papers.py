"""The papers of a result: one list and one selection, as cards, as a table or in the views of add-ons."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.operations.export.bibtex import bibtex
from pathfinder.operations.export.tables import hits_csv
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import Answer, Hit, Paper
from pathfinder.ui import similar
from pathfinder.ui.papers import paper_page, paper_table, selection, waterfall
from pathfinder.ui.papers.full_text import figures_strip
from pathfinder.ui.papers.paper_lines import about, excerpt, facts, marks, move
from pathfinder.ui.settings import steering
from pathfinder.ui.settings.controls import use
from pathfinder.ui.shared import panels, resources, state
from pathfinder.ui.shared.frame import component, save
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.stars import stars

CARDS, TABLE = "Cards", "Table"
VIEWS, MAP_VIEWS = "papers", "ask.map"
"""Places of other views: functions of the open corpus and the ids of papers in it, and of the corpus and a result."""
VIEW_KEY, VIEW_LINK = "papers-as", "shown"
"""Names of the chosen view among the widgets and in a link."""
_COPIED, _BEHIND = "copied-reference", "papers-behind-the-list"
LIST, HTML = "paper-list", '<ol class="papers"></ol><dialog aria-label="Keys"></dialog>'
SIMILAR, REFERENCE, ADS = "Similar papers", "Copy reference", "ADS record"
_OF_CARD, _OF_PAGE = ".paper.lit button.", ".st-key-"
_VIEWS = f"{_OF_PAGE}{VIEW_KEY} button"
KEYS = {
    "j": ("next paper", ""),
    "k": ("previous paper", ""),
    "o": ("open it", f"{_OF_CARD}open"),
    "s": ("star it", f"{_OF_CARD}star"),
    "x": ("select it", f"{_OF_CARD}select"),
    "a": ("papers like it", f"{_OF_CARD}item[data-act='{SIMILAR}']"),
    ".": ("what else can be done with it", f"{_OF_CARD}menu"),
    "t": ("table, or cards again", f"{_VIEWS}[aria-checked=false]"),
    "m": ("large map", f"{_OF_PAGE}large-map button"),
    "d": ("whether the papers agree, or disagree", f"{_OF_PAGE}agreement summary"),
    "l": ("copy a link to this page, or the same as code", f"{_OF_PAGE}copy-answer button"),
    "w": ("watch the question, and what else can be done with it", f"{_OF_PAGE}answer-more button"),
    "e": ("BibTeX of what is selected, or of all", f"{_OF_PAGE}papers-BibTeX button"),
    "/": ("to the question", "[data-testid=stChatInput] textarea"),
    "?": ("this list", ""),
}
"""Keys of the list, each with what it does and what it presses on the page; the browser listens to them, and to
a number for each view. "?" lists them, with the switch that turns them off there.
"""


def link() -> dict[str, str | list[str]]:
    """Return what a link says of the plot and of the list: how its papers are seen, unless as cards, which are
    selected, and how they stood before the last change.

    Until the first question of a visit has been searched for, these are the papers that its own link names.
    """
    if not state.asked():
        return {}
    seen_as = _seen_as()
    chosen, before = list(selection.selected_ids()), list(state.order_before() or ())
    if (on_screen := state.view()) is not None:
        chosen = [each for each in chosen if state.is_found() and each in on_screen.order]
        before = [*on_screen.places_before] if state.is_found() else before
    every: dict[str, str | list[str]] = {
        VIEW_LINK: "" if seen_as == CARDS else seen_as,
        **state.values_link(),
        selection.LINK: chosen[: selection.MAX_IN_LINK],
        state.BEFORE_LINK: before,
    }
    return {name: value for name, value in every.items() if value}


def _seen_as() -> str:
    return str(st.session_state.get(VIEW_KEY, st.query_params.get(VIEW_LINK, CARDS)))


def are_cards() -> bool:
    """Return whether the papers are seen as cards, before they are drawn."""
    return _seen_as() == CARDS


def open_link(link: str) -> None:
    """Make Ask show what the parameters of a link to it say: the question, the settings, how the papers are seen, which
    are selected and how they stood; before any of them is drawn.
    """
    parameters = parse_qs(link)
    form = state.read_form({name: texts[-1] for name, texts in parameters.items()})
    use(form)
    state.ask(form.question)
    st.session_state[VIEW_KEY] = parameters.get(VIEW_LINK, [CARDS])[-1]
    selection.replace(tuple(parameters.get(selection.LINK, ())))
    state.set_order_before(parameters.get(state.BEFORE_LINK, ()))


def listing(pf: Pathfinder, view: state.ResultView) -> None:
    """Draw the number of papers, the choice of how to see them and, if these are chosen, the cards, best first;
    `chosen_view` draws other views.
    """
    result, hits = view.result, view.result.hits
    with st.container(horizontal=True, vertical_alignment="center", key="papers-head"):
        st.header(counted(len(hits), "paper"), anchor="papers", width="content")
        if hits:
            views = (CARDS, *_views(pf, view))
            seen_as = state.standing(VIEW_KEY, st.query_params.get(VIEW_LINK, CARDS))
            # In the session, so that who comes back from another place finds the list as it was.
            look: dict[str, Any] = {"persist_state": "session", "wrap": True, "label_visibility": "collapsed"}
            look |= {"required": True, "format_func": str.capitalize}
            first = seen_as if seen_as in views else CARDS  # similar papers have no network
            chosen = st.segmented_control("Show the papers as", views, default=first, key=VIEW_KEY, **look)
    if not hits:
        st.info("No papers were found. Widen the range of years, remove filters, or rephrase the question.")
        return
    if is_question := result.request.likeness is None:
        steering.panel(pf, view)
    selection.has_changed()  # a run of the whole page shows the change already
    # What is shown leads to the list when it is another than before.
    shown = f"{chosen} {'' if is_question else result.question}"
    _list(pf, view, stars.open_shelf(), shown, are_cards=chosen == CARDS)


def chosen_view(pf: Pathfinder, view: state.ResultView, answer: Answer | None = None) -> None:
    """Draw the papers if the reader has chosen another view than cards; the table includes findings from `answer`,
    which is `None` if there is no answer yet.
    """
    draw = _views(pf, view, answer).get(st.session_state.get(VIEW_KEY, CARDS))
    if view.result.hits and draw is not None:
        draw()


def _views(pf: Pathfinder, view: state.ResultView, answer: Answer | None = None) -> dict[str, Callable[[], None]]:
    result = view.result
    own: dict[str, Callable[[], None]] = {TABLE: partial(paper_table.of_result, view, answer)}
    own |= {name: partial(_chosen, pf, result.hits, draw) for name, draw in panels.panels(VIEWS).items()}
    if result.request.likeness is None:
        own |= {name: partial(draw, pf, result) for name, draw in panels.panels(MAP_VIEWS).items()}
    return own


def _chosen(pf: Pathfinder, hits: Sequence[Hit], draw: Callable[..., None]) -> None:
    """Draw the selected hits, or all if none is selected, and offer to select others beside one alone; those that are
    not in the corpus are left out.
    """
    selected_hits = selection.selected_hits(hits)
    paper_ids = [hit.paper.paper_id for hit in selected_hits or hits if hit.live is None]
    if len(selected_hits) == 1 < len(hits):
        others = [hit.paper.paper_id for hit in hits if hit not in selected_hits][:3]
        label, ids = f"Only this paper is selected: add the best {len(others)} others", (*paper_ids, *others)
        st.button(label, "select-others", on_click=selection.replace, args=(ids,), icon=":material/add:", wrap=True)
    elif selected_hits:
        st.caption("Only the selected papers are shown.")
    if len(paper_ids) < len(selected_hits or hits):
        st.caption("Papers from live sources are left out.")
    draw(pf, paper_ids)


@st.fragment
def _list(pf: Pathfinder, view: state.ResultView, page_shelf: Shelf | None, shown: str, *, are_cards: bool) -> None:
    """Draw what is on the shelf, the cards and the downloads. A star or an opened paper draws only these again, unless
    the shelf, which was `page_shelf` when the page was drawn, is stored in the browser: this takes the whole page.
    """
    shelf = stars.open_shelf()
    # The map and the other views show the selection too.
    if selection.has_changed() or (shelf != page_shelf and not is_visited_here()):
        st.rerun()
    _bar(pf, view, shelf)
    views = (CARDS, *_views(pf, view))
    numbers = {str(n): (name.lower(), f"{_VIEWS}:nth-of-type({n})") for n, name in enumerate(views, start=1)}
    data = {
        "keys": numbers | KEYS,
        "shown": shown,
        "block": "nearest" if are_cards else "start",
        "cards": [*_cards(view, shelf)] if are_cards else [],
        "shelf": shelf and shelf.name,
        "copy": st.session_state.pop(_COPIED, None),
        "actions": {
            SIMILAR: SIMILAR,
            **{name: name.capitalize() for name in views if name not in (CARDS, TABLE)},
            REFERENCE: REFERENCE,
            **({ADS: ADS} if resources.is_in_ads() else {}),
        },
    }
    draw = component(Path(__file__).with_name("papers.js"), HTML, shadow=False)
    # Without cards, it only listens: the style sheet keeps room for those that are to come.
    draw(key=LIST if are_cards else f"{LIST}-keys", data=data, on_press_change=lambda: _act(view, shelf))
    if are_cards:
        waterfall.others(view.result)
        figures_strip(view)
    paper_page.draw_opened(view)


def _cards(view: state.ResultView, shelf: Shelf | None) -> Iterator[dict[str, Any]]:
    """Yield what each card says; a star is `None` for a paper that cannot be put on a shelf."""
    result, selected_ids = view.result, selection.selected_ids()
    for rank, (hit, (bar, why)) in enumerate(zip(result.hits, waterfall.bars(result), strict=True), start=1):
        paper = hit.paper
        moved = move(rank, view.places_before.get(paper.paper_id)) if view.places_before else ""
        change = [("orange" if moved.startswith("▼") else "green", moved)] if moved else []
        yield {
            "id": paper.paper_id,
            "title": readable(paper.title),
            "about": [*change, ("", " · ".join(map(readable, about(paper)))), *marks(hit)],
            "lines": excerpt(hit, view.result.question),
            "bar": bar,
            "why": why,
            "star": None if shelf is None or hit.live else paper.paper_id in shelf.paper_ids,
            "selected": paper.paper_id in selected_ids,
            "live": bool(hit.live),
        }


def _act(view: state.ResultView, shelf: Shelf | None) -> None:
    """Do what a button of a card says, or an action of its menu; a browser may report anything."""
    match st.session_state.get(LIST, {}).get("press"):
        case [str(action), str(paper_id)] if paper_id in view.order:
            pass
        case _:
            return
    hit = next(hit for hit in view.result.hits if hit.paper.paper_id == paper_id)
    if action in ("open", "reference", ADS):
        paper_page.open_paper(paper_id, action)
    elif action == REFERENCE:  # the browser then copies it, and says whether it could
        st.session_state[_COPIED] = {"id": paper_id, "text": paper_page.reference(hit)}
    elif action == "copied":
        st.toast("The reference is copied as BibTeX", icon=":material/content_copy:")
    elif action == "star" and shelf is not None and not hit.live:
        stars.toggle(shelf.name, (paper_id,))
    elif action == "select":
        selection.toggle(paper_id)
    elif action == SIMILAR:
        similar.choose_beside(paper_id)
        selection.mark_changed()
    elif action in {**panels.panels(VIEWS), **panels.panels(MAP_VIEWS)}:
        if paper_id not in selection.selected_ids():
            selection.toggle(paper_id)
        st.session_state[VIEW_KEY] = action
        selection.mark_changed()


def further(view: state.ResultView, answer: Answer) -> None:
    """List the answer's sources that are not among the listed papers, numbered as in the answer; a link to one opens
    it as in the answer. The BibTeX of the whole list holds them too.
    """
    behind = {place: paper for place, paper in enumerate(answer.sources, 1) if paper.paper_id not in view.order}
    _behind().clear()
    _behind()[view.order] = tuple(behind.values())
    if behind:
        more = counted(len(behind), "more paper")
        with st.expander(f"{more} used in the answer, and in the BibTeX", type="compact", key="further"):
            lines = []
            for place, paper in behind.items():
                title = f"[{for_markdown(paper.title)}](#paper-{place})"
                lines.append(f"{place}. {title} :small[:gray[{' · '.join(facts(paper))}]]")
            st.markdown("\n".join(lines))


def _behind() -> dict[tuple[str, ...], tuple[Paper, ...]]:
    """Papers used in an answer that are not in the list, by the ids of those that are; the answer comes after them."""
    papers: dict[tuple[str, ...], tuple[Paper, ...]] = st.session_state.setdefault(_BEHIND, {})
    return papers


def _bar(pf: Pathfinder, view: state.ResultView, shelf: Shelf | None) -> None:
    """Offer what is on the shelf, and the selected papers or else all, as files; say which have left the list. The bar
    is there before the first of either, so that nothing moves.
    """
    result, selection_hits = view.result, selection.selected_hits(view.result.hits)
    n_gone = len({*selection.selected_ids()} & view.places_before.keys() - {*view.order})
    hits = selection_hits or result.hits
    live = {hit.paper.paper_id: hit.live for hit in hits if hit.live}
    behind = {} if selection_hits else _behind()
    with st.container(horizontal=True, key="bar"):
        stars.shelf_line(pf, shelf)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
            selected = f"{len(selection_hits)} selected" if selection_hits else "All of these"
            gone = f" ({n_gone} more selected, no longer in this list)" if n_gone else ""
            st.markdown(f"{selected}{gone}", width="content")
            papers = [hit.paper for hit in hits]
            for form, suffix, write in (
                ("BibTeX", "bib", lambda: bibtex([*papers, *behind.get(view.order, ())], live)),
                ("CSV", "csv", lambda: hits_csv(result, hits)),
            ):
                save(form, write, f"pathfinder.{suffix}", key=f"papers-{form}", type="tertiary")
            if selection_hits:
                stars.star_all((hit.paper.paper_id for hit in selection_hits if not hit.live), "all", "Star")
                st.button("Deselect", key="deselect", type="tertiary", on_click=selection.replace, args=((),))
