"""Whether a corpus bears on a question at all: a fitted decision, so that "I don't know" can be said.

Three decisions are kept, one for each way a question can be looked up: by meaning and words, by meaning
alone (another language than the corpus's, only stop words, or as asked), by words alone. A side that
was silent is left out, not counted as a failure.
"""

from dataclasses import dataclass

import numpy as np
from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.assessment.decision import Decision
from pathfinder.assessment.features import (
    MEANING_FEATURES,
    WORD_FEATURES,
    WORD_FEATURES_ALONE,
    Pool,
    WordCounts,
    meaning_features,
    word_features,
)
from pathfinder.corpus.strict_json import from_json, to_json
from pathfinder.types import Floats, SearchResult


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class RelevanceModel:
    """The decision of one corpus, and what it was fitted on."""

    both: Decision
    meaning: Decision
    words: Decision
    threshold: float
    """Probability, [0, 1], from which on a question is answered."""
    n_titles: int
    """Own titles, each with its paper held back, that stood for good questions; 0: the shipped weights stand."""
    n_off_topic: int
    """Off-topic questions that stood for the others."""

    def __post_init__(self) -> None:
        for name, decision in (("both", self.both), ("meaning", self.meaning), ("words", self.words)):
            if decision.features != FEATURES[name]:
                raise ValueError(f"{name} must weigh {FEATURES[name]}, got {decision.features}")
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold must lie in 0..1, got {self.threshold}")

    def assess(self, result: SearchResult, counts: WordCounts) -> float:
        """Probability that the corpus bears on the question of `result`, [0, 1]; 0 when nothing was found.

        It judges the pool in the order of its match, not the hits: what weights and top_k do to the hits
        does not change what the corpus knows. `counts` are the corpus's words (its sparse index).
        """
        return self.probability(result.request.query, result.candidates, counts)

    def probability(self, question: str, pool: Pool, counts: WordCounts) -> float:
        """The same, of a question and its pool."""
        measured = measure(question, pool, counts)
        if measured is None:
            return 0.0
        name, features = measured
        decision: Decision = getattr(self, name)
        return decision.probability(features)

    def to_json(self) -> str:
        return to_json(_ADAPTER, self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "RelevanceModel":
        """Raises CorpusDamaged for anything but what `to_json` writes."""
        return from_json(_ADAPTER, text, "the relevance decision")


FEATURES = {
    "both": (*MEANING_FEATURES, *WORD_FEATURES),
    "meaning": MEANING_FEATURES,
    "words": WORD_FEATURES_ALONE,
}
"""What each of the three decisions weighs."""


def measure(question: str, pool: Pool, counts: WordCounts) -> tuple[str, Floats] | None:
    """Which decision a question falls under, and its features; `None` when nothing was found."""
    if len(pool.dense) == 0:
        return None
    meaning, words = not np.isnan(pool.dense).all(), not np.isnan(pool.sparse).all()
    if meaning and words:
        return "both", np.concatenate([meaning_features(pool), word_features(question, pool, counts)])
    if meaning:
        return "meaning", meaning_features(pool)
    return "words", word_features(question, pool, counts)


_ADAPTER = TypeAdapter(RelevanceModel)
