"""Measures the time and memory that it takes to build a corpus, stage by stage.

    python -m benchmarks.building SOURCE [--json FILE]

Targets for the 16,659 abstracts of astro-ph 2025-2026, on 2 quiet cores: at least 45 abstracts embedded per second, at
most 9 minutes for the whole build, and constant memory except while the map is made.
"""

import argparse
import tempfile
import time
from pathlib import Path

from benchmarks.report import Figure, machine, print_figures, resident_megabytes
from pathfinder.building import build
from pathfinder.models.minilm import MiniLM


class StageClock:
    """A progress report that records the seconds, processor time, counts and resident memory of each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.processor: dict[str, float] = {}
        self.counts: dict[str, int] = {}
        self.megabytes: dict[str, float] = {}
        self._stage, self._start, self._processor_start = "", 0.0, 0.0

    def say(self, text: str) -> None:
        print(text)

    def start(self, stage: str, total: int | None) -> None:
        self._stage, self._start, self._processor_start = stage, time.perf_counter(), time.process_time()
        self.counts[stage] = total or 0

    def advance(self, n: int) -> None:
        pass

    def expect(self, n: int) -> None:
        """Do nothing: the number of further steps is not measured."""

    def finish(self) -> None:
        self.seconds[self._stage] = time.perf_counter() - self._start
        self.processor[self._stage] = time.process_time() - self._processor_start
        self.megabytes[self._stage] = resident_megabytes()


def measure(source: Path) -> list[Figure]:
    """Measure one build in a folder that is deleted afterwards."""
    clock = StageClock()
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        report = build([source], Path(folder) / "corpus", MiniLM(), progress=clock)
        total = time.perf_counter() - start
    rate = report.n_papers / clock.seconds["embedding"]
    return [
        Figure("embedding", rate, "/s", "at least", 45),
        Figure("whole build", total, "s", "at most", 540),
        *(Figure(f"{stage}: seconds", seconds, "s") for stage, seconds in clock.seconds.items()),
        *(Figure(f"{stage}: resident at its end", megabytes, "MB") for stage, megabytes in clock.megabytes.items()),
    ]


def main() -> None:
    """Measure a build from the source given as an argument."""
    parser = argparse.ArgumentParser(description="How long a corpus takes to build.")
    parser.add_argument("source", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(f"{arguments.source.name}: {machine()}")
    print_figures(measure(arguments.source), arguments.json)


if __name__ == "__main__":
    main()
