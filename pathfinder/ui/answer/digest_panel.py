"""Shows a digest: its lines in the form that suits the question, with the other forms one click away."""

import html
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby

import streamlit as st

from pathfinder.answering.digest.digest import MAX_LINES, NOT_ANSWERED
from pathfinder.assessment.values.candidate import describe, value_as_text
from pathfinder.export.tables import values_csv
from pathfinder.figures.values import dated_values, values_figure
from pathfinder.figures.values_file import WRITERS
from pathfinder.text.author_names import parse_name
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import Answer, Digest, DigestForm, Finding, Insertion, NamedThing, Paper, StatedValue
from pathfinder.ui.settings.answer_settings import FORM_KEY
from pathfinder.ui.shared import jobs
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
        on_change=jobs.forget,
        args=(jobs.ANSWER,),
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


# Writes the lines of a digest as HTML in which no text from a paper can become a tag, a link or an image.

Numbers = Mapping[str, tuple[int, Paper]]
"""Citation number and paper of each source, by paper id."""

_OPEN, _CLOSE = "\ue000", "\ue001"
"""Private-use characters, which mark an insertion while LaTeX is converted."""

STYLES = """<style>
.digest { overflow-wrap: anywhere; line-height: 1.5; }
.digest h4 { font-size: 1rem; margin: .9rem 0 .2rem; padding: 0; }
.digest .line { border-left: 3px solid #0072B2; padding: .1rem 0 .1rem .7rem; margin: .45rem 0; }
.digest .source { opacity: .75; font-size: .875em; white-space: nowrap; }
.digest ins { text-decoration: none; opacity: .7; }
.digest .folded { display: flex; flex-wrap: wrap; column-gap: .5rem; }
.digest details[open] { flex-basis: 100%; }
.digest summary { cursor: pointer; }
.digest .number { font-weight: 600; }
.digest .sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 0 1.2rem; }
.digest .first { font-size: 1.15em; }
</style>"""


def n_lines(digest: Digest) -> int:
    """Count the lines in a digest: its values, its names, or otherwise its sentences."""
    if digest.form is DigestForm.VALUES and digest.values:
        return len(digest.values)
    if digest.form is DigestForm.LIST and digest.named:
        return len(_by_name(digest.named))
    return len(digest.findings)


def digest_html(digest: Digest, first: int, last: int, numbers: Numbers) -> str:
    """Write lines `first` to `last` of a digest, counted from 0, excluding `last`."""
    findings = digest.findings[first:last]
    if digest.form is DigestForm.VALUES and digest.values:
        lines = "".join(_value_line(value, digest.findings, numbers) for value in digest.values[first:last])
        beside = digest.findings[len(digest.values) :] if last >= len(digest.values) else ()
        lines += "".join(_line(finding, numbers) for finding in beside)
    elif digest.form is DigestForm.LIST and digest.named:
        groups = _by_name(digest.named)[first:last]
        lines = "".join(_name_line(mentions, digest.findings, numbers) for mentions in groups)
    elif digest.form is DigestForm.SIDES:
        lines = f'<div class="sides">{"".join(_line(finding, numbers) for finding in findings)}</div>'
    elif digest.form is DigestForm.FACT and first == 0:
        best, *others = findings
        lines = _line(best, numbers, "line first") + "".join(_line(finding, numbers) for finding in others)
    else:
        lines = _cluster_lines(findings, numbers)
    return f'{STYLES}<div class="digest">{lines}</div>'


def _cluster_lines(findings: Sequence[Finding], numbers: Numbers) -> str:
    """Write sentences under the headings of their clusters."""
    parts = []
    for heading, lines in groupby(findings, key=lambda finding: finding.heading):
        parts.append(f"<h4>{html.escape(readable(heading))}</h4>" if heading else "")
        parts += [_line(finding, numbers) for finding in lines]
    return "".join(parts)


def _line(finding: Finding, numbers: Numbers, style: str = "line") -> str:
    return f'<div class="{style}">{_sentence(finding)} {_source(finding.paper_id, numbers)}</div>'


def _value_line(value: StatedValue, findings: Sequence[Finding], numbers: Numbers) -> str:
    about = html.escape(readable(describe(value)))
    label = f'<span class="number">{html.escape(readable(value_as_text(value)))}</span> {about}'
    return _details(label, _behind(value, findings), _source(value.paper_id, numbers))


def _name_line(mentions: Sequence[NamedThing], findings: Sequence[Finding], numbers: Numbers) -> str:
    name, kind = html.escape(readable(mentions[0].name)), html.escape(mentions[0].kind)
    where = ", named in the title" if all(mention.is_in_title_only for mention in mentions) else ""
    papers = dict.fromkeys(mention.paper_id for mention in mentions)
    sources = " ".join(_source(paper_id, numbers) for paper_id in papers)
    quotes = "".join(dict.fromkeys(_behind(mention, findings) for mention in mentions))
    return _details(f'<span class="number">{name}</span> ({kind}{where})', quotes, sources)


def _details(label: str, quotes: str, sources: str) -> str:
    """Write a line that unfolds. Its links are next to the label: no button may contain other controls (WCAG 4.1.2)."""
    details = f"<details><summary>{label}</summary>{quotes}</details>"
    return f'<div class="line folded">{details}<span>{sources}</span></div>'


def _by_name(things: Sequence[NamedThing]) -> list[list[NamedThing]]:
    """Group the mentions of each thing, in the order in which the things are first mentioned."""
    groups: dict[str, list[NamedThing]] = {}
    for mention in things:
        groups.setdefault(mention.name, []).append(mention)
    return list(groups.values())


def _behind(item: StatedValue | NamedThing, findings: Sequence[Finding]) -> str:
    for finding in findings:
        if finding.paper_id == item.paper_id and finding.start <= item.start < finding.end:
            return f"<div>“{_sentence(finding)}”</div>"
    return ""


def _sentence(finding: Finding) -> str:
    """Write a quotation, with insertions in square brackets."""
    text, places = finding.sentence, sorted(finding.inserted, key=lambda insertion: -insertion.position)
    for insertion in places:
        text = _with(text, insertion)
    safe_html = html.escape(readable(text))
    return safe_html.replace(_OPEN, "<ins>[").replace(_CLOSE, "]</ins>")


def _with(text: str, insertion: Insertion) -> str:
    insertion_text = insertion.text.replace(_OPEN, "").replace(_CLOSE, "")
    # Spaces go outside the brackets.
    before, words, after = insertion_text.partition(insertion_text.strip())
    return f"{text[: insertion.position]}{before}{_OPEN}{words}{_CLOSE}{after}{text[insertion.position :]}"


def _source(paper_id: str, numbers: Numbers) -> str:
    """Write the first author and the year, with a number that links to the paper's card."""
    if paper_id not in numbers:
        return f'<span class="source">{html.escape(readable(paper_id))}</span>'
    n, paper = numbers[paper_id]
    author = readable(parse_name(paper.authors[0]).last) if paper.authors else "authors unknown"
    year = "year unknown" if paper.year is None else str(paper.year)
    title = html.escape(readable(paper.title))
    link = f'<a href="#paper-{n}" style="color:inherit">{n}</a>'
    return f'<span class="source" title="{title}">{html.escape(author)}, {year} [{link}]</span>'
