"""The record of a search: its question and the settings that differ from the defaults, as JSON.

The body of an API call is such a record, and so is what a standing question stores.
"""

from collections.abc import Mapping
from typing import Any

from pathfinder.errors import UsageError
from pathfinder.retrieval.factors import factor_settings
from pathfinder.types import SearchRequest, Weighting
from pathfinder.types import setting_kinds as kinds
from pathfinder.types.settings import Setting, settings_of
from pathfinder.types.weighting import Steers

_QUERY, _WEIGHTS = "query", "weights"


def record_of_request(request: SearchRequest) -> dict[str, Any]:
    """Return the record from which `request` can be rebuilt: `query`, and the settings and weights that differ from the
    defaults.
    """
    weighting, plain = request.weighting, Weighting()
    weights = {
        name: strength
        for name, strength in weighting.strengths.items()
        if strength != plain.strengths.get(name, 0.0) and name in _factors()
    }
    settings = {
        **changed_settings(SearchRequest, request, SearchRequest(request.query)),
        **changed_settings(Weighting, weighting, plain),
    }
    return {_QUERY: request.query, **settings, **({_WEIGHTS: weights} if weights else {})}


def check_form(record: object) -> None:
    """Raise `UsageError` unless `record` is an object with a question, and its weights, if it has any, are numbers."""
    weights = record.get(_WEIGHTS, {}) if isinstance(record, Mapping) else None
    if not isinstance(record, Mapping) or not isinstance(record.get(_QUERY), str) or not isinstance(weights, Mapping):
        raise UsageError(
            f'a search is stored as {{"query": TEXT, "weights": {{NAME: NUMBER}}, ...}}, got {record!r:.80}'
        )
    for name, strength in weights.items():
        if not isinstance(strength, int | float):
            raise UsageError(f"the weight of {name} must be a number, got {strength!r:.80}")


def request_of_record(record: Mapping[str, Any]) -> SearchRequest:
    """Build the request from a record; names that are not settings are ignored (see `unknown_settings`).

    Raises `UsageError` for a record with a different layout, for a value that is not valid, and for a weight that no
    ranking factor has.
    """
    check_form(record)
    weighting = Weighting(**settings_in(Weighting, record))
    for name, strength in record.get(_WEIGHTS, {}).items():
        if name not in _factors():
            raise UsageError(f"weights may only name the ranking factors {', '.join(_factors())}, got {name!r}")
        weighting = weighting.with_strength(name, strength)
    return SearchRequest(record[_QUERY], weighting=weighting, **settings_in(SearchRequest, record))


def calls_chat(record: object) -> bool:
    """Return whether the search in a record calls a chat model if one is available. Only the settings that decide this
    are read. Raises `UsageError` if one of them has a value that is not valid.
    """
    if not isinstance(record, Mapping):
        return False
    for setting in settings_of(SearchRequest):
        if setting.calls_chat is not None and setting.name in record:
            value = _value(setting, record[setting.name])
            setting.kind.check(setting.name, value)
            if setting.calls_chat(value):
                return True
    return False


def unknown_settings(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names in a record that this version does not know, with a weight written as "weights.NAME"."""
    setting_names = {setting.name for part in (SearchRequest, Weighting) for setting in settings_of(part)}
    names = [name for name in record if name not in setting_names | {_QUERY, _WEIGHTS}]
    return (*names, *(f"{_WEIGHTS}.{name}" for name in record.get(_WEIGHTS, {}) if name not in _factors()))


def without_settings(record: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return a record without the settings and weights in `names`, which `unknown_settings` returned."""
    rest = {name: value for name, value in record.items() if name not in names}
    if _WEIGHTS in rest:
        rest[_WEIGHTS] = {name: value for name, value in rest[_WEIGHTS].items() if f"{_WEIGHTS}.{name}" not in names}
    return rest


def settings_in(part: type[Any], record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of the dataclass `part` that a record names, as values for its fields."""
    return {
        setting.name: _value(setting, record[setting.name]) for setting in settings_of(part) if setting.name in record
    }


def _factors() -> tuple[str, ...]:
    return tuple(setting.name for setting in factor_settings())


def changed_settings(part: type[Any], values: Any, defaults: Any) -> dict[str, Any]:
    """Return the settings of `part` in which `values` differ from `defaults`, as JSON."""
    return {
        setting.name: _as_json(setting, getattr(values, setting.name))
        for setting in settings_of(part)
        if getattr(values, setting.name) != getattr(defaults, setting.name)
    }


def _as_json(setting: Setting, value: Any) -> Any:
    """Convert a setting's value to JSON: the reverse of `_value`."""
    if isinstance(setting.kind, Steers):
        return dict(value)
    if isinstance(value, tuple) and isinstance(setting.kind, kinds.PhraseList | kinds.NameList):
        return list(value)
    return value if value is None or type(value) in (bool, int, float, str) else setting.kind.write(value)


def _value(setting: Setting, raw_value: Any) -> Any:
    """Convert a JSON value to the setting's value; strings are read as in a link."""
    if isinstance(raw_value, list | dict):
        return tuple(raw_value.items() if isinstance(raw_value, dict) else raw_value)
    if not isinstance(raw_value, str):
        return raw_value
    try:
        return setting.kind.read(raw_value)
    except ValueError as error:
        values = f" ({setting.kind.values})" if setting.kind.values else ""
        raise UsageError(f"{setting.name}{values} cannot be {raw_value!r}: {error}") from error
