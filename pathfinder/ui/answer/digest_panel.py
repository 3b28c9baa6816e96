"""Shows a digest: its lines in the form that suits the question, each with its sources."""

import html
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from pathfinder.answering.assessment.values.candidate import (
    LEAST_SIGMA,
    MOST_SIGMA,
    describe,
    number_as_text,
    sigma_between,
    value_as_text,
)
from pathfinder.answering.assessment.values.target import target_quantity
from pathfinder.answering.digest.digest import MAX_LINES, caution_of
from pathfinder.answering.digest.values import age_in_words, is_of_many
from pathfinder.landscape.figures.plotting import PLOT_CONFIG
from pathfinder.landscape.figures.values import DatedValue, DatedValues, dated_values, values_figure
from pathfinder.landscape.figures.values_file import WRITERS
from pathfinder.operations.export.tables import values_csv
from pathfinder.profile import Profile
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.text.sentences import ROW
from pathfinder.types import Answer, Digest, DigestForm, Finding, NamedThing, StatedValue
from pathfinder.ui.answer.sources import Numbered, chip, numbered
from pathfinder.ui.shared import state
from pathfinder.ui.shared.frame import save


def lines(answer: Answer, digest: Digest, profile: Profile) -> None:
    """Show the lines of a digest; for values of one thing, three figures, two values that do not fit together, if there
    are any, and the sentences that state the first two figures; for values of several, each with its sentence.
    """
    numbers = numbered(answer)
    if text := caution_of(digest):
        caution(text)
    if not digest.findings:
        st.markdown(for_markdown(answer.text))
    elif digest.form is DigestForm.VALUES and (values := of_digest(answer, digest)).values:
        if digest.value_age is not None:
            caution(age_in_words(digest.value_age))
        target = target_quantity(answer.question, profile)
        if target is not None and is_of_many(target, digest.values):
            pairs = zip(digest.values[:MAX_LINES], digest.findings, strict=False)
            listed = [
                _value_line(value, f"{_sentence(finding)} {_chip_behind(value, digest.findings, numbers)}")
                for value, finding in pairs
            ]
            st.html(digest_html(digest, listed))
            return
        stated_values = [figure.comparable.stated_value for figure in (values.newest, values.most_cited) if figure]
        findings = dict.fromkeys(filter(None, (_finding_of(value, digest.findings) for value in stated_values)))
        sentences = [_line(finding, numbers) for finding in findings]
        figures = _figures(values, digest, numbers)
        st.html(figures + as_text("".join((_apart_line(answer, digest, profile, numbers), *sentences))))
    else:
        all_lines = digest_lines(digest, numbers)
        st.html(digest_html(digest, all_lines[:MAX_LINES]))
        if rest := all_lines[MAX_LINES:]:
            with st.expander(f"{len(rest)} more", type="compact"):
                st.html(digest_html(digest, rest))


def of_digest(answer: Answer, digest: Digest) -> DatedValues:
    """Return the values of a digest, in one unit, with their papers."""
    return dated_values(digest.values, {paper.paper_id: paper for paper in answer.sources})


def apart(answer: Answer, profile: Profile) -> tuple[DatedValue, DatedValue, float] | None:
    """Return the most cited value of a constant of nature, the recent one that does not fit together with it, and
    their distance in standard deviations; `None` if there is none, and for other quantities, of which two values may
    both be right. Of several, it is the most cited, and of these the one that is furthest away.
    """
    target = target_quantity(answer.question, profile)
    if answer.digest is None or target is None or not target.kind.is_universal:
        return None
    values = of_digest(answer, answer.digest)
    if (cited := values.most_cited) is None or not cited.has_error:
        return None
    distances = [
        (other, sigma_between(cited.comparable.stated_value, other.comparable.stated_value) or 0.0)
        for other in values.recent.values
        if other.paper != cited.paper and other.has_error
    ]
    others = [(other, sigma) for other, sigma in distances if LEAST_SIGMA < sigma <= MOST_SIGMA]
    if not others:
        return None
    other, sigma = max(others, key=lambda each: (each[0].paper.citation_count or 0, each[1]))
    return cited, other, sigma


