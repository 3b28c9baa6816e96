"""The mode and style recommended for each kind of question. This is only advice: readers decide for themselves."""

from dataclasses import dataclass

from pathfinder.answering.modes.registry import style_for, styles_of
from pathfinder.retrieval.routing.route import Route
from pathfinder.retrieval.routing.suggestions import Category, Flag
from pathfinder.types import ModeName, Specialisation

_BY_CATEGORY = {
    Category.SINGLE_PAPER: (ModeName.RAG, Specialisation.SINGLE_PAPER),
    Category.MULTI_PAPER: (ModeName.RAG, Specialisation.MULTI_PAPER),
    Category.CONSENSUS: (ModeName.RAG, Specialisation.BROAD),
    Category.WHAT_IF: (ModeName.AGENT, Specialisation.MULTI_PAPER),
    Category.COMPOSITIONAL: (ModeName.DEEP_RESEARCH, Specialisation.MULTI_PAPER),
    Category.UNCLASSIFIED: (ModeName.RAG, Specialisation.MULTI_PAPER),
}
"""Modes as in Table 1 of arXiv:2408.01556, except that compositional questions are researched part by part, as in the
program published with that paper. Styles follow section 3 of the paper where the mode supports them.
"""


@dataclass(frozen=True, slots=True)
class ModeAdvice:
    """The mode and style that suit a question."""

    generation: ModeName | str
    specialisation: Specialisation
    """A style that the mode supports."""
    because: str
    """Kind of question, such as "bibliometric" or "single-paper"."""


def advise_mode(
    route: Route, generation: ModeName | str | None = None, style: Specialisation | None = None
) -> ModeAdvice:
    """Recommend how to answer a question of the given kind; the bibliometric flag takes precedence over the category.

    If the reader has chosen a mode (`generation`), the recommended style is one that this mode supports; if the reader
    has chosen only a `style`, the recommended mode is one that supports it.
    """
    if Flag.BIBLIOMETRIC in route.flags:
        advice = ModeAdvice(ModeName.RAG, Specialisation.BIBLIOMETRIC, Flag.BIBLIOMETRIC.value)
    else:
        advice = ModeAdvice(*_BY_CATEGORY[route.category], route.category.value)
    if generation is None and style is not None:
        generation = advice.generation if style in styles_of(advice.generation) else ModeName.RAG
        return ModeAdvice(generation, style, advice.because)
    if generation is None:
        return advice
    return ModeAdvice(generation, style_for(generation, advice.specialisation), advice.because)
