"""A text edited after one point of a critique, and which edits are kept."""

from pathfinder.answering.citations import check_citations
from pathfinder.answering.material import escaped
from pathfinder.answering.rag import says_it_does_not_know
from pathfinder.answering.self_feedback.critique import Point
from pathfinder.answering.self_feedback.difference import share_kept
from pathfinder.answering.shelf import Shelf
from pathfinder.answering.spending import Spending
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render

SHORTEST = 0.9
"""Length of an edit over that of the text it edits, in characters, as in OpenScholar's own code."""
KEPT = 0.5
"""Share of the text's words that an edit keeps in their order: one of equal length may still say something else."""


def edited(question: str, text: str, point: Point, sources: str, chat: ChatModel, spending: Spending) -> str:
    """`text` as the model edits it after `point`. Raises what `Spending.stream` raises."""
    prompt = render(
        "feedback_edit",
        sources=sources,
        question=escaped(question),
        draft=escaped(text),
        point=escaped(point.feedback),
    )
    return spending.ask(chat, render("feedback_edit_system"), prompt)


def why_refused(old: str, new: str, shelf: Shelf) -> str | None:
    """Why the edit from `old` to `new` is not kept, with the rule; `None` for one that is."""
    if new == old:
        return "it changed nothing"
    if says_it_does_not_know(old):
        return None
    length, kept = len(new) / len(old), share_kept(old, new)
    if length < SHORTEST:
        return f"it is {length:.0%} as long as the text it edits; the rule is {SHORTEST:.0%} at least"
    if kept < KEPT:
        return f"it keeps {kept:.0%} of the words of the text it edits; the rule is {KEPT:.0%} at least"
    if _cites(old, shelf) and not _cites(new, shelf):
        return "it cites nothing, and the text it edits did; the rule is that citations stay"
    return None


def _cites(text: str, shelf: Shelf) -> bool:
    return any(claim.citations for claim in check_citations(text, shelf).claims)