def _apart_line(answer: Answer, digest: Digest, profile: Profile, numbers: Numbered) -> str:
    """Say which two values do not fit together, each with its source: "67.4 ± 0.5 [Planck 2020] and 73.04 ± 1.04 [Riess
    2022] do not fit together (4.9 sigma)"; empty if there are none.
    """
    if (found := apart(answer, profile)) is None:
        return ""
    one, other = (
        f"<span><strong>{html.escape(value_as_text(replace(value, unit='')))}</strong> "
        f"{_chip_behind(value, digest.findings, numbers)}</span>"
        for value in (each.comparable.stated_value for each in found[:2])
    )
    return f'<div class="line apart">{one} and {other} do not fit together ({found[2]:.1f} sigma)</div>'


@st.fragment
def values_panel(answer: Answer, digest: Digest) -> None:
    """Plot the values of a digest, those of the last decades first, and list all of them on request."""
    values = of_digest(answer, digest)
    if not values.values:  # without years, nothing to plot; `lines` has listed them all
        return
    is_cut = len(values.recent.values) < len(values.values)
    since = f"All since {min(value.year for value in values.values)}"
    shows_all = is_cut and st.toggle(since, state.shows_all_values(), key=state.ALL_VALUES)
    figure = values_figure(values if shows_all else values.recent)
    st.plotly_chart(figure, key="digest-values", config=PLOT_CONFIG, alt=values.describe())
    n, n_papers = len(digest.values), len({value.paper_id for value in digest.values})
    label = f"All {n} values, of {n_papers} {'paper' if n_papers == 1 else 'papers'}" if n > 1 else "1 value"
    label += f" ({values.n_left_out} not in the plot)" if values.n_left_out else ""
    with st.expander(label, type="compact", key="list-of-values"):
        st.html(digest_html(digest, digest_lines(digest, numbered(answer))[:n]))


def values_files(answer: Answer, digest: Digest) -> None:
    """Offer the values of a digest and their plot as files."""
    sentences = [finding.sentence for finding in digest.findings[: len(digest.values)]]
    save("Values as CSV", values_csv(digest.values, sentences, answer.sources), "pathfinder-values.csv")
    if of_digest(answer, digest).values:
        for suffix, label in ((".svg", "SVG"), (".png", "PNG"), (".html", "a web page")):
            save(f"Plot as {label}", partial(WRITERS[suffix], answer), f"pathfinder-values{suffix}")


# Writes the lines of a digest as HTML in which no text from a paper can become a tag, a link or an image.

_OPEN, _CLOSE, _MARK, _MARK_END = "\ue000\ue001\ue002\ue003"
_TAGS = {_OPEN: "[", _CLOSE: "]", _MARK: "<mark>", _MARK_END: "</mark>"}
"""Private-use characters that stand around insertions and marked words while LaTeX is converted; what they become."""


def caution(text: str) -> None:
    """Show what a reader must know before relying on an answer."""
    st.html(as_text(f'<p class="caution">{html.escape(readable(text))}</p>'))


def as_text(body: str, kind: str = "") -> str:
    """Wrap what is written here in the style of an answer."""
    return f'<div class="{f"digest {kind}".strip()}">{body}</div>'


def _figures(values: DatedValues, digest: Digest, numbers: Numbered) -> str:
    """Sum up values in up to three figures: the newest (with its year if old), the most cited, and the range."""
    age = digest.value_age
    newest = "Newest" if age is None else f"Newest here, but of {age.newest_value}"
    figures = [
        _figure(
            label, value_as_text(replace(stated, unit="")), stated.unit, _chip_behind(stated, digest.findings, numbers)
        )
        for label, value in ((newest, values.newest), ("Most cited", values.most_cited))
        if value is not None and (label == newest or value != values.newest)
        for stated in (value.comparable.stated_value,)
    ]
    measured = replace(values.recent, values=tuple(value for value in values.recent.values if value.has_error))
    recent = measured if len(measured.values) > 1 else values.recent
    if (n := len(recent.values)) > 1:
        sizes = [end for value in recent.values for end in value.comparable.ends]
        low, high = (number_as_text(float(f"{size:.5g}")) for size in (min(sizes), max(sizes)))
        since = f"Since {min(value.year for value in recent.values)}"
        of_values = f"{n} values{' with an uncertainty' if recent is measured else ''}"
        figures.append(_figure(since, f"{low} to {high}", values.unit, of_values))
    return as_text("".join(figures), "figures")


