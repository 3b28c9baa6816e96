"""Reads the minimal pairs in `minimal_pairs.txt`."""

import re
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("minimal_pairs.txt")
_SLOT = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


@dataclass(frozen=True)
class Pair:
    """Two claims that differ in one thing, and the sources of the right one."""

    kind: str
    sources: tuple[str, ...]
    """Sources; the first is cited, except that the wrong claim of a citation pair cites the second."""
    right: str
    wrong: str
    """Claims with their marks, [1] or [2]."""


def read_pairs() -> tuple[Pair, ...]:
    """Return all pairs, in the order of the file."""
    kind, sources, pairs = "", [], []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif line.startswith("source: "):
            sources.append(line.removeprefix("source: "))
        elif line.startswith("claim: "):
            pairs.append(_pair(kind, tuple(sources), line.removeprefix("claim: ")))
            sources = []
    return tuple(pairs)


def _pair(kind: str, sources: tuple[str, ...], claim: str) -> Pair:
    right, wrong = (_SLOT.sub(lambda slot, n=n: slot[n], claim).removesuffix(".") for n in (1, 2))
    return Pair(kind, sources, f"{right} [1].", f"{wrong} [{2 if kind == 'citation' else 1}].")
