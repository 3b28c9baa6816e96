"""Which way of answering goes with which kind of question. It is advice: whoever asks applies it."""

from dataclasses import dataclass

from pathfinder.retrieval.routing.kinds import Category, Flag
from pathfinder.retrieval.routing.route import Route
from pathfinder.types import Generation, Specialisation

_BY_CATEGORY = {
    Category.SINGLE_PAPER: (Generation.RAG, Specialisation.SINGLE_PAPER),
    Category.MULTI_PAPER: (Generation.RAG, Specialisation.MULTI_PAPER),
    Category.CONSENSUS: (Generation.RAG, Specialisation.BROAD),
    Category.WHAT_IF: (Generation.AGENT, Specialisation.BROAD),
    Category.COMPOSITIONAL: (Generation.DEEP_RESEARCH, Specialisation.MULTI_PAPER),
    Category.UNCLASSIFIED: (Generation.RAG, Specialisation.MULTI_PAPER),
}
"""Generations as in Table 1 of arXiv:2408.01556, but for questions in several parts, which are researched part by
part as its program does; specialisations as its section 3 describes them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How a question is best answered."""

    generation: Generation
    specialisation: Specialisation
    because: str
    """In words: "bibliometric", "single-paper"."""


def advised(route: Route) -> Choice:
    """The way of answering that goes with the kind of a question; the bibliometric flag counts before the category."""
    if Flag.BIBLIOMETRIC in route.flags:
        return Choice(Generation.RAG, Specialisation.BIBLIOMETRIC, Flag.BIBLIOMETRIC.value)
    return Choice(*_BY_CATEGORY[route.category], route.category.value)
