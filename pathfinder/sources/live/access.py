"""Access to live sources: keys, addresses, limits. Loading this module loads no HTTP library."""

from dataclasses import dataclass, field

from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.breaker import Breakers
from pathfinder.sources.http.pace import Clock
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


def allowed_sources(written: str) -> frozenset[LiveSource]:
    """Read the setting `PATHFINDER_LIVE`, such as "arxiv,openalex". Raises `UsageError` for an unknown name."""
    names = [name.strip() for name in written.split(",") if name.strip()]
    if unknown := [name for name in names if name not in [*LiveSource]]:
        raise UsageError(f"PATHFINDER_LIVE must name {', '.join(LiveSource)}, got {', '.join(unknown)}")
    return frozenset(map(LiveSource, names))
