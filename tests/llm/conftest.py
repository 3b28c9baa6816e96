"""Chat models behind the packages of their providers, which wait before they try again."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def short_waits() -> Iterator[None]:
    """OpenAI's package waits a hundredth of a second before it tries again, and not half a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)
        yield
