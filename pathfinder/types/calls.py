"""What the calls of a chat model took."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, and its price where the provider says it."""

    tokens_in: int
    tokens_out: int
    is_estimated: bool = False
    """Whether the provider said nothing and four characters were taken for a token."""
    dollars: float | None = None
    is_cut: bool = False
    """Whether the reply ended at the length that was asked for, and not by itself."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a chat model."""

    purpose: str
    """What it was for: "answer", "consensus", "route"."""
    model: str
    """`vendor:model`."""
    seconds: float
    usage: Usage | None
    """`None` for a call that failed before anything came."""
    dollars: float | None = None
    """From prices that the user set or the provider returned; `None` where neither is known."""
    is_cached: bool = False
    """Whether the reply was remembered, and nothing was asked or paid."""
    failure: str | None = None
    """In brief, what went wrong."""
