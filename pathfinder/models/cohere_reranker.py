"""Cohere's rerankers: the limits on a request and the form of a reply."""

from collections.abc import Sequence
from typing import Self
from urllib.parse import urlsplit

import cohere
import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import MissingKey, ProviderError, UsageError
from pathfinder.llm.providers import (
    KEY_VARIABLES,
    NO_KEY,
    SDK_ERRORS,
    UNREACHABLE_ERRORS,
    UNREADABLE_ERRORS,
    ModelProvider,
    imported_classes,
)
from pathfinder.settings import COHERE_RERANKERS, Settings

MAX_DOCUMENTS_PER_REQUEST = 1000
"""Limit recommended by Cohere (API reference, `POST /v2/rerank`)."""

MAX_RETRIES = 1
"""Number of retries by Cohere's SDK for HTTP 408, 409, 429, 5xx and a refused connection. Before each retry, the SDK
waits as long as Cohere requests, up to a minute, and the reader has to wait too.
"""

TIMEOUT_SECONDS = 15.0
"""Timeout for each attempt, and for the gap between two chunks of a reply."""


class CohereReranker:
    """A reranker from Cohere or a compatible server.

    A score is the relevance of one document to the query, independent of the other documents, so that scores from
    different requests can be compared; Cohere's own lie in [0, 1].
    """

    def __init__(
        self,
        model: str,
        api_key: str | None,
        *,
        base_url: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        """Raise `UsageError` for a model that is not a reranker, and `MissingKey` if there is neither a key nor a
        custom address.
        """
        if not model.startswith("rerank-"):
            known = " or ".join(name.removeprefix("cohere:") for name in COHERE_RERANKERS)
            raise UsageError(f"Cohere has no reranker {model!r}: choose one such as {known}")
        self.name = f"cohere:{model}"
        if not api_key and not base_url:
            raise MissingKey(f"no key is set for {self.name}: set {_KEY_VARIABLE}, or choose the local reranker")
        self._model = model
        secrets = (api_key, urlsplit(base_url or "").password)
        self._provider = ModelProvider(self.name, _KEY_VARIABLE, tuple(secret for secret in secrets if secret))
        self._client = cohere.ClientV2(
            api_key=api_key or NO_KEY, base_url=base_url, timeout=timeout_seconds, max_retries=MAX_RETRIES
        )

    @classmethod
    def from_settings(cls, model: str, settings: Settings) -> Self:
        """Create the reranker with the key and address for Cohere in `settings`."""
        key = settings.cohere_api_key
        return cls(model, key.get_secret_value() if key else None, base_url=settings.cohere_base_url)

    def rerank(self, query: str, documents: Sequence[str]) -> NDArray[np.float64]:
        """Return one score for each document, in order, in as few requests as Cohere's recommended limit allows.

        Raises a `ProviderError` if the call fails, or for a reply that omits a document, lists one twice, or gives it a
        score that is not a number.
        """
        starts = range(0, len(documents), MAX_DOCUMENTS_PER_REQUEST)
        batches = [self._rerank_batch(query, documents[at : at + MAX_DOCUMENTS_PER_REQUEST]) for at in starts]
        return np.concatenate([np.empty(0), *batches])

    def _rerank_batch(self, query: str, documents: Sequence[str]) -> NDArray[np.float64]:
        try:
            reply = self._client.rerank(model=self._model, query=query, documents=list(documents))
            # Cohere returns the best first; `index` counts from the first document of this request.
            pairs = sorted((result.index, result.relevance_score) for result in reply.results)
            indexes, scores = [index for index, _ in pairs], np.array([_number(score) for _, score in pairs])
        except imported_classes(SDK_ERRORS, OSError, *UNREADABLE_ERRORS) as error:
            is_unreachable = isinstance(error, imported_classes(UNREACHABLE_ERRORS, OSError))
            raise self._provider.failure(error, is_unreachable=is_unreachable, words=_words(error)) from None
        if indexes != list(range(len(documents))):
            raise ProviderError(
                f"{self.name} scored {len(set(indexes))} of {len(documents)} documents, in {len(indexes)} results: try "
                "again later, or choose the local reranker"
            )
        if not np.isfinite(scores).all():
            raise ProviderError(
                f"{self.name} returned a score that is not a number ({scores[~np.isfinite(scores)][0]}): try again "
                "later, or choose the local reranker"
            )
        return scores


_KEY_VARIABLE = KEY_VARIABLES["cohere"]


def _number(score: object) -> float:
    """Check a score: the SDK builds its objects from any JSON, regardless of their annotations."""
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise TypeError(f"the score {score!r} is not a number")
    return float(score)


def _words(error: Exception) -> str | None:
    """Return Cohere's own message about a failure, without the reply headers that precede it in the SDK's text."""
    if not hasattr(error, "body"):
        return None
    body = error.body
    return str(body.get("message", body) if isinstance(body, dict) else body) or "an empty reply"
