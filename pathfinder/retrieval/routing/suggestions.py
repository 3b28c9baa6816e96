"""Kinds of questions (arXiv:2408.01556, section 4), and the settings recommended for each (Table 1)."""

from dataclasses import dataclass, replace
from enum import StrEnum

from pathfinder.settings import COHERE_RERANKERS
from pathfinder.types import LOCAL_RERANKER, NO_RERANKER, QueryExpansion, SearchRequest


class Category(StrEnum):
    """Kind of question, by what is needed to answer it."""

    SINGLE_PAPER = "single-paper"
    """A fact stated in a single paper."""
    MULTI_PAPER = "multi-paper"
    """A summary of what several papers say."""
    CONSENSUS = "consensus"
    """A statement that papers support, refute or leave open."""
    COMPOSITIONAL = "compositional"
    """Several questions in one, whose answers have to be combined."""
    WHAT_IF = "what-if"
    """A hypothetical: how things would be under other conditions."""
    UNCLASSIFIED = "unclassified"


class Flag(StrEnum):
    """Property that a question can have in any category."""

    NAMED_ENTITY = "named entity"
    """It names an object, a telescope, a survey or a person."""
    JARGON = "jargon"
    """It uses technical terms, or words with several meanings."""
    BIBLIOMETRIC = "bibliometric"
    """It asks about papers, authors or counts."""
    TIME_SENSITIVE = "time-sensitive"
    """Its answer depends on when the papers were written."""


COHERE_RERANKER = COHERE_RERANKERS[0]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of the table, as printed in the paper."""

    kind: Category | Flag
    fewest: int
    most: int
    """Range of top-k, the number of papers: from `fewest` to `most`."""
    keywords: bool
    time: bool
    citations: bool
    retrieval: str
    """Parts of the search, joined by "+": s is semantic search, h is HyDE, c is Cohere's reranker."""
    generation: str | None
    """Answer mode; `None` if the table leaves it open."""


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
"""All nine rows; unclassified questions have no row."""


@dataclass(frozen=True, slots=True)
class RoutingSuggestion:
    """A row of the table as search settings, which take effect only when passed to `apply`."""

    row: TableRow
    reranker: str
    """Reranker to use if the suggestion is applied."""

    @property
    def imagine(self) -> QueryExpansion:
        """Hypothetical abstracts, if the row recommends them."""
        return QueryExpansion.HYDE if "h" in self.row.retrieval.split("+") else QueryExpansion.OFF

    @property
    def description(self) -> str:
        """One-line summary, such as "7 to 10 papers; keywords on, recency on, citations off; with HyDE; reranked by
        local".
        """
        names = (("keywords", self.row.keywords), ("recency", self.row.time), ("citations", self.row.citations))
        switches = ", ".join(f"{name} {'on' if is_on else 'off'}" for name, is_on in names)
        expansion = "with HyDE" if self.imagine is QueryExpansion.HYDE else "without HyDE"
        reranking = "not reranked" if self.reranker == NO_RERANKER else f"reranked by {self.reranker}"
        return f"{self.row.fewest} to {self.row.most} papers; {switches}; {expansion}; {reranking}"


def suggestion_for(kind: Category | Flag, reranker: str = LOCAL_RERANKER) -> RoutingSuggestion | None:
    """Return the settings that the table recommends for `kind`, with `reranker` in place of Cohere's; `None` if the
    table has no row for it.
    """
    for row in TABLE_1:
        if row.kind is kind:
            return RoutingSuggestion(row, reranker if "c" in row.retrieval.split("+") else NO_RERANKER)
    return None


def apply(suggestion: RoutingSuggestion, request: SearchRequest) -> SearchRequest:
    """Return `request` with the settings of `suggestion`; all other settings stay the same.

    The number of papers is clipped to the row's range, and a weight that is already on keeps its strength.
    """
    row, weighting = suggestion.row, request.weighting
    return replace(
        request,
        top_k=min(max(request.top_k, row.fewest), row.most),
        weighting=replace(
            weighting,
            keywords=_strength(row.keywords, weighting.keywords),
            recency=_strength(row.time, weighting.recency),
            citations=_strength(row.citations, weighting.citations),
        ),
        imagine=suggestion.imagine,
        reranker=suggestion.reranker,
    )


def _strength(is_on: bool, strength: float) -> float:
    return (strength or 1.0) if is_on else 0.0
