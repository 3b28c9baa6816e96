"""An operation on a corpus, open or not, or on files: declared once.

From one `Operation` come the command with its options, the call over HTTP with its entry in OpenAPI if it has an
address, the MCP tool if it has a name for one, the JSON of all three, and `run` for notebooks. Packages add operations
with the entry point `pathfinder.operations`.
"""

import ast
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from inspect import Parameter, cleandoc, getdoc, getsource, signature
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import GenericAlias, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    TypeAdapter,
    create_model,
)

from pathfinder.export.plain_json import JsonObject, as_json
from pathfinder.types import Budget, Paper

Asked = TypeVar("Asked", bound=BaseModel)
Outcome = TypeVar("Outcome")

LinkTo = Callable[[JsonObject | Paper], JsonObject]
"""Adds a link to the record of a paper, which names it by its "paper_id", or describes a paper in a few words."""


@dataclass(frozen=True, slots=True)
class Shell:
    """How the command line writes a field, if not as `--name`: "--tie --by", "--less PAPER_ID" or, for an argument,
    "PAPER_ID...". To be given in `Annotated`.
    """

    form: str | None
    """`None` for a field that the command leaves out."""
    help: str | None = None
    """Description of the field, if it has no other."""


PaperId: TypeAlias = Annotated[str, Field(examples=["2601.00001"])]
PaperIds: TypeAlias = Annotated[list[str], Field(examples=[["2601.00001", "doi:10.1000/182"]])]


class Options(BaseModel):
    """What an operation takes besides the settings of a search; a misspelt name is an error."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Describe the fields as their `Shell` does."""
        for field_of_model in cls.model_fields.values():
            for shell in field_of_model.metadata:
                if isinstance(shell, Shell) and shell.help is not None:
                    field_of_model.description = shell.help


