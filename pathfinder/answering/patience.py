"""How long a chat model is waited for: no longer than the time budget lasts, whether it speaks or not."""

from collections.abc import Callable
from typing import TypeVar

from pathfinder.models.ports import ChatModel, PatientChat
from pathfinder.types import Budget

Chat = TypeVar("Chat", bound=ChatModel)

OVERRUN_SECONDS = 30.0


def overrun(budget: Budget) -> float:
    """For how many seconds a reply that has begun may go on behind the end of the budget: no longer than it all."""
    return min(OVERRUN_SECONDS, budget.seconds)


def patient(chat: Chat, left: Callable[[], float], more: float = 0.0) -> Chat:
    """`chat`, each of whose replies begins within the seconds that are `left` and ends within `more`.

    A model that cannot be told is as it was, and no clock is looked at.
    """
    return chat.patient(max(left(), 0.0), more) if isinstance(chat, PatientChat) else chat
