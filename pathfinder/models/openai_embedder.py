"""OpenAI's embedding models: the limits on a request, the prices, and the form of a reply."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

import numpy as np
import openai

from pathfinder.errors import MissingKey, ProviderError, UsageError
from pathfinder.llm.providers import NO_KEY, UNREADABLE_ERRORS, ModelProvider
from pathfinder.models.ports import CostEstimate, KeylessEmbedder, Kind, Vectors
from pathfinder.settings import Settings

MAX_TOKENS = 8191
"""Limit for one text (OpenAI's API reference).

OpenAI's tokenizer would have to be downloaded, so texts are cut after this many bytes of UTF-8 instead. A token is at
least one byte, so no text is ever too long; a typical abstract in astronomy has a fifth of this length.
"""

MAX_TEXTS_PER_REQUEST = 2048
MAX_TOKENS_PER_REQUEST = 300_000
"""Limit for all texts in a request together (OpenAI's API reference); again, bytes are counted instead of tokens."""

BYTES_PER_TOKEN = 4.0
"""Bytes per token in price estimates: 2,000 titles with abstracts from arXiv's astro-ph averaged 4.7, so estimates tend
to be high.
"""

MAX_RETRIES: Mapping[Kind, int] = {"query": 1, "document": 4}
"""Number of retries by OpenAI's SDK for HTTP 408, 409, 429, 5xx and timeouts; few for a query, because a reader is
waiting.
"""

TIMEOUT_SECONDS: Mapping[Kind, float] = {"query": 15.0, "document": 60.0}
"""Timeout for each attempt."""

NORM_TOLERANCE = 1e-3


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """Dimension and price of one of OpenAI's models."""

    dimension: int
    dollars_per_million_tokens: float


MODELS = {
    "text-embedding-3-small": EmbeddingModel(dimension=1536, dollars_per_million_tokens=0.02),
    "text-embedding-3-large": EmbeddingModel(dimension=3072, dollars_per_million_tokens=0.13),
}
PRICED_ON = "July 2026"
"""Date of these prices in OpenAI's price list."""


class OpenAIEmbedder:
    """An embedding model from OpenAI or a compatible server; it reads the first 8,191 bytes of a text."""

    max_tokens = MAX_TOKENS
    is_remote = True

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None,
        base_url: str | None = None,
        timeout_seconds: Mapping[Kind, float] = TIMEOUT_SECONDS,
    ) -> None:
        """Raise `UsageError` for an unknown model, and `MissingKey` if there is neither a key nor a custom address."""
        _check_known(model)
        self.name = f"openai:{model}"
        if not api_key and not base_url:
            raise MissingKey(f"no key is set for {self.name}: set OPENAI_API_KEY, or choose a local embedder")
        self._model = model
        self.dimension = MODELS[model].dimension
        secrets = (api_key, urlsplit(base_url or "").password)
        self._provider = ModelProvider(self.name, "OPENAI_API_KEY", tuple(secret for secret in secrets if secret))
        self._timeout_seconds = timeout_seconds
        self._client = openai.OpenAI(api_key=api_key or NO_KEY, base_url=base_url)

    @classmethod
    def from_settings(cls, model: str, settings: Settings) -> Self:
        """Create the embedder with the key and address for OpenAI in `settings`."""
        key = settings.openai_api_key
        return cls(model, api_key=key.get_secret_value() if key else None, base_url=settings.openai_base_url)

    @classmethod
    def without_key(cls, model: str) -> KeylessEmbedder:
        """Return what is known about `model` without a key. Raises `UsageError` for an unknown model."""
        _check_known(model)
        name = f"openai:{model}"
        problem = (
            f"no key is set for {name}: set OPENAI_API_KEY, or embed the papers again with the local embedder "
            "(`pathfinder update DIR --re-embed`)"
        )
        return KeylessEmbedder(name, MODELS[model].dimension, MAX_TOKENS, problem)

    def is_cut(self, text: str) -> bool:
        return len(_encode(text)) > MAX_TOKENS

    def estimate(self, texts: Iterable[str]) -> CostEstimate:
        """Estimate the cost of embedding `texts` from their lengths."""
        n_tokens = round(sum(len(_encode(_cut_off(text))) for text in texts) / BYTES_PER_TOKEN)
        return CostEstimate(n_tokens, n_tokens * MODELS[self._model].dollars_per_million_tokens / 1e6, PRICED_ON)

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Embed `texts` in as few requests as OpenAI allows; its models treat queries and documents alike.

        Raises a `ProviderError` if the call fails, or if the reply has too few vectors or vectors of the wrong length.
        """
        client = self._client.with_options(timeout=self._timeout_seconds[kind], max_retries=MAX_RETRIES[kind])
        batches = [self._embed_batch(client, batch) for batch in _batches([_cut_off(text) for text in texts])]
        return np.concatenate([np.empty((0, self.dimension), dtype=np.float32), *batches])

    def _embed_batch(self, client: openai.OpenAI, texts: Sequence[str]) -> Vectors:
        try:
            reply = client.embeddings.create(model=self._model, input=list(texts))
            entries = sorted(reply.data, key=lambda entry: entry.index)
            indexes = [entry.index for entry in entries]
            vectors = [np.asarray(entry.embedding, dtype=np.float32) for entry in entries]
        except (openai.OpenAIError, *UNREADABLE_ERRORS) as error:
            is_unreachable = isinstance(error, openai.APIConnectionError)
            raise self._provider.failure(error, is_unreachable=is_unreachable) from None
        if indexes != list(range(len(texts))):
            raise ProviderError(f"{self.name} gave {len(indexes)} vectors for {len(texts)} texts: try again later")
        return self._check(vectors)

    def _check(self, vectors: Sequence[Vectors]) -> Vectors:
        shapes = {vector.shape for vector in vectors}
        if shapes != {(self.dimension,)}:
            dimensions = ", ".join(str(shape[0]) if shape else "none" for shape in sorted(shapes))
            raise ProviderError(
                f"{self.name} gave vectors of dimension {dimensions} instead of {self.dimension}: {_REMEDY}"
            )
        rows = np.stack(vectors)
        lengths = np.linalg.norm(rows, axis=1)
        # Not written the other way round, because all comparisons with NaN are false.
        if not (np.abs(lengths - 1) < NORM_TOLERANCE).all():
            worst = lengths[np.argmax(np.abs(lengths - 1))]
            raise ProviderError(f"{self.name} gave a vector of length {worst:.4g} instead of 1: {_REMEDY}")
        return rows


_REMEDY = "check which model answers at OPENAI_BASE_URL"


def _check_known(model: str) -> None:
    if model not in MODELS:
        raise UsageError(f"OpenAI's embedding model {model!r} is not known here: choose one of {', '.join(MODELS)}")


def _encode(text: str) -> bytes:
    # A lone surrogate cannot be encoded as UTF-8, and would abort a whole build.
    return text.encode("utf-8", "replace")


def _cut_off(text: str) -> str:
    """Return the part of `text` that is embedded. OpenAI does not accept an empty text, so an empty one becomes a
    space.
    """
    return _encode(text)[:MAX_TOKENS].decode("utf-8", "ignore") or " "


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    n_bytes = 0
    for text in texts:
        length = len(_encode(text))
        if batch and (len(batch) == MAX_TEXTS_PER_REQUEST or n_bytes + length > MAX_TOKENS_PER_REQUEST):
            yield batch
            batch, n_bytes = [], 0
        batch.append(text)
        n_bytes += length
    if batch:
        yield batch
