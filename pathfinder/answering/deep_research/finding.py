"""What the papers that a sub-question found say on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pathfinder.answering.citations import check_citations
from pathfinder.answering.material import escaped, with_keys, without_room
from pathfinder.answering.rag import says_it_does_not_know
from pathfinder.answering.shelf import Shelf
from pathfinder.answering.sources import as_sources
from pathfinder.answering.spending import Spending
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.types import Claim, Paper, Passage

SOURCE_TOKENS = 4_000
"""Of the sources of one sub-question: ten abstracts."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A sub-question and its own small answer."""

    question: str
    text: str
    """With [n] marks, places on the shelf of the whole answer."""
    claims: tuple[Claim, ...] = ()
    is_empty: bool = True
    """Whether no paper says anything on it: none found, none relevant, none that answers, or none that is cited."""
    complaints: tuple[str, ...] = ()
    """What a reader should know of its citations."""
    left_out: str = ""
    """Places of papers that were found, and that the prompt had no room for."""


def read(
    sub_question: str,
    question: str,
    papers: Sequence[Paper],
    shelf: Shelf,
    chat: ChatModel,
    spending: Spending,
    share: float,
    passages: Mapping[str, Sequence[Passage]],
) -> Finding:
    """The finding of a chat model that is shown `papers`, all of them on `shelf`, as many as `SOURCE_TOKENS` hold.

    One that does not fit whole is shown by its `passages`, by paper id.

    `share` of the budget may be used. Raises what `Spending.stream` raises.
    """
    sources = as_sources(shelf, papers, SOURCE_TOKENS, passages)
    prompt = render(
        "deep_finding", sources=sources.text, question=escaped(question), sub_question=escaped(sub_question)
    )
    reply = spending.ask(chat, render("deep_finding_system"), prompt, share=share)
    checked = check_citations(reply, shelf)
    return Finding(
        sub_question,
        checked.text,
        checked.claims,
        is_empty=says_it_does_not_know(reply) or not any(claim.citations for claim in checked.claims),
        complaints=checked.complaints,
        left_out=without_room(sources.left_out, shelf),
    )


def notes_on(finding: Finding) -> tuple[str, ...]:
    """What the reader should know of it."""
    notes = []
    if finding.is_empty:
        notes.append(f"no paper answers “{finding.question}”")
    if finding.left_out:
        said = f"the finding on “{finding.question}” does not draw on them"
        notes.append(f"the prompt had no room for {finding.left_out}: {said}")
    notes += [f"in the finding on “{finding.question}”, {complaint}" for complaint in finding.complaints]
    return tuple(notes)


def as_findings(findings: Sequence[Finding], shelf: Shelf) -> str:
    """`findings` as quoted material of a prompt, each with the keys of its sources."""
    return "\n\n".join(_block(finding, shelf) for finding in findings)


def _block(finding: Finding, shelf: Shelf) -> str:
    found = "nothing in this library" if finding.is_empty else with_keys(finding.claims, shelf)
    return f"<finding>\nSub-question: {escaped(finding.question)}\nFound: {found}\n</finding>"
