"""Edits a text in response to one point of a critique, and decides which edits to keep."""

from pathfinder.answering.modes.rag import says_it_does_not_know
from pathfinder.answering.modes.self_feedback.critique import Point
from pathfinder.answering.modes.self_feedback.difference import share_kept
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.grounding.citations import check_citations
from pathfinder.grounding.material import escaped
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.llm.prompts import render

SHORTEST = 0.9
"""Minimum length of an edited text relative to the previous text, in characters, as in OpenScholar's own code."""
SMALLEST_OVERLAP = 0.5
"""Minimum share of the words that an edit must keep in order: an edit of equal length may still say something else."""


def edited(session: AnswerSession, text: str, point: Point, sources: str) -> str:
    """Return `text` as edited by the model in response to `point`. Raises whatever `AnswerSession.ask` raises."""
    prompt = render(
        "feedback_edit",
        sources=sources,
        question=escaped(session.question),
        draft=escaped(text),
        point=escaped(point.feedback),
    )
    return session.ask(render("feedback_edit_system"), prompt)


def why_refused(old: str, new: str, registry: CitationRegistry) -> str | None:
    """Explain why the edit from `old` to `new` is rejected, naming the rule; `None` if it is accepted."""
    if new == old:
        return "it changed nothing"
    if says_it_does_not_know(old):
        return None
    length, overlap = len(new) / len(old), share_kept(old, new)
    if length < SHORTEST:
        return f"it is only {length:.0%} as long as the text it edits; the minimum is {SHORTEST:.0%}"
    if overlap < SMALLEST_OVERLAP:
        return f"it keeps only {overlap:.0%} of the words of the text it edits; the minimum is {SMALLEST_OVERLAP:.0%}"
    if _cites(old, registry) and not _cites(new, registry):
        return "it cites nothing, although the text it edits does; an edit must not drop all citations"
    return None


def _cites(text: str, registry: CitationRegistry) -> bool:
    return any(claim.citations for claim in check_citations(text, registry).claims)
