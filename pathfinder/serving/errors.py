"""Errors as the API returns them: code, message and way_out."""

from http import HTTPStatus
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from pathfinder.errors import PathfinderError, ProviderError, UsageError
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.types import without_control_characters

PREFIX = "/api/v1"


class Error(BaseModel):
    """An error, as every call returns it."""

    code: str = Field(description="Kind of error, such as usage or busy; docs/api.md lists them.")
    message: str = Field(description="Value that was sent and the rule that it breaks.")
    way_out: str = Field(description="Way to correct the call, or time after which to send it again.")


_MEANINGS = {
    400: "A field is unknown or missing, or has a value that is not allowed.",
    401: "The server requires a key.",
    403: "A web page from another host made the call, or only the owner of the server may make it.",
    408: "The body did not arrive completely in time.",
    413: "The body is too long.",
    415: "The body is not application/json.",
    421: "The Host is not a name of this server.",
    429: "More calls within a minute than the server allows: wait for Retry-After seconds.",
    500: "The corpus or a model cannot be used, or Pathfinder has a bug.",
    502: "A model or a source behind an API failed.",
    503: "Too many calls are waiting, or a process has ended: send the call again after Retry-After seconds.",
}

ERRORS: dict[int | str, dict[str, Any]] = {
    **{status: {"model": Error, "description": meaning} for status, meaning in _MEANINGS.items()},
    "default": {"model": Error, "description": "Any other error."},
}
"""Errors that every call may return, as OpenAPI describes them. Because of "default", FastAPI does not add its own
error for bodies that are not valid, which `refuse_body` answers with 400.
"""

HALF_CHARACTER = "a text contains half of a surrogate pair, which is not a character: leave it out"


def error_response(
    status: HTTPStatus, code: str, message: str, way_out: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    """Return an error in the API's format."""
    return JSONResponse({"code": code, "message": message, "way_out": way_out}, status_code=status, headers=headers)


def error_record(error: PathfinderError) -> tuple[HTTPStatus, JsonObject]:
    """Return the status and the JSON of an error."""
    if isinstance(error, UsageError):
        return HTTPStatus.BAD_REQUEST, _record("usage", error, f"see {PREFIX}/openapi.json")
    status = HTTPStatus.BAD_GATEWAY if isinstance(error, ProviderError) else HTTPStatus.INTERNAL_SERVER_ERROR
    return status, _record(type(error).__name__, error, "follow the message, then send the call again")


def _record(code: str, error: PathfinderError, way_out: str) -> JsonObject:
    return {"code": code, "message": without_control_characters(str(error)), "way_out": way_out}


def refuse(_: Request, error: PathfinderError) -> JSONResponse:
    """Answer with an error of Pathfinder's own."""
    status, record = error_record(error)
    return JSONResponse(record, status_code=status)


def refuse_body(_: Request, error: RequestValidationError) -> JSONResponse:
    """Name the first field that is wrong, its rule and its value."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:]) or "body"
    value = "" if first["type"] == "missing" else f", got {repr(first['input'])[:80]}"
    message = without_control_characters(f"{place[:80]}: {first['msg'][:400]}{value}")
    return error_response(HTTPStatus.BAD_REQUEST, "usage", message, f"see {PREFIX}/openapi.json")


def refuse_address(request: Request, error: HTTPException) -> JSONResponse:
    """Answer a call that does not exist."""
    message = f"{request.method} {request.url.path}: {error.detail}"
    return error_response(HTTPStatus(error.status_code), "address", message, f"see {PREFIX}/openapi.json for the calls")


def report_bug(_: Request, error: Exception) -> JSONResponse:
    """Say that the program has a bug; the server's log has the details."""
    message = f"this is a bug: {type(error).__name__}"
    return error_response(HTTPStatus.INTERNAL_SERVER_ERROR, "bug", message, "report it with the call that you sent")
