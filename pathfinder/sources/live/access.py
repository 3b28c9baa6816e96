"""Access to live sources: keys, addresses, limits. Importing this module does not load an HTTP library."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from pydantic import SecretStr

from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.breaker import Breakers
from pathfinder.sources.http.pace import Clock
from pathfinder.sources.live.allowance import Allowance
from pathfinder.types import LiveSource


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
