"""A host that serves papers: its address, its pace, its limits, and the key that it may ask for; and the Hugging Face
hub, which serves data sets and models.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote, quote_plus

from pydantic import SecretStr

from pathfinder.settings import Settings

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of a page in bytes; arXiv's largest pages, with 2,500 records, are below 10 MB."""


@dataclass(frozen=True, slots=True)
class Credential:
    """A key for a host; it is added to requests behind the cache, so that no stored page, address or log holds it."""

    variable: str
    """Environment variable that holds the key, such as `OPENALEX_API_KEY`."""
    secret: SecretStr | None
    """The key; `None` if none is set."""
    header: str | None = None
    """Header that carries the key; `None` if it is a parameter of the address."""
    prefix: str = ""
    """Text before the key in the header, such as "Bearer "."""
    parameter: str | None = None

    def hide(self, text: str) -> str:
        """Replace the key in `text`, even where it is percent-encoded."""
        if self.secret is None:
            return text
        key = self.secret.get_secret_value()
        for spelling in sorted({key, quote(key, safe=""), quote_plus(key)}, key=len, reverse=True):
            text = text.replace(spelling, "***") if spelling else text
        return text


@dataclass(frozen=True, slots=True)
class Host:
    """A host, and the rules for requests to it."""

    name: str
    """Name for messages, such as "arXiv"."""
    address: str
    """Start of every address, such as "https://export.arxiv.org"."""
    variable: str
    """Environment variable that can override the address, such as `PATHFINDER_ARXIV_URL`."""
    pace_seconds: float
    """Shortest time in seconds between the end of one request from this machine and the start of the next."""
    attempts: int = 5
    """Number of attempts after which a temporary failure counts as final."""
    first_wait_seconds: float = 5.0
    """Wait before the second attempt if the host does not specify one; it doubles with each further attempt."""
    longest_wait_seconds: float = 600.0
    """Longest wait between two attempts; if the host asks for a longer one, the request fails with an error that says
    how long to wait.
    """
    timeout_seconds: float = 60.0
    """Time limit in seconds for connecting, and for each pause within a reply."""
    max_bytes: int = MAX_BYTES
    """Maximum size of a reply in bytes, after decompression."""
    cache_seconds: float | None = None
    """Age at which a stored page expires; `None` if pages are not stored, because they are private or must be up to
    date.
    """
    credential: Credential | None = None
    file_servers: tuple[str, ...] = ()
    """Suffixes of the names of other servers to which the host may redirect requests; the key is not sent to these
    servers.
    """
    hint: str = "check the network"
    """Advice for when the host does not answer."""
    refusal: Callable[[int, bytes], str | None] = lambda _status, _content: None
    """Function of the status and content of a failed reply. If the failure is final although its status suggests
    otherwise, it returns the reason and what to do about it; if not, `None`.
    """


def hub(settings: Settings) -> Host:
    """Return the Hugging Face hub, at the address that `settings` have for it."""
    return Host(
        "Hugging Face",
        settings.hf_url or "https://huggingface.co",
        "PATHFINDER_HF_URL",
        pace_seconds=0.2,
        credential=Credential("HF_TOKEN", settings.hf_token, header="Authorization", prefix="Bearer "),
        file_servers=(".hf.co", ".huggingface.co"),
    )


def is_safe(name: str) -> bool:
    """Return whether the name of a file on the hub, which cannot be trusted, cannot lead out of its folder."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name and name.isprintable()
