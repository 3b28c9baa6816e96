"""Shows a checked text sentence by sentence, with verdicts, citations and the supporting sentences."""

import html
from collections.abc import Iterable, Mapping

import streamlit as st

from pathfinder.text.latex.display import readable
from pathfinder.types import CheckedSentence, Ledger, Verdict
from pathfinder.ui.answer.sources import Numbered, chip

MARKS = {
    Verdict.SUPPORTED: ("✓", "#0072B2"),
    Verdict.PARTLY: ("◐", "#B8860B"),
    Verdict.NOT_FOUND: ("?", "#7f7f7f"),
    Verdict.CONTRADICTED: ("✗", "#D55E00"),
}
"""Symbol and colour of each verdict; the symbol is for readers who cannot distinguish the colours."""

HIDE = "Hide unsupported sentences"
HOW = (
    "The words, numbers with units, names, negations and directions of change in each sentence are compared with "
    "those in the sources that it cites; so are meanings, if the embedder that ships with Pathfinder is in use. "
    "This is a local check that does not understand what it reads. The share of citations that support their sentence "
    "is called citation precision, that of sentences with such support citation recall."
)


@st.fragment
def draw_ledger(ledger: Ledger, names: Mapping[str, str], titles: Mapping[str, str]) -> None:
    """Show a ledger. `names` maps each source to its name in a citation mark."""
    st.caption(summary(ledger), help=HOW)
    for note in ledger.notes:
        st.caption(f"{note[:1].upper()}{note[1:]}.")
    sentences = list(ledger.sentences)
    if st.toggle(HIDE, key="ledger-hide-text"):
        sentences = [sentence for sentence in sentences if sentence.verdict in (Verdict.SUPPORTED, Verdict.PARTLY)]
        n_hidden = len(ledger.sentences) - len(sentences)
        st.caption(f"{n_hidden} of {len(ledger.sentences)} sentences are hidden.")
    st.html(ledger_html(sentences, names, titles))


def summary(ledger: Ledger) -> str:
    """Describe the number of sentences with each verdict, the citation scores, and how often a second judge agrees."""
    parts = [f"{MARKS[verdict][0]} {words}" for verdict, words in ledger.counts.items()]
    shares = ("citations support their sentence", ledger.precision), ("sentences have that support", ledger.recall)
    parts += [f"{share:.0%} of the {words}" for words, share in shares if share is not None]
    again = [sentence for sentence in ledger.sentences if sentence.second_verdict]
    n_same = sum(sentence.verdict is sentence.second_verdict for sentence in again)
    parts += [f"chat model agrees on {n_same} of {len(again)}"] if again else []
    return " · ".join(parts)


def ledger_html(
    sentences: Iterable[CheckedSentence],
    names: Mapping[str, str],
    titles: Mapping[str, str],
    labels: Mapping[str, str] | None = None,
) -> str:
    """Write HTML in which no text from an answer or a source can become a tag, a link or an image.

    The best supporting sentence is shown on hover; all of them are shown when a sentence is opened. `labels` maps the
    text of a sentence to a label shown next to it.
    """
    rows = "".join(_row(sentence, names, titles, (labels or {}).get(sentence.text, "")) for sentence in sentences)
    return f'<div class="checked">{rows}</div>'


def _row(sentence: CheckedSentence, names: Mapping[str, str], titles: Mapping[str, str], label: str) -> str:
    sign, colour = MARKS[sentence.verdict]
    hover = f"{sentence.verdict}: {readable(sentence.evidence[0].sentence)}" if sentence.evidence else sentence.verdict
    judges = [f"{sentence.judged_by}: {sentence.verdict}"]
    judges += [f"chat model: {sentence.second_verdict}"] if sentence.second_verdict else []
    marks = "".join(f" [{html.escape(names.get(source_id, source_id))}]" for source_id in sentence.citations)
    why = html.escape("; ".join([*judges, *map(readable, sentence.reasons)]))
    quotes = ""
    for each in sentence.evidence:
        title = html.escape(readable(titles.get(each.source_id, "")))
        name = html.escape(names.get(each.source_id, each.source_id))
        source = f"<br><span>[{name}] {title}, {each.score:.0%} of its words</span>"
        quotes += f"<div>{html.escape(readable(each.sentence))}{source}</div>"
    return (
        f'<details style="--ink:{colour}"><summary title="{html.escape(hover)}">'
        f'<span aria-label="{sentence.verdict}">{sign}</span> '
        f"{html.escape(readable(sentence.text))}{marks} <small><em>{html.escape(label)}</em></small></summary>"
        f"<div>{why}</div>{quotes}</details>"
    )


# A written answer as text: each sentence with its sources and, where its sources do not bear it out, with words that
# say so.

DOUBTS = {
    Verdict.PARTLY: "only partly in its source",
    Verdict.NOT_FOUND: "not found in its source",
    Verdict.CONTRADICTED: "its source says otherwise",
}


def written_html(ledger: Ledger, text: str, numbers: Numbered) -> str:
    """Write a checked answer as HTML; paragraphs begin where they do in its `text`."""
    paragraphs, at = [""], 0
    for sentence in ledger.sentences:
        place = text.find(sentence.text[:30].rstrip(".!? "), at)
        if place >= 0:
            if "\n" in text[at:place] and paragraphs[-1]:
                paragraphs.append("")
            at = place + len(sentence.text) - 1
        paragraphs[-1] += f"{_with_sources(sentence, numbers)} "
    return "".join(f'<p class="line">{paragraph}</p>' for paragraph in paragraphs)


def _with_sources(sentence: CheckedSentence, numbers: Numbered) -> str:
    chips = " ".join(_chip_of(source_id, sentence, numbers) for source_id in sentence.citations)
    doubt = "names no source" if not sentence.citations else DOUBTS.get(sentence.verdict, "")
    judge = sentence.second_verdict
    judged = f"the chat model finds it {judge}" if judge is not None and judge is not sentence.verdict else ""
    reasons = sentence.reasons if sentence.verdict is Verdict.CONTRADICTED else ()
    cautions = html.escape("; ".join(filter(None, [doubt, *map(readable, reasons), judged])))
    caution = f' <span class="caution">{cautions}</span>' if cautions else ""
    return f"{html.escape(readable(sentence.text))} {chips}{caution}"


def _chip_of(source_id: str, sentence: CheckedSentence, numbers: Numbered) -> str:
    """Return the source as a link to the sentence in it that is nearest to `sentence`."""
    evidence = next((each for each in sentence.evidence if each.source_id == source_id), None)
    if evidence is None or source_id not in numbers:
        return chip(source_id, numbers)
    passage = evidence.passage
    start = (passage.text if passage else numbers[source_id][1].abstract).find(evidence.sentence)
    return chip(source_id, numbers, None if start < 0 else start, passage)
