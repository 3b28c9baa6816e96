"""Chips above the papers: what is set, each with a cross that undoes it, and what can be asked for in a word.

A chip is clicked once. What rose and fell is marked on the papers, as after any other change of the settings.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import Any

import pyarrow.compute as pc
import streamlit as st

from pathfinder.answering.digest.values import byline
from pathfinder.facade import Pathfinder
from pathfinder.index.words import content_stems
from pathfinder.profile import Profile
from pathfinder.retrieval.advice import advice_on_citations
from pathfinder.retrieval.exclusions import ABOUT, BY, exclusions_read, unread_exclusion
from pathfinder.text.inflection import base_form
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.text.quantities.units import is_unit
from pathfinder.types import SearchRequest, SearchResult
from pathfinder.types.setting_kinds import Alternatives, ModelName, NameList, PhraseList, Strength, Switch
from pathfinder.types.settings import Setting
from pathfinder.types.weighting import Steers
from pathfinder.ui.settings.controls import FAVOURED, SWITCHED_ON, use
from pathfinder.ui.shared.address import Form, changed_settings
from pathfinder.ui.shared.state import ResultView

MAX_TOPICS, LONGEST_TOPIC = 3, 24
CHECK_TAGS = frozenset((
    *"humans human animals nonhuman male female pregnancy infant child adolescent adult aged article".split(),
    "infant, newborn", "child, preschool", "young adult", "middle aged", "aged, 80 and over", "controlled study",
    "priority journal",
))  # fmt: skip
"""Keywords in lower case by which PubMed and Embase say on whom a study was done: they divide no topic."""
OWN_PLACE = ("dropped_keywords", "as_of", "region", "within")
"""Settings that are shown, and undone, elsewhere on the page; Reset keeps them."""
IN_A_WORD = {"recency": "newer", "citations": "more cited"}
"""Words that ask for more of a factor, by the name of its setting."""
ENTRY = {"excluded_words": "without", "authors": "by", "year_from": "from", "year_to": "to"}
"""Words before a value, in place of the label of its setting."""
_LEAVE_OUT = "leave-out"


def panel(pf: Pathfinder, view: ResultView) -> None:
    """Draw the chips."""
    form, result = view.form, view.result
    taken = {f"{for_markdown(label)} ×": after for label, after in undone(form)}
    offered = {for_markdown(label): after for label, after in offers(pf, form, result)}
    key = f"{_LEAVE_OUT}-{len(form.search.excluded_words)}"  # another after each word, so that it is empty

    def leave_out() -> None:
        if topic := st.session_state[key].strip():
            use(_without(form, topic))

    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="steering"):
        look: dict[str, Any] = {"placeholder": "without … (type a word)", "label_visibility": "collapsed", "width": 220}
        st.text_input("Leave out papers with", key=key, on_change=leave_out, **look)
        if taken:
            kept: dict[str, Any] = {name: getattr(form.search, name) for name in OWN_PLACE}
            reset = Form(form.question, replace(SearchRequest("no question yet"), **kept))
            st.button("Reset", key="reset-settings", type="tertiary", on_click=use, args=(reset,))
    _pills(taken, offered)  # below what is always there: a row more moves nothing that is pressed
    if moved := ", ".join(moves(pf, view)):
        st.html(f'<small role="status">{escape(moved)}</small>')
    if form.weighting.citations and (uncounted := advice_on_citations(result.candidates)):
        st.caption(uncounted)
    if (phrase := _ignored(pf, form)) is not None:
        st.caption(f"“{for_markdown(' '.join(phrase))}” in the question leaves nothing out: it is searched as words.")


def moves(pf: Pathfinder, view: ResultView) -> Iterator[str]:
    """Yield which paper stands first of those that have risen since the last change, how many more have risen, fallen
    and come, and which have gone.
    """
    before = view.places_before
    stayed = [(rank, hit.paper) for rank, hit in enumerate(view.result.hits, start=1) if hit.paper.paper_id in before]
    risen = [(rank, paper) for rank, paper in stayed if before[paper.paper_id] > rank]
    for rank, paper in risen[:1]:
        yield f"{readable(byline(paper))} rose from {before[paper.paper_id]} to {rank}"
    counts = {"more up": len(risen) - 1, "down": sum(before[paper.paper_id] < rank for rank, paper in stayed)}
    yield from (f"{n} {what}" for what, n in counts.items() if before and n > 0)
    new = [readable(byline(hit.paper)) for hit in view.result.hits if hit.paper.paper_id not in before]
    if before and new:
        yield f"new: {'; '.join(new)}"
    rows = pf.corpus.papers.rows_of([paper_id for paper_id in before if paper_id not in view.order])
    gone = [readable(byline(paper)) for paper in pf.corpus.papers.take(rows[rows >= 0])]
    if gone:
        yield f"gone: {'; '.join(gone)}"


def _pills(taken: dict[str, Form], offered: dict[str, Form]) -> None:
    """Draw chips, each with the settings of the page after a click on it."""
    if not (chips := taken | offered):
        return
    active = [*taken]
    key = f"chips-{hash((*chips, len(active)))}"  # after a click they are others, and drawn anew

    def click() -> None:  # takes one change: a second quick click belongs to chips that are no longer there
        changed = set(active) ^ set(st.session_state[key])
        if label := next((label for label in chips if label in changed), None):
            use(chips[label])

    look: dict[str, Any] = {"selection_mode": "multi", "wrap": True, "label_visibility": "collapsed"}
    st.pills("Settings of this list", [*chips], default=active, key=key, on_change=click, **look)


def in_words(form: Form) -> str:
    """Say in a line what differs from the defaults."""
    words = ", ".join(label for label, _ in undone(form)) or "nothing favoured"
    return words[:1].upper() + words[1:]


def undone(form: Form) -> Iterator[tuple[str, Form]]:
    """Yield what differs from the defaults, in words, each with the settings after it has been undone."""
    for setting, value, default_form in changed_settings(form):
        if setting.name in OWN_PLACE:
            continue
        if isinstance(setting.kind, Steers):
            for feature, strength in value:
                steers = tuple(steer for steer in value if steer[0] != feature)
                after = form.with_search(weighting=replace(form.weighting, steers=steers))
                yield f"{'more' if strength > 0 else 'less'} {feature} {abs(strength):g}", after
        elif isinstance(setting.kind, PhraseList | NameList):
            for entry in value:
                others = tuple(other for other in value if other != entry)
                words = f"{ENTRY.get(setting.name, setting.label)} {entry.removeprefix(ABOUT)}"
                yield words, form.with_search(**{setting.name: others})
        else:
            yield _in_words(setting, value), default_form


def _in_words(setting: Setting, value: Any) -> str:
    kind = setting.kind
    if isinstance(kind, Strength):
        label = IN_A_WORD.get(setting.name) or FAVOURED.get(setting.name, setting.label)
        strength = "" if value == SWITCHED_ON else f" {value:g}"
        return f"{label[:1].lower()}{label[1:]}{strength}" if value else f"no {setting.label}"
    if isinstance(kind, Switch):
        return setting.label if value else f"{setting.label}: off"
    if isinstance(kind, Alternatives | ModelName):
        return f"{setting.label}: {kind.labels.get(value, value) if value is not None else 'automatic'}"
    return f"{ENTRY.get(setting.name, f'{setting.label}:')} {kind.write(value)}"


def offers(pf: Pathfinder, form: Form, result: SearchResult) -> Iterator[tuple[str, Form]]:
    """Yield what can be asked for in a word, each with the settings that do it: newer, more cited where the
    citations are known, or only reviews, and without a topic that some of the listed papers have.
    """
    weighting = form.weighting
    if not weighting.recency:
        yield f"+ {IN_A_WORD['recency']}", form.with_search(weighting=replace(weighting, recency=SWITCHED_ON))
    if not weighting.citations and not advice_on_citations(result.candidates):
        yield f"+ {IN_A_WORD['citations']}", form.with_search(weighting=replace(weighting, citations=SWITCHED_ON))
    if not form.search.only_reviews and pc.any(pf.corpus.papers.column("is_review")).as_py():
        yield "+ only reviews", form.with_search(only_reviews=True)
    phrase = _ignored(pf, form)
    for topic in (*(phrase or ())[1:], *topics(result, pf.profile)):
        yield f"without {topic}", _without(form, topic)


def topics(result: SearchResult, profile: Profile) -> list[str]:
    """Return the keywords that several of the listed papers share, but no more than half of them, and that the question
    does not ask for; those of most papers first. Check tags, units and nouns that fit every paper of the field are no
    topics.
    """
    names = profile.names
    general = {*map(base_form, map(str.lower, (*names.everywhere, *names.counted)))}
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for hit in result.hits:
        named = {keyword.casefold(): keyword for keyword in hit.paper.subjects or hit.paper.keywords}
        counts.update(named.keys())
        written |= named
    other_names = (name for expansion in result.expansions for name in expansion.names)
    asked, chosen = content_stems(" ".join((result.question, *other_names))), list[str]()
    for topic, n in counts.most_common():
        own = content_stems(topic)
        is_general = topic in CHECK_TAGS or base_form(topic) in general or is_unit(written[topic])
        is_short = own and not is_general and len(topic) <= LONGEST_TOPIC
        if is_short and 2 <= n <= len(result.hits) / 2 and asked.isdisjoint(own) and len(chosen) < MAX_TOPICS:
            asked |= own
            chosen.append(written[topic])
    return chosen


def _without(form: Form, topic: str) -> Form:
    entry = topic if topic.startswith(BY) else ABOUT + topic
    return form.with_search(excluded_words=(*form.search.excluded_words, entry))


def _ignored(pf: Pathfinder, form: Form) -> tuple[str, str] | None:
    """Return the end of the question that seems to leave something out but was searched as words; `None` if there is
    none, or if the reader has left it out since.
    """
    is_read = exclusions_read(SearchRequest(form.question), pf.corpus) is not None
    phrase = None if is_read or not form.search.reads_exclusions else unread_exclusion(form.question)
    return None if phrase is None or ABOUT + phrase[1] in form.search.excluded_words else phrase
