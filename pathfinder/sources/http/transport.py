"""The transports behind the cache: they keep the pace, add the key, and limit the size of a reply."""

from dataclasses import dataclass

import httpx2

from pathfinder.sources.http.host import Host
from pathfinder.sources.http.pace import Pace, requested_pause


class ReplyTooLarge(Exception):
    """The reply is larger than the limit for its host."""


class SentElsewhere(Exception):
    """The host redirected the request to another host."""


@dataclass(frozen=True)
class KeyedTransport(httpx2.BaseTransport):
    """Sends requests to a host with its key, and to the host's file servers without the key."""

    inner: httpx2.BaseTransport
    host: Host

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request`. Raises `SentElsewhere` if it is for any other host."""
        own = httpx2.URL(self.host.address)
        if (request.url.host, request.url.port) == (own.host, own.port):
            return self.inner.handle_request(self._with_key(request))
        if request.url.scheme == "https" and request.url.host.endswith(self.host.file_servers):
            return self.inner.handle_request(request)
        raise SentElsewhere(request.url.host)

    def close(self) -> None:
        """Close the connections."""
        self.inner.close()

    def _with_key(self, request: httpx2.Request) -> httpx2.Request:
        """Return a copy of `request` with the key of the host, if it has one."""
        credential = self.host.credential
        if credential is None or credential.secret is None:
            return request
        key, url, headers = credential.secret.get_secret_value(), request.url, dict(request.headers)
        if credential.header:
            headers[credential.header] = f"{credential.prefix}{key}"
        if credential.parameter:
            url = url.copy_merge_params({credential.parameter: key})
        content = request.read() or None
        return httpx2.Request(request.method, url, headers=headers, content=content, extensions=request.extensions)


@dataclass(frozen=True)
class PoliteTransport(httpx2.BaseTransport):
    """Sends requests to one host at its pace, and reads each reply in full."""

    inner: KeyedTransport
    pace: Pace

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request` when its turn comes, and return the reply with its whole content."""
        host = self.inner.host
        with self.pace.turn():
            reply = self.inner.handle_request(request)
            try:
                content = whole_content(reply, host.max_bytes)
            finally:
                reply.close()
            pause = requested_pause(reply.headers)
            if pause:
                self.pace.hold(min(pause, host.longest_wait_seconds))
        headers = [(name, value) for name, value in reply.headers.multi_items() if name.lower() not in _OF_THE_WIRE]
        return httpx2.Response(reply.status_code, headers=headers, content=content)

    def close(self) -> None:
        """Close the connections."""
        self.inner.close()


def whole_content(reply: httpx2.Response, max_bytes: int) -> bytes:
    """Read and decompress a reply. Raises `ReplyTooLarge` as soon as it exceeds the limit."""
    chunks, n_bytes = [], 0
    for chunk in reply.iter_bytes():
        n_bytes += len(chunk)
        if n_bytes > max_bytes:
            raise ReplyTooLarge
        chunks.append(chunk)
    return b"".join(chunks)


_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})
"""Headers that describe the bytes as sent, not the content."""
