"""An operation on a corpus, open or not, or on files: declared once.

From one `Operation` come the command with its options, the call over HTTP with its entry in OpenAPI if it has an
address, the MCP tool if it has a name for one, the JSON of all three, and `run` for notebooks. Packages add operations
with the entry point `pathfinder.operations`.
"""

import ast
import operator
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from functools import cache, wraps
from importlib import import_module
from inspect import Parameter, cleandoc, getdoc, getsource, signature
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import FunctionType, GenericAlias, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    Optional,
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
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    TypeAdapter,
    ValidationError,
    create_model,
)

from pathfinder.errors import PathfinderError
from pathfinder.operations.export.plain_json import JsonObject
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
    """What an operation asks while it runs: its name for programs, and a sentence for people."""

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
    """Type of what programs get, which is read from the outcome, or a function that returns the type when it is first
    needed; `result_of` derives one. By default, it is derived from what `run` says that it returns.
    """
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

    def costs(self, budget: Budget) -> JsonObject:
        """What it needs and, if that is a chat model, the most that a question's calls may take, for programs."""
        asks_chat = any(need is not Need.NETWORK for need in self.needs)
        most = {name: getattr(budget, name) for name in ("calls", "tokens", "seconds")} if asks_chat else {}
        return {"needs": [need.name.lower() for need in self.needs], "at_most": most}

    @property
    def may_wait(self) -> bool:
        """True if it may wait long for a chat model or another host."""
        return bool(self.needs)

    @property
    def model(self) -> Any:
        """The type of what programs get."""
        return _model(self)

    def write(self, outcome: Outcome) -> JsonObject:
        """Write the outcome as JSON. What an outcome lacks, such as a report of what was not done, is left out.

        Raises `PathfinderError` if a property of the outcome fails, or returns what its type does not allow.
        """
        adapter = _adapter(self)
        try:
            value = adapter.validate_python(outcome)
        except ValidationError as error:
            fault = error.errors()[0]
            place = ".".join(map(str, fault["loc"]))
            raise PathfinderError(
                f"{self.name} cannot write its outcome as JSON: {place}: {fault['msg']}; please report this"
            ) from error
        record: JsonObject = adapter.dump_python(value, mode="json", exclude_unset=True)
        return record


@cache
def _adapter(operation: "AnyOperation") -> TypeAdapter[Any]:
    return TypeAdapter(operation.model)


AnyOperation = Operation[Any, Any]
TEXT: Mapping[str, Any] = {
    "result": lambda: under("text", str),
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

        @wraps(function)
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
    written: ClassVar[Mapping[str, tuple[Any, str]]] = {}
    """For each field that has its docstring elsewhere, the class and the name of the attribute or property there."""

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: GetJsonSchemaHandler) -> Any:
        record = handler(schema)
        properties = handler.resolve_ref_schema(record)["properties"]
        for name in cls.model_fields:
            kind, attribute = cls.written.get(name, (cls, name))
            if text := _docstrings(kind).get(attribute):
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


class QuotedPaper(PaperLine):
    """A paper in a few words, of which something is quoted."""

    is_summary: bool = _of_paper("is_summary")
    """True if what is quoted of it, outside its full text, is from a summary, which are not the paper's own words."""


def under(name: str, kind: Any) -> Any:
    """Return the model of what is written as an object, under a name; `[type]` is the kind of a list."""
    kind = GenericAlias(list, tuple(kind)) if isinstance(kind, list) else kind
    model = create_model(name.capitalize(), __base__=Result, **{name: kind})
    model.written = {name: (Result, name)}
    return Annotated[model, BeforeValidator(lambda value: {name: value})]


Count: TypeAlias = Annotated[int, BeforeValidator(len)]
"""The number of things in what it is read from: `n_papers=(Count, "shelf.papers")`."""


