"""What holds for every test: no network, no keys, no luck."""

from collections.abc import Iterator

import hypothesis
import pytest

from pathfinder.settings import Settings
from tests import guard

guard.install()

# The same examples in every run; a slow machine is no failure.
hypothesis.settings.register_profile("pathfinder", derandomize=True, deadline=None)
hypothesis.settings.load_profile("pathfinder")


@pytest.fixture(autouse=True)
def only_loopback() -> Iterator[None]:
    """Fail a test that tried to leave this machine, also where a library swallowed the refusal."""
    yield
    attempts, guard.attempts[:] = list(guard.attempts), []
    assert not attempts, f"tried to leave this machine: {', '.join(attempts)}"


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the person who runs the tests has set (a key, a corpus) is not seen by them."""
    for name, field in Settings.model_fields.items():
        monkeypatch.delenv(str(field.validation_alias or f"PATHFINDER_{name.upper()}"), raising=False)
    monkeypatch.delenv("LANGSMITH_TRACING", raising=False)
