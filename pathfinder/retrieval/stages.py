"""A record of what ran, written while it runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from pathfinder.types import Stage


class StageLog:
    """Stages in the order they ran, with their seconds, and notes for the reader."""

    def __init__(self) -> None:
        self._stages: list[Stage] = []
        self._notes: list[str] = []

    @contextmanager
    def stage(self, name: str) -> Iterator["RunningStage"]:
        """Time what happens inside; the caller says in `.ran` what it was."""
        running, start = RunningStage(), perf_counter()
        yield running
        self._stages.append(Stage(name, running.ran, perf_counter() - start))

    def note(self, text: str) -> None:
        """Tell the reader something, once."""
        if text not in self._notes:
            self._notes.append(text)

    @property
    def stages(self) -> tuple[Stage, ...]:
        return tuple(self._stages)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._notes)


class RunningStage:
    """A stage under way."""

    ran: str = ""
