"""A network of papers, apart from what makes one, so that the help of a command does not load that."""

from dataclasses import dataclass

from pathfinder.types import NetworkLink, Paper, Tie

DEFAULT_PAPERS, MAX_PAPERS = 60, 500


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
