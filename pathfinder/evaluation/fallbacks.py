"""Which stages of a search did something else than was asked of them, by what their badges say."""

import re
from collections import Counter
from collections.abc import Sequence

from pathfinder.types import Stage

_OTHERWISE = re.compile(
    r"not run: "  # nothing stood in
    r"|not used: the question "  # not those sides that a method leaves out
    r"|.+ unavailable \("  # another reranker
    r"|feedback \("  # in the place of imagined abstracts
    r"|(?:.*, by )?rules \("  # in the place of a chat model
)


def fell_back(stages: Sequence[Stage], n_questions: int) -> tuple[str, ...]:
    """A line a stage that fell back, with the number of questions and its most frequent badge."""
    counts: dict[str, Counter[str]] = {}
    for stage in stages:
        if _OTHERWISE.match(stage.ran):
            counts.setdefault(stage.name, Counter())[stage.ran] += 1
    return tuple(
        f"{name} fell back for {wordings.total()} of {n_questions} questions: {wordings.most_common(1)[0][0]}"
        for name, wordings in counts.items()
    )
