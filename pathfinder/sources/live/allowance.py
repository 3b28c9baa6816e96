"""The time that live sources may take for one answer, and their replies."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

from pathfinder.types import LiveSource, Paper


@dataclass(frozen=True, slots=True)
class LiveReply:
    """Reply of a live source, or the reason why there is none."""

    source: LiveSource
    papers: tuple[Paper, ...] = ()
    """Papers in the order of the source."""
    n_rejected: int = 0
    """Number of records that are not papers."""
    problem: str | None = None
    """Reason why the source returned nothing, worded to follow the name of the source; `None` if it answered."""
    seconds: float = 0.0


@dataclass(slots=True)
class Allowance:
    """Time left for the live sources in one answer, and their replies, by question. Threads may share it.

    An answer may need many searches, for questions of its own. All these searches together wait no longer than a single
    one, and no question is sent twice to a source that has answered it.
    """

    seconds: float
    """Time in seconds for all searches of the answer together."""
    clock: Callable[[], float] = monotonic
    """Function that returns the time in seconds."""
    _seconds_used: float = 0.0
    _n_waiting: int = 0
    _since: float = 0.0
    _replies: dict[tuple[str, LiveSource], LiveReply] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def waiting(self) -> Iterator[float]:
        """Count the time spent in the context as used, and yield the seconds left when it begins; 0 or less means none.

        Time during which several searches wait at once is counted only once.
        """
        with self._lock:
            now = self.clock()
            self._since = self._since if self._n_waiting else now
            self._n_waiting += 1
            seconds_left = self.seconds - self._seconds_used - (now - self._since)
        try:
            yield seconds_left
        finally:
            with self._lock:
                self._n_waiting -= 1
                if not self._n_waiting:
                    self._seconds_used += self.clock() - self._since

    def known_replies(self, question: str, sources: Sequence[LiveSource]) -> dict[LiveSource, LiveReply]:
        """Return the replies to `question` so far, by source."""
        with self._lock:
            return {
                source: self._replies[question, source] for source in sources if (question, source) in self._replies
            }

    def keep(self, question: str, replies: Sequence[LiveReply]) -> None:
        """Store the replies to `question`, except for failures."""
        with self._lock:
            self._replies |= {(question, reply.source): reply for reply in replies if reply.problem is None}
