"""Shows a checked text sentence by sentence, with verdicts, citations and the supporting sentences."""

import html
from collections.abc import Iterable, Mapping

import streamlit as st

from pathfinder.export.sentence_checks import verdict_counts
from pathfinder.text.latex.display import readable
from pathfinder.types import Answer, CheckedSentence, Evidence, Ledger, Verdict

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
    "This is a local check that does not understand what it reads. Precision is the share of citations that support "
    "their sentence; recall is the share of sentences that their citations support."
)

_FRAME = "border-left:3px solid {colour};padding:.1rem 0 .1rem .7rem;margin:.35rem 0;line-height:1.5"
_QUOTE = "margin:.3rem 0 .4rem;padding-left:.8rem;border-left:1px solid currentColor;opacity:.85;font-size:.92em"


def sentences(answer: Answer) -> None:
    """Show the ledger of an answer, with citations linked to the cards of their papers; show nothing if the answer
    makes no claims.
    """
    if answer.ledger is None:
        return
    places = {paper.paper_id: str(n) for n, paper in enumerate(answer.sources, start=1)}
    titles = {paper.paper_id: paper.title for paper in answer.sources}
    draw_ledger(answer.ledger, places, titles, are_papers=True)


def verdicts(ledger: Ledger, answer: Answer) -> None:
    """Show the sentences of `ledger`, which cite the sources of `answer`, without totals or controls."""
    places = {paper.paper_id: str(n) for n, paper in enumerate(answer.sources, start=1)}
    titles = {paper.paper_id: paper.title for paper in answer.sources}
    st.html(ledger_html(ledger.sentences, places, titles, are_papers=True))


@st.fragment
def draw_ledger(
    ledger: Ledger, names: Mapping[str, str], titles: Mapping[str, str], *, are_papers: bool = False
) -> None:
    """Show a ledger. `names` maps each source to its name in a citation mark; if `are_papers`, that name is the n in
    the link to its card, #paper-n.
    """
    st.caption(summary(ledger), help=HOW)
    for note in ledger.notes:
        st.caption(f"{note[:1].upper()}{note[1:]}.")
    sentences = list(ledger.sentences)
    if st.toggle(HIDE, key=f"ledger-hide-{'answer' if are_papers else 'text'}"):
        sentences = [sentence for sentence in sentences if sentence.verdict in (Verdict.SUPPORTED, Verdict.PARTLY)]
        n_hidden = len(ledger.sentences) - len(sentences)
        st.caption(f"{n_hidden} of {len(ledger.sentences)} sentences are hidden.")
    st.html(ledger_html(sentences, names, titles, are_papers=are_papers))


def summary(ledger: Ledger) -> str:
    """Describe the number of sentences with each verdict, the citation scores, and how often a second judge agrees."""
    parts = [f"{MARKS[verdict][0]} {words}" for verdict, words in verdict_counts(ledger).items()]
    sums = (("precision", ledger.precision), ("recall", ledger.recall), ("F1", ledger.f1))
    parts += [f"citation {name} {value:.2f}" for name, value in sums if value is not None]
    again = [sentence for sentence in ledger.sentences if sentence.second_verdict]
    n_same = sum(sentence.verdict is sentence.second_verdict for sentence in again)
    parts += [f"chat model agrees on {n_same} of {len(again)}"] if again else []
    return " · ".join(parts)


def ledger_html(
    sentences: Iterable[CheckedSentence],
    names: Mapping[str, str],
    titles: Mapping[str, str],
    *,
    are_papers: bool,
    labels: Mapping[str, str] | None = None,
) -> str:
    """Write HTML in which no text from an answer or a source can become a tag, a link or an image.

    The best supporting sentence is shown on hover; all of them are shown when a sentence is opened. `labels` maps the
    text of a sentence to a label shown next to it.
    """
    rows = "".join(
        _row(sentence, names, titles, are_papers, (labels or {}).get(sentence.text)) for sentence in sentences
    )
    return f'<div style="overflow-wrap:anywhere">{rows}</div>'


def _row(
    sentence: CheckedSentence,
    names: Mapping[str, str],
    titles: Mapping[str, str],
    are_papers: bool,
    label: str | None = None,
) -> str:
    sign, colour = MARKS[sentence.verdict]
    hover = f"{sentence.verdict}: {readable(sentence.evidence[0].sentence)}" if sentence.evidence else sentence.verdict
    judges = [f"{sentence.judged_by}: {sentence.verdict}"]
    judges += [f"chat model: {sentence.second_verdict}"] if sentence.second_verdict else []
    links = "".join(_link(item, names, are_papers) for item in sentence.citations)
    why = html.escape("; ".join([*judges, *map(readable, sentence.reasons)]))
    quotes = "".join(_quote(item, names, titles, are_papers) for item in sentence.evidence)
    return (
        # The links are next to the part that unfolds: a button must not contain other controls (WCAG 4.1.2).
        f'<div style="display:flex;gap:.4rem;{_FRAME.format(colour=colour)}"><details style="flex:1">'
        f'<summary style="cursor:pointer" title="{html.escape(hover)}">'
        f'<span aria-label="{sentence.verdict}" style="color:{colour};font-weight:700">{sign}</span> '
        f"{html.escape(readable(sentence.text))}{_chip(label)}</summary>"
        f'<div style="font-size:.85em;opacity:.8;margin-top:.3rem">{why}</div>{quotes}</details>'
        f"<span>{links}</span></div>"
    )


def _chip(label: str | None) -> str:
    return "" if label is None else f' <small style="opacity:.75;font-style:italic">{html.escape(label)}</small>'


def _link(source_id: str, names: Mapping[str, str], are_papers: bool) -> str:
    name = html.escape(names.get(source_id, source_id))
    if not are_papers or source_id not in names:
        return f" [{name}]"
    return f' [<a href="#paper-{name}" style="color:inherit">{name}</a>]'


def _quote(evidence: Evidence, names: Mapping[str, str], titles: Mapping[str, str], are_papers: bool) -> str:
    title = html.escape(readable(titles.get(evidence.source_id, "")))
    return (
        f'<div style="{_QUOTE}">“{html.escape(readable(evidence.sentence))}”'
        f"<br><span>{_link(evidence.source_id, names, are_papers)} {title}, {evidence.score:.0%} of its words"
        "</span></div>"
    )
