"""The public API as plain data: what is exported, with its parameters, their defaults, its methods and attributes."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields, is_dataclass
from enum import Enum
from functools import cached_property
from typing import Any

Record = dict[str, Any]
POSITIONAL = {inspect.Parameter.POSITIONAL_ONLY.name, inspect.Parameter.POSITIONAL_OR_KEYWORD.name}
OPTIONAL = {inspect.Parameter.VAR_POSITIONAL.name, inspect.Parameter.VAR_KEYWORD.name}


def public_api() -> Record:
    """Everything in `pathfinder.__all__`, and the members of the enumerations in `pathfinder.types`."""
    import pathfinder
    from pathfinder import types

    enums = {name: kind for name in types.__all__ if inspect.isclass(kind := getattr(types, name))}
    return {
        "exports": {name: _describe(getattr(pathfinder, name)) for name in sorted(pathfinder.__all__)},
        "enums": {
            name: {member.name: member.value for member in kind}
            for name, kind in sorted(enums.items())
            if issubclass(kind, Enum)
        },
    }


def _describe(export: type) -> Record:
    if issubclass(export, Enum):
        return {"is": "enum", "members": {member.name: member.value for member in export}}
    if issubclass(export, BaseException):
        return {"is": "error", "bases": [base.__name__ for base in export.__mro__ if base is not object]}
    public = {name: member for name, member in inspect.getmembers_static(export) if not name.startswith("_")}
    own = {name for kind in export.__mro__ if kind.__module__.startswith("pathfinder.") for name in vars(kind)}
    methods = {name for name in public if name in own and callable(getattr(export, name))}
    properties = {name for name, member in public.items() if isinstance(member, property | cached_property)}
    record: Record = {"is": "class", "parameters": _parameters(export)}
    if is_dataclass(export):
        record["fields"] = [entry.name for entry in fields(export)]
        record["is_frozen"] = export.__dataclass_params__.frozen  # type: ignore[attr-defined]
    record["methods"] = {name: _parameters(getattr(export, name)) for name in sorted(methods)}
    record["properties"] = sorted(properties & own)
    return record


def _parameters(function: Any) -> list[Record]:
    parameters = inspect.signature(function).parameters.values()
    return [
        _parameter(function, parameter)
        for parameter in parameters
        if parameter.name != "self" and not parameter.name.startswith("_")
    ]


def _parameter(function: Any, parameter: inspect.Parameter) -> Record:
    record: Record = {"name": parameter.name, "kind": parameter.kind.name}
    if parameter.default is not inspect.Parameter.empty:
        record["default"] = _plain(_default_of(function, parameter))
    return record


def _default_of(function: Any, parameter: inspect.Parameter) -> object:
    """The default; what a dataclass makes anew for each object is made once."""
    if is_dataclass(function):
        (entry,) = (entry for entry in fields(function) if entry.name == parameter.name)
        if callable(entry.default_factory):
            return entry.default_factory()
    return parameter.default


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return value if value is None or isinstance(value, str | int | float | bool) else repr(value)


def broken_promises(expected: Record, actual: Record) -> Iterator[str]:
    """What of one export is gone or different; parameters with a default, and names, may have come."""
    if expected["is"] != actual["is"]:
        yield f"a {expected['is']} became a {actual['is']}"
        return
    for name in ("bases", "fields", "properties"):
        yield from (f"{name}: {gone} is gone" for gone in expected.get(name, ()) if gone not in actual.get(name, ()))
    for member, value in expected.get("members", {}).items():
        if actual["members"].get(member) != value:
            yield f"{member} = {value!r} became {actual['members'].get(member)!r}"
    if expected.get("is_frozen", False) and not actual.get("is_frozen"):
        yield "it is frozen no more"
    yield from _broken_call("the call", expected.get("parameters", []), actual.get("parameters", []))
    for name, parameters in expected.get("methods", {}).items():
        if name not in actual["methods"]:
            yield f"{name}() is gone"
        else:
            yield from _broken_call(f"{name}()", parameters, actual["methods"][name])


def _is_kept(before: Record, now: Record) -> bool:
    """Whether a parameter is as it was; a default that is an object may have gained fields."""
    old, new = before.get("default"), now.get("default")
    if isinstance(old, dict) and isinstance(new, dict):
        return before == now | {"default": {name: new.get(name) for name in old}}
    return before == now


def _broken_call(place: str, expected: list[Record], actual: list[Record]) -> Iterator[str]:
    now = {parameter["name"]: parameter for parameter in actual}
    before = {parameter["name"] for parameter in expected}
    for parameter in expected:
        if parameter["name"] not in now:
            yield f"{place}: the parameter {parameter['name']} is gone"
        elif not _is_kept(parameter, now[parameter["name"]]):
            yield f"{place}: {parameter} became {now[parameter['name']]}"
    for parameter in actual:
        if parameter["name"] not in before and "default" not in parameter and parameter["kind"] not in OPTIONAL:
            yield f"{place}: {parameter['name']} came, and must be given"
    places = [parameter["name"] for parameter in expected if parameter["kind"] in POSITIONAL]
    if [parameter["name"] for parameter in actual if parameter["kind"] in POSITIONAL][: len(places)] != places:
        yield f"{place}: what is given by its place has another place"
