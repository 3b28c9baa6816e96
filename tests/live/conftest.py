"""An open corpus whose live sources are hosts on loopback."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pathfinder.facade import Pathfinder
from pathfinder.settings import Settings
from pathfinder.sources.live.access import LiveAccess
from pathfinder.types import LiveSource
from tests.sources.hosts.loopback import LoopbackHost, running
from tests.sources.live.live_hosts import SETTINGS


@pytest.fixture
def with_hosts(pf: Pathfinder, tmp_path: Path) -> Iterator[Callable[..., Pathfinder]]:
    """`with_hosts({LiveSource.ARXIV: answer})` is the golden corpus with hosts that answer in this way."""
    with ExitStack() as stack:

        def open_pf(answers: dict, *, seconds: float = 5.0, **fields: object) -> Pathfinder:
            hosts = {source: stack.enter_context(running(LoopbackHost(answer))) for source, answer in answers.items()}
            addresses = {SETTINGS[source]: host.address for source, host in hosts.items()}
            settings = Settings(_env_file=None, cache=tmp_path, live_seconds=seconds, **addresses, **fields)
            clock = next(iter(hosts.values())).clock
            return pf.with_live(LiveAccess(settings, frozenset(LiveSource), clock))

        yield open_pf
