"""Any sentence-transformers model on this machine, identified by its name on the Hugging Face hub or by its folder."""

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol, Self

import numpy as np

from pathfinder.errors import MissingDependency, ModelError
from pathfinder.models.ports import Kind, Vectors
from pathfinder.settings import LOCAL_EMBEDDER, Settings
from pathfinder.types.texts import one_line


class Encoder(Protocol):
    """The part of `SentenceTransformer` that Pathfinder uses. If a model has `encode_query` and `encode_document`, they
    are called instead of `encode`, and add the prompts chosen by the model's authors.
    """

    max_seq_length: float | None
    """Limit in tokens; `None` or infinite if the model has none."""
    tokenizer: Callable[..., Any]

    def encode(self, inputs: list[str], **options: Any) -> Any:
        """Return one vector for each of `inputs`."""


class SentenceTransformersEmbedder:
    """An embedder that runs any sentence-transformers model, loaded by name."""

    def __init__(self, model: str, encoder: Encoder) -> None:
        """Use `encoder` under the name `model`, which is recorded in the corpus."""
        self.name = f"sentence-transformers:{model}"
        self._encoder = encoder
        limit = encoder.max_seq_length
        self.max_tokens = sys.maxsize if limit is None or math.isinf(limit) else int(limit)
        # Determined by embedding a text, because the method that reports it has different names in different versions.
        self.dimension = self._encode(["dimension"], "document").shape[1]

    @classmethod
    def from_settings(cls, model: str, _settings: Settings) -> Self:
        """Load the model called `model`, which is downloaded on first use. Raises `MissingDependency` or
        `ModelError`.
        """
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise MissingDependency(
                f"sentence-transformers is not installed: pip install 'pathfinder[sentence-transformers]', "
                f"or choose {LOCAL_EMBEDDER}"
            ) from error
        try:
            encoder = SentenceTransformer(model)
        except (OSError, ValueError) as error:
            reason = one_line(str(error))
            raise ModelError(
                f"sentence-transformers:{model} cannot be loaded ({reason}): check the name, or give the model's folder"
            ) from error
        return cls(model, encoder)

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
