"""The operations on a corpus, its folder and files, each declared once, from which every way to call it is made."""

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import FunctionType
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, create_model

from pathfinder.llm.stopping import RecordedStream, check_stop
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.operations.fields import fields_of, request_of, search_fields
from pathfinder.operations.operation import AnyOperation, Operation, Options, PaperLine, Result, Shell, only, result_of
from pathfinder.plugins import Registry

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

__all__ = [
    "OPERATIONS",
    "Operation",
    "Options",
    "PaperLine",
    "Result",
    "Shell",
    "begin",
    "body_of",
    "call",
    "methods",
    "only",
    "outcome_of",
    "result_of",
    "run",
    "served",
    "tell_of_change",
]

_MACHINERY = {"fields", "operation"}
"""Modules of this folder that declare no operation, as its folders do not."""
_SEVERAL = {
    "upkeep": ("build", "add", "update", "rollback", "remove", "merges"),
    "sources": ("sources", "preview"),
    "check": ("check", "check_file"),
    "complete": ("complete", "ads"),
    "evaluate": ("evaluate collection",),
    "map": ("map", "region"),
    "paper": ("paper", "cites"),
    "search": ("search", "reweigh"),
    "full_texts": tuple(f"fulltext {name}" for name in ("read", "add", "index", "fetch", "show", "cited", "remove")),
    "readers_data": tuple(f"data {name}" for name in ("list", "backup", "restore", "move", "delete")),
    "shelves": tuple(
        f"shelf {name}"
        for name in (
            *("list", "show", "add", "remove", "note", "tag", "state", "rename", "delete", "undo"),
            *("export", "import", "merge", "missing"),
        )
    ),
}
"""Operations of the modules that declare several; all others declare the one that has their name."""


def _own(module: str, name: str) -> AnyOperation:
    values = vars(import_module(f"pathfinder.operations.{module}")).values()
    return next(each for each in values if isinstance(each, Operation) and each.name == name)


_MODULES = dict.fromkeys(
    (
        "upkeep",
        "sources",
        *(each.name for each in iter_modules(__path__) if not each.ispkg and each.name not in _MACHINERY),
    )
)
OPERATIONS: Registry[AnyOperation] = Registry(
    "pathfinder.operations",
    Operation,
    {name: partial(_own, module, name) for module in _MODULES for name in _SEVERAL.get(module, (module,))},
    "operation",
    lambda operation: operation.name,
)

CORPUS_CHANGED: Registry[Any] = Registry("pathfinder.corpus_changed", FunctionType, {}, "listener")
"""Functions of the folder of a corpus that an operation has changed; each yields lines on what it does."""


def tell_of_change(folder: Path, say: Callable[[list[str]], None] = lambda _: None) -> None:
    """Tell those who listen that an operation has changed the corpus in a folder, and `say` what they do, line by
    line. Whoever runs an operation that `changes` a corpus calls this once it is done.
    """

    from pathfinder.corpus.manifest import is_corpus

    def tell(name: str) -> None:
        for line in CORPUS_CHANGED.get(name)(folder):
            say([f"{name}: {line}"])

    if is_corpus(folder):
        CORPUS_CHANGED.all()
        for name in CORPUS_CHANGED:
            CORPUS_CHANGED.attempt(name, partial(tell, name))


def served() -> dict[str, AnyOperation]:
    """Return the operations that other machines may call, by address. They are read when a server starts, because
    plug-ins and the settings may hold a mistake, which is to be told in one line.
    """
    return {each.address: each for each in OPERATIONS.all() if each.address is not None}


def methods() -> dict[str, str]:
    """Return the operations by the names of their methods in a notebook: `shelf_add` is "shelf add"."""
    return {name.replace(" ", "_").replace("-", "_"): name for name in OPERATIONS.names()}


@cache
def body_of(operation: AnyOperation) -> type[BaseModel]:
    """Return the model of a call: the operation's own fields, and those of a search."""
    search = search_fields(operation.settings)
    if not operation.needs_question:
        search["query"] = (str | None, Field(default=None, description=f"{search['query'][1].description} Optional."))
    entries = {**search, **fields_of(*operation.parts)}
    fields = {name: entry for name, entry in entries.items() if name not in operation.options.model_fields}
    return create_model(
        f"{operation.name.capitalize()}Body", __base__=operation.options, __doc__=operation.help, **fields
    )


def begin(operation: AnyOperation, pf: "Pathfinder", body: BaseModel) -> tuple[Any, Any]:
    """Search and run an operation for a `body` of its model; return what the search found, and the outcome or, if the
    operation streams, its events. One budget holds for the search and what follows it.
    """
    session = pf.for_question(operation.check(body) or pf.policy.budget)
    request = None if getattr(body, "query", None) is None else request_of(body)
    found = session.search(request) if operation.searches and request else request
    opened = {"session": session, "corpus": pf.corpus, "folder": pf.corpus.folder, "nothing": None}[operation.opens]
    return found, operation.run(opened, found, body)


def outcome_of(operation: AnyOperation, pf: "Pathfinder", body: BaseModel) -> Any:
    """Run an operation for a `body` of its model, and return its outcome; a stop takes effect between two events."""
    _, outcome = begin(operation, pf, body)
    if operation.streams:
        with RecordedStream(outcome) as stream:
            for _ in stream:
                check_stop()
        outcome = stream.result
    operation.once_written(outcome)
    if operation.changes(body):
        tell_of_change(pf.corpus.folder)
    return outcome


def call(operation: AnyOperation, pf: "Pathfinder", body: BaseModel) -> JsonObject:
    """Run an operation and return its result as JSON."""
    return operation.write(outcome_of(operation, pf, body))


def run(pf: "Pathfinder", name: str, /, query: str | None = None, **settings: Any) -> Any:
    """Run the operation called `name` on an open corpus, and return its outcome:
    `run(pf, "timeline", "What is dark energy?", papers=50)` returns a `Timeline`. `pf.NAME` does the same, unless an
    open corpus has a method of its own by that name.

    `settings` are those of a search and the operation's own, as in the body of a call over HTTP; a path, a date and a
    state may also be given as text. Raises `UsageError`
    for an unknown name, and `ValidationError` for a setting that is not valid.
    """
    operation = OPERATIONS.get(name)
    sent = settings if query is None else {"query": query, **settings}
    return outcome_of(operation, pf, body_of(operation).model_validate(sent, strict=False))
