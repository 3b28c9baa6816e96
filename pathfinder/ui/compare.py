"""Two settings of one question, or two questions, side by side."""

from dataclasses import dataclass, replace
from enum import StrEnum

import streamlit as st

from pathfinder.export.latex import for_markdown
from pathfinder.export.links import paper_link
from pathfinder.retrieval.arguing.comparison import Comparison, Shift
from pathfinder.retrieval.arguing.counterfactual import with_strength
from pathfinder.retrieval.arguing.words import SLIDER_LABELS, ordinal
from pathfinder.types import NO_RERANKER, Preset, SearchResult, Weighting
from pathfinder.ui import controls
from pathfinder.ui.address import MIN_STRENGTH
from pathfinder.ui.form import Form
from pathfinder.ui.state import standing
from pathfinder.ui.weights import PRESET_LABELS, PRESET_TITLE

LEFT, RIGHT = "left", "right"
MAIN_SLIDERS = ("keywords", "recency", "citations")
HOW_TO_READ = (
    "Rank-biased overlap: the share of papers that both lists have, with more weight on the first places "
    "(Webber, Moffat & Zobel 2010, p = 0.9). Kendall's tau: the order of the shared papers, 1 where it is the same, "
    "-1 where it is turned round."
)


class Mode(StrEnum):
    """What differs between the two sides."""

    SETTINGS = "Two settings of one question"
    QUESTIONS = "Two questions"


@dataclass(frozen=True, slots=True)
class Asked:
    """Both sides as the reader has set them."""

    mode: Mode
    left: Form
    right: Form


def ask(form: Form) -> Asked | None:
    """What is to be compared, starting from what stands on the Ask page; `None` until there is a question."""
    mode = Mode(st.radio("Compare", [*Mode], key="compare-mode", horizontal=True, label_visibility="collapsed"))
    first = _question("Question", LEFT, form.question)
    if mode is Mode.QUESTIONS:
        second = _question("Other question", RIGHT, "")
        return Asked(mode, replace(form, question=first), replace(form, question=second)) if first and second else None
    one, other = st.columns(2, gap="large")
    with one:
        left = _weighting(LEFT, "First setting", form)
    with other:
        # Something that differs from the first look on; time is what most readers try first.
        other_way = replace(form.weighting, recency=0.0 if form.weighting.recency else 1.0)
        right = _weighting(RIGHT, "Second setting", replace(form, weighting=other_way))
    same = replace(form, question=first)
    return Asked(mode, replace(same, weighting=left), replace(same, weighting=right)) if first else None


def _question(label: str, side: str, text: str) -> str:
    key = f"{side}-question"
    return st.text_input(label, standing(key, text), key=key, placeholder="Ask in plain language").strip()


def _weighting(side: str, title: str, form: Form) -> Weighting:
    """The sliders of one side; 0 is off. Where nothing reranks, the reranker has none."""
    st.markdown(f"**{title}**")
    key, presets = f"{side}-preset", [*Preset]
    index = presets.index(standing(key, form.weighting.preset))
    preset = st.radio(PRESET_TITLE, presets, index, key=key, format_func=PRESET_LABELS.__getitem__, horizontal=True)
    chosen = _sliders(side, MAIN_SLIDERS, replace(form.weighting, preset=preset))
    elsewhere = (*MAIN_SLIDERS, "rerank") if form.reranker == NO_RERANKER else MAIN_SLIDERS
    with st.expander("More weights"):
        return _sliders(side, tuple(slider for slider in SLIDER_LABELS if slider not in elsewhere), chosen)


def _sliders(side: str, sliders: tuple[str, ...], weighting: Weighting) -> Weighting:
    for slider in sliders:
        key, label = f"{side}-{slider}", SLIDER_LABELS[slider].capitalize()
        strength = st.slider(label, 0.0, 1.0, standing(key, getattr(weighting, slider)), MIN_STRENGTH, key=key)
        weighting = with_strength(weighting, slider, strength)
    return weighting


def draw(found: Comparison, left: SearchResult, right: SearchResult, names: tuple[str, str]) -> None:
    """How alike the two lists are, then both, each paper with where it went."""
    st.markdown(for_markdown(found.words), help=HOW_TO_READ)
    shifts = {shift.paper.paper_id: shift for shift in found.shifts}
    one, other = st.columns(2, gap="large")
    for column, side, result, name in ((one, LEFT, left, names[0]), (other, RIGHT, right, names[1])):
        with column, st.container(key=f"{side}-list"):
            st.markdown(f"**{for_markdown(name)}**")
            controls.advice(result)
            st.markdown(listed(result, shifts, side) or "No paper was found.")


def listed(result: SearchResult, shifts: dict[str, Shift], side: str) -> str:
    """Markdown of one list, an arrow at every paper that stands elsewhere in the other."""
    lines = []
    for rank, hit in enumerate(result.hits, start=1):
        paper = hit.paper
        year = "year unknown" if paper.year is None else str(paper.year)
        mark = (_where_to if side == LEFT else _where_from)(shifts[paper.paper_id])
        lines.append(f"**{rank}.** [{for_markdown(paper.title)}]({paper_link(paper).url}) ({year}) {mark}")
    return "\n\n".join(lines)


def _where_from(shift: Shift) -> str:
    """How a paper of the right list came there."""
    if shift.moved is None:
        return f":green-badge[new: {_in_pool(shift.left_in_pool, 'was')}]"
    if shift.moved == 0:
        return ":gray-badge[=]"
    return f":green-badge[▲ {shift.moved}]" if shift.moved > 0 else f":red-badge[▼ {-shift.moved}]"


def _where_to(shift: Shift) -> str:
    """Where a paper of the left list went."""
    if shift.right is None:
        return f":red-badge[gone: {_in_pool(shift.right_in_pool, 'now')}]"
    return f":gray-badge[→ {shift.right}]"


def _in_pool(rank: int | None, when: str) -> str:
    return f"{when} not found" if rank is None else f"{when} {ordinal(rank)}"
