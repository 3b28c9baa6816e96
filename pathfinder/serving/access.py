"""Access to the server: who may call depends on the address on which the server listens, not on where a call seems to
come from.

Behind a proxy, every caller seems to be on this machine. On loopback, any program on this machine may call, unless the
owner has named proxies: then keys and limits apply there, too. On any other address, the server starts only if it
has keys or has been explicitly opened to anyone.
"""

import hashlib
import re
import secrets
import socket
from dataclasses import dataclass
from hmac import compare_digest
from ipaddress import ip_address, ip_network

from pathfinder.errors import UsageError
from pathfinder.settings import Settings

LOOPBACK = "127.0.0.1"
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
FORWARDING_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")
"""Headers that a proxy adds: they show that a caller is elsewhere even if the server is bound to loopback."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_PLACE = re.compile(r"(\[[^]]*]|[^:]*)(?::([0-9]+))?")
_DEFAULT_PORTS = {"http": "80", "https": "443"}


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """The address on which the server listens, and who may call there."""

    host: str = LOOPBACK
    port: int = 8600
    digests: tuple[str, ...] = ()
    """SHA-256 of each key, in hexadecimal digits; none where any caller is admitted."""
    per_minute: int = 60
    """Maximum number of calls per minute from each key or, without keys, from each address of a public server."""
    hosts: tuple[str, ...] = ()
    """Names under which other machines reach the server, in lower case."""
    is_behind_proxy: bool = False
    """True if the owner has named proxies, through which other machines reach the server even on loopback."""

    @property
    def is_public(self) -> bool:
        """True if other machines may reach the server, directly or through a named proxy."""
        return self.is_behind_proxy or not is_loopback(self.host)

    def accepts(self, host: str) -> bool:
        """Return whether `host`, the value of the Host header, is a name by which a program would call the server; its
        port does not matter.

        A web page whose name was redirected to this server (DNS rebinding) sends that name, never an IP address. On a
        public server with keys and without named hosts, any name will do: no web page has a key.
        """
        name, _ = _name_and_port(host.lower())
        if name in (self.host, *self.hosts, *LOOPBACK_NAMES):
            return True
        return self.is_public and (_is_address(name) or (bool(self.digests) and not self.hosts))

    def is_own_origin(self, origin: str, host: str) -> bool:
        """Return whether a web page from `origin` came from this server: from `host`, the value of the header Host, or,
        on loopback, from any name of loopback.
        """
        scheme, _, place = origin.lower().partition("://")
        if scheme not in _DEFAULT_PORTS:
            return False
        names = (self.host, *LOOPBACK_NAMES)
        own = (host.lower(),) if self.is_public else (*names, *(f"{name}:{self.port}" for name in names))
        return _with_port(place, scheme) in {_with_port(name, scheme) for name in own}

    def key_of(self, key: str) -> str | None:
        """Return the first digits of the digest of a valid key; `None` for any other key."""
        digest = digest_of(key)
        matches = [compare_digest(digest, own) for own in self.digests]  # checking any key takes the same time
        return digest[:12] if any(matches) else None


def access_of(host: str, port: int, settings: Settings) -> ServerAccess:
    """Return who may call a server at `host`. Raises `UsageError` if others can reach the address but there are neither
    keys nor `PATHFINDER_OPEN`, or if a key is not a digest, a proxy is not an address or a host is not a name.
    """
    for digest in settings.api_keys:
        if not _DIGEST.fullmatch(digest):
            raise UsageError(
                "PATHFINDER_API_KEYS holds SHA-256 digests of 64 hexadecimal digits, separated by commas, never the "
                "keys themselves: `pathfinder serve --new-key` makes a key and its digest"
            )
    for proxy in settings.proxies:
        try:
            ip_network(proxy, strict=False)
        except ValueError:
            raise UsageError(
                "PATHFINDER_PROXIES holds IP addresses or networks such as 10.0.0.0/8, separated by commas, got "
                f"{proxy!r}"
            ) from None
    if is_loopback(host) and not settings.proxies:
        return ServerAccess(host, port)
    if reason := why_closed(host, settings):
        raise UsageError(reason)
    keys, hosts = tuple(settings.api_keys), named_hosts(settings)
    return ServerAccess(host, port, keys, settings.calls_per_minute, hosts, bool(settings.proxies))


def check_address(host: str, port: int) -> None:
    """Raise `UsageError` if no server can listen at `host` and `port` on this machine."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do
        try:
            probe.bind((host, port))
        except OSError as error:
            raise UsageError(
                f"cannot listen at {host}, port {port} ({error.strerror}): name an address of this machine, such as "
                f"{LOOPBACK}, and a free port"
            ) from error


def named_hosts(settings: Settings) -> tuple[str, ...]:
    """Return the names in `PATHFINDER_HOSTS`, in lower case. Raises `UsageError` for anything but a name."""
    names = tuple(name.lower().removesuffix(".") for name in settings.hosts)
    for name in names:
        if not (_NAME.fullmatch(name) or _is_address(name)):
            raise UsageError(
                "PATHFINDER_HOSTS holds names such as pathfinder.example.org, separated by commas, without scheme, "
                f"port or path, got {name!r}"
            )
    return names


def why_closed(host: str, settings: Settings) -> str | None:
    """Return why no API may start at `host`, and what to set; `None` if it may."""
    if (is_loopback(host) and not settings.proxies) or settings.api_keys or settings.open:
        return None
    through = " through PATHFINDER_PROXIES" if is_loopback(host) else ""
    return (
        f"{host} can be reached from other machines{through}: set PATHFINDER_API_KEYS (`pathfinder serve --new-key` "
        "makes one), or PATHFINDER_OPEN=true if anyone may call it and spend what your own keys allow"
    )


def new_key() -> tuple[str, str]:
    """Return a new key of 256 bits, and its digest."""
    key = secrets.token_urlsafe(32)
    return key, digest_of(key)


def digest_of(key: str) -> str:
    """Return the SHA-256 of a key; a random key of 256 bits needs neither salt nor a slow function."""
    return hashlib.sha256(key.encode()).hexdigest()


def is_loopback(host: str) -> bool:
    """Return whether only programs on this machine can reach a server at `host`."""
    return host == "localhost" or (_is_address(host) and ip_address(host.strip("[]")).is_loopback)


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _name_and_port(place: str) -> tuple[str, str]:
    """Split a value of the Host header into a name or an address, without the dot that may end a name, and a port."""
    parts = _PLACE.fullmatch(place)
    return (place, "") if parts is None else (parts[1].removesuffix("."), parts[2] or "")


def _with_port(place: str, scheme: str) -> tuple[str, str]:
    name, port = _name_and_port(place)
    return name, port or _DEFAULT_PORTS[scheme]
