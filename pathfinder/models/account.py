"""What one operation asks of a chat model: counted, priced, bounded, and remembered."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from time import perf_counter

from pathfinder.errors import BudgetSpent
from pathfinder.models.reply_cache import KeptReply, ReplyCache, content_key
from pathfinder.types import Call, Usage

CHARACTERS_PER_TOKEN = 4
"""To tell about how many tokens went in and out where the provider does not."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What a chat model costs, in US dollars for a million tokens."""

    read: float
    written: float

    def of(self, usage: Usage) -> float:
        """The price of one call, in US dollars."""
        return (usage.tokens_in * self.read + usage.tokens_out * self.written) / 1_000_000


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms a chat model is asked."""

    prices: Prices | None = None
    cache: ReplyCache | None = None
    limit_tokens: int | None = None
    """Read and written in one operation, all calls together: once they are reached, no call is made."""


class Account:
    """What one operation has asked of a chat model so far. Threads may share it."""

    def __init__(self, terms: Terms, clock: Callable[[], float] = perf_counter) -> None:
        self.terms, self.clock = terms, clock
        self._lock = Lock()
        self._calls: list[Call] = []
        self._n_asked: Counter[str] = Counter()
        self._fresh: dict[str, KeptReply] = {}

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every call that has come to its end, well or not, in that order."""
        with self._lock:
            return tuple(self._calls)

    @property
    def tokens(self) -> int:
        """Read and written so far, about where the provider does not say; remembered replies take none."""
        return sum(_tokens(call.usage) for call in self.calls if call.usage and not call.is_cached)

    def key(self, content: str) -> str:
        """The key of the reply to `content`: the same content asked again has another."""
        with self._lock:
            self._n_asked[content] += 1
            return content_key(content, self._n_asked[content])

    def remembered(self, key: str) -> KeptReply | None:
        """The reply that an earlier operation kept."""
        return self.terms.cache.get(key) if self.terms.cache is not None else None

    def check_limit(self, name: str) -> None:
        """Raise `BudgetSpent` where the model `name` may not be asked again."""
        limit, taken = self.terms.limit_tokens, self.tokens
        if limit is not None and taken >= limit:
            raise BudgetSpent(
                f"{name} was not asked again: {taken:,} tokens of a budget of {limit:,} are spent; raise the budget, "
                "or ask for less"
            )

    def record(self, call: Call) -> None:
        """Add a call, priced by what the user set where the provider said no price."""
        if call.usage is not None and not call.is_cached:
            dollars = call.usage.dollars
            if dollars is None and self.terms.prices is not None:
                dollars = self.terms.prices.of(call.usage)
            call = replace(call, dollars=dollars)
        with self._lock:
            self._calls.append(call)

    def add_reply(self, key: str, reply: KeptReply) -> None:
        """A reply that came whole; `keep` gives it to the cache."""
        with self._lock:
            self._fresh[key] = reply

    def keep(self) -> None:
        """Remember the replies that came whole."""
        if self.terms.cache is not None:
            with self._lock:
                self.terms.cache.keep(self._fresh)


def about_tokens(text: str) -> int:
    """How many tokens `text` has, about."""
    return math.ceil(len(text) / CHARACTERS_PER_TOKEN)


def estimated(read: str, written: str) -> Usage:
    """What a call took, about, where the provider does not say."""
    return Usage(about_tokens(read), about_tokens(written), is_estimated=True)


def _tokens(usage: Usage) -> int:
    return usage.tokens_in + usage.tokens_out
