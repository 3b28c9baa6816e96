"""An answer told anew for other readers, and what was lost or added on the way."""

from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types.calls import Call


class Audience(StrEnum):
    """Who an answer is told for."""

    TEN_YEAR_OLD = "ten-year-old"
    STUDENT = "student"
    """Of physics, in the first years."""
    EXPERT = "expert"
    """An astronomer."""


class FactKind(StrEnum):
    """What must survive a rewriting."""

    NUMBER = "number"
    UNIT = "unit"
    NAME = "name"
    NEGATION = "negation"
    CITATION = "citation"


@dataclass(frozen=True, slots=True)
class Change:
    """Something that only one of two texts says."""

    kind: FactKind
    text: str
    """Verbatim."""
    start: int
    """Where it lies: in the original if it was lost, in the rewritten text if it was added."""
    end: int
    reason: str
    """In a few words: "not in the new text"."""


@dataclass(frozen=True, slots=True)
class Fidelity:
    """What a rewritten text lost and added, in the order of its place."""

    lost: tuple[Change, ...]
    added: tuple[Change, ...]
    not_compared: tuple[str, ...] = ()
    """What could not be compared, and why."""

    @property
    def is_faithful(self) -> bool:
        """Whether nothing that is compared was lost or added."""
        return not self.lost and not self.added


@dataclass(frozen=True, slots=True)
class Rewrite:
    """An answer for another audience, or in another language."""

    original: str
    text: str
    """With the [n] marks of the original; a mark that the original lacks ends with a question mark: [9?]."""
    audience: Audience | None
    """`None`: told for the same readers."""
    language: str | None
    """As it was asked for; `None`: the language of the original."""
    fidelity: Fidelity
    ran: str
    """In words for a badge."""
    seconds: float
    notes: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
