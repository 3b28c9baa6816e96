"""Form and results of the page that checks a pasted text."""

import json
from typing import TypeAlias

import streamlit as st

from pathfinder.assessment.evidence.ledger import (
    MOST_EMBEDDED,
    SHAPE,
    check_effort,
    check_text,
    read_check_input,
    read_pasted,
)
from pathfinder.assessment.values.candidate import value_as_text
from pathfinder.assessment.values.stated_values import claimed_values
from pathfinder.models.loading import load_moderator
from pathfinder.operations.check import CheckedText, check_record
from pathfinder.settings import read_settings
from pathfinder.text.latex.display import readable
from pathfinder.types import Source, StatedValue
from pathfinder.ui.answer import ledger
from pathfinder.ui.settings import copied_call
from pathfinder.ui.settings.copied_call import Omissions
from pathfinder.ui.shared import panels, resources
from pathfinder.ui.shared.state import standing

PastedText: TypeAlias = tuple[str, tuple[Source, ...]]
"""A text and its sources."""


def form() -> PastedText | None:
    """Draw the form and return the text with its sources; `None` if none was given. Raises `UsageError` for unusable
    input.
    """
    others = panels.panels("check")
    paste_tab, from_file, *tabs = st.tabs(["Paste", "Upload", *(name.capitalize() for name in others)])
    for tab, draw in zip(tabs, others.values(), strict=True):
        with tab:
            draw()
    with paste_tab:
        example = resources.profile().page.check
        text = st.text_area(
            "Text with citation marks such as [1]",
            standing("check-text", example.text if example else ""),
            key="check-text",
            height=160,
        )
        sources = st.text_area(
            "Sources, each after its mark",
            standing("check-sources", example.sources if example else ""),
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


def privacy_note() -> str:
    """Say what leaves this machine."""
    if read_settings().moderation == "openai":
        return "Nothing but the paragraph, which OpenAI's moderation checks first, leaves this machine"
    return "Nothing leaves this machine"


def panel(text: str, sources: tuple[Source, ...]) -> None:
    """Show every sentence of `text` with its verdict, and offer the findings as a file."""
    if moderator := load_moderator(read_settings()):
        moderator.check(text)
    sentence_checks = check_text(text, sources, resources.local_embedder(), MOST_EMBEDDED)
    st.subheader("Evidence", anchor="evidence")
    ledger.draw_ledger(
        sentence_checks,
        {source.source_id: source.source_id for source in sources},
        {s.source_id: s.title for s in sources},
    )
    values = claimed_values(text, profile=resources.profile())
    if values:
        st.subheader("Values claimed in the text", anchor="values")
        st.dataframe([_row(value) for value in values], hide_index=True, alt=f"{len(values)} values")
    record = check_record(CheckedText(sentence_checks, values))
    as_text = json.dumps(record, allow_nan=False, indent=1, ensure_ascii=False)
    st.download_button("Download as JSON", as_text, "checked.json", "application/json", icon=":material/download:")
    source_records = [{"id": source.source_id, "title": source.title, "text": source.text} for source in sources]
    copied_call.panel(
        "check", {"text": text, "sources": source_records}, None, Omissions(link=("the text", "its sources"))
    )


def _row(value: StatedValue) -> dict[str, str]:
    return {"Value": readable(value_as_text(value)), "Quantity": readable(value.quantity)}
