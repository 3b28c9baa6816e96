"""Kinds of setting: the values that each accepts, and how a link writes them."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from pathfinder.errors import UsageError
from pathfinder.types.region import Region, is_number

MIN_STRENGTH = 0.01
"""Minimum strength of a weight that is switched on, and the step size of its slider."""


class Kind(Protocol):
    """A type of value: defines which values are valid, and the form in which a link writes them."""

    def check(self, name: str, value: Any) -> None:
        """Raise `UsageError`, naming the setting, if a value is not valid."""

    def read(self, text: str) -> Any:
        """Read a value as written by `write`. Raises a `ValueError` for any other text."""

    def write(self, value: Any) -> str:
        """Write a value as text for a link."""

    @property
    def values(self) -> str:
        """Describe the valid values in a few words, for help texts and docs; empty if the type alone says enough."""


class _TextValue:
    """Values written as `str(value)`, with `None` as an empty text."""

    values: str = ""

    def write(self, value: Any) -> str:
        return "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off; written as 1 or 0 in a link."""

    values: ClassVar[str] = "on or off"

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, bool):
            raise UsageError(f"{name} must be True or False, got {value!r}")

    def read(self, text: str) -> bool:
        if text not in ("0", "1"):
            raise UsageError(f"a switch is 0 or 1, got {text!r}")
        return text == "1"

    def write(self, value: bool) -> str:
        return str(int(value))


@dataclass(frozen=True)
class WholeNumber(_TextValue):
    """A whole number from `low` to `high`."""

    low: int
    high: int
    step: int = 1
    is_optional: bool = False
    """True if `None`, meaning no bound, is also valid."""

    def check(self, name: str, value: Any) -> None:
        if value is None and self.is_optional:
            return
        if not (is_number(value) and isinstance(value, int) and self.low <= value <= self.high):
            raise UsageError(f"{name} must be a whole number in {self.low}..{self.high}, got {value!r}")

    def read(self, text: str) -> int:
        number = int(text)
        self.check("this setting", number)
        return number

    @property
    def values(self) -> str:  # type: ignore[override]
        return f"{self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number from `low` to `high`."""

    low: float
    high: float
    is_optional: bool = False

    def check(self, name: str, value: Any) -> None:
        if not (value is None and self.is_optional) and not (is_number(value) and self.low <= value <= self.high):
            raise UsageError(f"{name} must lie in {self.low:g}..{self.high:g}, got {value!r}")

    def read(self, text: str) -> float:
        number = float(text)
        self.check("this setting", number)
        return number

    def write(self, value: float | None) -> str:
        return "" if value is None else _in_short(value)

    @property
    def values(self) -> str:
        return f"{self.low:g} to {self.high:g}"


@dataclass(frozen=True, slots=True)
class Strength:
    """Strength of a ranking factor, in [0, 1]; 0 switches it off."""

    values: ClassVar[str] = "0 (off) to 1"

    def check(self, name: str, value: Any) -> None:
        if not (is_number(value) and 0 <= value <= 1):
            raise UsageError(f"the weight of {name} must lie in 0..1, got {value!r}")

    def read(self, text: str) -> float:
        strength = float(text)
        self.check("this factor", strength)
        if 0 < strength < MIN_STRENGTH:
            raise UsageError(
                f"a weight that is on must be at least {MIN_STRENGTH}, got {strength}; use 0 to switch it off"
            )
        return strength

    def write(self, value: float) -> str:
        return _in_short(value)


@dataclass(frozen=True, slots=True, eq=False)
class Alternatives:
    """The members of an enumeration, of which the reader chooses one; links contain its value."""

    members: type[StrEnum]
    labels: Mapping[Any, str] = field(default_factory=dict)
    """Label of each member on a page."""
    is_optional: bool = False

    def check(self, name: str, value: Any) -> None:
        if not (value is None and self.is_optional) and not isinstance(value, self.members):
            names = ", ".join(f"{self.members.__name__}.{member.name}" for member in self.members)
            raise UsageError(f"{name} must be one of {names}, got {value!r}")

    def read(self, text: str) -> StrEnum:
        return self.members(text)

    def write(self, value: StrEnum | None) -> str:
        return "" if value is None else value.value

    @property
    def values(self) -> str:
        return ", ".join(self.members)


