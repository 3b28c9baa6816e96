"""Stages of a search, an answer or a build: what ran, and how it ended; and the calls to chat models in them."""

from dataclasses import dataclass
from enum import StrEnum

_LABELS = {
    "imagine": "query expansion",
    "expansion": "synonyms",
    "decomposition": "sub-questions",
    "rerank": "reranker",
}
"""Labels of the stages whose names, which date from 0.1.0, differ from the words used for their settings."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Record of the model or method that ran in one stage of a search or an answer, and of the time it took."""

    name: str
    ran: str
    """Badge text, such as "all-MiniLM-L6-v2, local"."""
    seconds: float | None = None

    @property
    def label(self) -> str:
        """The stage's label on a page and in a command's text output; JSON contains its `name` instead."""
        return _LABELS.get(self.name, self.name)


class StageOutcome(StrEnum):
    """Outcome of one stage of a search or an answer."""

    RAN = "ran"
    """Ran as requested."""
    SUBSTITUTED = "substituted"
    """Replaced by something simpler; `reason` explains why."""
    SKIPPED = "skipped"
    """Not requested, or had nothing to work on."""
    FAILED = "failed"
    """Requested, but gave no result; `reason` explains why."""


@dataclass(frozen=True, slots=True)
class StageStatus:
    """The model that ran in a stage, and the outcome: the facts that a `Stage` describes in words."""

    name: str
    """Name of the stage, as in `Stage.name`."""
    model: str | None
    """Model that ran, as `vendor:model` or a local model's name; `None` if no model ran."""
    status: StageOutcome
    reason: str | None = None
    """Reason why the stage was substituted, skipped or failed, in a sentence; `None` if it ran as requested."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens used by one call, and its price if the provider reports it."""

    tokens_in: int
    tokens_out: int
    is_estimated: bool = False
    """True if the provider reported no usage, so the tokens are estimated at one per four characters."""
    dollars: float | None = None
    is_cut: bool = False
    """True if the reply was cut off at the length limit instead of ending naturally."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call to a chat model."""

    purpose: str
    """Purpose of the call, such as "answer", "consensus" or "route"."""
    model: str
    """Name of the model as `vendor:model`."""
    seconds: float
    usage: Usage | None
    """Tokens used by the call; `None` if it failed before anything arrived."""
    dollars: float | None = None
    """Price in US dollars from the user's settings or the provider's report; `None` if neither is known."""
    is_cached: bool = False
    """True if the reply came from the cache, so nothing was sent or charged."""
    failure: str | None = None
    """Brief description of the failure."""


@dataclass(frozen=True, slots=True)
class CallText:
    """Prompt of one call to a chat model, and its reply."""

    purpose: str
    model: str
    prompt: str
    """System message and prompt, or all turns of a conversation."""
    reply: str
    """Reply as it arrived; incomplete if the call failed or was stopped."""
    failure: str | None = None
