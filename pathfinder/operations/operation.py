"""An operation on an open corpus, declared once.

From one `Operation` come the command with its options, the call over HTTP with its entry in OpenAPI, the MCP tool, the
JSON of all three, and `run` for notebooks. Packages add operations with the entry point `pathfinder.operations`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from pathfinder.export.plain_json import JsonObject

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

Options = TypeVar("Options", bound=BaseModel)
Outcome = TypeVar("Outcome")

STRICT = ConfigDict(extra="forbid", strict=True)
"""For options: a misspelt name is an error."""

LinkTo = Callable[[JsonObject], JsonObject]
"""Adds the link of the paper that a record names by its "paper_id"."""


class Result(BaseModel):
    """What programs get of an operation."""

    model_config = ConfigDict(frozen=True, use_enum_values=True)


class PaperLine(Result):
    """A paper in a few words, as `export.records.paper_record` describes it."""

    paper_id: str
    title: str
    year: int | None
    status: str | None
    """"withdrawn" or "retracted"; null if no source says so."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Operation(Generic[Options, Outcome]):
    """One operation: what it takes, what it does, and what people and programs get."""

    name: str
    """Name of the command, and last part of the address."""
    tool: str
    """Name of the MCP tool."""
    help: str
    """What it does, in a sentence or two, for people and for models."""
    options: type[Options]
    """What it takes besides the settings of a search. A field with the default `None` that is called "query" makes the
    question optional. `json_schema_extra={"option": "--x"}` gives a field another name on the command line.
    """
    run: Callable[["Pathfinder", Any, Options], Outcome]
    """Function of the open corpus, of the `SearchResult` for the question (`None` if it was left out), and of the
    options.
    """
    result: type[Result]
    """What programs get."""
    write: Callable[[Outcome], Result]
    """Makes the result of the outcome."""
    lines: Callable[[Outcome], Iterable[str]]
    """Writes the outcome for people."""
    notes: Callable[[Outcome], Iterable[str]]
    """What to tell people beside it."""
    brief: Callable[[JsonObject, LinkTo], JsonObject]
    """Shortens the JSON for a model that pays for every word."""
    forms: Mapping[str, Callable[[Outcome], str]] = field(default_factory=dict)
    """Functions that write the outcome as text in another format, by the name of the format."""
    may_wait: bool = False
    """True if it may wait long for a chat model, if there is one."""

    @property
    def takes_question(self) -> bool:
        """False if the question may be left out."""
        return "query" not in self.options.model_fields


def only(record: JsonObject, names: Iterable[str]) -> JsonObject:
    """Return the fields of `record` with these names, in this order."""
    return {name: record[name] for name in names}


AnyOperation = Operation[Any, Any]
