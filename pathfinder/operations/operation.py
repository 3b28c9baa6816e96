"""An operation on an open corpus, declared once.

From one `Operation` come the command with its options, the call over HTTP with its entry in OpenAPI, the MCP tool, the
JSON of all three, and `run` for notebooks. Packages add operations with the entry point `pathfinder.operations`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter

from pathfinder.export.plain_json import JsonObject
from pathfinder.types import Paper

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

Asked = TypeVar("Asked", bound=BaseModel)
Outcome = TypeVar("Outcome")

LinkTo = Callable[[JsonObject | Paper], JsonObject]
"""Adds a link to the record of a paper, which names it by its "paper_id", or describes a paper in a few words."""


@dataclass(frozen=True, slots=True)
class Shell:
    """How the command line writes a field, if not as `--name`: "--tie --by", "--less PAPER_ID" or, for an argument,
    "PAPER_ID...". To be given in `Annotated`.
    """

    form: str


class Options(BaseModel):
    """What an operation takes besides the settings of a search; a misspelt name is an error."""

    model_config = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Operation(Generic[Asked, Outcome]):
    """One operation: what it takes, what it does, and what people and programs get."""

    name: str
    """Name of the command, and last part of the address."""
    help: str
    """What it does, in a sentence or two, for people and for models."""
    options: type[Asked]
    """What it takes besides the settings of a search."""
    settings: Sequence[str] | None = None
    """Names of the settings of a search that it takes, if it takes no question; `None` for a question with them all."""
    needs_question: bool = True
    """False if the question may be left out."""
    run: Callable[["Pathfinder", Any, Asked], Outcome]
    """Function of the open corpus, of the `SearchResult` for the question (`None` if there is none), and of the options
    (with the `settings`).
    """
    result: Any = None
    """Type of what programs get, which is read from the outcome; `results.result_of` derives it."""
    record: Callable[[Outcome], JsonObject] | None = None
    """Writes the outcome as JSON, if there is no `result` to do so."""
    lines: Callable[[Outcome], Iterable[str]]
    """Writes the outcome for people."""
    notes: Callable[[Outcome], Iterable[str]] = lambda outcome: outcome.notes  # type: ignore[attr-defined]
    """What to tell people beside it."""
    tool: str | None = None
    """Name of the MCP tool, if there is one."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Settings of a search that are arguments of the tool, with their defaults; the others are in its `settings`."""
    brief: Callable[[Outcome, JsonObject, LinkTo], JsonObject] = lambda _outcome, record, _: record
    """Shortens the JSON for a model that pays for every word."""
    forms: Mapping[str, Callable[[Outcome], str]] = field(default_factory=dict)
    """Functions that write the outcome as text in another format, by the name of the format."""
    may_wait: bool = False
    """True if it may wait long for a chat model, if there is one."""

    def write(self, outcome: Outcome) -> JsonObject:
        """Write the outcome as JSON."""
        if self.record is not None:
            return self.record(outcome)
        adapter = _adapter(self.result)
        record: JsonObject = adapter.dump_python(adapter.validate_python(outcome), mode="json")
        return record


@cache
def _adapter(result: Any) -> TypeAdapter[Any]:
    return TypeAdapter(result)


AnyOperation = Operation[Any, Any]
