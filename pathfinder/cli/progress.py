"""Progress of a build on standard error: progress bars on a terminal, lines of text in a log."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.text import Text

from pathfinder.building import Progress

SECONDS_BETWEEN_LINES = 10.0
"""Interval in seconds between progress lines if there is no terminal to draw a bar on."""


@contextmanager
def build_progress() -> Iterator[Progress]:
    """Show progress bars on a terminal or lines of text in a log, in both cases on standard error."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield LineProgress()
        return
    bars = BarProgress(console)
    with bars.drawing():
        yield bars


class BarProgress:
    """A progress bar for each stage, with its rate and remaining time."""

    def __init__(self, console: Console, clock: Callable[[], float] = monotonic) -> None:
        self._bars = Bars(
            TextColumn("{task.description:>20}"),
            BarColumn(),
            MofNCompleteColumn(),
            _RateColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=console,
            get_time=clock,
        )
        self._task = self._bars.add_task("", visible=False)

    def start(self, stage: str, total: int | None) -> None:
        self._task = self._bars.add_task(stage, total=total)

    def advance(self, n: int) -> None:
        self._bars.advance(self._task, n)

    def expect(self, n: int) -> None:
        self._bars.update(self._task, total=(self._bars.tasks[self._task].total or 0) + n)

    def finish(self) -> None:
        task = self._bars.tasks[self._task]
        total_steps = max(task.completed, 1)
        self._bars.update(self._task, completed=total_steps, total=total_steps)
        self._bars.refresh()

    def say(self, text: str) -> None:
        self._bars.console.print(text, markup=False, highlight=False)

    def drawing(self) -> AbstractContextManager[object]:
        """Draw the bars within a `with` block, and restore the terminal afterwards."""
        return self._bars


class _RateColumn(ProgressColumn):
    """The rate in steps per second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:.1f}/s" if speed else "", style="progress.data.speed")


class LineProgress:
    """Writes a line when a stage ends and, if its length is known, also when it begins and every ten seconds in
    between.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._stage, self._n_done = "", 0
        self._total: int | None = None
        self._start = self._last_line = 0.0

    def start(self, stage: str, total: int | None) -> None:
        self._stage, self._total, self._n_done = stage, total, 0
        self._start = self._last_line = self._clock()
        # A stage of unknown length reports only its end, so that a failure leaves just the error line.
        if total is not None:
            self.say(f"{stage}: 0 of {total}")

    def advance(self, n: int) -> None:
        self._n_done += n
        now = self._clock()
        if now - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = now
            self.say(f"{self._stage}: {self._so_far(now - self._start)}")

    def expect(self, n: int) -> None:
        self._total = (self._total or 0) + n

    def finish(self) -> None:
        self.say(f"{self._stage}: done in {self._clock() - self._start:.1f} s")

    def say(self, text: str) -> None:
        typer.echo(text, err=True)

    def _so_far(self, seconds: float) -> str:
        rate = self._n_done / seconds
        if self._total is None:
            return f"{self._n_done}, {rate:.1f} a second"
        return f"{self._n_done} of {self._total}, {rate:.1f} a second, {(self._total - self._n_done) / rate:.0f} s left"
