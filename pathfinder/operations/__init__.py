"""The operations on an open corpus: one file each, from which every way to call it is made."""

from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, create_model

from pathfinder.export.plain_json import JsonObject
from pathfinder.operations.fields import request_of, search_fields
from pathfinder.operations.operation import STRICT, AnyOperation, Operation, PaperLine, Result, only
from pathfinder.plugins import Registry

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

__all__ = ["OPERATIONS", "Operation", "PaperLine", "Result", "body_of", "call", "only", "run"]

OWN: tuple[str, ...] = ()


def _own(name: str) -> AnyOperation:
    operation: AnyOperation = import_module(f"pathfinder.operations.{name}").OPERATION
    return operation


OPERATIONS: Registry[AnyOperation] = Registry(
    "pathfinder.operations",
    Operation,
    {name: partial(_own, name) for name in OWN},
    "operation",
    lambda operation: operation.name,
)


@cache
def body_of(operation: AnyOperation) -> type[BaseModel]:
    """Return the model of a call: the fields of a search, and the operation's own."""
    own: dict[str, Any] = {name: (field.annotation, field) for name, field in operation.options.model_fields.items()}
    return create_model(operation.name.capitalize(), __config__=STRICT, **{**search_fields(), **own})


def outcome_of(operation: AnyOperation, pf: "Pathfinder", body: BaseModel) -> Any:
    """Run an operation for a `body` of its model; one budget holds for the search and what follows it."""
    session = pf.for_question(pf.policy.budget)
    options = operation.options.model_validate({name: getattr(body, name) for name in operation.options.model_fields})
    found = None if getattr(body, "query", None) is None else session.search(request_of(body))
    return operation.run(session, found, options)


def call(operation: AnyOperation, pf: "Pathfinder", body: BaseModel) -> JsonObject:
    """Run an operation and return its result as JSON."""
    return operation.write(outcome_of(operation, pf, body)).model_dump(mode="json")


def run(pf: "Pathfinder", name: str, query: str | None = None, **settings: Any) -> Result:
    """Run the operation called `name` on an open corpus: `run(pf, "timeline", "What is dark energy?", papers=50)`.

    `settings` are those of a search and the operation's own, as in the body of a call over HTTP. Raises `UsageError`
    for an unknown name, and `ValidationError` for a setting that is not valid.
    """
    operation = OPERATIONS.get(name)
    sent = settings if query is None else {"query": query, **settings}
    result: Result = operation.write(outcome_of(operation, pf, body_of(operation).model_validate(sent)))
    return result
