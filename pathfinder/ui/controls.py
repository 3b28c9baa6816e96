"""Everything that a reader sets: the question, its keywords, the filters and the weights."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.retrieval.advice import weighting_advice
from pathfinder.types import MAX_TOP_K, MIN_TOP_K, CitationProfile, Preset, SearchResult, Weighting
from pathfinder.ui import state
from pathfinder.ui.address import MAX_YEAR, MIN_STRENGTH, MIN_YEAR, Form, split_keywords
from pathfinder.ui.showcase import SHOWCASE_QUESTIONS

PRESET_LABELS = {Preset.BALANCED: "Balanced", Preset.PAPER: "As published"}
PROFILE_LABELS = {
    CitationProfile.SIGMOID: "300 citations count half",
    CitationProfile.AGE_FAIR: "among papers of its year",
}


def heading(pf: Pathfinder) -> None:
    """Which literature is asked."""
    name = pf.corpus.name
    st.header("Pathfinder", anchor=False)
    st.caption(f"{name.n_papers:,} papers · corpus {for_markdown(name.name)} · answers cite their papers")


def read(form: Form) -> Form:
    """Everything that the reader has set: the question above, the rest in the sidebar."""
    asked = question(form)
    with st.sidebar:
        top_k, year_from, year_to, extra = filters(form)
        weighting = weights(form.weighting)
    dropped = form.dropped_keywords if asked == form.question else ()
    return Form(asked, top_k, year_from, year_to, extra, dropped, weighting)


def question(form: Form) -> str:
    """The question box with the nine showcase questions under it; returns what is asked."""
    _seed("question", form.question)
    with st.form("ask", border=False, enter_to_submit=True):
        box, button = st.columns([6, 1], vertical_alignment="bottom")
        hint = "Ask in plain language, or paste an abstract"
        text = box.text_input("Your question", key="question", placeholder=hint)
        is_sent = button.form_submit_button("Ask", type="primary", width="stretch")
    if is_sent and not text.strip():
        notes("The question is empty: type a question, a topic or an abstract.")
    with st.expander("Examples", expanded=not text), st.container(horizontal=True):
        for place, example in enumerate(SHOWCASE_QUESTIONS):
            st.button(example, key=f"example-{place}", on_click=_ask, args=(example,))
    return text.strip()


def _ask(example: str) -> None:
    st.session_state["question"] = example


def filters(form: Form) -> tuple[int, int | None, int | None, tuple[str, ...]]:
    """How many papers, of which years, with which keywords of the reader's own."""
    for key, value in (("top_k", form.top_k), ("year_from", form.year_from), ("year_to", form.year_to)):
        _seed(key, value)
    _seed("extra_keywords", ", ".join(form.extra_keywords))
    top_k = st.slider("Papers", MIN_TOP_K, MAX_TOP_K, key="top_k")
    first, last = st.columns(2)
    with first:
        year_from = _year("From year", "year_from")
    with last:
        year_to = _year("To year", "year_to")
    extra = st.text_input("Your own keywords", key="extra_keywords", placeholder="JWST, metallicity")
    return top_k, year_from, year_to, split_keywords(extra)


def _year(label: str, key: str) -> int | None:
    return st.number_input(label, MIN_YEAR, MAX_YEAR, None, step=1, format="%d", placeholder="any", key=key)


def weights(weighting: Weighting) -> Weighting:
    """The three toggles with their sliders, and the preset that puts them together."""
    keywords = _strength(
        "keywords", "Keywords", "Raises papers that share keywords with the question.", weighting.keywords
    )
    recency = _strength(
        "recency", "Time", "Raises recent papers; those older than about 5 years fade.", weighting.recency
    )
    citations = _strength("citations", "Citations", "Raises papers that are cited often.", weighting.citations)
    profile = _citation_profile(weighting) if citations else weighting.citation_profile
    _seed("preset", weighting.preset)
    preset = st.radio(
        "Put together",
        [*Preset],
        key="preset",
        format_func=lambda preset: PRESET_LABELS[preset],
        captions=["a sum of logarithms, each part exact", "cosine times each weight, time as printed"],
    )
    return Weighting(keywords, recency, citations, preset, profile, weighting.recency_midpoint_years)


def _strength(name: str, label: str, help_line: str, strength: float) -> float:
    """A toggle, and a slider while it is on; 0 while it is off."""
    _seed(f"{name}-on", strength > 0)
    _seed(f"{name}-strength", strength or 1.0)
    is_on = st.toggle(label, key=f"{name}-on")
    st.caption(help_line)
    if not is_on:
        return 0.0
    slider_label = f"Strength of {label.lower()}"
    return st.slider(slider_label, MIN_STRENGTH, 1.0, step=0.05, key=f"{name}-strength", label_visibility="collapsed")


def _citation_profile(weighting: Weighting) -> CitationProfile:
    _seed("profile", weighting.citation_profile)
    chosen: CitationProfile = st.selectbox(
        "Citations count",
        [*CitationProfile],
        key="profile",
        format_func=lambda profile: PROFILE_LABELS[profile],
    )
    return chosen


def keyword_chips(form: Form, result: SearchResult) -> None:
    """The keywords found in the question; one that is switched off is left out of the search."""
    found = [keyword.text for keyword in result.keywords if not keyword.is_given]
    options = [*found, *(k for k in form.dropped_keywords if k not in found)]
    if not options:
        return
    key = f"kept-{form.question}"
    _seed(key, found)
    st.pills(
        "Keywords found in your question: click one to leave it out",
        options,
        selection_mode="multi",
        key=key,
        on_change=_drop,
        args=(options, key),
    )


def _drop(options: list[str], key: str) -> None:
    state.drop(tuple(option for option in options if option not in st.session_state[key]))


def advice(result: SearchResult) -> None:
    """What the weights that are on cannot do with these candidates."""
    for sentence in weighting_advice(result.candidates, result.request.weighting):
        st.warning(sentence)


def notes(*texts: str) -> None:
    """What the reader should know before reading on."""
    for text in texts:
        st.info(for_markdown(text), icon=":material/info:")


def failure(error: PathfinderError) -> None:
    """What went wrong, and the way out."""
    st.error(for_markdown(str(error)))


def _seed(key: str, value: object) -> None:
    if key not in st.session_state and value is not None:
        st.session_state[key] = value
