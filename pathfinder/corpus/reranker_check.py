"""Effect of the local reranker on questions made from a corpus's own titles, as measured by the build."""

from dataclasses import dataclass
from typing import Self

from pydantic import TypeAdapter

from pathfinder.text.strict_json import from_json, to_json


@dataclass(frozen=True, slots=True)
class RerankerCheck:
    """Two means of nDCG@10 over questions that each have one relevant paper, and the standard error of their
    difference.
    """

    n_questions: int
    fusion: float
    """Mean nDCG@10 without the reranker, in [0, 1]."""
    reranked: float
    """Mean nDCG@10 with the reranker, in [0, 1]."""
    standard_error: float
    """Standard error of the mean difference."""

    @property
    def gain(self) -> float:
        """Gain in mean nDCG@10 from the reranker."""
        return round(self.reranked - self.fusion, 6)

    @property
    def is_on(self) -> bool:
        """False if the loss from the reranker exceeds the standard error; the reranker is then off by default in this
        corpus.

        The reranker improves the ranking on every collection that was not used to fit it, so a loss within the error is
        no reason to switch it off.
        """
        return self.gain >= -self.standard_error

    def to_json(self) -> str:
        return to_json(_ADAPTER, self)

    @classmethod
    def from_json(cls, text: str | bytes, name: str) -> Self:
        """Read back what `to_json` wrote. Raises `CorpusDamaged`, with `name`, for anything else."""
        return from_json(TypeAdapter(cls), text, name)


_ADAPTER = TypeAdapter(RerankerCheck)
