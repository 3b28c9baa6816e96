"""Calls to a chat model, and their cost."""

from dataclasses import dataclass


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