def _figure(label: str, number: str, unit: str, source: str) -> str:
    number, unit = html.escape(readable(number)), html.escape(readable(unit))
    return f"<div><span>{label}</span> <strong>{number}</strong> <span>{unit}</span> <span>{source}</span></div>"


def digest_lines(digest: Digest, numbers: Numbered) -> list[str]:
    """Write the lines of a digest: its values, its names, or otherwise its sentences."""
    if digest.form is DigestForm.VALUES and digest.values:
        lines = []
        for value in digest.values:
            about, source = html.escape(readable(describe(value))), _chip_behind(value, digest.findings, numbers)
            lines.append(_value_line(value, f"{about} {source}"))
        return lines
    if digest.form is DigestForm.LIST and digest.named:
        by_name: dict[str, list[NamedThing]] = {}  # in the order in which they are first mentioned
        for mention in digest.named:
            by_name.setdefault(mention.name, []).append(mention)
        return [_name_line(mentions, digest.findings, numbers) for mentions in by_name.values()]
    return [_line(finding, numbers) for finding in digest.findings]


def digest_html(digest: Digest, lines: Sequence[str]) -> str:
    """Put lines of a digest together, side by side if it has that form."""
    body = "".join(lines)
    return as_text(f'<div class="sides">{body}</div>' if digest.form is DigestForm.SIDES else body)


def _line(finding: Finding, numbers: Numbered) -> str:
    source = chip(finding.paper_id, numbers, finding.start, finding.passage)
    return f'<div class="line">{_sentence(finding)} {source}</div>'


def _value_line(value: StatedValue, behind: str) -> str:
    return f'<div class="line"><strong>{html.escape(readable(value_as_text(value)))}</strong> {behind}</div>'


def _name_line(mentions: Sequence[NamedThing], findings: Sequence[Finding], numbers: Numbered) -> str:
    name, kind = html.escape(readable(mentions[0].name)), html.escape(mentions[0].kind)
    where = ", named in the title" if all(mention.is_in_title_only for mention in mentions) else ""
    chips = " ".join(dict.fromkeys(_chip_behind(mention, findings, numbers) for mention in mentions))
    return f'<div class="line"><strong>{name}</strong> ({kind}{where}) {chips}</div>'


def _chip_behind(item: StatedValue | NamedThing, findings: Sequence[Finding], numbers: Numbered) -> str:
    finding = _finding_of(item, findings)
    start = None if finding is None else finding.start
    return chip(item.paper_id, numbers, start, item.passage)


def _finding_of(item: StatedValue | NamedThing, findings: Sequence[Finding]) -> Finding | None:
    return next(
        (each for each in findings if each.paper_id == item.paper_id and each.start <= item.start < each.end), None
    )


def _sentence(finding: Finding) -> str:
    """Write a sentence, with insertions in square brackets, and with its marked words marked."""
    text, places = finding.sentence, sorted(finding.inserted, key=lambda insertion: -insertion.position)
    for insertion in places:
        insertion_text = insertion.text.replace(_OPEN, "").replace(_CLOSE, "")
        # Spaces go outside the brackets.
        before, words, after = insertion_text.partition(insertion_text.strip())
        text = f"{text[: insertion.position]}{before}{_OPEN}{words}{_CLOSE}{after}{text[insertion.position :]}"
    for start, end in reversed(finding.marked):
        text = f"{text[:start]}{_MARK}{text[start:end]}{_MARK_END}{text[end:]}"
    safe_html = html.escape(readable(text))
    for sign, tag in _TAGS.items():
        safe_html = safe_html.replace(sign, tag)
    return safe_html.replace(f". {ROW}", f".<br>{ROW}")  # each row of a table on a line of its own
