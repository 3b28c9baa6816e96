"""Table 1 of arXiv:2408.01556: which settings its authors advise for which kind of question."""

from dataclasses import dataclass, replace

from pathfinder.retrieval.advice import TIME_AGAINST_CITATIONS
from pathfinder.retrieval.routing.kinds import Category, Flag
from pathfinder.types import LOCAL_RERANKER, NO_RERANKER, Imagine, SearchRequest

COHERE_RERANKER = "cohere:rerank-v3.5"


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row, as printed."""

    kind: Category | Flag
    fewest: int
    most: int
    """Papers, top-k: from `fewest` to `most`."""
    keywords: bool
    time: bool
    citations: bool
    retrieval: str
    """s: semantic, h: HyDE, c: Cohere's reranker."""
    generation: str | None
    """How the answer is written; `None` where the table has none."""


TABLE_1 = (
    TableRow(Category.SINGLE_PAPER, 1, 5, True, True, False, "s+h+c", "RAG"),
    TableRow(Category.MULTI_PAPER, 7, 10, True, True, True, "s+h+c", "RAG"),
    TableRow(Category.CONSENSUS, 15, 20, True, False, True, "s+h", "RAG"),
    TableRow(Category.WHAT_IF, 10, 15, True, True, False, "s+h", "ReAct"),
    TableRow(Category.COMPOSITIONAL, 10, 15, True, False, True, "s+h+c", "ReAct"),
    TableRow(Flag.NAMED_ENTITY, 5, 7, True, False, False, "s+h", None),
    TableRow(Flag.JARGON, 7, 10, True, True, True, "s+h+c", None),
    TableRow(Flag.BIBLIOMETRIC, 10, 15, True, True, False, "s", None),
    TableRow(Flag.TIME_SENSITIVE, 5, 7, False, True, False, "s+h", "RAG"),
)
"""All nine rows; unclassified questions have none."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A row of the table as settings of a search. It changes nothing until `apply` is called."""

    row: TableRow
    reranker: str
    """What reranks if this is applied."""

    @property
    def imagine(self) -> Imagine:
        """Hypothetical abstracts where the row has h."""
        return Imagine.HYDE if "h" in self.row.retrieval.split("+") else Imagine.OFF

    @property
    def warning(self) -> str | None:
        """What speaks against the row: two of them switch time and citations on together."""
        return TIME_AGAINST_CITATIONS if self.row.time and self.row.citations else None

    @property
    def in_words(self) -> str:
        """ "7 to 10 papers; keywords, time and citations on; HyDE; reranked by local"."""
        names = (("keywords", self.row.keywords), ("time", self.row.time), ("citations", self.row.citations))
        switches = ", ".join(f"{name} {'on' if is_on else 'off'}" for name, is_on in names)
        imagined = "with HyDE" if self.imagine is Imagine.HYDE else "without HyDE"
        reranked = "not reranked" if self.reranker == NO_RERANKER else f"reranked by {self.reranker}"
        return f"{self.row.fewest} to {self.row.most} papers; {switches}; {imagined}; {reranked}"


def suggestion_for(kind: Category | Flag, reranker: str = LOCAL_RERANKER) -> Suggestion | None:
    """What the table advises for `kind`; `None` where it has no row. `reranker` stands in for the table's own."""
    for row in TABLE_1:
        if row.kind is kind:
            return Suggestion(row, reranker if "c" in row.retrieval.split("+") else NO_RERANKER)
    return None


def apply(suggestion: Suggestion, request: SearchRequest) -> SearchRequest:
    """`request` with the settings of `suggestion`; its question, years, keywords and every other setting stay.

    A number of papers within the row's range stays, another moves to the near end of it; a weight that is on
    already keeps its strength.
    """
    row, weighting = suggestion.row, request.weighting
    return replace(
        request,
        top_k=min(max(request.top_k, row.fewest), row.most),
        weighting=replace(
            weighting,
            keywords=_switched(row.keywords, weighting.keywords),
            recency=_switched(row.time, weighting.recency),
            citations=_switched(row.citations, weighting.citations),
        ),
        imagine=suggestion.imagine,
        reranker=suggestion.reranker,
    )


def _switched(is_on: bool, strength: float) -> float:
    return (strength or 1.0) if is_on else 0.0
