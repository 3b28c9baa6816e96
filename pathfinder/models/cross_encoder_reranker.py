"""Any sentence-transformers cross-encoder on this machine, identified by its name on the Hugging Face hub or by
its folder.
"""

from collections.abc import Sequence
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import MissingDependency, ModelError
from pathfinder.settings import Settings
from pathfinder.types.texts import one_line


class PairScorer(Protocol):
    """The part of `CrossEncoder` that Pathfinder uses."""

    def predict(self, inputs: list[tuple[str, str]], **options: Any) -> Any:
        """Return one score, or one row of scores, for each pair of texts."""


class CrossEncoderReranker:
    """A reranker that runs any cross-encoder, loaded by name."""

    def __init__(self, model: str, encoder: PairScorer) -> None:
        """Use `encoder` under the name `model`, by which requests refer to it."""
        self.name = f"cross-encoder:{model}"
        self._encoder = encoder

    @classmethod
    def from_settings(cls, model: str, _settings: Settings) -> Self:
        """Load the model called `model`, which is downloaded on first use. Raises `MissingDependency` or
        `ModelError`.
        """
        try:
            from sentence_transformers import CrossEncoder
        except ImportError as error:
            raise MissingDependency(
                "sentence-transformers is not installed: pip install 'pathfinder[sentence-transformers]', "
                "or choose the local reranker"
            ) from error
        try:
            encoder = CrossEncoder(model)
        except (OSError, ValueError) as error:
            reason = one_line(str(error))
            raise ModelError(
                f"cross-encoder:{model} cannot be loaded ({reason}): check the name, or give the model's folder"
            ) from error
        return cls(model, encoder)

    def rerank(self, query: str, documents: Sequence[str]) -> NDArray[np.float64]:
        """Return one score for each document, on the model's own scale; higher is better.

        Raises `ModelError` if the model returns several scores for a pair, or a score that is not a number.
        """
        if not documents:
            return np.empty(0)
        pairs = [(query, document) for document in documents]
        try:
            scores = np.asarray(self._encoder.predict(pairs, show_progress_bar=False), dtype=np.float64)
        except (RuntimeError, ValueError) as error:  # raised by torch, for example when memory runs out
            reason = one_line(str(error))
            raise ModelError(f"{self.name} failed ({reason}): choose a smaller model, or the local reranker") from error
        if scores.shape == (len(documents), 1):
            scores = scores[:, 0]
        if scores.shape != (len(documents),):
            raise ModelError(
                f"{self.name} returned scores of shape {scores.shape} for {len(documents)} documents, but each needs "
                "exactly one score: choose a cross-encoder that was trained to rerank"
            )
        if not np.isfinite(scores).all():
            text = documents[int(np.argmin(np.isfinite(scores)))]
            raise ModelError(
                f"{self.name} returned a score that is not a number for {text[:60]!r}: choose another model, "
                "or the local reranker"
            )
        return scores
