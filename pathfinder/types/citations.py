"""A paper's place in the citation network of its corpus."""

from collections.abc import Mapping
from dataclasses import dataclass

from pathfinder.types.papers import Paper


@dataclass(frozen=True, slots=True)
class RelatedPaper:
    """A paper that shares references or citing papers with another."""

    paper: Paper
    n_shared: int
    """Number of works that both cite, or of papers that cite both."""
    similarity: float
    """Salton's cosine: `n_shared` over the geometric mean of the numbers that each could share, in (0, 1]."""


@dataclass(frozen=True, slots=True)
class PaperCitations:
    """The references of a paper, and the papers in its corpus that cite it."""

    paper: Paper
    references: tuple[Paper, ...]
    """Papers in the corpus that it cites, in the order of the corpus."""
    outside: tuple[str, ...]
    """Other works that it cites, as `scheme:id`."""
    cited_by: tuple[Paper, ...]
    """Papers in the corpus that cite it, in the order of the corpus."""
    citations_by_year: Mapping[int, int]
    """Number of the papers in `cited_by` by their year; those without a year are left out."""
    co_cited: tuple[RelatedPaper, ...]
    """Papers that are cited together with it, most often first (Small 1973)."""
    coupled: tuple[RelatedPaper, ...]
    """Papers that cite the same works, most shared works first (bibliographic coupling, Kessler 1963)."""

    def n_cited_by(self, as_of: int | None = None) -> int:
        """Return the number of papers in the corpus that cite it, or of those published up to the end of a year."""
        if as_of is None:
            return len(self.cited_by)
        return sum(n for year, n in self.citations_by_year.items() if year <= as_of)
