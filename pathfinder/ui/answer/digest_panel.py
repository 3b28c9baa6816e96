"""Shows a digest: its lines in the form that suits the question, with the other forms one click away."""

import streamlit as st

from pathfinder.answering.digest.digest import MAX_LINES, NOT_ANSWERED
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer, Digest, DigestForm
from pathfinder.ui.answer import values_plot
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
AUTOMATIC = "automatic"


def panel(answer: Answer, digest: Digest, requested_form: DigestForm | None) -> None:
    """Show a digest with the rule that chose its form; `chosen` is the form that the reader chose, if any."""
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
    """Show, alongside an answer that a chat model wrote, the values stated in papers."""
    st.subheader("Values stated in the papers", anchor="stated-values")
    st.caption(for_markdown(" ".join(digest.notes)))
    lines(answer, digest)


def lines(answer: Answer, digest: Digest) -> None:
    """Show the lines of a digest, with the plot and files of its values."""
    numbers: Numbers = {paper.paper_id: (n, paper) for n, paper in enumerate(answer.sources, start=1)}
    n = n_lines(digest)
    st.html(digest_html(digest, 0, MAX_LINES, numbers))
    if n > MAX_LINES:
        with st.expander(f"{n - MAX_LINES} more", type="compact"):
            st.html(digest_html(digest, MAX_LINES, n, numbers))
    if digest.form is DigestForm.VALUES and digest.values:
        values_plot.plot(answer, digest)


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
