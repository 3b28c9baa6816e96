"""Access to live sources: keys, addresses, limits. Loading this module loads no HTTP library."""

from dataclasses import dataclass, field, replace

from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.breaker import Breakers
from pathfinder.sources.http.pace import Clock
from pathfinder.sources.live.allowance import Allowance
from pathfinder.types import LiveSource


@dataclass(frozen=True, slots=True)
class LiveAccess:
    """The means to ask live sources: keys, addresses, limits. Threads may share it."""

    settings: Settings
    """Keys and addresses; no key may appear in a paper or a message."""
    allowed: frozenset[LiveSource] = frozenset(LiveSource)
    """Sources that may be asked."""
    clock: Clock = field(default_factory=Clock)
    """Clock of the pace at which each host is asked."""
    breakers: Breakers = field(default_factory=Breakers)
    """Failures of the hosts: one that fails several times in a row is left alone for a while."""
    allowance: Allowance | None = None
    """Time that the searches of one answer share, with the replies so far; `None` for a search by itself."""

    def for_answer(self) -> "LiveAccess":
        """Return access for the searches of one answer, which together wait no longer than one search."""
        return replace(self, allowance=Allowance(self.settings.live_seconds))

    def within(self, seconds: float) -> "LiveAccess":
        """Return the same access with another limit, for a search by itself."""
        return replace(self, settings=self.settings.model_copy(update={"live_seconds": seconds}), allowance=None)


def allowed_sources(written: str) -> frozenset[LiveSource]:
    """Read the setting `PATHFINDER_LIVE`, such as "arxiv,openalex". Raises `UsageError` for an unknown name."""
    names = [name.strip() for name in written.split(",") if name.strip()]
    if unknown := [name for name in names if name not in [*LiveSource]]:
        raise UsageError(f"PATHFINDER_LIVE must name {', '.join(LiveSource)}, got {', '.join(unknown)}")
    return frozenset(map(LiveSource, names))
