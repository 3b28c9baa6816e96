"""The port for a live source: how to send a question to a host, and how to read its reply."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pathfinder.corpus.schemas.fields import Record
from pathfinder.index.words import QUESTION_STOP_WORDS, words
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Host
from pathfinder.types import LiveSource, Paper

MAX_WORDS = 30
"""Maximum number of words from a question that are sent to a host; a pasted abstract has hundreds. With only 12 words,
a source that ranks by BM25 finds the right paper less often (`benchmarks/README.md`).
"""

Parameters = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class LiveSearch:
    """The search of one host."""

    name: LiveSource
    key: str | None
    """Environment variable that holds its key; `None` if it needs none."""
    host: Callable[[Settings], Host]
    """Returns the host. Raises `MissingKey` or `UsageError` if the settings do not allow it to be queried."""
    request: Callable[[str, int, Settings], tuple[str, Parameters]]
    """Returns the path and parameters for a question and a number of papers."""
    read: Callable[[bytes, Settings], Sequence[Record]]
    """Returns the records in a reply, best first. Raises `ValueError` for content that it cannot use."""
    to_paper: Callable[[Record], Paper]
    """Turns a record into a paper. Raises `Unusable` with the reason."""


def question_words(question: str) -> list[str]:
    """Return the first words of a question that say what it is about, in lower case and without duplicates."""
    telling = [word for word in words(question) if word not in QUESTION_STOP_WORDS]
    return list(dict.fromkeys(telling or words(question)))[:MAX_WORDS]
