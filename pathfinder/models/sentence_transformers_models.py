"""Any sentence-transformers model or cross-encoder on this machine, identified by its name on the Hugging Face hub or
by its folder.
"""

import math
import sys
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import MissingDependency, ModelError
from pathfinder.models.ports import Kind, Vectors
from pathfinder.settings import LOCAL_EMBEDDER, Settings
from pathfinder.types.texts import one_line


class SentenceTransformersEmbedder:
    """An embedder that runs any sentence-transformers model, loaded by name."""

    def __init__(self, model: str, encoder: Any) -> None:
        """Use `encoder`, a `SentenceTransformer`, under the name `model`, which is recorded in the corpus. If it has
        `encode_query` and `encode_document`, they are called instead of `encode`, and add the prompts chosen by the
        model's authors.
        """
        self.name = f"sentence-transformers:{model}"
        self._encoder = encoder
        limit: float | None = encoder.max_seq_length
        self.max_tokens = sys.maxsize if limit is None or math.isinf(limit) else int(limit)
        # Determined by embedding a text, because the method that reports it has different names in different versions.
        self.dimension = self._encode(["dimension"], "document").shape[1]

    @classmethod
    def from_settings(cls, model: str, _settings: Settings) -> Self:
        """Load the model called `model`, which is downloaded on first use. Raises `MissingDependency` or
        `ModelError`.
        """
        return cls(model, _load("SentenceTransformer", f"sentence-transformers:{model}", LOCAL_EMBEDDER))

    def is_cut(self, text: str) -> bool:
        if self.max_tokens == sys.maxsize:
            return False
        return len(self._encoder.tokenizer(text, truncation=False)["input_ids"]) > self.max_tokens

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Embed `texts` with the model's own prompts for queries or documents, if it has any.

        Raises `ModelError` if the vector of a text has no direction.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        vectors = self._encode(list(texts), kind)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        # Not written as `<= 0`, because all comparisons with NaN are false.
        if not (lengths > 0).all():
            text = texts[int(np.argmin(lengths > 0))]
            raise ModelError(
                f"{self.name} returned a vector without a direction for {text[:60]!r}: choose another model"
            )
        return np.asarray(vectors / lengths, dtype=np.float32)

    def _encode(self, texts: list[str], kind: Kind) -> Vectors:
        encode = getattr(self._encoder, f"encode_{kind}", self._encoder.encode)
        return np.asarray(encode(texts, convert_to_numpy=True, show_progress_bar=False), dtype=np.float32)


class CrossEncoderReranker:
    """A reranker that runs any cross-encoder, loaded by name."""

    def __init__(self, model: str, encoder: Any) -> None:
        """Use `encoder`, a `CrossEncoder`, under the name `model`, by which requests refer to it."""
        self.name = f"cross-encoder:{model}"
        self._encoder = encoder

    @classmethod
    def from_settings(cls, model: str, _settings: Settings) -> Self:
        """Load the model called `model`, which is downloaded on first use. Raises `MissingDependency` or
        `ModelError`.
        """
        return cls(model, _load("CrossEncoder", f"cross-encoder:{model}", "the local reranker"))

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


def _load(kind: str, name: str, instead: str) -> Any:
    """Load the `kind` of model (a class of sentence-transformers) whose name is `vendor:model`; `instead` is what else
    to choose without the package.
    """
    try:
        import sentence_transformers
    except ImportError as error:
        raise MissingDependency(
            "sentence-transformers is not installed: pip install 'pathfinder[sentence-transformers]', or choose "
            f"{instead}"
        ) from error
    try:
        return getattr(sentence_transformers, kind)(name.partition(":")[2])
    except (OSError, ValueError) as error:
        reason = one_line(str(error))
        raise ModelError(f"{name} cannot be loaded ({reason}): check the name, or give the model's folder") from error
