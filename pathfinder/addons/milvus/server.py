"""A connection to a Milvus server, and the meaning of its failures."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field

from pathfinder.errors import EngineError, MissingDependency, UsageError
from pathfinder.settings import EnvironmentSettings, Key, read_settings

OLDEST = (2, 3)
"""First version of the server whose filters and upserts meet the needs of `collection.py` and `vectors.py`."""
FIRST_WITH_BM25 = (2, 5)
_INSTALL = "pip install 'pathfinder[milvus]'"


class MilvusSettings(EnvironmentSettings):
    """Where the server is, and how to use it."""

    milvus_uri: str | None = None
    """Address of the server that holds a corpus's vectors; `None` means the address recorded in the corpus."""
    milvus_token: Key = None
    """Token for that server: NAME:PASSWORD, or an API key."""
    milvus_seconds: float = Field(default=20.0, gt=0, le=600)
    """Time in seconds that a search, or another short request, may take on that server."""


class Server:
    """A Milvus server at an address; every call to its `client` belongs inside `with server.answers():`."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        try:
            from grpc import RpcError
            from pymilvus import MilvusClient, MilvusException
        except ImportError as error:
            raise MissingDependency(f"vectors in Milvus need its client: {_INSTALL}") from error
        # The client would also print a traceback for each failure.
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
        self._failures = (MilvusException, RpcError)
        settings = read_settings(MilvusSettings)
        self.timeout = settings.milvus_seconds
        """Maximum wait for an answer, in seconds."""
        token = settings.milvus_token
        with self.answers():
            self.client: Any = MilvusClient(
                uri=uri,
                token=token.get_secret_value() if token else "",
                timeout=self.timeout,
                # A server may close a connection that is kept alive while no request is made, as during a long build.
                grpc_options={"grpc.keepalive_permit_without_calls": 0},
            )

    @contextmanager
    def answers(self) -> Iterator[None]:
        """Turn a failure of the server, within this context, into an `EngineError` that says what to do."""
        try:
            yield
        except self._failures as error:
            raise EngineError(
                f"Milvus at {self.uri} did not complete the request ({reason_of(error)}): start it, name another "
                "address of the same server with PATHFINDER_MILVUS_URI, or, if it is slow, let it take longer than "
                f"{self.timeout:g} s with PATHFINDER_MILVUS_SECONDS"
            ) from error

    @property
    def version(self) -> str:
        """Version of the server, such as "v2.3.5"."""
        with self.answers():
            return str(self.client.get_server_version(timeout=self.timeout))


def check_version(uri: str, version: str) -> None:
    """Raise `EngineError` unless Pathfinder can use a server of this version, such as "v2.3.5"."""
    if not _is_from(OLDEST, version):
        raise EngineError(
            f"Milvus at {uri} is version {version!r}, and Pathfinder needs {OLDEST[0]}.{OLDEST[1]} or later: name "
            "another server with --uri or PATHFINDER_MILVUS_URI"
        )


def has_bm25(version: str) -> bool:
    """Return whether a server of this version ranks texts by their words."""
    return _is_from(FIRST_WITH_BM25, version)


def _is_from(first: tuple[int, int], version: str) -> bool:
    numbers = re.search(r"(?<!\d)(\d+)\.(\d+)", version)
    return numbers is not None and (int(numbers[1]), int(numbers[2])) >= first


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,200}")


def check(uri: str, name: str) -> None:
    """Raise `UsageError` for an address with a name or a password, which would be stored with the corpus, and for a
    `name` of collections that has anything but letters, digits and underscores.
    """
    if "@" in urlsplit(uri).netloc:
        raise UsageError(
            "the address of Milvus contains a name or a password: leave it out, and set PATHFINDER_MILVUS_TOKEN "
            "to NAME:PASSWORD"
        )
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot name a collection: use letters, digits and underscores")


def reason_of(error: Exception) -> str:
    """Return what the client says about a failure: the first line, without the name of its exception."""
    details = getattr(error, "details", None)
    text = str(details() if callable(details) else getattr(error, "message", "") or error)
    return text.splitlines()[0][:300] if text else type(error).__name__
