"""A comparison table, apart from what fills one, so that the help of a command does not load that."""

from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types import Call, Paper, StageStatus, Verdict


class CellDoubt(StrEnum):
    """Reason to doubt a cell that a chat model wrote."""

    NO_QUOTE = "its quotation is not in the paper"
    NOT_FOUND = "the paper does not say it"
    CONTRADICTED = "the paper contradicts it"


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
