"""Answers one sub-question from the papers found for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pathfinder.answering.modes.rag import says_it_does_not_know
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.grounding.citations import check_citations
from pathfinder.grounding.material import escape, with_keys, without_room
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.llm.prompts import render
from pathfinder.types import Claim, Paper, Passage

SOURCE_TOKENS = 4_000
"""Maximum number of tokens for the sources of one sub-question: about ten abstracts."""


@dataclass(frozen=True, slots=True)
class SubAnswer:
    """A sub-question and its short answer."""

    question: str
    text: str
    """Text with [n] marks, whose numbers are positions in the registry of the whole answer."""
    claims: tuple[Claim, ...] = ()
    is_empty: bool = True
    """True if no paper answers the sub-question, because none was found, or none was relevant, informative or cited."""
    complaints: tuple[str, ...] = ()
    """Problems with its citations that the reader should know about."""
    left_out: str = ""
    """Positions of papers that were found but did not fit into the prompt."""


def read(
    session: AnswerSession,
    registry: CitationRegistry,
    sub_question: str,
    papers: Sequence[Paper],
    passages: Mapping[str, Sequence[Passage]],
    share: float,
) -> SubAnswer:
    """Have the chat model answer `sub_question` from as many of `papers` as fit; all of them must be in `registry`.

    A paper that does not fit as a whole is represented by its `passages`, which are listed by paper id. `share` is the
    fraction of the budget that may be used. Raises whatever `AnswerSession.ask` raises.
    """
    sources = session.sources(papers, SOURCE_TOKENS, passages, registry)
    prompt = render(
        "deep_finding", sources=sources.text, question=escape(session.question), sub_question=escape(sub_question)
    )
    reply = session.ask(render("deep_finding_system"), prompt, share=share)
    checked_reply = check_citations(reply, registry)
    return SubAnswer(
        sub_question,
        checked_reply.text,
        checked_reply.claims,
        is_empty=says_it_does_not_know(reply) or not any(claim.citations for claim in checked_reply.claims),
        complaints=checked_reply.complaints,
        left_out=without_room(sources.left_out, registry),
    )


def notes_on(finding: SubAnswer) -> tuple[str, ...]:
    """List what the reader should know about a finding."""
    notes = []
    if finding.is_empty:
        notes.append(f"no paper answers “{finding.question}”")
    if finding.left_out:
        consequence = f"the finding on “{finding.question}” does not draw on them"
        notes.append(f"the prompt had no room for {finding.left_out}: {consequence}")
    notes += [f"in the finding on “{finding.question}”, {complaint}" for complaint in finding.complaints]
    return tuple(notes)


def as_findings(findings: Sequence[SubAnswer], registry: CitationRegistry) -> str:
    """Format `findings` for a prompt, each with its sources' keys."""
    return "\n\n".join(_block(finding, registry) for finding in findings)


def _block(finding: SubAnswer, registry: CitationRegistry) -> str:
    answer_text = "nothing in this library" if finding.is_empty else with_keys(finding.claims, registry)
    return f"<finding>\nSub-question: {escape(finding.question)}\nFound: {answer_text}\n</finding>"
