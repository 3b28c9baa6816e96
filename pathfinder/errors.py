"""Everything that Pathfinder raises on purpose.

    PathfinderError
    ├── UsageError            the request itself is wrong: an empty question, top_k 0, years upside down
    ├── CorpusError           a corpus cannot be opened, read or built as it stands
    │   └── CorpusDamaged     a file that the manifest names is missing, short or altered
    ├── ModelError            a model on this machine cannot be used
    │   └── MissingDependency an optional package is not installed
    └── ProviderError         a model behind an API did not do its part
        ├── MissingKey        no key is set for it
        ├── RejectedKey       it does not accept the key
        ├── RateLimited       it asked us to slow down (HTTP 429)
        ├── Unreachable       no answer: time-out, refused or reset connection
        ├── BudgetSpent       it was not asked: the question has taken all the tokens that it may take
        └── BrokenStream      the reply stopped before its end; `received` holds what had come

Every message names the value, the rule and the way out, on one line.
"""


class PathfinderError(Exception):
    """Base of every error that a reader, and not a developer, can do something about."""


class UsageError(PathfinderError, ValueError):
    """What was asked for lies outside what can be asked for."""


class CorpusError(PathfinderError):
    """A corpus cannot be opened, read or built as it stands."""


class CorpusDamaged(CorpusError):
    """A file that the manifest names is missing, short or altered."""


class ModelError(PathfinderError):
    """A model on this machine is absent, altered or of another kind than the corpus needs."""


class MissingDependency(ModelError):
    """An optional package is not installed; the message names the extra that brings it."""


class ProviderError(PathfinderError):
    """A model behind an API did not do its part."""


class MissingKey(ProviderError):
    """No key is set for the provider."""


class RejectedKey(ProviderError):
    """The provider does not accept the key."""


class RateLimited(ProviderError):
    """The provider asked us to slow down (HTTP 429), also after the retries."""


class Unreachable(ProviderError):
    """No answer came: a time-out, or a connection refused or reset."""


class BudgetSpent(ProviderError):
    """The model was not asked, because the question has taken all the tokens that it may take."""


class TimeSpent(ProviderError):
    """The reply did not come, or not to its end, in the time that was left for it."""


class BrokenStream(ProviderError):
    """The reply stopped before its end."""

    def __init__(self, message: str, received: str = "") -> None:
        super().__init__(message)
        self.received = received
        """What had arrived before the break."""

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (str(self), self.received)
