"""The fields of a search and of an answer in the body of a call, read from the tables of their settings."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from pathfinder.retrieval.request_records import request_of_record, settings_in
from pathfinder.types import SearchRequest, Weighting
from pathfinder.types import setting_kinds as kinds
from pathfinder.types.settings import Setting, settings_of
from pathfinder.types.weighting import Steers

AUTO = "auto"
"""Value that leaves the choice to Pathfinder, such as that of the mode that suits the question."""
_PLAIN: dict[type, Any] = {
    kinds.Switch: bool,
    kinds.PhraseList: list[str],
    kinds.NameList: list[str],
    Steers: dict[str, float],
}
"""JSON type of some kinds of setting. Numbers and choices have types of their own; all others are strings, written as
in a link.
"""

_QUESTION = "How is sleep measured?"
_WEIGHTS = "Strength of each ranking factor, by name (such as recency or citations): 0 (off) to 1."


def search_fields(names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return the fields of a search: `query`, `weights`, and every setting under its own name; or, without a question,
    the settings called `names`.
    """
    if names is not None:
        fields = fields_of(SearchRequest)
        return {name: fields[name] for name in names}
    return {
        "query": (str, Field(description="A question, a topic or an abstract.", examples=[_QUESTION])),
        "weights": (dict[str, float], Field(default_factory=dict, description=_WEIGHTS)),
        **fields_of(SearchRequest, Weighting),
    }


def fields_of(*parts: type[Any]) -> dict[str, Any]:
    """Return the type and the field of every setting of `parts`, by name."""
    settings = [setting for part in parts for setting in settings_of(part)]
    return {setting.name: (_type(setting.kind), _field(setting)) for setting in settings}


def request_of(body: BaseModel) -> SearchRequest:
    """Build the request from a body. Raises `UsageError` for a value that is not valid."""
    return request_of_record(_given(body))


def settings_given(body: BaseModel) -> dict[str, Any]:
    """Return the settings of a search that a body names, as `SearchRequest` takes them."""
    return settings_in(SearchRequest, _given(body))


def settings_chosen(part: type[Any], body: BaseModel) -> dict[str, Any]:
    """Return the settings of `part` that a body names, without those that it leaves to Pathfinder."""
    return settings_in(part, {name: value for name, value in _given(body).items() if value != AUTO})


def first_mistake(error: ValidationError) -> str:
    """Name the first field of a body that is wrong, its rule and its value."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "settings"
    if first["type"] == "extra_forbidden":
        return f"no setting is called {place!r}: the description of the tool lists the settings"
    if first["type"] == "missing":
        return f"{place} is missing: {first['msg'].lower()}; give it"
    return f"{place}: {first['msg'].lower()}, got {repr(first['input'])[:80]}; give another value"


def _given(body: BaseModel) -> dict[str, Any]:
    return {name: getattr(body, name) for name in body.model_fields_set}


def _type(kind: kinds.Kind) -> Any:
    if isinstance(kind, kinds.WholeNumber):
        return int | None if kind.is_optional else int
    if isinstance(kind, kinds.Number):
        return float | None if kind.is_optional else float
    if isinstance(kind, kinds.Alternatives):
        return str | None if kind.is_optional else str
    if isinstance(kind, kinds.MapRegion | kinds.Day):
        return str | None
    return _PLAIN.get(type(kind), str)


def _field(setting: Setting) -> Any:
    """Return the field's default, as JSON, its description and its range."""
    is_text = _type(setting.kind) in (str, str | None) and setting.default is not None
    default = setting.kind.write(setting.default) if is_text else setting.default
    values = f" Values: {setting.kind.values}." if setting.kind.values else ""
    plain = dict if isinstance(setting.kind, Steers) else list
    kind = setting.kind
    limits: dict[str, Any] = {}
    if isinstance(kind, kinds.WholeNumber | kinds.Number):
        limits = {"ge": kind.low, "le": kind.high}
    default = plain(default) if isinstance(default, tuple) else default
    return Field(default=default, description=setting.help + values, **limits)
