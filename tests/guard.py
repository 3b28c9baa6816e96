"""No test reaches further than this machine: an audit hook sees every socket of this process, and lets loopback pass.

A hook cannot be taken off again, and needs nothing patched. Not seen are sockets of native code and of other processes
(a browser, onnxruntime's reports to its maker), and the look-up of a name that is given to `connect` itself, which
Python does before the hook runs: the connection is refused all the same.
"""

import ipaddress
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

attempts: list[str] = []
"""What was tried and refused. Kept, because libraries like to swallow what the hook raises."""

_installed: list[bool] = []


class NetworkBlocked(RuntimeError):
    """A test tried to leave this machine."""


def install() -> None:
    """Watch this process from now on."""
    if not _installed:
        _installed.append(True)
        sys.addaudithook(_refuse_the_network)


@contextmanager
def expected_attempts() -> Iterator[list[str]]:
    """Attempts within are what the test is about: it gets their list, and does not fail for them."""
    before, expected = len(attempts), []
    try:
        yield expected
    finally:
        expected += attempts[before:]
        del attempts[before:]


def _refuse_the_network(event: str, args: tuple[object, ...]) -> None:
    if not event.startswith("socket."):
        return
    host = _host(event, args)
    if host is not None and not _is_loopback(host):
        attempts.append(f"{event} {host}")
        raise NetworkBlocked(f"{event} {host}: tests stay on loopback; pass a fake, or speak to tests/wire.py")


def _host(event: str, args: tuple[object, ...]) -> str | None:
    """Whom a socket call is about; `None` where it leaves this machine in no case."""
    match event, args:
        case (("socket.connect" | "socket.sendto" | "socket.sendmsg"), (socket.socket() as own, tuple() as address)):
            return str(address[0]) if own.family in (socket.AF_INET, socket.AF_INET6) else None
        case (("socket.getaddrinfo" | "socket.gethostbyname" | "socket.gethostbyaddr"), (name, *_)):
            return name.decode() if isinstance(name, bytes) else None if name is None else str(name)
        case "socket.getnameinfo", (tuple() as address, *_):
            return str(address[0])
        case _:
            return None


def _is_loopback(host: str) -> bool:
    if host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False
