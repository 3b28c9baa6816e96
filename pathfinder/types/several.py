"""A kind of setting: several members of an enumeration."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pathfinder.errors import UsageError
from pathfinder.types.setting_kinds import split_words


@dataclass(frozen=True, slots=True, eq=False)
class Several:
    """Any number of members of an enumeration, each once; links contain their values, separated by commas."""

    members: type[StrEnum]
    labels: Mapping[Any, str] = field(default_factory=dict)
    """Label of each member on a page."""

    def check(self, name: str, value: Any) -> None:
        is_valid = isinstance(value, tuple) and all(isinstance(member, self.members) for member in value)
        if not is_valid or len(set(value)) < len(value):
            raise UsageError(f"{name} must be a tuple of {self.values}, each once, got {value!r}")

    def read(self, text: str) -> tuple[StrEnum, ...]:
        names = split_words(text)
        if unknown := [name for name in names if name not in [*self.members]]:
            raise UsageError(f"choose from {self.values}, got {', '.join(unknown)}")
        return tuple(map(self.members, names))

    def write(self, value: tuple[StrEnum, ...]) -> str:
        return ",".join(value)

    @property
    def values(self) -> str:
        return ", ".join(self.members)
