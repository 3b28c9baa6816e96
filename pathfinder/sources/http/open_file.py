"""A file at an address named in a record: fetched at the pace of its host, limited in size, and never a web page."""

from dataclasses import dataclass

import httpx2

from pathfinder.errors import ProviderError, RateLimited, Unreachable, UnusableReply
from pathfinder.sources.http.addresses import AddressRule, CheckedTransport, plain_address
from pathfinder.sources.http.failures import LeftAlone
from pathfinder.sources.http.pace import Pace, requested_wait
from pathfinder.sources.http.transport import ReplyTooLarge, whole_content
from pathfinder.sources.http.web import WebSurroundings, user_agent

MAX_BYTES = 64 << 20
"""Maximum size of a file in bytes, after decompression."""
MAX_REDIRECTS = 5
SECONDS = 60.0
"""Time limit for connecting, and for each pause within a reply."""
LONGEST_WAIT = 600.0
"""Longest pause in seconds that a host can impose."""

_ONE_REQUEST_EACH = httpx2.Limits(max_keepalive_connections=0)
"""Connections are kept by address: another host at the same address would not have to show its own certificate."""
_PASSING = frozenset({429, 500, 502, 503, 504})
_UNFIT = ("text/html", "application/xhtml", "image/", "audio/", "video/", "application/json")
"""Content types of replies that are not full texts: most of these are pages that ask for a login."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file, and the address from which it came after all redirects."""

    content: bytes
    address: str


def fetch_open_file(
    address: str,
    around: WebSurroundings,
    pace_seconds: float,
    rule: AddressRule | None = None,
    max_bytes: int = MAX_BYTES,
) -> OpenFile:
    """Fetch the file at `address`; two requests to the same host are at least `pace_seconds` apart.

    Redirects are followed, and each address is checked. Raises a `ProviderError` with the reason:
    `ForbiddenAddress` for an address that must not be contacted, `LeftAlone` for a host that keeps failing.
    """
    rule = rule or AddressRule()
    try:
        url = httpx2.URL(address)
    except httpx2.InvalidURL as error:
        raise ProviderError(f"{address[:200]!r} is not an address ({error})") from error
    network = around.transport or httpx2.HTTPTransport(verify=rule.scheme == "https", limits=_ONE_REQUEST_EACH)
    headers = {"User-Agent": user_agent(around.contact), "Accept-Encoding": "identity"}
    transport = CheckedTransport(network, rule)
    with httpx2.Client(transport=transport, headers=headers, timeout=SECONDS, follow_redirects=False) as client:
        for _ in range(MAX_REDIRECTS + 1):
            reply = _Request(client, around, max_bytes).send(url, pace_seconds)
            if isinstance(reply, OpenFile):
                return reply
            url = reply
    raise UnusableReply(f"{plain_address(url)} lies behind more than {MAX_REDIRECTS} redirects: it was not fetched")


@dataclass(frozen=True, slots=True)
class _Request:
    client: httpx2.Client
    around: WebSurroundings
    max_bytes: int

    def send(self, url: httpx2.URL, pace_seconds: float) -> OpenFile | httpx2.URL:
        """Return the file at `url`, or the address to which its host redirects."""
        host, breakers, now = url.netloc.decode(), self.around.breakers, self.around.clock.now
        if breakers.open_since(host, now()) is not None:
            raise LeftAlone(f"{url.host} has failed several times in a row: run the same command again later")
        pace = Pace(self.around.folder / "pace", host, pace_seconds, self.around.clock)
        try:
            with pace.turn(), self.client.stream("GET", url) as reply:
                outcome = self._read(url, reply, pace)
        except (RateLimited, Unreachable):
            breakers.count_failure(host, now())
            raise
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            breakers.count_failure(host, now())
            raise Unreachable(
                f"{plain_address(url)} cannot be fetched ({type(error).__name__}): try again later"
            ) from error
        breakers.forget(host)
        return outcome

    def _read(self, url: httpx2.URL, reply: httpx2.Response, pace: Pace) -> OpenFile | httpx2.URL:
        if reply.has_redirect_location:
            return url.join(reply.headers["location"])
        if reply.status_code in _PASSING:
            headers = {name.lower(): value for name, value in reply.headers.items()}
            pace.hold(min(requested_wait(headers, self.around.clock.now()) or 0.0, LONGEST_WAIT))
            kind = RateLimited if reply.status_code == httpx2.codes.TOO_MANY_REQUESTS else Unreachable
            raise kind(
                f"{plain_address(url)} is currently unavailable (HTTP {reply.status_code}): run the same command again "
                "later"
            )
        if not reply.is_success:
            raise ProviderError(f"{plain_address(url)} is not given out (HTTP {reply.status_code})")
        kind_of_content = reply.headers.get("content-type", "").lower()
        if kind_of_content.startswith(_UNFIT):
            raise UnusableReply(f"{plain_address(url)} is no full text, but {kind_of_content.partition(';')[0][:40]}")
        try:
            return OpenFile(whole_content(reply, self.max_bytes), str(url))
        except ReplyTooLarge:
            raise UnusableReply(f"{plain_address(url)} has more than {self.max_bytes >> 20} MB, the limit") from None
