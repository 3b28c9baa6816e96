"""Models behind the packages of their providers, which wait before they try again."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def short_waits() -> Iterator[None]:
    """OpenAI's and Cohere's packages wait a hundredth of a second before they try again, and not up to a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)
        patch.setattr("cohere.core.http_client.INITIAL_RETRY_DELAY_SECONDS", 0.01)
        yield