def result_of(kind: Any, without: str = "", *, flat: str = "", if_any: str = "", **others: Any) -> Any:
    """Derive a model from a frozen dataclass or a named tuple: its fields, except those named in `without`. A `Paper`
    becomes a `PaperLine`, which stands in the place of a field `paper`, and other classes become models likewise.

    The fields of those named in `flat` stand beside the others, or are left out if it is `None`; fields named in
    `if_any` are left out if there is nothing in them.

    `others` are further or changed fields: the path of the attribute or property, such as "shelf.name"; its type,
    `[type]` for a list; or the type and the path. `paper` is the model of the paper, such as `QuotedPaper`.
    """
    has_paper = "paper" in others or _hints(kind).get("paper") is Paper
    base = others.pop("paper", PaperLine) if has_paper else Result
    wholes = flat.split()
    paths = {name: f"{whole}.{name}" for whole in wholes for name in _names(_owner(kind, f"{whole}.*")[0])}
    paths |= {name: name for name in _names(kind)}
    left_out = {*without.split(), *wholes, *(["paper"] if has_paper else [])}
    renamed = [path for path in others.values() if isinstance(path, str)]
    chosen: dict[str, Any] = {
        name: (None, path) for name, path in paths.items() if name not in left_out and path not in renamed
    }
    flattened = {path for _, path in chosen.values() if "." in path}
    for name, other in others.items():
        given = (None, other) if isinstance(other, str) else other
        chosen[name] = given if isinstance(given, tuple) else (other, paths.get(name, name))
    entries: dict[str, Any] = {}
    written = {name: (base, name) for name in base.model_fields}
    for name, (given, path) in chosen.items():
        *parents, attribute = path.split(".")
        owner, may_lack = _owner(kind, path)
        written[name] = owner, attribute
        hint = GenericAlias(list, tuple(given)) if isinstance(given, list) else given
        if hint is None:
            hint = _in_json(_hint(owner, attribute))
        aliases = [AliasPath(*parents, attribute)]
        if may_lack and path not in flattened:  # then it is null, and what is flat is left out
            aliases += [AliasPath(*parents[:n]) for n in range(len(parents), 0, -1)]
        may_be_empty = name in if_any.split()
        described = Field(
            default=None if may_lack or may_be_empty else ...,
            validation_alias=None if path == name else AliasChoices(*aliases),
            exclude_if=operator.not_ if may_be_empty else None,
        )
        entries[name] = Optional[hint] if may_lack else hint, described  # noqa: UP045  made of parts
    model = create_model(kind.__name__, __base__=base, __module__=kind.__module__, __doc__=kind.__doc__, **entries)
    model.written = written
    return model


def _owner(kind: Any, path: str) -> tuple[Any, bool]:
    """Return the class of what has the attribute at the end of a path, and whether `None` may stand in its place."""
    may_lack = False
    for name in path.split(".")[:-1]:
        parts = get_args(hint := _hint(kind, name))
        may_lack |= NoneType in parts
        kind = next(part for part in parts if part is not NoneType) if NoneType in parts else hint
    return kind, may_lack


def _names(kind: Any) -> Iterable[str]:
    return [each.name for each in fields(kind)] if is_dataclass(kind) else _hints(kind)


def _hint(kind: Any, name: str) -> Any:
    """Return the type of an attribute or a property."""
    hints = _hints(kind)
    return hints[name] if name in hints else _hints(getattr(kind, name).fget)["return"]


@cache
def _hints(annotated: Any) -> dict[str, Any]:
    """Return the types of the attributes of a class, or of the parameters of a function. If its module imports some of
    them for type checkers alone, they are imported now.
    """
    with suppress(NameError):
        return get_type_hints(annotated)
    module = sys.modules[annotated.__module__]
    imported: dict[str, Any] = {}
    for block in ast.parse(getsource(module)).body:
        for line in block.body if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING" else ():
            if isinstance(line, ast.ImportFrom):
                names = {each.asname or each.name: each.name for each in line.names}
                imported |= {own: getattr(import_module(str(line.module)), name) for own, name in names.items()}
    return get_type_hints(annotated, localns=imported)


@cache
def _model(operation: "AnyOperation") -> Any:
    result = operation.result
    if result is None:
        result = _hints(operation.run).get("return", Any)
        if get_origin(result) is Generator:
            *_, result = get_args(result)
        return _in_json(result)
    return result() if isinstance(result, FunctionType) else result


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


@cache
def _docstrings(kind: Any) -> dict[str, str]:
    """Return the docstrings of the fields and properties of a class, by their names."""
    texts = {}
    for base in reversed(kind.__mro__):
        if "written" in vars(base) or base.__module__.partition(".")[0] in ("builtins", "pydantic", "typing"):
            continue
        (definition,) = ast.parse(dedent(getsource(base))).body
        for entry, text in pairwise((*definition.body, None) if isinstance(definition, ast.ClassDef) else ()):
            if isinstance(entry, ast.FunctionDef):
                texts[entry.name] = ast.get_docstring(entry) or ""
            if isinstance(entry, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                texts[ast.unparse(entry.target)] = cleandoc(str(text.value.value))
    return {name: text.replace("`None`", "null") for name, text in texts.items()}


def only(record: JsonObject, names: Iterable[str]) -> JsonObject:
    """Return the fields of `record` with these names, in this order."""
    return {name: record[name] for name in names}
