"""Addresses named in records, which may have been written by anybody: only public hosts may be contacted, over https.

A name is resolved once for each request, including those after a redirect, and the request goes to the very address
that was checked: between a check and a connection by name, the name may come to mean another machine.
"""

import ipaddress
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import httpx2

from pathfinder.errors import ProviderError

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_UNICAST = ipaddress.IPv6Network("2000::/3")
"""All that has been given out for use between networks; the forms that wrap an address of version 4, sites' own
addresses and segment routing lie outside.
"""
_WRAPPERS = {
    ipaddress.IPv6Network("::ffff:0:0/96"): 12,
    ipaddress.IPv6Network("64:ff9b::/96"): 12,
    ipaddress.IPv6Network("2002::/16"): 2,
}
"""Networks (mapped, NAT64, 6to4) whose addresses lead to one of version 4, with the place of its first byte. The other
wrapping forms lead to public machines nowhere: compatible, translated, local NAT64 and Teredo.
"""
_RESERVED = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "3fff::/20")))
"""Special networks that `ipaddress` does not know in every version of Python (IANA's special-purpose registries)."""


class ForbiddenAddress(ProviderError):
    """An address that must not be contacted."""


def is_public(address: IpAddress) -> bool:
    """Return whether an address is on the public network, rather than on this machine or its local network."""
    if isinstance(address, ipaddress.IPv6Address):
        for network, start in _WRAPPERS.items():
            if address in network:
                return is_public(ipaddress.IPv4Address(address.packed[start : start + 4]))
        if address not in _UNICAST:
            return False
    return address.is_global and not address.is_multicast and not any(address in network for network in _RESERVED)


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

    def check(self, url: httpx2.URL) -> tuple[str, ...]:
        """Return the addresses of the host of `url`, all of which may be contacted.

        Raises `ForbiddenAddress` if `url` must not be contacted, and `ProviderError` if its host is unknown.
        """
        if url.scheme != self.scheme:
            raise ForbiddenAddress(f"{plain_address(url)} is not an {self.scheme} address: no request was sent")
        port = url.port or 443
        if url.userinfo or (self.ports is not None and port not in self.ports):
            raise ForbiddenAddress(
                f"{plain_address(url)} names a user or a port, which is not allowed: no request was sent"
            )
        try:
            addresses = tuple(address.partition("%")[0] for address in self.resolve(url.raw_host.decode(), port))
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise ProviderError(f"{url.host} is not known ({reason}): check the network") from error
        for address in addresses:
            if not self.allows(ipaddress.ip_address(address)):
                raise ForbiddenAddress(
                    f"{plain_address(url)} resolves to {address}, which is not public: no request was sent"
                )
        return addresses


@dataclass(frozen=True)
class CheckedTransport(httpx2.BaseTransport):
    """Sends each request to an address of its host that a rule has just allowed, never to the name itself; the host is
    still the one whose certificate is checked.
    """

    inner: httpx2.BaseTransport
    rule: AddressRule

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request` to the first address that answers. Raises what `AddressRule.check` raises."""
        failure: httpx2.TransportError = httpx2.ConnectError("the host has no address", request=request)
        for address in self.rule.check(request.url):
            try:
                return self.inner.handle_request(
                    httpx2.Request(
                        request.method,
                        request.url.copy_with(host=address),
                        headers=request.headers,
                        content=request.read() or None,
                        extensions={**request.extensions, "sni_hostname": request.url.raw_host.decode()},
                    )
                )
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                failure = error
        raise failure

    def close(self) -> None:
        """Close the connections."""
        self.inner.close()


def plain_address(url: httpx2.URL) -> str:
    """Return an address for use in messages, without user name, query or control characters."""
    text = f"{url.scheme}://{url.host}{url.path}"
    return "".join(sign for sign in text if sign.isprintable())[:200]
