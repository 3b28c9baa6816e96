"""A timeline, apart from what makes one, so that the help of a command does not load that."""

from dataclasses import dataclass
from typing import NamedTuple

from pathfinder.types import ConsensusHistory, Paper, StatedValue

DEFAULT_PAPERS, MAX_PAPERS = 100, 500


@dataclass(frozen=True, slots=True)
class FirstMention:
    """The earliest paper in a timeline that mentions a term."""

    term: str
    paper: Paper
    n_papers: int
    """Number of papers in the timeline that mention it."""


class YearCount(NamedTuple):
    """A year, with its number of papers."""

    year: int
    n: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """The best matches for a question, by year."""

    question: str
    papers: tuple[Paper, ...]
    """The papers, best match first; those without a year are counted in `notes` and left out."""
    first_mentions: tuple[FirstMention, ...]
    """The first mentions of the topic's terms, earliest first."""
    values: tuple[StatedValue, ...]
    """Values of the quantity that the question asks for; empty if it asks for none."""
    consensus: ConsensusHistory | None
    """Consensus year by year, which requires a chat model; `None` if it was not computed."""
    notes: tuple[str, ...] = ()

    @property
    def years(self) -> tuple[YearCount, ...]:
        """Each year from the first paper to the last, with its number of papers."""
        of_papers = [paper.year for paper in self.papers if paper.year is not None]
        if not of_papers:
            return ()
        return tuple(YearCount(year, of_papers.count(year)) for year in range(min(of_papers), max(of_papers) + 1))
