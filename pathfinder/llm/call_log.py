"""Log of the calls to a chat model for one question."""

import math
from collections.abc import Iterable
from threading import Lock

from pathfinder.llm.usage import CHARACTERS_PER_TOKEN
from pathfinder.types import Call, CallText


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
            return sum(map(tokens_of, self._calls)) + sum(call.tokens for call in self._open)

    @property
    def n_calls(self) -> int:
        """Number of all calls, including those in progress; cached replies do not count."""
        with self._lock:
            return sum(map(is_paid, self._calls)) + len(self._open)

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


def is_paid(call: Call) -> bool:
    """Return whether a call was sent to the model rather than answered from the cache."""
    return not call.is_cached


def tokens_of(call: Call) -> int:
    """Return the tokens that a call read and wrote; 0 for a cached reply."""
    return 0 if call.usage is None or call.is_cached else call.usage.tokens_in + call.usage.tokens_out
