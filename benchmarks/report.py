"""Figures with their targets, as a table and as JSON."""

import json
import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured number, and its target, if any."""

    name: str
    value: float
    unit: str
    bound: str | None = None
    """ "at least" or "at most"."""
    target: float | None = None

    @property
    def is_reached(self) -> bool | None:
        """True if the target is reached; `None` if there is no target."""
        if self.target is None:
            return None
        return bool(self.value >= self.target if self.bound == "at least" else self.value <= self.target)


def print_figures(figures: list[Figure], path: Path | None = None) -> None:
    """Print the table, and write the JSON to `path` or, if that is `None`, print it below the table."""
    width = max(len(figure.name) for figure in figures)
    for figure in figures:
        verdict = {None: "", True: "reached", False: "MISSED"}[figure.is_reached]
        target = "" if figure.target is None else f"{figure.bound} {figure.target:g}"
        print(f"{figure.name:<{width}}  {figure.value:10.3f} {figure.unit:<4} {target:<16} {verdict}")
    text = json.dumps([asdict(figure) | {"reached": figure.is_reached} for figure in figures])
    if path is None:
        print(text)
    else:
        path.write_text(text + "\n", encoding="utf-8")


def machine() -> str:
    """Describe the machine used for the measurement."""
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, load average {load:.1f} before the run"


def resident_megabytes() -> float:
    """Return this process's resident memory, including memory-mapped pages."""
    return _status_megabytes("VmRSS")


def own_megabytes() -> float:
    """Return the part of the resident memory that the system cannot reclaim, because it is not mapped from files."""
    return _status_megabytes("RssAnon")


def _status_megabytes(field: str) -> float:
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(f"{field}:"))
    return int(line.split()[1]) / 1024