@dataclass(frozen=True, eq=False)
class ModelName(_TextValue):
    """The name of a model; pages and links may use only the names in `labels`.

    A link may not name any other model, because the server would otherwise load a model chosen by a stranger.
    """

    labels: Mapping[str, str]

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, str) or not value.strip():
            raise UsageError(f"a {name} must be named as vendor:model, local or off; got {value!r}")

    def read(self, text: str) -> str:
        if text not in self.labels:
            raise UsageError(f"a page offers {', '.join(self.labels)}, got {text!r}")
        return text

    @property
    def values(self) -> str:  # type: ignore[override]
        return ", ".join(self.labels)


@dataclass(frozen=True, slots=True)
class PhraseList:
    """Words or phrases, separated by commas in a link."""

    values: ClassVar[str] = "separated by commas"

    def check(self, name: str, value: Any) -> None:
        if not _are_texts(value):
            raise UsageError(f"{name} must be a tuple of keywords, got {value!r}")

    def read(self, text: str) -> tuple[str, ...]:
        return split_words(text)

    def write(self, value: tuple[str, ...]) -> str:
        return ", ".join(value)


@dataclass(frozen=True, slots=True)
class NameList:
    """Names, which may contain commas; separated by semicolons in a link: "Riess, A; Planck Collaboration"."""

    values: ClassVar[str] = "separated by semicolons"

    def check(self, name: str, value: Any) -> None:
        if not _are_texts(value) or not all(map(str.strip, value)):
            raise UsageError(f"{name} must be a tuple of names, got {value!r}")

    def read(self, text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name.strip() for name in text.split(";") if name.strip()))

    def write(self, value: tuple[str, ...]) -> str:
        return "; ".join(value)


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Terms with their other names, such as "MW: Milky Way, our Galaxy; BH: black hole"."""

    values: ClassVar[str] = "term: name, name; term: name"

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, tuple) or not all(
            isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str) and _are_texts(entry[1])
            for entry in value
        ):
            raise UsageError(f'{name} must be pairs such as ("AGN", ("active galaxy",)), got {value!r}')

    def read(self, text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        entries = [entry.partition(":") for entry in text.split(";") if entry.strip()]
        return tuple({term.strip(): split_words(names) for term, _, names in entries}.items())

    def write(self, value: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
        return "; ".join(f"{term}: {', '.join(names)}" for term, names in value)


@dataclass(frozen=True, slots=True)
class MapRegion:
    """A part of the map."""

    values: ClassVar[str] = "corners: x,y;x,y;..."

    def check(self, name: str, value: Any) -> None:
        if value is not None and not isinstance(value, Region):
            raise UsageError(f"{name} must be a Region, such as Region.box(0, 0, 1, 1), got {value!r}")

    def read(self, text: str) -> Region:
        return Region.read(text)

    def write(self, value: Region | None) -> str:
        return "" if value is None else value.text


@dataclass(frozen=True, slots=True)
class Day:
    """A date, or `None`."""

    values: ClassVar[str] = "YYYY-MM-DD"

    def check(self, name: str, value: Any) -> None:
        if value is not None and (not isinstance(value, datetime.date) or isinstance(value, datetime.datetime)):
            raise UsageError(f"{name} must be a date, got {value!r}")

    def read(self, text: str) -> datetime.date:
        return datetime.date.fromisoformat(text)

    def write(self, value: datetime.date | None) -> str:
        return "" if value is None else value.isoformat()


def split_words(text: str) -> tuple[str, ...]:
    """Split a text into words at the commas, without duplicates."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def _in_short(value: float) -> str:
    """Write a number with as few digits as possible without changing it."""
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


def _are_texts(values: object) -> bool:
    return isinstance(values, tuple | list) and all(isinstance(value, str) for value in values)


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
