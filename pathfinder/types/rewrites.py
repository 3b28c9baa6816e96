"""An answer rewritten for another audience, and the facts that were lost or added."""

from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types.calls import Call


class Audience(StrEnum):
    """Audience of a rewritten answer."""

    TEN_YEAR_OLD = "ten-year-old"
    STUDENT = "student"
    """A physics student in the first years of university."""
    EXPERT = "expert"
    """An astronomer."""


class FactKind(StrEnum):
    """Kinds of fact that must survive when an answer is rewritten."""

    NUMBER = "number"
    UNIT = "unit"
    NAME = "name"
    NEGATION = "negation"
    CITATION = "citation"


@dataclass(frozen=True, slots=True)
class Change:
    """A fact that only one of the two texts contains."""

    kind: FactKind
    text: str
    """Text of the fact, verbatim."""
    start: int
    """Start of the fact: its position in the original if it was lost, in the rewritten text if it was added."""
    end: int
    reason: str
    """Reason in a few words, such as "not in the new text"."""


@dataclass(frozen=True, slots=True)
class Fidelity:
    """Facts that were lost or added in a rewritten text, in order of position."""

    lost: tuple[Change, ...]
    added: tuple[Change, ...]
    not_compared: tuple[str, ...] = ()
    """Kinds of fact that could not be compared, with the reason."""

    @property
    def is_faithful(self) -> bool:
        """True if none of the facts that can be compared was lost or added."""
        return not self.lost and not self.added


@dataclass(frozen=True, slots=True)
class Rewrite:
    """An answer rewritten for another audience or in another language."""

    original: str
    text: str
    """Text with the [n] marks of the original; a mark that is not in the original ends with a question mark: [9?]."""
    audience: Audience | None
    """Audience of the new text; `None` if it is the same as before."""
    language: str | None
    """Language as requested; `None` if it is the language of the original."""
    fidelity: Fidelity
    ran: str
    """Badge text that names the model."""
    seconds: float
    notes: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
