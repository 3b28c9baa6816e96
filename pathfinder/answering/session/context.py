"""Context of an answer: the models, the search and the profile that it works with."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import perf_counter

from pathfinder.index.ports import TokenSource
from pathfinder.llm.metered_chat import MeteredChat
from pathfinder.llm.usage import BudgetTracker
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.profile import Profile, astronomy
from pathfinder.types import AnswerRequest, SearchRequest, SearchResult, Step


@dataclass(frozen=True, slots=True)
class Branch:
    """Point from which an earlier run of the agent is continued."""

    steps: tuple[Step, ...]
    """Steps so far, the last of them as edited by the reader."""
    place: int
    """Position of the edited step, counted from 0."""


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """Everything that is needed to write an answer. Each search uses the reader's own settings."""

    embedder: Embedder
    chat: ChatModel | None
    search: Callable[[SearchRequest], SearchResult]
    clock: Callable[[], float] = perf_counter
    """Clock for budgets, in seconds."""
    branch: Branch | None = None
    """Point from which the agent continues an earlier run; `None` for a new run."""
    profile: Profile = field(default_factory=astronomy)
    """Profile of the corpus's field."""
    tokens: TokenSource | None = None
    """Token vectors of the corpus; `None` if it has none."""

    def with_budget(self, request: AnswerRequest) -> "AnswerContext":
        """Return this context with the chat model limited by the request's budget, unless it is limited already."""
        if self.chat is None or isinstance(self.chat, MeteredChat):
            return self
        return replace(self, chat=MeteredChat(self.chat, "answer", BudgetTracker(None, request.budget, self.clock)))
