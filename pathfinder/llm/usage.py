"""Usage of a chat model: its prices, the limits on a reader's use, and token estimates."""

import math
from dataclasses import dataclass, field

from pathfinder.llm.reply_cache import ReplyCache
from pathfinder.types import Budget, Usage

CHARACTERS_PER_TOKEN = 4
"""Approximate number of characters per token of English text: used if the provider does not count tokens, and to fit
sources into a prompt.
"""


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of a chat model, in US dollars per million tokens."""

    dollars_in: float
    dollars_out: float

    def of(self, usage: Usage) -> float:
        """Compute the price of one call in US dollars."""
        return (usage.tokens_in * self.dollars_in + usage.tokens_out * self.dollars_out) / 1_000_000


@dataclass(frozen=True, slots=True)
class UsagePolicy:
    """Prices, reply cache and default budget for every operation of one reader."""

    prices: Prices | None = None
    cache: ReplyCache | None = None
    budget: Budget = field(default_factory=Budget)
    """Budget of an operation for which none is specified."""


def about_tokens(text: str) -> int:
    """Estimate how many tokens `text` has."""
    return math.ceil(len(text) / CHARACTERS_PER_TOKEN)


def estimate_usage(prompt: str, reply: str) -> Usage:
    """Estimate the usage of a call for which the provider reports none."""
    return Usage(about_tokens(prompt), about_tokens(reply), is_estimated=True)
