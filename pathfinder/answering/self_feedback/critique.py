"""What a chat model finds wanting in a draft, in the form of OpenScholar (arXiv:2411.14199): feedback and question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.answering.material import escaped
from pathfinder.answering.spending import Spending
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.replies import unreadable

MOST_POINTS = 3
"""As in OpenScholar's own code."""
LONGEST_QUESTION = 500
"""Characters: a longer one is no question."""
MAX_TOKENS = 600

_POINT = re.compile(
    r"^[ \t>*_#\d.)-]*feedback[ \t]*\d?[*_ \t]*:(?P<feedback>.*?)"
    r"(?:^[ \t>*_#\d.)-]*question[ \t]*\d?[*_ \t]*:(?P<question>.*?))?"
    r"(?=^[ \t>*_#\d.)-]*feedback[ \t]*\d?[*_ \t]*:|\Z)",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_NONE = re.compile(r"(?:none|no|n/?a|nothing|-*)[.!]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to improve."""

    feedback: str
    question: str | None = None
    """What to search for first; `None` where the sources at hand are enough."""

    @property
    def in_words(self) -> str:
        return self.feedback if self.question is None else f"{self.feedback} To look up: {self.question}"


def criticise(
    question: str, draft: str, sources: str, raised: Sequence[Point], chat: ChatModel, spending: Spending
) -> tuple[Point, ...]:
    """Every point that the model makes, none where it finds nothing; `raised` are those that it made before.

    Raises a `ProviderError` for a reply in another form, and what `Spending.stream` raises.
    """
    prompt = render(
        "feedback_critique",
        sources=sources,
        question=escaped(question),
        draft=escaped(draft),
        raised="\n".join(f"- {escaped(point.in_words)}" for point in raised) or "none",
    )
    return read_points(spending.ask(chat, render("feedback_critique_system"), prompt, max_tokens=MAX_TOKENS), chat.name)


def read_points(reply: str, name: str) -> tuple[Point, ...]:
    """The points of a reply by the model `name`, in its order; `ProviderError` for a reply that makes none."""
    found = [(_clean(match["feedback"]), _clean(match["question"] or "")) for match in _POINT.finditer(reply)]
    if not found:
        raise unreadable(reply, "no line begins with “Feedback:”", name)
    return tuple(
        Point(feedback, question if not _NONE.fullmatch(question) and len(question) <= LONGEST_QUESTION else None)
        for feedback, question in found
        if not _NONE.fullmatch(feedback)
    )


def _clean(text: str) -> str:
    return " ".join(text.replace("**", " ").split())
