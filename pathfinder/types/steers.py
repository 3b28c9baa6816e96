"""A kind of setting: features of the corpus by which a search is steered, each with a strength."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pathfinder.errors import UsageError
from pathfinder.types.setting_kinds import Number

MORE, LESS = "more:", "less:"
"""Prefixes of the names of the ranking factors that steer towards a feature and away from it."""

_STRENGTH = Number(-1, 1)


@dataclass(frozen=True, slots=True)
class Steers:
    """Features with strengths, such as "X-ray emission=0.5; numerical simulation=-0.3"; links separate them with
    semicolons.
    """

    values: ClassVar[str] = "feature=strength; ... from -1 (less) to 1 (more)"

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, tuple) or not all(_is_steer(entry) for entry in value):
            raise UsageError(f'{name} must be pairs such as ("X-ray emission", 0.5), got {value!r}')
        for feature, strength in value:
            _STRENGTH.check(f"the strength of the feature {feature!r}", strength)
        if len({feature for feature, _ in value}) < len(value):
            raise UsageError(f"{name} must name each feature once, got {self.write(value)}")

    def read(self, text: str) -> tuple[tuple[str, float], ...]:
        return tuple(map(_read_steer, filter(str.strip, text.split(";"))))

    def write(self, value: tuple[tuple[str, float], ...]) -> str:
        return "; ".join(f"{feature}={_STRENGTH.write(strength)}" for feature, strength in value)


def tidy(steers: Any) -> Any:
    """Return steers sorted and without those of strength 0, so that equal ones compare equal; a mapping is accepted,
    and anything else is returned as it is, to be refused by `Steers.check`.
    """
    steers = tuple(steers.items()) if isinstance(steers, Mapping) else steers
    if not isinstance(steers, tuple | list) or not all(map(_is_steer, steers)):
        return steers
    return tuple(sorted((feature, strength) for feature, strength in steers if strength != 0))


def factor_name(feature: str, strength: float) -> str:
    """Return the name of the ranking factor that a steer switches on: "more:X-ray emission"."""
    return f"{MORE if strength > 0 else LESS}{feature}"


def feature_of(factor: str) -> tuple[str, int] | None:
    """Return the feature of a ranking factor, with 1 if papers that have it are favoured and -1 if papers that lack it
    are; `None` for a factor that is not a steer.
    """
    signs = {MORE: 1, LESS: -1}
    beginning = next((beginning for beginning in signs if factor.startswith(beginning)), None)
    return None if beginning is None else (factor.removeprefix(beginning), signs[beginning])


def _is_steer(entry: Any) -> bool:
    return isinstance(entry, tuple | list) and len(entry) == 2 and isinstance(entry[0], str) and bool(entry[0].strip())


def _read_steer(text: str) -> tuple[str, float]:
    feature, equals, strength = (part.strip() for part in text.rpartition("="))
    if not equals or not feature:
        raise UsageError(f"a steer is written as FEATURE=STRENGTH, such as X-ray emission=0.5, got {text.strip()!r}")
    try:
        return feature, _STRENGTH.read(strength)
    except ValueError as error:
        raise UsageError(f"the strength of the feature {feature!r} must lie in -1..1, got {strength!r}") from error
