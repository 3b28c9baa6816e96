"""Lab: compare settings, check whether a text says what its sources say, and what add-ons measure."""

import json
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pathfinder.answering.assessment.evidence.ledger import (
    MOST_EMBEDDED,
    SHAPE,
    check_effort,
    check_text,
    read_check_input,
    read_pasted,
)
from pathfinder.answering.assessment.values.candidate import value_as_text
from pathfinder.answering.assessment.values.stated_values import claimed_values
from pathfinder.models.loading import load_moderator
from pathfinder.operations.check import OPERATION as CHECK
from pathfinder.operations.check import CheckedText
from pathfinder.retrieval.explanation.comparison import HOW_TO_READ, Shift
from pathfinder.retrieval.explanation.comparison import compare as compare_results
from pathfinder.retrieval.factors import FACTORS, RankingFactor
from pathfinder.retrieval.weighting import RERANK
from pathfinder.settings import read_settings
from pathfinder.text.english import ordinal
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import NO_RERANKER, Preset, SearchResult, Source, Weighting
from pathfinder.types.alternatives import PRESET_LABELS
from pathfinder.types.setting_kinds import MIN_STRENGTH
from pathfinder.ui import pages
from pathfinder.ui.answer import ledger
from pathfinder.ui.ask import conversation
from pathfinder.ui.examples import examples
from pathfinder.ui.papers.paper_lines import move
from pathfinder.ui.settings import controls, copied_call, steering
from pathfinder.ui.shared import frame, panels, resources, state, visit_corpus
from pathfinder.ui.shared.address import Form
from pathfinder.ui.stars import stars

LEFT, RIGHT = "left", "right"
_COLOURS = {"▲": "green", "▼": "red"}
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
    return st.text_input(label, state.standing(key, text), key=key, placeholder="Ask in plain language").strip()


def _weighting(side: str, title: str, form: Form) -> Weighting:
    """Draw the sliders of one side behind a button, where 0 means off; none for a reranker that is off."""
    key, presets = f"{side}-preset", [*Preset]
    factors = [factor for factor in FACTORS.all() if factor.name != RERANK or form.search.reranker != NO_RERANKER]
    with st.popover(f"Change the {title.lower()}", icon=":material/tune:"):
        index = presets.index(state.standing(key, form.weighting.preset))
        preset = st.radio(
            "How the weights combine", presets, index, key=key, format_func=PRESET_LABELS.__getitem__, horizontal=True
        )
        main = _sliders(side, [f for f in factors if f.is_main], replace(form.weighting, preset=preset))
        with st.expander("More weights"):
            return _sliders(side, [f for f in factors if not f.is_main], main)


def _sliders(side: str, factors: Sequence[RankingFactor], weighting: Weighting) -> Weighting:
    for factor in factors:
        key, label = f"{side}-{factor.setting}", factor.label.capitalize()
        value = state.standing(key, factor.strength_in(weighting))
        strength = st.slider(label, 0.0, 1.0, value, MIN_STRENGTH, key=key, help=factor.help)
        weighting = weighting.with_strength(factor.setting, strength)
    return weighting


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


# Does each sentence say what its source says?


def pasted() -> tuple[str, tuple[Source, ...]] | None:
    """Draw the form; return the text with its sources, `None` without any. Raises `UsageError` for unusable input."""
    others = panels.panels("check")
    paste_tab, from_file, *tabs = st.tabs(["Paste", "Upload", *(name.capitalize() for name in others)])
    for tab, draw in zip(tabs, others.values(), strict=True):
        with tab:
            draw()
    with paste_tab:
        example = resources.profile().page.check
        label = "Text with citation marks such as [1]"
        text = st.text_area(
            label, state.standing("check-text", example.text if example else ""), key="check-text", height=160
        )
        sources = st.text_area(
            "Sources, each after its mark",
            state.standing("check-sources", example.sources if example else ""),
            key="check-sources",
            height=200,
            placeholder="[1] Title\nText of the first source\n[2] Title\nText of the second source",
        )
    with from_file:
        file = st.file_uploader(
            f"In the format that `pathfinder check` reads: `{SHAPE}`", type="json", key="check-file"
        )
    if file is None and not text.strip() and not sources.strip():
        return None
    given = read_pasted(text, sources) if file is None else read_check_input(file.getvalue(), file.name)
    check_effort(*given)
    return given


def draw_evidence(text: str, sources: tuple[Source, ...]) -> None:
    """Show every sentence of `text` with its verdict, and offer the findings as a file."""
    if moderator := load_moderator(read_settings()):
        moderator.check(text)
    sentence_checks = check_text(text, sources, resources.local_embedder(), MOST_EMBEDDED)
    st.header("Evidence", anchor="evidence")
    ledger.draw_ledger(
        sentence_checks,
        {source.source_id: source.source_id for source in sources},
        {s.source_id: s.title for s in sources},
    )
    values = claimed_values(text, profile=resources.profile())
    if values:
        st.header("Values claimed in the text", anchor="values")
        rows = [{"Value": readable(value_as_text(each)), "Quantity": readable(each.quantity)} for each in values]
        st.dataframe(rows, hide_index=True, alt=f"{len(values)} values")
    record = CHECK.write(CheckedText(sentence_checks, values))
    as_text = json.dumps(record, allow_nan=False, indent=1, ensure_ascii=False)
    frame.save("Download as JSON", as_text, "checked.json", icon=":material/download:")
    source_records = [{"id": source.source_id, "title": source.title, "text": source.text} for source in sources]
    copied_call.panel("check", {"text": text, "sources": source_records}, None, ("the text", "its sources"))


# The parts of the place.


def compare() -> None:
    """Draw two settings for one question, or two questions, side by side."""
    with frame.turn():
        pf = resources.pathfinder()
        form = state.form()
        conversation.limits(form, pf)
        if not form.question:
            form = replace(form, question=examples(pf)[0])
        forms = compared_forms(form)
        if forms is not None:
            left, right = state.search_sides(forms, pf)
            names = forms[0].question, forms[1].question
            if names[0] == names[1]:
                names = steering.in_words(forms[0]), steering.in_words(forms[1])
            comparison = compare_results(left, right)
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


def check() -> None:
    """Draw, for each sentence of a pasted text, the source sentence that supports it."""
    visit_corpus.write_link()
    is_moderated = read_settings().moderation == "openai"
    leaves = " but the paragraph, which OpenAI's moderation checks first," if is_moderated else ""
    st.markdown(
        "Does each sentence say what its source says? Paste a paragraph and its sources. "
        f"Nothing{leaves} leaves this machine, and no chat model is used."
    )
    if (pasted_text := pasted()) is not None:
        draw_evidence(*pasted_text)


own = {
    "compare": panels.Panel(10, "Compare", ":material/compare_arrows:", compare),
    "check": panels.Panel(40, "Check a text", ":material/fact_check:", check),
}
pages.draw("lab", own)
