"""Usage of a chat model: its prices, the limits on a reader's use, and token estimates."""

import hashlib
import json
import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import Event, Lock
from time import perf_counter

from pathfinder.errors import BudgetExhausted, BudgetSpent, TimeSpent, UsedUp
from pathfinder.models.ports import ChatReply
from pathfinder.types import Budget, Call, CallText, Ended, Usage

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


MAX_REPLIES = 1000


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A complete reply, as it was received."""

    chunks: tuple[str, ...]
    reply: ChatReply

    @property
    def text(self) -> str:
        """The text of the reply, without surrounding white space."""
        return "".join(self.chunks).strip()


class ReplyCache:
    """Most recent replies of one chat model at one address, in this process only. Threads may share it.

    A cache must serve one model only: two servers may give different models the same name.
    """

    def __init__(self, max_replies: int = MAX_REPLIES) -> None:
        self._max_replies, self._lock = max_replies, Lock()
        self._replies: OrderedDict[str, StoredReply] = OrderedDict()

    def get(self, key: str) -> StoredReply | None:
        """Return the reply stored under `key`; `None` if there is none or it was dropped."""
        with self._lock:
            if key in self._replies:
                self._replies.move_to_end(key)
            return self._replies.get(key)

    def store(self, replies: Mapping[str, StoredReply]) -> None:
        """Store `replies` by their keys. Beyond `max_replies`, the least recently used ones are dropped."""
        with self._lock:
            self._replies |= replies
            while len(self._replies) > self._max_replies:
                self._replies.popitem(last=False)

    def __len__(self) -> int:
        with self._lock:
            return len(self._replies)


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


# Caches chat replies by the content of the request, so that the same request is paid for only once.


def content_key(*content: object) -> str:
    """Make a key for a request: the SHA-256 of its JSON; values that JSON cannot express appear as their `repr`."""
    text = json.dumps(content, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# Log of the calls to a chat model for one question.


class OpenCall:
    """A call in progress, whose tokens are counted as they arrive."""

    def __init__(self, tokens_in: int, start: float) -> None:
        """`start` is the time at which the call began, in seconds on the operation's clock."""
        self.tokens_in, self.start, self.n_characters = tokens_in, start, 0

    @property
    def tokens(self) -> int:
        """Approximate number of tokens read and written so far."""
        return self.tokens_in + self.n_characters // CHARACTERS_PER_TOKEN


class CallLog:
    """Calls to a chat model for one question, from any operation. Threads may share it."""

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        """`calls` are those made in preparation for the answer, which count against its budget."""
        self._lock = Lock()
        self.admission = Lock()
        """Lock to hold from the test of whether the budget has room for a call until that call has begun, so that calls
        made side by side cannot overdraw it.
        """
        self._calls = list(calls)
        self._preparation = list(calls)
        self._texts: list[CallText] = []
        self._open: list[OpenCall] = []
        self._spans: list[tuple[float, float]] = []
        self._seconds_earlier = sum(call.seconds for call in self._calls if not call.is_cached)

    @property
    def preparation(self) -> tuple[Call, ...]:
        """Calls made for the follow-up, the routing and the search, which count against the answer's budget."""
        with self._lock:
            return tuple(self._preparation)

    @property
    def calls(self) -> tuple[Call, ...]:
        """Calls in the order in which they ended, including failed, stopped and cached ones."""
        with self._lock:
            return tuple(self._calls)

    @property
    def texts(self) -> tuple[CallText, ...]:
        """Prompts and replies of the calls made since the log was created, in the order in which the calls ended."""
        with self._lock:
            return tuple(self._texts)

    def add_text(self, text: CallText) -> None:
        """Record the prompt and the reply of a call that has ended."""
        with self._lock:
            self._texts.append(text)

    @property
    def tokens(self) -> int:
        """Tokens read and written by all calls, including those in progress; cached replies use none."""
        with self._lock:
            used = (call.usage for call in self._calls if call.usage is not None and not call.is_cached)
            return sum(usage.tokens_in + usage.tokens_out for usage in used) + sum(call.tokens for call in self._open)

    @property
    def n_calls(self) -> int:
        """Number of all calls, including those in progress; cached replies do not count."""
        with self._lock:
            return sum(not call.is_cached for call in self._calls) + len(self._open)

    def seconds(self, now: float) -> float:
        """Return for how many seconds until `now` at least one call was in progress; simultaneous calls count once."""
        with self._lock:
            spans = sorted([*self._spans, *((call.start, now) for call in self._open)])
        seconds, end = self._seconds_earlier, -math.inf
        for start, until in spans:
            seconds += max(until - max(start, end), 0.0)
            end = max(end, until)
        return seconds

    def begin(self, under_way: OpenCall) -> None:
        """Start counting a call."""
        with self._lock:
            self._open.append(under_way)

    def add(self, call: Call, under_way: OpenCall | None = None, *, is_preparation: bool = False) -> None:
        """Record a call that has ended; `under_way` is its entry as passed to `begin`, or `None` for a cached reply."""
        with self._lock:
            if under_way is not None:
                self._open = [other for other in self._open if other is not under_way]
                self._spans.append((under_way.start, under_way.start + call.seconds))
            self._calls.append(call)
            if is_preparation:
                self._preparation.append(call)


