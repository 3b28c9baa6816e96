"""Any frozen value of Pathfinder's types as what `json` writes, field by field."""

import datetime
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeAlias, overload

JsonObject: TypeAlias = dict[str, Any]


@overload
def as_json(value: None) -> None: ...
@overload
def as_json(value: object) -> Any: ...
def as_json(value: object) -> Any:
    """Dataclasses as objects, tuples as arrays, choices by their value, days as in ISO 8601.

    Raises `TypeError` for a value of another kind, an array of NumPy for one.
    """
    if value is None or isinstance(value, bool | int | float) or type(value) is str:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, tuple):
        return [as_json(part) for part in value]
    if not is_dataclass(value) or isinstance(value, type):
        raise TypeError(f"a {type(value).__name__} has no form in JSON: give it one in {__name__}")
    return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
