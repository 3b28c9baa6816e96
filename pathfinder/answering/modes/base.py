"""Type of an answer mode: its name, its description for readers, its requirements, and its streaming function."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from pathfinder.types import AnswerRequest, Specialisation

if TYPE_CHECKING:
    from pathfinder.answering.session.answer_session import AnswerSession
    from pathfinder.answering.session.draft import AnswerStream


class Need(StrEnum):
    """Requirements of a mode."""

    HITS = "hits"
    """Hits that are relevant to the question; without them the answer is "I don't know"."""
    CHAT = "chat"
    """A chat model; without one the answer is extractive."""
    TOOLS = "tools"
    """A chat model that supports tools."""


@dataclass(frozen=True, slots=True)
class AnswerMode:
    """One way to answer a question."""

    name: str
    """Name in `AnswerRequest.generation`, options and links; "my-mode" if its module is `my_mode.py`."""
    label: str
    """Label in a list of modes, such as "Agent: searches as it goes"."""
    help: str
    """Description of the mode in one sentence, shown to readers."""
    icon: str
    """Material symbol shown with the mode, such as "edit_note"."""
    stream: "Callable[[AnswerSession], AnswerStream]"
    """Function that answers a session's question: it yields events, returns the draft, and may raise a
    `ProviderError`.
    """
    needs: tuple[Need, ...] = (Need.HITS, Need.CHAT)
    styles: tuple[Specialisation, ...] = (Specialisation.MULTI_PAPER,)
    """Styles that the mode supports, its default first."""
    is_stepwise: bool = False
    """True if the mode works step by step, so that the budget's steps and seconds apply."""

    def style_in(self, request: AnswerRequest) -> Specialisation:
        """Return the style that `request` names, or else the mode's default."""
        return request.specialisation or self.styles[0]
