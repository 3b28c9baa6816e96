"""Where a reader was: the questions that they asked last, what is on their shelf, and what add-ons know of.

The questions are stored for the owner of this machine in the data folder, and for all others in their browser alone.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qs, urlencode

import streamlit as st
from pydantic import TypeAdapter

from pathfinder.errors import PathfinderError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.settings import COHERE_RERANKERS
from pathfinder.text.latex.display import for_markdown
from pathfinder.text.strict_json import parse_as
from pathfinder.types import CorpusName, SearchRequest
from pathfinder.types.alternatives import DEFAULT_RERANKER
from pathfinder.types.settings import settings_of
from pathfinder.ui.shared import panels
from pathfinder.ui.shared.address import Form, from_parameters, to_parameters
from pathfinder.ui.shared.frame import go
from pathfinder.ui.stars import stars
from pathfinder.ui.stars.own_shelves import own
from pathfinder.user_data import VersionStore, Visit, versions

MOST_KEPT, MOST_SHOWN = 20, 3
"""How many questions are kept, and how many of them, and of the ways back of each add-on, stand there at once."""
PLACE = "ask.home"
"""Place of add-ons: functions of the open corpus that return ways back."""
_KEPT = "recent-kept"
_ADAPTER = TypeAdapter(tuple[str, ...])
Item = TypeVar("Item")


def latest(*links: str) -> tuple[str, ...]:
    """Return the questions that are kept, each once for a region of the map; the first is the latest."""
    by_question: dict[tuple[str, str], str] = {}
    for link in links:
        by_question.setdefault(_key(link), link)
    return tuple(by_question.values())[:MOST_KEPT]


def question_in(link: str) -> str:
    """Return the question of a link."""
    return parse_qs(link).get("q", [""])[0]


def request_in(link: str) -> SearchRequest:
    """Return the search of a link without what calls a model or a host elsewhere."""
    form, _ = from_parameters({name: texts[-1] for name, texts in parse_qs(link).items()})
    callers = (each.name for each in settings_of(SearchRequest) if each.calls_chat is not None)
    request = replace(form.request(), live=(), **{name: getattr(Form().search, name) for name in callers})
    return replace(request, reranker=DEFAULT_RERANKER) if request.reranker in COHERE_RERANKERS else request


class AskedQuestions:
    """The questions about one corpus that a person asked last, each as a link."""

    def __init__(self, place: Path | Visit, corpus: CorpusName) -> None:
        """`place` is the owner's folder, which is created when the first question is kept, or the visit of another."""
        self._versions = VersionStore(place, QUESTIONS, corpus, most=1)

    def links(self) -> tuple[str, ...]:
        """Return the questions, the latest first."""
        records = self._versions.records()
        return latest(*(link for name in reversed(records) for link in _links(name, records[name])))

    def add(self, link: str) -> None:
        """Keep a question as the latest one."""
        self._versions.change(" ".join(_key(link)), lambda _: link)
        self._delete(MOST_KEPT)

    def forget(self) -> None:
        """Delete all questions."""
        self._delete(0)

    def _delete(self, most: int) -> None:
        """Delete the questions before the last `most`."""
        names = tuple(self._versions.records())
        for name in names[: max(len(names) - most, 0)]:
            self._versions.forget(name)  # questions that two sessions kept have two versions


_EARLIER = "recent"
"""Name of the record that holds all questions of 0.2.1."""


def _links(name: str, record: str) -> tuple[str, ...]:
    """Read the links; questions were once kept together, and before that alone."""
    if name != _EARLIER:
        return (record,)
    try:
        kept = parse_as(_ADAPTER, record)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the questions that were kept cannot be read ({error}): delete them") from error
    return tuple(each if each.startswith("q=") else urlencode({"q": each}) for each in kept)


def _key(link: str) -> tuple[str, str]:
    """Return the region of the map and the question of a link."""
    return parse_qs(link).get("region", [""])[0], question_in(link)


