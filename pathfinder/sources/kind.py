"""The port for a source: its kind, the part of it to be read, and the means to read it."""

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.readers import RejectedRow, read_rows
from pathfinder.errors import UsageError
from pathfinder.index.passages import StoredPassages
from pathfinder.settings import Settings
from pathfinder.sources.http.pace import Clock
from pathfinder.sources.spec import SourceSpec
from pathfinder.types import Paper

Row: TypeAlias = tuple[int, Paper | RejectedRow]
"""A paper or a rejected record, with its position in the source: the line in a file, or the number of the record,
counted from 1.
"""


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a source to read, the same for all sources of a build."""

    since: datetime.date | None = None
    until: datetime.date | None = None
    max_papers: int | None = None
    """Maximum number of papers read from each source; `None` for all."""

    def __post_init__(self) -> None:
        if self.since and self.until and self.since > self.until:
            raise UsageError(f"--since {self.since} lies after --until {self.until}: swap them")
        if self.max_papers is not None and self.max_papers < 1:
            raise UsageError(f"--max must be at least 1, got {self.max_papers}")

    def includes(self, paper: Paper) -> bool:
        """Return whether a paper is dated within the window, or has no date."""
        day = paper.published
        return day is None or ((self.since or day) <= day <= (self.until or day))


@dataclass(slots=True)
class Memory:
    """Notes that a source leaves: in the corpus, so that an update reads only new records, and while it is read."""

    last: str | None = None
    """Note left by the last reading that was completed; `None` on the first reading."""
    next: str | None = None
    """Note on this reading, set by the source before its last row: a day or a version, but never a key."""
    file: str | None = None
    """Name of the file that holds the row just yielded, if the source is a folder."""


class PaperVectors(NamedTuple):
    """A paper with everything that an embedder has computed from it; `None` for what was not stored."""

    paper: Paper
    vector: NDArray[np.float16]
    """Unit vector of title and abstract, shape (dimension,)."""
    title: NDArray[np.float16] | None = None
    passages: StoredPassages | None = None
    tokens: bytes | None = None
    """Token vectors of the local embedder, in Pathfinder's own form."""


@dataclass(frozen=True, slots=True)
class Access:
    """The means with which a source is read: keys, a folder, and functions that receive what it reports."""

    settings: Settings
    """Keys and addresses; no key may appear in a row, a message or a file."""
    today: datetime.date
    """Day that counts as the day of retrieval."""
    folder: Path | None = None
    """Folder in which a source may keep fetched pages and its cursor, so that a stopped build can resume from them; it
    is removed when the corpus is complete. `None` if nothing may be kept.
    """
    memory: Memory = field(default_factory=Memory)
    expect: Callable[[int], None] = lambda total: None  # noqa: ARG005
    """Receives the number of records, if the source states it."""
    say: Callable[[str], None] = lambda text: None  # noqa: ARG005
    """Function that receives a line of text when a host makes us wait."""
    clock: Clock = field(default_factory=Clock)
    read: Callable[[Path], Iterator[Row]] = read_rows
    """Yields the rows of a file; raises `CorpusError` if it cannot be read."""
    vectors: str | None = None
    """Column in the files that holds the vectors of the papers, if `read` takes them from there."""
    embedder: str | None = None
    """Name of the embedder of the corpus being built; `None` if nothing is built."""
    embedder_files: Mapping[str, str] = field(default_factory=dict)
    """Files of that embedder, with their SHA-256; none if it is not made of files of its own."""
    take_vectors: Callable[[PaperVectors], str | None] = lambda row: None  # noqa: ARG005
    """Receives a paper with the vectors that its source provides; returns what is wrong with them, or `None`."""


@dataclass(frozen=True, slots=True)
class SourceKind:
    """A kind of source. One that reads from the network keeps to its own pace, and says where its keys come from."""

    scheme: str
    """The word before the first colon: "arxiv" in `arxiv:cat:astro-ph.GA`."""
    label: str
    form: str
    """Pattern of a source of this kind: "arxiv:QUERY"."""
    examples: tuple[str, ...]
    gives: str
    """Contents of its records, in a few words."""
    terms: str
    """Permitted uses of its records, in one sentence."""
    cost: str
    open: Callable[[SourceSpec, Window, Access], Iterator[Row]]
    """Function that yields the rows in the order of the source. Before the first row, it checks what it can: that a
    file exists, that there is a key. Raises `CorpusError` or `ProviderError` if the source cannot be read to its end.
    """
    check: Callable[[str], None] = lambda rest: None  # noqa: ARG005
    """Function that raises `UsageError` if the text after the scheme does not describe a source of this kind."""
    key: str | None = None
    """Environment variable that holds its key."""
    needs_key: bool = False
    """True if nothing can be read without the key."""
    key_opens_private: bool = False
    """True if the key gives access to its owner's data: visitors to a public page can then read only with their own
    keys.
    """
    licence: str | None = None
    """Licence of the metadata, such as "CC0-1.0"; `None` if it differs between records or is unknown."""
    has_files: bool = False
    """True if all its records come from files, which `Access.read` reads."""
    brings_vectors: bool = False
    """True if its records come with their vectors, which `Access.take_vectors` receives."""
    embedder_of: Callable[[SourceSpec], str] | None = None
    """Function that returns the name of the embedder that made these vectors, for a new corpus."""
    may_be_shared: bool = True
    """False if a corpus that contains its records must stay with whoever built it."""
