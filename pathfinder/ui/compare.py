"""Two settings for one question, or two questions, side by side."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pathfinder.retrieval.explanation.comparison import Comparison, Shift
from pathfinder.retrieval.factors import FACTORS, RankingFactor
from pathfinder.retrieval.weighting import RERANK
from pathfinder.text.english import ordinal
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import NO_RERANKER, Preset, SearchResult, Weighting
from pathfinder.types.alternatives import PRESET_LABELS
from pathfinder.types.setting_kinds import MIN_STRENGTH
from pathfinder.ui.papers.paper_lines import move
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.address import Form
from pathfinder.ui.shared.state import standing
from pathfinder.ui.stars import stars

LEFT, RIGHT = "left", "right"
_COLOURS = {"▲": "green", "▼": "red"}
HOW_TO_READ = (
    "Rank-biased overlap: the overlap of the two lists, with more weight on the top ranks (Webber, Moffat "
    "& Zobel 2010, p = 0.9). Kendall's tau: how well the two orders of the shared papers agree, 1 if they are the "
    "same, -1 if one is the reverse of the other."
)


SETTINGS, QUESTIONS = "Two settings for one question", "Two questions"
"""What may be compared."""


def compared_forms(form: Form) -> tuple[Form, Form] | None:
    """Draw both forms, which start from the Ask page's settings, and return them; `None` if there is no question."""
    compared = st.radio(
        "Compare", [SETTINGS, QUESTIONS], key="compare-mode", horizontal=True, label_visibility="collapsed"
    )
    first = _question("Question", LEFT, form.question)
    if compared == QUESTIONS:
        second = _question("Other question", RIGHT, "")
        return (replace(form, question=first), replace(form, question=second)) if first and second else None
    first_column, second_column = st.columns(2, gap="large")
    with first_column:
        left = _weighting(LEFT, "First setting", form)
    with second_column:
        # The settings should differ from the start; most readers try recency first.
        other_weighting = replace(form.weighting, recency=0.0 if form.weighting.recency else 1.0)
        right = _weighting(RIGHT, "Second setting", form.with_search(weighting=other_weighting))
    same = replace(form, question=first)
    return (same.with_search(weighting=left), same.with_search(weighting=right)) if first else None


def _question(label: str, side: str, text: str) -> str:
    key = f"{side}-question"
    return st.text_input(label, standing(key, text), key=key, placeholder="Ask in plain language").strip()


def _weighting(side: str, title: str, form: Form) -> Weighting:
    """Draw the sliders of one side behind a button, where 0 means off. The reranker has no slider if it is switched
    off.
    """
    key, presets = f"{side}-preset", [*Preset]
    factors = [factor for factor in FACTORS.all() if factor.name != RERANK or form.search.reranker != NO_RERANKER]
    with st.popover(f"Change the {title.lower()}", icon=":material/tune:"):
        index = presets.index(standing(key, form.weighting.preset))
        preset = st.radio(
            "How the weights combine", presets, index, key=key, format_func=PRESET_LABELS.__getitem__, horizontal=True
        )
        main = _sliders(side, [f for f in factors if f.is_main], replace(form.weighting, preset=preset))
        with st.expander("More weights"):
            return _sliders(side, [f for f in factors if not f.is_main], main)


def _sliders(side: str, factors: Sequence[RankingFactor], weighting: Weighting) -> Weighting:
    for factor in factors:
        key, label = f"{side}-{factor.setting}", factor.label.capitalize()
        value = standing(key, factor.strength_in(weighting))
        strength = st.slider(label, 0.0, 1.0, value, MIN_STRENGTH, key=key, help=factor.help)
        weighting = weighting.with_strength(factor.setting, strength)
    return weighting


def draw(comparison: Comparison, left: SearchResult, right: SearchResult, names: tuple[str, str]) -> None:
    """Show how similar the two lists are, then both lists, each paper with its change in rank."""
    words, *measures = for_markdown(comparison.description).split(" · ")
    st.markdown(words, help=" · ".join((*measures, HOW_TO_READ)))
    shifts = {shift.paper.paper_id: shift for shift in comparison.shifts}
    columns = st.columns(2, gap="large")
    for column, side, result, name in zip(columns, (LEFT, RIGHT), (left, right), names, strict=True):
        with column, st.container(key=f"{side}-list"):
            st.markdown(f"**{for_markdown(name)}**")
            controls.advice(result)
            st.markdown(list_markdown(result, shifts, side) or "No papers were found.")
            stars.star_all((hit.paper.paper_id for hit in result.hits if hit.live is None), side)


def list_markdown(result: SearchResult, shifts: dict[str, Shift], side: str) -> str:
    """Return one list as Markdown, with an arrow next to every paper that has a different rank in the other list."""
    lines = []
    for rank, hit in enumerate(result.hits, start=1):
        paper = hit.paper
        year = "year unknown" if paper.year is None else str(paper.year)
        mark = _mark(shifts[paper.paper_id], side)
        lines.append(f"**{rank}.** {resources.title_link(paper)} ({year}) {mark}")
    return "\n\n".join(lines)


def _mark(shift: Shift, side: str) -> str:
    """Return a badge that shows where a paper of one side stands on the other one, or that it is not listed there."""
    if side == LEFT:
        there, in_pool, words = shift.right, shift.right_in_pool, "red-badge[gone: now"
    else:
        there, in_pool, words = shift.left, shift.left_in_pool, "green-badge[new: was"
    if there is None:
        return f":{words} {'not found' if in_pool is None else ordinal(in_pool)}]"
    if side == LEFT:
        return f":gray-badge[→ {there}]"
    moved = move(shift.right or 0, there) or "="
    return f":{_COLOURS.get(moved[0], 'gray')}-badge[{moved}]"
