"""A chat model's critique of a draft, in the form used by OpenScholar (arXiv:2411.14199): feedback and a question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ConfigDict

from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.grounding.material import escape
from pathfinder.llm.prompts import render
from pathfinder.llm.replies import json_or_none, unreadable
from pathfinder.models.ports import ChatModel

MOST_POINTS = 3
"""Maximum number of points in a critique, as in OpenScholar's own code."""
LONGEST_QUESTION = 500
"""Maximum length of a question in characters; anything longer is not a question."""
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
    """Question to search for before the text is edited; `None` if the sources at hand are enough."""

    @property
    def description(self) -> str:
        return self.feedback if self.question is None else f"{self.feedback} To look up: {self.question}"


@dataclass(frozen=True)
class _Point:
    __pydantic_config__ = ConfigDict(extra="forbid")

    feedback: str
    question: str | None


@dataclass(frozen=True)
class _Critique:
    __pydantic_config__ = ConfigDict(extra="forbid")

    points: tuple[_Point, ...]


def criticise(session: AnswerSession, draft: str, sources: str, earlier: Sequence[Point]) -> tuple[Point, ...]:
    """Return the points that the model makes, or none if nothing needs work; `earlier` holds the points made before.

    Raises a `ProviderError` for a reply that is not in the expected form, and whatever `AnswerSession.ask` raises.
    """
    prompt = render(
        "feedback_critique",
        sources=sources,
        question=escape(session.question),
        draft=escape(draft),
        raised="\n".join(f"- {escape(point.description)}" for point in earlier) or "none",
    )
    reply = session.ask(render("feedback_critique_system"), prompt, max_tokens=MAX_TOKENS, form=_Critique)
    return read_points(reply, session.chat)


def read_points(reply: str, chat: ChatModel) -> tuple[Point, ...]:
    """Read the points in a reply from `chat`, in order, from JSON or from lines that begin with "Feedback:".

    Raises `ProviderError` for a reply that is in neither form.
    """
    parsed_reply = json_or_none(reply, _Critique)
    if parsed_reply is not None:
        matches = [(_clean(point.feedback), _clean(point.question or "")) for point in parsed_reply.points]
    else:
        matches = [(_clean(match["feedback"]), _clean(match["question"] or "")) for match in _POINT.finditer(reply)]
        if not matches:
            raise unreadable(reply, "no line begins with “Feedback:”", chat)
    return tuple(
        Point(feedback, question if not _NONE.fullmatch(question) and len(question) <= LONGEST_QUESTION else None)
        for feedback, question in matches
        if not _NONE.fullmatch(feedback)
    )


def _clean(text: str) -> str:
    return " ".join(text.replace("**", " ").split())