def _earlier(text: str) -> tuple[tuple[str, str], ...]:
    _links(_EARLIER, text)
    return ((_EARLIER, text),)


QUESTIONS = versions("questions.sqlite3", "questions", "questions", _earlier)


def own_questions() -> AskedQuestions:
    """Return the questions of this visitor about the open corpus. Raises `UsageError` if no corpus is open."""
    return own(AskedQuestions)


def keep(form: Form, beside: Mapping[str, str | list[str]]) -> None:
    """Keep a question that was asked, as a link with its settings and what is `beside` them, unless these do not fit
    into one; say so if it cannot be stored.
    """
    parameters, left_out = to_parameters(form)
    link = urlencode({**parameters, **beside}, doseq=True)
    if st.session_state.get(_KEPT) == link or left_out is not None:
        return
    st.session_state[_KEPT] = link
    try:
        own_questions().add(link)
    except PathfinderError as error:
        st.toast(for_markdown(f"This question will not be listed on the first page: {error}"))


def panel(pf: Pathfinder, open_link: Callable[[str], None]) -> tuple[str, ...]:
    """Draw where the reader was, each as one button, and what of it cannot be read; nothing for who has not been
    anywhere. Return the questions, which `open_link` opens.
    """
    problems: list[str] = []
    links = _shown(lambda: own_questions().links(), problems)
    ways = [*sorted(ways_back(pf, problems), key=lambda way: not way.is_new), *_shown(_of_shelf, problems)]
    n_new = sum(way.is_new for way in ways)
    if not links and not ways and not problems:
        return ()
    with st.container(key="where-you-were", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.header("Where you were", anchor=False, width="content")
            if links:
                st.button("Forget the questions", key="forget-questions", type="tertiary", on_click=_forget)
        _draw(ways[:n_new])
        for place, link in enumerate(links):
            if place == MOST_SHOWN:
                earlier = st.expander(f"{len(links) - place} more", type="compact", key="earlier-questions")
            label = for_markdown(question_in(link)) + (" :gray[in a region of the map]" if "&region=" in link else "")
            key, icon = f"way-to-{place}", ":material/history:"
            with nullcontext() if place < MOST_SHOWN else earlier:
                st.button(label, key=key, icon=icon, type="tertiary", on_click=open_link, args=(link,))
        _draw(ways[n_new:], n_new)
        for problem in problems:
            st.caption(for_markdown(problem))
    return tuple(map(question_in, links))


def ways_back(pf: Pathfinder, problems: list[str]) -> list[panels.WayBack]:
    """Return the ways back that add-ons know of, and add to `problems` what cannot be read."""
    each = (_shown(partial(ways_of, pf), problems) for ways_of in panels.panels(PLACE).values())
    return [way for ways in each for way in ways[:MOST_SHOWN]]


def _draw(ways: Sequence[panels.WayBack], first: int = 0) -> None:
    for place, way in enumerate(ways, first):
        if st.button(for_markdown(way.label), key=f"way-{place}", icon=way.icon, type="tertiary", wrap=True):
            way.go()


def _shown(read: Callable[[], Sequence[Item] | None], problems: list[str]) -> tuple[Item, ...]:
    """Return what `read` returns, or add to `problems` why it cannot be read."""
    try:
        return tuple(read() or ())
    except PathfinderError as error:
        problems.append(f"Not everything is listed here: {error}")
        return ()


def _of_shelf() -> tuple[panels.WayBack, ...]:
    shelf = stars.open_shelf()
    if shelf is None or not shelf.paper_ids:
        return ()
    n = len(shelf.paper_ids)
    label = f"{n:,} {'paper' if n == 1 else 'papers'} on your shelf “{shelf.name}”"
    return (panels.WayBack(stars.FULL, label, partial(go, "library", part="shelves")),)


def _forget() -> None:
    st.session_state.pop(_KEPT, None)
    try:
        own_questions().forget()
    except PathfinderError as error:
        st.toast(for_markdown(f"The questions are not forgotten: {error}"))
