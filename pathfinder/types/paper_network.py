"""Networks of papers: the hits of a search with their neighbours and links, and a paper's place among citations."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types.papers import Paper


class Tie(StrEnum):
    """Kind of link between two papers in a network."""

    REFERENCES = "references"
    """One cites the other."""
    CO_CITATION = "co-citation"
    """Other papers cite both (Small 1973)."""
    COUPLING = "coupling"
    """Both cite the same works (Kessler 1963)."""
    LIKENESS = "likeness"
    """Their vectors are similar."""


@dataclass(frozen=True, slots=True)
class NetworkLink:
    """A link between two papers in a network."""

    first: int
    second: int
    """Positions of both papers in the list of the network's papers; for references, `first` cites `second`."""
    strength: float
    """1 for references, otherwise a cosine: Salton's for co-citation and coupling, that of the vectors for likeness."""


@dataclass(frozen=True, slots=True)
class RelatedPaper:
    """A paper that shares references or citing papers with another."""

    paper: Paper
    n_shared: int
    """Number of works that both cite, or of papers that cite both."""
    similarity: float
    """Salton's cosine, in (0, 1]: `n_shared` over the geometric mean of the two papers' numbers of references, or of
    citations.
    """


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
    """Number of papers in `cited_by` for each year; those without a year are left out."""
    co_cited: tuple[RelatedPaper, ...]
    """Papers that are cited together with it, most often first (Small 1973)."""
    coupled_papers: tuple[RelatedPaper, ...]
    """Papers that cite the same works, most shared works first (bibliographic coupling, Kessler 1963)."""

    def n_cited_by(self, as_of: int | None = None) -> int:
        """Return the number of papers in the corpus that cite the paper, in all or up to the end of a year."""
        if as_of is None:
            return len(self.cited_by)
        return sum(n for year, n in self.citations_by_year.items() if year <= as_of)
