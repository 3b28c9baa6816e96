"""Reading a source from a host on loopback, as a build does."""

import datetime
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pathfinder.settings import Settings
from pathfinder.sources import Access, Window, open_sources
from pathfinder.sources.kind import Memory, Row
from tests.sources.hosts.loopback import LoopbackHost, running

TODAY = datetime.date(2026, 11, 22)


class Reading:
    """A source as it is read: its rows, and the memory that it leaves."""

    def __init__(self, rows: Iterator[Row], memory: Memory) -> None:
        self.rows, self.memory = rows, memory
        self.lines: list[str] = []
        self.totals: list[int] = []

    def all(self) -> list[Row]:
        return list(self.rows)


@pytest.fixture
def serve() -> Iterator[Callable[..., LoopbackHost]]:
    """`serve(answer, faults)` is a host that runs until the test ends."""
    with ExitStack() as stack:
        yield lambda answer, faults=None: stack.enter_context(running(LoopbackHost(answer, dict(faults or {}))))


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Reading]:
    """`read(host, "arxiv_url", "arxiv:...")` opens a source at `host`; pages are kept between two calls."""

    def read_source(host, setting, source, *, last=None, window=None, **settings) -> Reading:
        own = Settings(_env_file=None, cache=tmp_path / "cache", **{setting: host.address}, **settings)
        reading = Reading(iter(()), Memory())
        access = Access(
            own, TODAY, tmp_path / "fetched", expect=reading.totals.append, say=reading.lines.append, clock=host.clock
        )
        states = {source: last} if last else {}
        (opened_source,) = open_sources([source], window or Window(), access, states)
        reading.rows, reading.memory = opened_source.rows, opened_source.memory
        return reading

    return read_source
