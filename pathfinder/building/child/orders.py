"""Orders for the process that builds corpora, and the messages that it sends back, both as lines of JSON."""

import datetime
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from pathfinder.errors import CorpusError
from pathfinder.index.token_codecs import TokenForm
from pathfinder.sources import Window
from pathfinder.text.strict_json import first_fault


class OrderKind(StrEnum):
    """Kinds of orders."""

    PREVIEW = "preview"
    BUILD = "build"
    UPDATE = "update"
    ROLLBACK = "rollback"
    REMOVE = "remove"
    UNDO = "undo"
    RE_EMBED = "re-embed"
    FULL_TEXTS = "full texts"


RESUMABLE = (OrderKind.BUILD, OrderKind.UPDATE, OrderKind.RE_EMBED, OrderKind.FULL_TEXTS)
"""Orders that, when repeated, continue where they stopped; a repeated rollback would undo the first."""


@dataclass(frozen=True, slots=True)
class Order:
    """Work for the process. It contains no API keys, which are passed in the environment of the process."""

    work: OrderKind
    folder: Path = Path()
    """Folder of the corpus; a preview uses none."""
    sources: tuple[str, ...] = ()
    """Sources of papers, or the files of full texts."""
    since: datetime.date | None = None
    until: datetime.date | None = None
    max_papers: int | None = None
    paper_ids: tuple[str, ...] = ()
    """Ids of the papers to remove, of the record whose merge is undone, or of the paper to which a single text belongs.
    """
    purges: bool = False
    """True if the earlier version of the corpus is deleted too, so that no trace of the papers is left."""
    profile: Path | None = None
    """File with the profile of the field; `None` keeps the corpus's own; a new corpus then gets that of astronomy."""
    thesaurus: str | None = None
    """File of a thesaurus, or "uat"; `None` keeps the corpus's own."""
    tokens: TokenForm | None = None
    """Form of the token vectors of a new corpus."""
    new_map: bool = False
    """True if an update lays out a new map."""
    reads_retractions: bool = False
    """True if an update fetches Retraction Watch's list and marks the papers on it."""
    vectors: str | None = None
    """Column of the Parquet files that holds the vectors of the papers; `None` if the papers are to be embedded."""
    embedder: str | None = None
    """Model that made the vectors in that column; `None` means the corpus's own or, for a new corpus, the one in the
    settings.
    """
    names: tuple[str, ...] = ()
    """Names that the files of full texts have on the visitor's machine, in the order of `sources`."""

    @property
    def window(self) -> Window:
        """Part of the sources to read."""
        return Window(self.since, self.until, self.max_papers)

    @property
    def files(self) -> tuple[str, ...]:
        """Everything that may be the path of a file: sources, profile, thesaurus."""
        extra = (str(self.profile) if self.profile else None, self.thesaurus)
        return (*self.sources, *filter(None, extra))


@dataclass(frozen=True, slots=True)
class StageProgress:
    """Progress of a stage of a build."""

    name: str
    n_done: int = 0
    total: int | None = None
    """Number of steps; `None` if it is unknown."""
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """A report from the process; all fields but one are `None`."""

    stage: StageProgress | None = None
    note: str | None = None
    result: dict[str, Any] | None = None
    """The result of the order, sent as its last message: the preview or the report, as JSON."""
    error: str | None = None
    """The error that ended the order, sent as its last message and worded as a `PathfinderError`."""


_ORDER, _MESSAGE = TypeAdapter(Order), TypeAdapter(Message)


def write_order(order: Order) -> str:
    """Return an order as one line of JSON."""
    return _ORDER.dump_json(order).decode()


def read_order(line: str | bytes) -> Order:
    """Read an order. Raises `CorpusError` if the line is not an order."""
    try:
        return _ORDER.validate_json(line, strict=True)
    except ValidationError as error:
        raise CorpusError(
            f"the instructions for a build cannot be read ({first_fault(error)}): discard them, and build again"
        ) from error


def write_message(message: Message) -> str:
    """Return a message as one line of JSON."""
    return _MESSAGE.dump_json(message, exclude_none=True).decode()


def read_message(line: str | bytes) -> Message:
    """Read a message. Raises `ValueError` if the line is not a message."""
    return _MESSAGE.validate_json(line, strict=True)