class Need(StrEnum):
    """What an operation asks while it runs, and what that costs, in a sentence."""

    CHAT = "Needs a chat model, whose calls take time and may cost money."
    CHAT_IF_SET = "Calls the chat model, if one is set, which takes time and may cost money."
    CHAT_IF_ASKED = "Calls the chat model if an option says so, which takes time and may cost money."
    NETWORK = "Reads what is not on this machine from hosts on the network."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Operation(Generic[Asked, Outcome]):
    """One operation: what it takes, what it does, and what people and programs get."""

    name: str
    """Name of the operation in a notebook. "shelf add" is in the group "shelf" of commands, whose modules are imported
    only when one of them is asked for.
    """
    command: str = ""
    """Its command, by default the last word of its name."""
    is_command: bool = True
    """False if there is no command."""
    is_hidden: bool = False
    """True if the help does not list the command, because another one does the same."""
    folder_first: bool = False
    """True if the command may name the corpus in its first argument."""
    makes_folder: bool = False
    """True if there need not be a corpus yet; the command then names its folder by `--out`."""
    address: str | None = None
    """Its address under /api/v1; a {part} is a field. `None` if it is not for other machines, as one that changes
    something or reads a file of this one.
    """
    is_get: bool = False
    """True if it is called by GET in place of POST."""
    help: str
    """What it does, in a sentence or two, for people and for models."""
    options: type[Asked]
    """What it takes besides the settings of a search."""
    settings: Sequence[str] | None = None
    """Names of the settings of a search that it takes, if it takes no question; `None` for a question with them all."""
    parts: Sequence[type[Any]] = ()
    """Classes whose settings it also takes, such as `AnswerSettings`."""
    searches: bool = True
    """False if it takes the `SearchRequest` for the question in place of the `SearchResult`."""
    needs_question: bool = True
    """False if the question may be left out."""
    opens: Literal["session", "corpus", "folder", "nothing"] = "session"
    """What it reads: an open corpus with its models, the `Corpus` alone, the folder of one that is not opened, or
    no corpus.
    """
    reports: bool = False
    """True if it reports its progress: the command passes a `Progress` in place of a `SearchResult`."""
    changes: Callable[[Asked], bool] = lambda _: False
    """Function that says whether it changes the corpus: its memory is then limited as that of a build, it reports its
    progress, and those that listen to changes are told.
    """
    run: Callable[[Any, Any, Asked], Outcome | Generator[Any, None, Outcome]]
    """Function of what it opens, of the `SearchResult` for the question (`None` if there is none), and of the options
    (with the `settings`).
    """
    then: Callable[[Asked], tuple[str, Mapping[str, Any]] | None] = lambda _: None
    """Function that returns the operation that the command runs next on the same corpus, with its options, if there is
    one and nothing has failed.
    """
    streams: bool = False
    """True if `run` is a generator: a call over HTTP returns each event as it comes, and the outcome at the end."""
    check: Callable[[Any], Budget | None] = lambda _: None
    """Function that checks the body before anything is opened, and returns the budget, if not that of the settings."""
    writers: Mapping[str, tuple[str, Callable[[Path], Callable[[Outcome], None]]]] = field(default_factory=dict)
    """Options of the command that also write a file: the help, and a function that checks the path before anything is
    run, and returns the one that writes the outcome.
    """
    result: Any = None
    """Type of what programs get, which is read from the outcome; `results.result_of` derives it."""
    record: Callable[[Outcome], JsonObject] | None = None
    """Writes the outcome as JSON, if `result` cannot do so; without either, its fields are written."""
    lines: Callable[[Outcome], Iterable[str]]
    """Writes the outcome for people."""
    is_text: bool = False
    """True if the lines are those of a file, which the command writes as they are."""
    once_written: Callable[[Outcome], None] = lambda _: None
    """What is done once the command has written the outcome, or the outcome has been returned to a notebook."""
    notes: Callable[[Outcome], Iterable[str]] = lambda outcome: getattr(outcome, "notes", ())
    """What to tell people beside it; by default, the `notes` of the outcome, if it has any."""
    failures: Callable[[Outcome], Iterable[str]] = lambda _: ()
    """What could not be done: if there is anything, the command says so and ends with status 1."""
    tool: str | None = None
    """Name of the MCP tool, if there is one."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Settings of a search that are arguments of the tool, with their defaults; the others are in its `settings`."""
    brief: Callable[[Outcome, JsonObject, LinkTo], JsonObject] = lambda _outcome, record, _: record
    """Shortens the JSON for a model that pays for every word."""
    forms: Mapping[str, Callable[[Outcome], str]] = field(default_factory=dict)
    """Functions that write the outcome as text in another format, by the name of the format."""
    needs: Sequence[Need] = ()
    """What it asks besides the corpus, its models and the settings of a search."""

    @property
    def description(self) -> str:
        """What it does, and what it needs."""
        return " ".join((self.help, *self.needs))

    @property
    def may_wait(self) -> bool:
        """True if it may wait long for a chat model or another host."""
        return bool(self.needs)

    def write(self, outcome: Outcome) -> JsonObject:
        """Write the outcome as JSON."""
        if self.record is not None:
            return self.record(outcome)
        adapter = None if self.result is None else _adapter(self.result)
        value = outcome if adapter is None else adapter.validate_python(outcome)
        record: JsonObject = as_json(value) if adapter is None else adapter.dump_python(value, mode="json")
        return record


@cache
def _adapter(result: Any) -> TypeAdapter[Any]:
    return TypeAdapter(result)


AnyOperation = Operation[Any, Any]
TEXT: Mapping[str, Any] = {
    "record": lambda text: {"text": text},
    "lines": lambda text: (text,),
    "is_text": True,
}
"""Fields of an operation whose outcome is the text of a file."""
Declarer = Callable[..., Callable[[Callable[..., Any]], AnyOperation]]
"""Type of `declare`, also if some fields are given beforehand."""


def declare(name: str, **others: Any) -> Callable[[Callable[..., Any]], AnyOperation]:
    """Declare an operation by its function, whose docstring is the help: its first parameter is what the operation
    opens, `found` or `progress` the second that `Operation.run` takes, `body` the third, and all others are the
    options. `others` are fields of `Operation`.
    """

    def declared(function: Callable[..., Any]) -> AnyOperation:
        _, *parameters = signature(function).parameters.values()
        fields: dict[str, Any] = {
            each.name: (each.annotation, ... if each.default is Parameter.empty else each.default)
            for each in parameters
            if each.name not in {"found", "progress", "body"}
        }
        passed = {each.name for each in parameters} - fields.keys()

        def run(opened: Any, second: Any, options: BaseModel) -> Any:
            own = {name: getattr(options, name) for name in fields}
            return function(opened, **own, **{name: options if name == "body" else second for name in passed})

        help_text = " ".join(str(getdoc(function)).split())
        options = create_model(function.__name__, __base__=Options, __doc__=help_text, **fields)
        return Operation(name=name, help=help_text, options=options, run=run, **others)

    return declared


