"""Addresses named in records, which may have been written by anybody: only public hosts may be contacted, over https.

The name of a host is checked before each request, including those after a redirect; the machine that answered is
checked too, because the name may resolve to another machine a moment later.
"""

import ipaddress
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import httpx2

from pathfinder.errors import ProviderError

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class ForbiddenAddress(ProviderError):
    """An address that must not be contacted."""


def is_public(address: IpAddress) -> bool:
    """Return whether an address is on the public network, rather than on this machine or its local network."""
    if isinstance(address, ipaddress.IPv6Address):
        if address in _NAT64:
            return is_public(ipaddress.IPv4Address(address.packed[-4:]))
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast


def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """Return the addresses to which the name of a host resolves. Raises `OSError` if there are none."""
    return tuple(str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))


@dataclass(frozen=True, slots=True)
class AddressRule:
    """Rule for the addresses that may be contacted; in tests, it allows those on this machine."""

    scheme: str = "https"
    ports: frozenset[int] | None = frozenset({443})
    """Ports that may be used; `None` for any."""
    allows: Callable[[IpAddress], bool] = is_public
    resolve: Callable[[str, int], Iterable[str]] = resolve_host

    def check(self, url: httpx2.URL) -> None:
        """Raise `ForbiddenAddress` if `url` must not be contacted, and `ProviderError` if its host is unknown."""
        if url.scheme != self.scheme:
            raise ForbiddenAddress(f"{plain_address(url)} is not an {self.scheme} address: no request was sent")
        port = url.port or 443
        if url.userinfo or (self.ports is not None and port not in self.ports):
            raise ForbiddenAddress(
                f"{plain_address(url)} names a user or a port, which is not allowed: no request was sent"
            )
        try:
            addresses = tuple(self.resolve(url.host, port))
        except OSError as error:
            raise ProviderError(f"{url.host} is not known ({error.strerror}): check the network") from error
        for address in addresses:
            self.check_peer(url, address)

    def check_peer(self, url: httpx2.URL, address: str) -> None:
        """Raise `ForbiddenAddress` unless the machine at `address`, to which `url` resolves, may be contacted."""
        if not self.allows(ipaddress.ip_address(address.partition("%")[0])):
            raise ForbiddenAddress(
                f"{plain_address(url)} resolves to {address}, which is not public: no request was sent"
            )


def plain_address(url: httpx2.URL) -> str:
    """Return an address for use in messages, without user name, query or control characters."""
    text = f"{url.scheme}://{url.host}{url.path}"
    return "".join(sign for sign in text if sign.isprintable())[:200]
