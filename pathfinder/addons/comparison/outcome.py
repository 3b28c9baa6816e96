"""A comparison table, apart from what fills one, so that the help of a command does not load that."""

from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types import Call, Paper, StageStatus, Verdict


class CellDoubt(StrEnum):
    """Reason to doubt a cell that a chat model wrote."""

    NO_QUOTE = "its quotation is not in the paper"
    NOT_FOUND = "the paper does not say it"
    CONTRADICTED = "the paper contradicts it"


CLOSEST = "no sentence is about it; this one is the closest"


class Mark(StrEnum):
    """Whether a paper meets a criterion."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    """The text that was read does not say."""


@dataclass(frozen=True, slots=True)
class ComparisonCell:
    """A cell: words from a paper, or about it, under a column."""

    text: str
    """Words from the chat model, or a value or sentence from the paper."""
    quotation: str
    """Sentence from the paper that supports the cell, verbatim; empty if the chat model's quotation was not found."""
    numbers: tuple[str, ...] = ()
    """Numbers in the quotation with their units, as stated there."""
    verdict: Verdict | None = None
    """Verdict of the ledger on `text`; `None` if the text is the paper's own."""
    place: str = ""
    """Section and page of the quotation in the full text; empty if the title or abstract has it."""
    mark: Mark | None = None
    """Whether the paper meets the criterion of the column, which `quotation` shows; `None` if the column has none."""
    is_inferred: bool = False
    """True if no sentence shows it: all are far from what is left out, and `quotation` is the closest of them."""

    @property
    def quoted(self) -> str:
        """The quotation, followed in brackets by its place if it is from the full text, or by what it does not show."""
        behind = CLOSEST if self.is_inferred else self.place
        return f"{self.quotation} ({behind})" if behind else self.quotation

    @property
    def doubt(self) -> CellDoubt | None:
        """Reason to doubt the cell; `None` if there is none."""
        if self.verdict is None:
            return None
        if self.verdict is Verdict.CONTRADICTED:
            return CellDoubt.CONTRADICTED
        if not self.quotation:
            return CellDoubt.NO_QUOTE
        return CellDoubt.NOT_FOUND if self.verdict is Verdict.NOT_FOUND else None


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A paper in a comparison table."""

    paper: Paper
    cells: tuple[ComparisonCell | None, ...]
    """A cell for each column; `None` if the paper says nothing about it."""

    def holds(self, mark: Mark) -> int:
        """Return how many criteria have this mark."""
        return sum(cell is not None and cell.mark is mark for cell in self.cells)


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """A table with one row for each paper, and columns that the reader names."""

    columns: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]
    model: str | None = None
    """Chat model that wrote the cells, or some of them; `None` if all are sentences from the papers."""
    notes: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    """Calls to the chat model."""
    status: StageStatus | None = None
    """Outcome of filling the cells, with the reason if sentences from the papers replaced a model's words."""
    criteria: tuple[str, ...] = ()
    """Those of the columns that are criteria; the rows that meet most of them come first."""
