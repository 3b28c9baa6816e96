"""OpenAI's classifier of harmful texts, as a moderator of questions."""

import openai

from pathfinder.errors import MissingKey, UsageError
from pathfinder.llm.providers import NO_KEY, UNREADABLE_ERRORS, ModelProvider
from pathfinder.models.moderation import REMEDY

MODEL = "omni-moderation-latest"
"""OpenAI's free classifier (OpenAI's API reference)."""

TIMEOUT_SECONDS = 10.0


class OpenAIModerator:
    """Refuses questions that OpenAI's classifier flags. Every question is sent to OpenAI."""

    def __init__(self, api_key: str | None, base_url: str | None = None) -> None:
        """Raise `MissingKey` if there is neither a key nor a custom address."""
        if not api_key and not base_url:
            raise MissingKey(
                "PATHFINDER_MODERATION=openai needs a key: set OPENAI_API_KEY, or use a list of words "
                "(PATHFINDER_MODERATION=words)"
            )
        self._provider = ModelProvider("openai:moderation", "OPENAI_API_KEY", (api_key,) if api_key else ())
        self._client = openai.OpenAI(
            api_key=api_key or NO_KEY, base_url=base_url, timeout=TIMEOUT_SECONDS, max_retries=1
        )

    def check(self, question: str) -> None:
        """Raise `UsageError` for a question that is flagged, and a `ProviderError` if there is no answer."""
        try:
            results = self._client.moderations.create(model=MODEL, input=question).results
            is_flagged = any(result.flagged for result in results)
        except (openai.OpenAIError, *UNREADABLE_ERRORS) as error:
            is_unreachable = isinstance(error, openai.APIConnectionError)
            raise self._provider.failure(error, is_unreachable=is_unreachable) from None
        if is_flagged:
            raise UsageError(f"this server does not accept this text, because its moderation flagged it: {REMEDY}")
