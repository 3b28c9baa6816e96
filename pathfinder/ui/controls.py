"""What a reader sets: the question, its keywords and the filters; `weights`, `stages` and `ways` have the rest."""

from dataclasses import replace

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown, with_options
from pathfinder.retrieval.advice import weighting_advice
from pathfinder.types import MAX_TOP_K, MIN_TOP_K, SearchResult
from pathfinder.ui import stages, state, ways, weights
from pathfinder.ui.address import MAX_YEAR, MIN_YEAR, split_keywords
from pathfinder.ui.form import Form
from pathfinder.ui.showcase import SHOWCASE_QUESTIONS
from pathfinder.ui.state import standing


def heading(pf: Pathfinder) -> None:
    """Which literature is asked."""
    name = pf.corpus.name
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.header("Pathfinder", anchor=False, width="content")
        st.caption(f"{name.n_papers:,} papers · corpus {for_markdown(name.name)} · answers cite their papers")


def read(form: Form, has_chat: bool) -> Form:
    """Everything that the reader has set: the question above, the rest in the sidebar."""
    asked = question(form)
    with st.sidebar:
        top_k, year_from, year_to, extra = filters(form)
        weighed = st.container()  # seen before the stages, and read after them: the reranker has a slider
        changed = stages.read(form, has_chat)
        changed = replace(changed, answering=ways.read(form.answering, has_chat))
        with weighed:
            changed = replace(changed, weighting=weights.read(changed))
    is_same = asked == form.question
    return replace(
        changed,
        question=asked,
        top_k=top_k,
        year_from=year_from,
        year_to=year_to,
        extra_keywords=extra,
        dropped_keywords=form.dropped_keywords if is_same else (),
        reads_years=form.reads_years if is_same else True,
    )


def question(form: Form) -> str:
    """The question box with the nine showcase questions under it; returns what is asked."""
    with st.form("ask", border=False, enter_to_submit=True):
        box, button = st.columns([6, 1], vertical_alignment="bottom")
        hint = "Ask in plain language, or paste an abstract"
        text = box.text_input("Your question", standing("question", form.question), key="question", placeholder=hint)
        is_sent = button.form_submit_button("Ask", type="primary", width="stretch")
    if is_sent and not text.strip():
        notes("The question is empty: type a question, a topic or an abstract.")
    if is_sent:
        st.session_state["examples"] = not text.strip()
    is_open = standing("examples", not text.strip())
    lid = st.expander("Examples", is_open, key="examples", on_change="rerun", type="compact")
    with lid, st.container(horizontal=True):
        for place, example in enumerate(SHOWCASE_QUESTIONS):
            st.button(example, key=f"example-{place}", on_click=_ask, args=(example,))
    return text.strip()


def _ask(example: str) -> None:
    st.session_state["question"], st.session_state["examples"] = example, False


def filters(form: Form) -> tuple[int, int | None, int | None, tuple[str, ...]]:
    """How many papers, of which years, with which keywords of the reader's own."""
    top_k = st.slider("Papers", MIN_TOP_K, MAX_TOP_K, standing("top_k", form.top_k), key="top_k")
    first, last = st.columns(2)
    with first:
        year_from = _year("From year", "year_from", form.year_from)
    with last:
        year_to = _year("To year", "year_to", form.year_to)
    given = standing("extra_keywords", ", ".join(form.extra_keywords))
    extra = st.text_input("Your own keywords", given, key="extra_keywords", placeholder="JWST, metallicity")
    return top_k, year_from, year_to, split_keywords(extra)


def _year(label: str, key: str, year: int | None) -> int | None:
    value = standing(key, year)
    return st.number_input(label, MIN_YEAR, MAX_YEAR, value, step=1, format="%d", placeholder="any", key=key)


def keyword_chips(form: Form, result: SearchResult) -> None:
    """The keywords found in the question; one that is switched off is left out of the search."""
    found = [keyword.text for keyword in result.keywords if not keyword.is_given]
    options = [*found, *(k for k in form.dropped_keywords if k not in found)]
    if not options:
        return
    key = f"kept-{form.question}"
    kept = standing(key, found)
    st.pills(
        "Keywords found in your question: click one to leave it out",
        options,
        default=[option for option in options if option in kept],
        format_func=for_markdown,  # the words of a question, or of a link
        selection_mode="multi",
        key=key,
        on_change=_drop,
        args=(options, key),
    )


def _drop(options: list[str], key: str) -> None:
    state.drop(tuple(option for option in options if option not in st.session_state[key]))


def advice(result: SearchResult) -> None:
    """What the weights that are on cannot do with these candidates, in one box."""
    if sentences := weighting_advice(result.candidates, result.request.weighting):
        st.warning("\n\n".join(sentences))


def notes(*texts: str) -> None:
    """What the reader should know before reading on."""
    for text in texts:
        st.info(with_options(text), icon=":material/info:")


def failure(error: PathfinderError) -> None:
    """What went wrong, and the way out."""
    st.error(for_markdown(str(error)))
