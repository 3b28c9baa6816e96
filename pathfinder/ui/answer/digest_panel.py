"""Shows a digest: its lines in the form that suits the question, with the other forms one click away."""

from functools import partial

import streamlit as st

from pathfinder.answering.digest.digest import MAX_LINES, NOT_ANSWERED
from pathfinder.export.tables import values_csv
from pathfinder.figures.dated_values import dated_values
from pathfinder.figures.values import values_figure
from pathfinder.figures.values_file import WRITERS
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer, Digest, DigestForm
from pathfinder.ui.answer.digest_html import Numbers, digest_html, n_lines
from pathfinder.ui.jobs import tasks
from pathfinder.ui.settings.answer_settings import FORM_KEY
from pathfinder.ui.shared.state import standing

LABELS = {
    DigestForm.VALUES: "Values",
    DigestForm.LIST: "List",
    DigestForm.SIDES: "Side by side",
    DigestForm.FINDINGS: "Findings",
    DigestForm.FACT: "One fact",
}
_FILE_KINDS = {
    ".svg": ("Plot as SVG", "image/svg+xml"),
    ".png": ("Plot as PNG", "image/png"),
    ".html": ("Plot as a web page", "text/html"),
}
"""Label and media type of each file format in which a plot can be saved."""
AUTOMATIC = "automatic"


def panel(answer: Answer, digest: Digest, requested_form: DigestForm | None) -> None:
    """Show a digest with the rule that chose its form; `requested_form` is the form that the reader chose, if any."""
    _form_switch(digest, requested_form)
    if digest.is_weak:
        st.info(NOT_ANSWERED)
    if digest.notes:
        st.caption(for_markdown(" ".join(digest.notes)))
    if not digest.findings:
        st.markdown(for_markdown(answer.text))
        return
    lines(answer, digest)


def values_panel(answer: Answer, digest: Digest) -> None:
    """Show the values stated in papers, alongside an answer that a chat model wrote."""
    st.subheader("Values stated in the papers", anchor="stated-values")
    st.caption(for_markdown(" ".join(digest.notes)))
    lines(answer, digest)


def lines(answer: Answer, digest: Digest) -> None:
    """Show the lines of a digest and, if it has values, a plot of them and files to download."""
    numbers: Numbers = {paper.paper_id: (n, paper) for n, paper in enumerate(answer.sources, start=1)}
    n = n_lines(digest)
    st.html(digest_html(digest, 0, MAX_LINES, numbers))
    if n > MAX_LINES:
        with st.expander(f"{n - MAX_LINES} more", type="compact"):
            st.html(digest_html(digest, MAX_LINES, n, numbers))
    if digest.form is DigestForm.VALUES and digest.values:
        _values_plot(answer, digest)


def _form_switch(digest: Digest, requested_form: DigestForm | None) -> None:
    """Let the reader choose another form; the digest is then made again from the same papers."""
    labels = {AUTOMATIC: f"Automatic: {LABELS[digest.form].lower()}" if requested_form is None else "Automatic"}
    labels |= {form.value: label for form, label in LABELS.items()}
    st.segmented_control(
        "Form of the answer",
        list(labels),
        format_func=labels.__getitem__,
        default=standing(FORM_KEY, requested_form.value if requested_form else AUTOMATIC),
        key=FORM_KEY,
        on_change=tasks.forget,
        args=(tasks.ANSWER,),
        help=f"Why this form: {digest.form_reason}.",
    )


def _values_plot(answer: Answer, digest: Digest) -> None:
    """Draw the values in an answer's digest, and offer them as files."""
    papers = {paper.paper_id: paper for paper in answer.sources}
    values_by_year = dated_values(digest.values, papers)
    st.plotly_chart(
        values_figure(digest.values, papers),
        key="digest-values",
        config={"displaylogo": False},
        alt=values_by_year.describe(),
    )
    table = values_csv(
        digest.values, [finding.sentence for finding in digest.findings[: len(digest.values)]], answer.sources
    )
    with st.container(horizontal=True):
        st.download_button(
            "Values as CSV", table.encode("utf-8-sig"), "pathfinder-values.csv", "text/csv", on_click="ignore"
        )
        for suffix, (label, kind) in _FILE_KINDS.items() if values_by_year.values else ():
            draw = partial(WRITERS[suffix], answer)
            st.download_button(label, draw, f"pathfinder-values{suffix}", kind, on_click="ignore")
