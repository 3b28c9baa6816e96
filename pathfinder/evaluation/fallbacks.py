"""Describes the stages of a search that did not run as requested."""

from collections import Counter
from collections.abc import Sequence

from pathfinder.types import Stage, StageOutcome, StageStatus

FALLBACKS = (StageOutcome.SUBSTITUTED, StageOutcome.FAILED)


def describe_fallbacks(stages: Sequence[Stage], status: Sequence[StageStatus], n_questions: int) -> tuple[str, ...]:
    """Describe each stage that fell back, with the number of questions and its most frequent badge, one per line.

    `status` contains the status of each of `stages`, in the same order.
    """
    counts: dict[str, Counter[str]] = {}
    for stage, ended in zip(stages, status, strict=True):
        if ended.status in FALLBACKS:
            counts.setdefault(stage.name, Counter())[stage.ran] += 1
    return tuple(
        f"{name} fell back for {badges.total()} of {n_questions} questions: {badges.most_common(1)[0][0]}"
        for name, badges in counts.items()
    )
