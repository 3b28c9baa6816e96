"""A connection to a Milvus server, and what its failures mean."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from pathfinder.errors import EngineError, MissingDependency, UsageError
from pathfinder.settings import read_settings

TIMEOUT_SECONDS = 20.0
"""Maximum wait for an answer from the server."""
_INSTALL = "pip install 'pathfinder[milvus]'"


class Server:
    """A Milvus server at an address; every call of its `client` belongs inside `with server.answers():`."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        try:
            from pymilvus import MilvusClient, MilvusException
        except ImportError as error:
            raise MissingDependency(f"papers in Milvus need its client: {_INSTALL}") from error
        self._failures = MilvusException
        token = read_settings().milvus_token
        with self.answers():
            self.client: Any = MilvusClient(
                uri=uri, token=token.get_secret_value() if token else "", timeout=TIMEOUT_SECONDS
            )

    @contextmanager
    def answers(self) -> Iterator[None]:
        """Turn a failure of the server, within this context, into an `EngineError` that says what to do."""
        try:
            yield
        except self._failures as error:
            raise EngineError(
                f"Milvus at {self.uri} does not do what it was asked ({_first_line(error)}): start it, or name "
                "another address of the same server with PATHFINDER_MILVUS_URI"
            ) from error

    @property
    def version(self) -> str:
        """Version of the server, such as "v2.3.5"."""
        with self.answers():
            return str(self.client.get_server_version())


def checked_uri(uri: str) -> str:
    """Return the address of a server. Raises `UsageError` if it contains a name or a password, which would be stored
    with the corpus.
    """
    if "@" in urlsplit(uri).netloc:
        raise UsageError(
            "the address of Milvus contains a name or a password: leave it out, and set PATHFINDER_MILVUS_TOKEN "
            "to NAME:PASSWORD"
        )
    return uri


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0][:300] if str(error) else type(error).__name__
