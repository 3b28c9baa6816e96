"""Who may call: decided by the address on which the server listens, not by who seems to be calling.

Behind a proxy, every caller seems to be on this machine. On loopback, any program on this machine may call; on any
other address, the server starts only with keys, or if it has been explicitly opened to anyone.
"""

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hmac import compare_digest
from ipaddress import ip_address

from pathfinder.errors import UsageError
from pathfinder.settings import Settings

LOOPBACK = "127.0.0.1"
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")
"""Headers that a proxy adds: behind a proxy, the server is bound to loopback although its callers are elsewhere."""
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """The address on which the server listens, and who may call there."""

    host: str = LOOPBACK
    port: int = 8600
    digests: tuple[str, ...] = ()
    """SHA-256 of each key, in hexadecimal digits; none on loopback or where anyone may call."""
    per_minute: int = 60
    """Calls a minute for each key or address; not counted on loopback."""
    hosts: tuple[str, ...] = ()
    """Names under which other machines reach the server, in lower case."""

    @property
    def is_public(self) -> bool:
        """True if other machines may reach the server."""
        return not _is_loopback(self.host)

    def accepts(self, host: str) -> bool:
        """Return whether a program would call the server by the value `host` of the header Host.

        A web page whose name was redirected to this server (DNS rebinding) sends that name, never an IP address. On a
        public server with keys and without named hosts, any name will do: no web page has a key.
        """
        if not self.is_public:
            return host in names_of(LOOPBACK_NAMES, self.port)
        name = _without_port(host)
        is_anyone = bool(self.digests) and not self.hosts
        return is_anyone or name in (self.host, *self.hosts, *LOOPBACK_NAMES) or _is_address(name)

    def key_of(self, key: str) -> str | None:
        """Return the first digits of the digest of a valid key; `None` for any other key."""
        digest = digest_of(key)
        matches = [compare_digest(digest, own) for own in self.digests]  # checking any key takes the same time
        return digest[:12] if any(matches) else None


def access_of(host: str, port: int, settings: Settings) -> ServerAccess:
    """Return who may call a server at `host`. Raises `UsageError` if others can reach the address but there are neither
    keys nor `PATHFINDER_OPEN`, or if a key is not a digest.
    """
    for digest in settings.api_keys:
        if not _DIGEST.fullmatch(digest):
            raise UsageError(
                "PATHFINDER_API_KEYS holds SHA-256 digests of 64 hexadecimal digits, separated by commas, never the "
                "keys themselves: `pathfinder serve --new-key` makes a key and its digest"
            )
    if _is_loopback(host):
        return ServerAccess(host, port)
    if reason := why_closed(host, settings):
        raise UsageError(reason)
    hosts = tuple(name.lower() for name in settings.hosts)
    return ServerAccess(host, port, tuple(settings.api_keys), settings.calls_per_minute, hosts)


def why_closed(host: str, settings: Settings) -> str | None:
    """Return why no API may start at `host`, and what to set; `None` if it may."""
    if _is_loopback(host) or settings.api_keys or settings.open:
        return None
    return (
        f"{host} can be reached from other machines: set PATHFINDER_API_KEYS (`pathfinder serve --new-key` makes "
        "one), or PATHFINDER_OPEN=true if anyone may call it and spend what your own keys allow"
    )


def new_key() -> tuple[str, str]:
    """Return a new key of 256 bits, and its digest."""
    key = secrets.token_urlsafe(32)
    return key, digest_of(key)


def digest_of(key: str) -> str:
    """Return the SHA-256 of a key; a random key of 256 bits needs neither salt nor a slow function."""
    return hashlib.sha256(key.encode()).hexdigest()


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ip_address(host.strip("[]")).is_loopback)


def _is_address(host: str) -> bool:
    """Return whether `host` is an IP address rather than a name."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _without_port(host: str) -> str:
    """Return the name or address in a value of the header Host."""
    name, _, _ = host.rpartition("]")
    return f"{name}]" if name else host.partition(":")[0]


def names_of(hosts: Sequence[str], port: int) -> frozenset[str]:
    """Return the values of the Host header for `hosts`, with and without the port."""
    return frozenset({*hosts, *(f"{host}:{port}" for host in hosts)})
