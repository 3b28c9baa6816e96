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
class NetworkPaper:
    """A paper in a network."""

    paper: Paper
    row: int
    """Position in the corpus."""
    rank: int | None
    """Rank among the hits, counted from 1; `None` for a neighbour of the hits."""
    x: float
    y: float
    """Place in the drawing; both coordinates are in [-1, 1]."""
    cluster: int
    """Number of its cluster, counted from 0, the largest first."""
    betweenness: float
    """Share of the shortest paths between other papers that pass through it, in [0, 1] (Freeman 1977)."""


@dataclass(frozen=True, slots=True)
class NetworkLink:
    """A link between two papers in a network."""

    first: int
    second: int
    """Positions of both papers in the list of the network's papers; for references, `first` cites `second`."""
    strength: float
    """1 for references, otherwise a cosine: Salton's for co-citation and coupling, that of the vectors for likeness."""


@dataclass(frozen=True, slots=True)
class PaperNetwork:
    """The hits of a search with their closest neighbours."""

    question: str
    tie: Tie
    papers: tuple[NetworkPaper, ...]
    """The hits, best first, then their neighbours, closest first."""
    links: tuple[NetworkLink, ...]
    main_path: tuple[int, ...]
    """Positions of the papers on the main path of citations, earliest first; empty if none cites another."""
    notes: tuple[str, ...] = ()
    """Parts that are missing, with the reason."""

    @property
    def between(self) -> tuple[NetworkPaper, ...]:
        """The papers that lie between others, the highest betweenness first."""
        return tuple(sorted((paper for paper in self.papers if paper.betweenness), key=lambda p: -p.betweenness))


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