# What programs get: models derived from the frozen types of outcomes, with papers in a few words.


class Result(BaseModel):
    """A result, read from the attributes of an outcome. OpenAPI describes its fields by their docstrings."""

    model_config = ConfigDict(
        frozen=True, use_enum_values=True, from_attributes=True, populate_by_name=True, defer_build=True
    )
    written: ClassVar[type[Any] | None] = None
    """Class that has the docstrings, if it is another one."""

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: GetJsonSchemaHandler) -> Any:
        record = handler(schema)
        properties, texts = handler.resolve_ref_schema(record)["properties"], _docstrings(cls.written or cls)
        for name, each in cls.model_fields.items():
            if text := texts.get(str(each.validation_alias or name)):
                properties[name]["description"] = text
        return record


def _of_paper(*names: str) -> Any:
    return Field(validation_alias=AliasChoices(*(AliasPath("paper", name) for name in names), *names))


class PaperLine(Result):
    """A paper in a few words, read from a `Paper` or from what has a `paper`."""

    paper_id: str = _of_paper("paper_id")
    title: str = _of_paper("title")
    year: int | None = _of_paper("known_year", "year")
    status: str | None = _of_paper("status")
    """"withdrawn" or "retracted"; null if no source says so."""


def result_of(kind: type[Any], without: str = "", **others: Any) -> Any:
    """Derive a model from a frozen dataclass or a named tuple: its fields, except those named in `without`. A `Paper`
    becomes a `PaperLine`, which stands in the place of a field `paper`, and other classes become models likewise.

    `others` are further or changed fields: the name of the attribute or property that holds it; its type, `[type]` for
    a list; or the list with the path of its attribute, which may be missing.
    """
    hints = get_type_hints(kind)
    renamed = {name for name in others.values() if isinstance(name, str)}
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else hints
    left_out = {*without.split(), "paper", *renamed}
    entries: dict[str, Any] = {name: (_in_json(hints[name]), ...) for name in names if name not in left_out}
    for name, other in others.items():
        if isinstance(other, str):
            hint = hints.get(other) or get_type_hints(getattr(kind, other).fget)["return"]
            entries[name] = (_in_json(hint), Field(validation_alias=other))
        elif isinstance(other, tuple):
            (part,), path = other
            entries[name] = (GenericAlias(list, (part,)) | None, Field(default=None, validation_alias=path))
        else:
            entries[name] = (GenericAlias(list, tuple(other)) if isinstance(other, list) else other, ...)
    base = PaperLine if hints.get("paper") is Paper else Result
    model = create_model(kind.__name__, __base__=base, __doc__=kind.__doc__, **entries)
    model.written = kind
    return model


def _in_json(hint: Any) -> Any:
    if hint is Paper:
        return PaperLine
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return _nested(hint)
    if not (parts := get_args(hint)):
        return hint
    parts = tuple(map(_in_json, parts))
    return Union[parts] if get_origin(hint) is UnionType else get_origin(hint)[parts]  # noqa: UP007  made of parts


_nested = cache(result_of)


def _docstrings(kind: type[Any]) -> dict[str, str]:
    """Return the docstrings of the fields of a class, by their names."""
    (definition,) = ast.parse(dedent(getsource(kind))).body
    texts = {}
    for entry, text in pairwise(definition.body if isinstance(definition, ast.ClassDef) else ()):
        if isinstance(entry, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            texts[ast.unparse(entry.target)] = cleandoc(str(text.value.value)).replace("`None`", "null")
    return texts


def only(record: JsonObject, names: Iterable[str]) -> JsonObject:
    """Return the fields of `record` with these names, in this order."""
    return {name: record[name] for name in names}