# Budget tracker: counts the calls, tokens and seconds of one question against its budget.


class BudgetTracker:
    """Counts the calls, tokens and seconds of one question against its budget. Threads may share it.

    Seconds are counted from the creation of the tracker, and include those of earlier calls in `log`. A budget that
    belongs to the question (`is_shared`) is charged for every call in `log`, including those that other operations are
    making; the budget of a single answer is charged for that answer's own calls and for those made in preparation for
    it.
    """

    def __init__(
        self,
        policy: UsagePolicy | None = None,
        budget: Budget | None = None,
        clock: Callable[[], float] = perf_counter,
        log: CallLog | None = None,
        *,
        is_preparation: bool = False,
        is_shared: bool = False,
    ) -> None:
        """`log` contains the calls already made for this question and records new ones, as preparation for the answer
        if `is_preparation`. Without `budget`, the policy's own budget applies.
        """
        self.policy, self.clock = policy or UsagePolicy(), clock
        self.budget = budget or self.policy.budget
        self._log, self._is_preparation = log or CallLog(), is_preparation
        earlier = self._log.preparation
        self._own, self._n_earlier = CallLog(earlier), len(earlier)
        self._charged = self._log if is_shared else self._own
        now = clock()
        self._start = now - self._charged.seconds(now)
        self._lock, self._is_stopped = Lock(), Event()
        self._repeats: Counter[str] = Counter()
        self._replies: dict[str, StoredReply] = {}
        self._n_forged = 0

    @property
    def n_forged(self) -> int:
        """Number of blocks of source markup removed from the replies in this operation."""
        with self._lock:
            return self._n_forged

    def add_forged(self, n: int) -> None:
        """Count blocks of source markup that were removed from a reply."""
        with self._lock:
            self._n_forged += n

    @property
    def calls(self) -> tuple[Call, ...]:
        """Calls of this operation in the order in which they ended, including failed and stopped ones."""
        return self._own.calls[self._n_earlier :]

    @property
    def tokens(self) -> int:
        """Tokens read and written for the question so far, including those of calls in progress; cached replies use
        none.
        """
        return self._charged.tokens

    @property
    def n_calls(self) -> int:
        """Number of calls for the question so far, including those in progress; cached replies do not count."""
        return self._charged.n_calls

    @property
    def seconds(self) -> float:
        """Seconds spent on the question so far."""
        return self.clock() - self._start

    def stop(self) -> None:
        """Allow no more calls; replies in progress end at their next chunk."""
        self._is_stopped.set()

    def end_reason(self, share: float = 1.0, next_tokens: int = 0) -> Ended | None:
        """Return the reason why no more calls may be made; `None` if there is none.

        Calls may use only `share` of the budget's seconds and tokens; `next_tokens` are added to the tokens used so
        far.
        """
        if self._is_stopped.is_set():
            return Ended.STOPPED
        if self.seconds >= share * self.budget.seconds:
            return Ended.SECONDS
        if self.n_calls >= self.budget.calls:
            return Ended.CALLS
        return Ended.TOKENS if self.tokens + next_tokens > share * self.budget.tokens else None

    def cut_reason(self, deadline: float, *, is_strict: bool) -> Ended | None:
        """Return the reason why a reply in progress must end now, or `None`; running out of tokens ends
        it only if `is_strict`.
        """
        if self._is_stopped.is_set():
            return Ended.STOPPED
        if self.seconds >= deadline:
            return Ended.SECONDS
        return Ended.TOKENS if is_strict and self.tokens > self.budget.tokens else None

    def error(self, name: str, end_reason: Ended, what: str) -> BudgetExhausted:
        """Make the error for `end_reason`; `what` completes a sentence that begins with the model's `name`."""
        budget, spent = self.budget, "{} of a budget of {} are spent; raise the budget, or ask for less"
        spent_parts: dict[Ended, tuple[type[BudgetExhausted], UsedUp, str]] = {
            Ended.STOPPED: (BudgetExhausted, "stopped", end_reason.value),
            Ended.CALLS: (BudgetSpent, "calls", spent.format(f"{self.n_calls:,} calls", f"{budget.calls:,}")),
            Ended.SECONDS: (TimeSpent, "seconds", spent.format(f"{self.seconds:.3g} seconds", f"{budget.seconds:g}")),
            Ended.TOKENS: (BudgetSpent, "tokens", spent.format(f"{self.tokens:,} tokens", f"{budget.tokens:,}")),
        }
        kind, used_up, why = spent_parts[end_reason]
        error = kind(f"{name} {what}: {why}")
        error.used_up = used_up
        return error

    def key(self, content: str) -> str:
        """Return the cache key of the reply to `content`; a repeated request gets a different key."""
        with self._lock:
            self._repeats[content] += 1
            return content_key(content, self._repeats[content])

    def stored_reply(self, key: str) -> StoredReply | None:
        """Return the reply stored under `key` by an earlier operation, if any."""
        return self.policy.cache.get(key) if self.policy.cache is not None else None

    def begin(self, name: str, share: float | None, tokens_in: int) -> OpenCall:
        """Count a call that begins now; `end` closes it.

        If `share` of the budget has no room for the call, raises `BudgetExhausted`, which says that the model `name`
        was not called again. Without a `share`, the call may begin in any case.
        """
        with self._log.admission:
            end_reason = None if share is None else self.end_reason(share, tokens_in)
            if end_reason is not None:
                raise self.error(name, end_reason, "was not called again")
            call = OpenCall(tokens_in, self.clock())
            self._own.begin(call)
            self._log.begin(call)
        return call

    def end(self, call: Call, under_way: OpenCall | None = None) -> None:
        """Record a call that has ended, using the user's prices if the provider reported none."""
        if call.usage is not None and not call.is_cached:
            dollars = call.usage.dollars
            if dollars is None and self.policy.prices is not None:
                dollars = self.policy.prices.of(call.usage)
            call = replace(call, dollars=dollars)
        self._own.add(call, under_way)
        self._log.add(call, under_way, is_preparation=self._is_preparation)

    def add_text(self, text: CallText) -> None:
        """Record the prompt and the reply of a call that has ended."""
        self._log.add_text(text)

    def add_reply(self, key: str, reply: StoredReply) -> None:
        """Hold a complete reply until `store_replies` adds it to the cache."""
        with self._lock:
            self._replies[key] = reply

    def reject(self, text: str) -> None:
        """Discard replies whose text is `text`: they are useless, so the model should be called again next time."""
        with self._lock:
            self._replies = {key: reply for key, reply in self._replies.items() if reply.text != text.strip()}

    def reject_all(self) -> None:
        """Discard the replies from this operation: they led to no answer, so the model should be called again."""
        with self._lock:
            self._replies = {}

    def store_replies(self) -> None:
        """Add to the cache all complete replies that were not rejected."""
        if self.policy.cache is not None:
            with self._lock:
                self.policy.cache.store(self._replies)


def ended_by(error: BudgetExhausted) -> Ended:
    """Return the reason, recorded in `error`, why no more calls may be made."""
    return Ended[error.used_up.upper()]
