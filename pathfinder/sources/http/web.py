"""Pages from a host: a failed request is repeated as long as the failure may be temporary; the error for any other
failure says what to do about it.

cache -> turn (pace, one connection) -> key -> network
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, TypeAlias, TypeVar

import httpx2
from hishel import SqliteStorage
from hishel.httpx2 import CacheTransport

from pathfinder.settings import Settings, installed_version
from pathfinder.sources.http.failures import Failure, broken_connection, left_alone, refusal, unusable
from pathfinder.sources.http.host import Host
from pathfinder.sources.http.pace import Breakers, Clock, Pace, clock_time
from pathfinder.sources.http.transport import KeyedTransport, PoliteTransport, ReplyTooLarge, SentElsewhere
from pathfinder.text.files import private_file, private_folder

Reply = TypeVar("Reply")
JsonBody: TypeAlias = Mapping[str, object]
"""Body of a request, an object of JSON."""

_NOTABLE_WAIT_SECONDS = 5.0
"""Minimum length of a wait that is announced."""


@dataclass(frozen=True, slots=True)
class FetchReply:
    """A successful reply."""

    content: bytes
    headers: Mapping[str, str]
    """Headers by their names in lower case."""


@dataclass(frozen=True, slots=True)
class WebSurroundings:
    """Everything outside the program that a request touches."""

    folder: Path
    """Cache folder of the user, with stored pages and the time of the last request to each host."""
    contact: str | None = None
    """Email or web address sent with each request, so that a host can contact the sender before it blocks anybody."""
    clock: Clock = field(default_factory=Clock)
    say: Callable[[str], None] = lambda _text: None
    """Receives a line of text when a host makes us wait."""
    transport: httpx2.BaseTransport | None = None
    """Stand-in for the network; `None` for the real one."""
    breakers: Breakers = field(default_factory=Breakers)


def surroundings_of(settings: Settings, clock: Clock, say: Callable[[str], None]) -> WebSurroundings:
    """Return the surroundings that the settings describe."""
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pathfinder"
    return WebSurroundings(settings.cache or default, settings.contact, clock, say)


class Web:
    """Fetches pages from one host. Close it after use, or use it as a context manager."""

    def __init__(self, host: Host, around: WebSurroundings) -> None:
        self.host = host
        self._around = around
        self._netloc = httpx2.URL(host.address).netloc.decode()
        self._pace = Pace(around.folder / "pace", self._netloc, host.pace_seconds, around.clock)
        self._storage = None
        if host.cache_seconds is not None:
            around.folder.mkdir(parents=True, exist_ok=True)
            # Only its owner may read the stored pages.
            database = private_file(private_folder(around.folder / "pages") / "pages.db")
            self._storage = SqliteStorage(database_path=database, default_ttl=host.cache_seconds)
        has_tls = host.address.startswith("https:")  # Without TLS, there is no need to load certificates (0.1 s).
        network = around.transport or httpx2.HTTPTransport(verify=has_tls)
        with_key = KeyedTransport(network, host)
        polite = PoliteTransport(with_key, self._pace)
        self._client = self._open(CacheTransport(polite, self._storage) if self._storage else polite)
        self._files = self._open(with_key)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()
        self._files.close()

    def _open(self, transport: httpx2.BaseTransport) -> httpx2.Client:
        return httpx2.Client(
            transport=transport,
            headers={"User-Agent": user_agent(self._around.contact)},
            timeout=self.host.timeout_seconds,
            follow_redirects=True,
            max_redirects=5,
        )

    def get(self, path: str, parameters: Mapping[str, str | int], read: Callable[[FetchReply], Reply]) -> Reply:
        """Fetch the page at `path` and return what `read` makes of it.

        `read` raises `ValueError` for content that it cannot use; the page is then fetched again, as after any other
        temporary failure. Raises a `ProviderError` that names the host and the status, and says what is wrong and what
        to do about it.
        """
        return self._retry(lambda: self._attempt(path, parameters, read))

    def post(
        self, path: str, parameters: Mapping[str, str | int], body: JsonBody, read: Callable[[FetchReply], Reply]
    ) -> Reply:
        """Fetch a page like `get`, but send `body` as JSON, for lists that are too long for an address."""
        return self._retry(lambda: self._attempt(path, parameters, read, body))

    def download(self, path: str, target: Path, max_bytes: int | None = None) -> Path:
        """Download the file at `path` to `target`, resuming an interrupted download; of a file with more than
        `max_bytes`, only somewhat more than that is kept. Raises the errors of `get`.
        """
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f"{target.name}.part")
        return target if target.exists() else self._retry(lambda: self._download(path, part, target, max_bytes))

    def _retry(self, attempt_once: Callable[[], Reply | Failure]) -> Reply:
        """Return the first reply that is not a failure. Raises the error of a final failure, or of the last attempt."""
        now, breakers = self._around.clock.now, self._around.breakers
        since = breakers.open_since(self._netloc, now())
        if since is not None:
            raise left_alone(self.host, clock_time(since))
        failure: Failure
        for attempt in range(1, self.host.attempts + 1):
            outcome = attempt_once()
            if not isinstance(outcome, Failure):
                breakers.forget(self._netloc)
                return outcome
            failure = outcome
            if not failure.may_pass:
                raise failure.error
            self._hold(failure, attempt)
        breakers.count_failure(self._netloc, now())
        raise failure.error

    def _attempt(
        self,
        path: str,
        parameters: Mapping[str, str | int],
        read: Callable[[FetchReply], Reply],
        body: JsonBody | None = None,
    ) -> Reply | Failure:
        url = httpx2.URL(f"{self.host.address.rstrip('/')}/{path}".rstrip("/"), params=dict(parameters))
        content = json.dumps(body) if body is not None else ""
        key = hashlib.sha256(f"{url}{content}".encode()).hexdigest()
        caching = {"key": key, "ttl": self.host.cache_seconds}
        try:
            method = "GET" if body is None else "POST"
            reply = self._client.request(method, url, json=body, extensions={"caching": caching})
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            return broken_connection(self.host, error)
        except (ReplyTooLarge, SentElsewhere, httpx2.RequestError) as error:
            return unusable(self.host, error)
        if not reply.is_success:
            return refusal(self.host, reply, self._around.clock.now())
        try:
            return read(FetchReply(reply.content, {name.lower(): value for name, value in reply.headers.items()}))
        except ValueError as error:
            if self._storage is not None:
                for entry in self._storage.get_entries(key):
                    self._storage.remove_entry(entry.id)
            return unusable(self.host, error, reply)

    def _download(self, path: str, part: Path, target: Path, max_bytes: int | None) -> Path | Failure:
        """Fetch the rest of a file, and rename it when it is complete."""
        n_bytes = part.stat().st_size if part.exists() else 0
        headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={n_bytes}-"} if n_bytes else {})}
        url = f"{self.host.address.rstrip('/')}/{path}"
        try:
            with self._pace.turn(), self._files.stream("GET", url, headers=headers) as reply:
                if not reply.is_success:
                    reply.read()
                    part.unlink(missing_ok=True)
                    return refusal(self.host, reply, self._around.clock.now())
                with part.open("ab" if reply.status_code == httpx2.codes.PARTIAL_CONTENT else "wb") as file:
                    for chunk in reply.iter_bytes():
                        file.write(chunk)
                        if max_bytes is not None and file.tell() > max_bytes:
                            break
        except httpx2.TransportError as error:
            return broken_connection(self.host, error)
        except (SentElsewhere, httpx2.RequestError) as error:
            return unusable(self.host, error)
        part.replace(target)
        return target

    def _hold(self, failure: Failure, attempt: int) -> None:
        """Make the next turn wait as long as the host asks or, if it asks for no wait, twice as long as after the
        previous attempt. After the last attempt, make it wait only if the host asks.
        """
        if attempt == self.host.attempts and failure.wait_seconds is None:
            return
        backoff = min(self.host.first_wait_seconds * 2 ** (attempt - 1), self.host.longest_wait_seconds)
        wait = backoff if failure.wait_seconds is None else failure.wait_seconds
        self._pace.hold(wait)
        if wait >= _NOTABLE_WAIT_SECONDS and attempt < self.host.attempts:
            self._around.say(
                f"{self.host.name} {failure.summary}: waiting {wait:.0f} s before attempt {attempt + 1} of "
                f"{self.host.attempts}"
            )


def user_agent(contact: str | None) -> str:
    """Return the name that requests carry: program, version and, if set, a contact."""
    words = "".join(c for c in contact or "" if c.isascii() and c.isprintable() and c not in "()")
    number = installed_version(otherwise="0")
    return f"pathfinder/{number} ({f'mailto:{words}' if '@' in words else words or 'no contact set'})"
