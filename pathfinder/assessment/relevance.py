"""Abstention: a fitted decision on whether a corpus covers a question at all.

There are three decisions, one for each way of looking up a question: by meaning and words; by meaning alone (on
request, or for a question made only of stop words or in a language other than that of the corpus); and by words alone.
A half of the search that did not run is left out, rather than counted as a failure.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.assessment.decision import LogisticRule
from pathfinder.assessment.predictors import (
    MEANING_PREDICTORS,
    WORD_PREDICTORS,
    WORD_PREDICTORS_ALONE,
    PredictorPool,
    meaning_predictors,
    word_predictors,
)
from pathfinder.index.ports import WordStatistics
from pathfinder.text.strict_json import from_json, to_json
from pathfinder.types import Expansion, Floats, SearchResult


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, serialize_by_alias=True))
@dataclass(frozen=True, slots=True)
class RelevanceModel:
    """The relevance decisions of one corpus, and the data on which they were fitted."""

    both: LogisticRule
    meaning: LogisticRule
    words: LogisticRule
    threshold: float
    """Minimum probability, in [0, 1], at which a question is answered."""
    n_titles: int
    """Number of titles from the corpus used as good questions, each with its own paper held back; 0 if the shipped
    weights are used.
    """
    n_off_topic: int
    """Number of off-topic questions used as bad questions."""

    def __post_init__(self) -> None:
        for name, decision in (("both", self.both), ("meaning", self.meaning), ("words", self.words)):
            if decision.predictors != PREDICTORS[name]:
                raise ValueError(f"{name} must weigh {PREDICTORS[name]}, got {decision.predictors}")
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold must lie in 0..1, got {self.threshold}")

    def assess(self, result: SearchResult, counts: WordStatistics) -> float:
        """Return the probability, in [0, 1], that the corpus covers the question of `result`; 0 if nothing was found.

        The judgement rests on the pool, best match first, rather than on the hits: weights and top_k change the hits
        but not what the corpus covers. `counts` are the word statistics of the corpus (its sparse index).
        """
        return self.probability(result.words, result.candidates, counts, result.expansions)

    def probability(
        self, question: str, pool: PredictorPool, counts: WordStatistics, expansions: Sequence[Expansion] = ()
    ) -> float:
        """Return the probability, in [0, 1], that the corpus covers `question`, judged by its candidate `pool`; the
        other names in `expansions` stand for terms of the question.
        """
        measurement = measure(question, pool, counts, expansions)
        if measurement is None:
            return 0.0
        name, predictors = measurement
        decision: LogisticRule = getattr(self, name)
        return decision.probability(predictors)

    def to_json(self) -> str:
        return to_json(_ADAPTER, self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "RelevanceModel":
        """Read the output of `to_json`; raises `CorpusDamaged` for anything else."""
        return from_json(_ADAPTER, text, "the relevance decision")


PREDICTORS = {
    "both": (*MEANING_PREDICTORS, *WORD_PREDICTORS),
    "meaning": MEANING_PREDICTORS,
    "words": WORD_PREDICTORS_ALONE,
}
"""Predictors used in each of the three decisions."""


def measure(
    question: str, pool: PredictorPool, counts: WordStatistics, expansions: Sequence[Expansion] = ()
) -> tuple[str, Floats] | None:
    """Choose the decision that applies to a question and compute its predictors; `None` if nothing was found."""
    if len(pool.dense) == 0:
        return None
    meaning, words = not np.isnan(pool.dense).all(), not np.isnan(pool.sparse).all()
    if meaning and words:
        return "both", np.concatenate([meaning_predictors(pool), word_predictors(question, pool, counts, expansions)])
    if meaning:
        return "meaning", meaning_predictors(pool)
    return "words", word_predictors(question, pool, counts, expansions)


_ADAPTER = TypeAdapter(RelevanceModel)
