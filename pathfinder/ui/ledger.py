"""A checked text, sentence by sentence: its verdicts, its citations, and the sentences that it rests on."""

import html
from collections import Counter
from collections.abc import Iterable, Mapping

import streamlit as st

from pathfinder.export.latex import readable
from pathfinder.types import Answer, CheckedSentence, Evidence, Ledger, Verdict

MARKS = {
    Verdict.SUPPORTED: ("✓", "#0072B2"),
    Verdict.PARTLY: ("◐", "#B8860B"),
    Verdict.NOT_FOUND: ("?", "#7f7f7f"),
    Verdict.CONTRADICTED: ("✗", "#D55E00"),
}
"""The sign and the colour of each verdict; the sign is for who does not see the colour."""

HIDE = "Hide what is not supported"
HOW = (
    "Words, numbers with their units, names, denials and directions of each sentence are compared with those of the "
    "sentences that it cites, and meanings where the embedder that ships with Pathfinder is used: a local check, which "
    "does not understand what it reads. Precision is the "
    "share of citations that bear their sentence out, recall the share of sentences that their citations bear out."
)

_FRAME = "border-left:3px solid {colour};padding:.1rem 0 .1rem .7rem;margin:.35rem 0;line-height:1.5"
_QUOTE = "margin:.3rem 0 .4rem;padding-left:.8rem;border-left:1px solid currentColor;opacity:.85;font-size:.92em"


def sentences(answer: Answer) -> None:
    """The ledger of an answer, its citations leading to the cards of their papers; nothing where nothing is claimed."""
    if answer.ledger is None:
        return
    places = {paper.paper_id: str(n) for n, paper in enumerate(answer.sources, start=1)}
    titles = {paper.paper_id: paper.title for paper in answer.sources}
    told(answer.ledger, places, titles, are_papers=True)


@st.fragment
def told(ledger: Ledger, names: Mapping[str, str], titles: Mapping[str, str], *, are_papers: bool = False) -> None:
    """A ledger; `names` has what stands for a source in a mark, and where `are_papers` it is the n of #paper-n."""
    st.caption(summary(ledger), help=HOW)
    for note in ledger.notes:
        st.caption(f"{note[:1].upper()}{note[1:]}.")
    shown = list(ledger.sentences)
    if st.toggle(HIDE, key=f"ledger-hide-{'answer' if are_papers else 'text'}"):
        shown = [one for one in shown if one.verdict in (Verdict.SUPPORTED, Verdict.PARTLY)]
        n_hidden = len(ledger.sentences) - len(shown)
        st.caption(f"{n_hidden} of {len(ledger.sentences)} sentences are hidden.")
    st.html(ledger_html(shown, names, titles, are_papers=are_papers))


def summary(ledger: Ledger) -> str:
    """How many sentences have which verdict, the three sums, and on how many a second judge agrees."""
    counts = Counter(sentence.verdict for sentence in ledger.sentences)
    told = [f"{MARKS[verdict][0]} {counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict]]
    sums = (("precision", ledger.precision), ("recall", ledger.recall), ("F1", ledger.f1))
    told += [f"citation {name} {value:.2f}" for name, value in sums if value is not None]
    again = [sentence for sentence in ledger.sentences if sentence.second_verdict]
    n_same = sum(sentence.verdict is sentence.second_verdict for sentence in again)
    told += [f"chat model agrees on {n_same} of {len(again)}"] if again else []
    return " · ".join(told)


def ledger_html(
    shown: Iterable[CheckedSentence], names: Mapping[str, str], titles: Mapping[str, str], *, are_papers: bool
) -> str:
    """HTML in which nothing that a text or a source holds is a tag, a link or an image.

    The best sentence of the sources is told on hover, all of them where a sentence is opened.
    """
    rows = "".join(_row(sentence, names, titles, are_papers) for sentence in shown)
    return f'<div style="overflow-wrap:anywhere">{rows}</div>'


def _row(sentence: CheckedSentence, names: Mapping[str, str], titles: Mapping[str, str], are_papers: bool) -> str:
    sign, colour = MARKS[sentence.verdict]
    hover = f"{sentence.verdict}: {readable(sentence.evidence[0].sentence)}" if sentence.evidence else sentence.verdict
    judges = [f"{sentence.judged_by}: {sentence.verdict}"]
    judges += [f"chat model: {sentence.second_verdict}"] if sentence.second_verdict else []
    links = "".join(_link(one, names, are_papers) for one in sentence.citations)
    why = html.escape("; ".join([*judges, *map(readable, sentence.reasons)]))
    quotes = "".join(_quote(one, names, titles, are_papers) for one in sentence.evidence)
    return (
        f'<details style="{_FRAME.format(colour=colour)}">'
        f'<summary style="cursor:pointer" title="{html.escape(hover)}">'
        f'<span aria-label="{sentence.verdict}" style="color:{colour};font-weight:700">{sign}</span> '
        f"{html.escape(readable(sentence.text))}{links}</summary>"
        f'<div style="font-size:.85em;opacity:.8;margin-top:.3rem">{why}</div>{quotes}</details>'
    )


def _link(source_id: str, names: Mapping[str, str], are_papers: bool) -> str:
    name = html.escape(names.get(source_id, source_id))
    if not are_papers or source_id not in names:
        return f" [{name}]"
    return f' [<a href="#paper-{name}" style="color:inherit">{name}</a>]'


def _quote(found: Evidence, names: Mapping[str, str], titles: Mapping[str, str], are_papers: bool) -> str:
    title = html.escape(readable(titles.get(found.source_id, "")))
    return (
        f'<div style="{_QUOTE}">“{html.escape(readable(found.sentence))}”'
        f"<br><span>{_link(found.source_id, names, are_papers)} {title}, {found.score:.0%} of its words</span></div>"
    )
