"""The papers in a corpus that are dated up to the end of a year."""

from dataclasses import dataclass

from pathfinder.types.papers import Paper
from pathfinder.types.results import Rows


@dataclass(frozen=True, slots=True, eq=False)
class AsOf:
    """A year, and the papers in a corpus that are dated up to its end."""

    year: int
    rows: Rows
    """Rows of these papers in the whole corpus, in ascending order."""
    n_whole: int
    """Number of papers in the whole corpus."""
    n_undated: int
    """Number of papers without a date, which are left out."""
    counts_citations: bool
    """True if citations are counted among these papers; False if the corpus lists no references, so that no citation
    has a date and none is counted.
    """

    def includes(self, paper: Paper) -> bool:
        """Return whether `paper` is known to be dated up to the end of the year."""
        dates = (paper.year, paper.date.year if paper.date else None)
        known_years = [year for year in dates if year is not None]
        return bool(known_years) and max(known_years) <= self.year

    @property
    def n_later(self) -> int:
        """Number of papers dated later, which are left out."""
        return self.n_whole - self.n_undated - len(self.rows)

    @property
    def share(self) -> str:
        """Number of these papers out of all those in the corpus, as a phrase: "1,200 of 5,000 papers"."""
        return f"{len(self.rows):,} of {self.n_whole:,} papers"
