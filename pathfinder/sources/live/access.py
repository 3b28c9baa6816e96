"""Access to live sources: keys, addresses, limits, the time for one answer, and the replies. Importing this module does
not load an HTTP library.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from time import monotonic
from types import MappingProxyType
from typing import NamedTuple

from pydantic import SecretStr

from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.pace import Breakers, Clock
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


class KeySettings(NamedTuple):
    """Names of the settings for the key and the address of a live source for which visitors may use their own key."""

    key: str
    address: str


KEY_SETTINGS: Mapping[LiveSource, KeySettings] = MappingProxyType(
    {
        LiveSource.ADS: KeySettings("ads_api_token", "ads_url"),
        LiveSource.SEMANTIC_SCHOLAR: KeySettings("semantic_scholar_api_key", "semantic_scholar_url"),
        LiveSource.OPENALEX: KeySettings("openalex_api_key", "openalex_url"),
    }
)


def settings_with_keys(settings: Settings, keys: Mapping[LiveSource, str]) -> Settings:
    """Return `settings` with a visitor's own keys in place of the server's."""
    return settings.model_copy(update={KEY_SETTINGS[source].key: SecretStr(key) for source, key in keys.items()})


@dataclass(frozen=True, slots=True)
class LiveAccess:
    """The means to query live sources: keys, addresses, limits. Threads may share it."""

    settings: Settings
    """Keys and addresses; no key may appear in a paper or a message."""
    allowed_sources: frozenset[LiveSource] = frozenset(LiveSource)
    """Sources that may be queried."""
    clock: Clock = field(default_factory=Clock)
    """Clock for the pace of requests to each host."""
    breakers: Breakers = field(default_factory=Breakers)
    """Failures of the hosts: a host that fails several times in a row is left alone for a while."""
    allowance: Allowance | None = None
    """Time that the searches of one answer share, with the replies so far; `None` for a single search."""

    def for_answer(self) -> "LiveAccess":
        """Return access for the searches of one answer, which together may wait only as long as a single search may."""
        return replace(self, allowance=Allowance(self.settings.live_seconds))

    def with_keys(self, keys: Mapping[LiveSource, str]) -> "LiveAccess":
        """Return access with a visitor's own keys: the sources that these keys are for may be queried, and failures do
        not count against other visitors.
        """
        settings = settings_with_keys(self.settings, keys)
        return replace(self, settings=settings, allowed_sources=self.allowed_sources | keys.keys(), breakers=Breakers())

    def within(self, seconds: float) -> "LiveAccess":
        """Return the same access with another time limit, for a single search."""
        return replace(self, settings=self.settings.model_copy(update={"live_seconds": seconds}), allowance=None)


def allowed_sources(names_text: str) -> frozenset[LiveSource]:
    """Read the setting `PATHFINDER_LIVE`, such as "arxiv,openalex". Raises `UsageError` for an unknown name."""
    names = [name.strip() for name in names_text.split(",") if name.strip()]
    if unknown := [name for name in names if name not in [*LiveSource]]:
        raise UsageError(f"PATHFINDER_LIVE must name {', '.join(LiveSource)}, got {', '.join(unknown)}")
    return frozenset(map(LiveSource, names))
