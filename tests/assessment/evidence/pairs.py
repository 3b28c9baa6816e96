"""The minimal pairs of `minimal_pairs.txt`, read."""

import re
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("minimal_pairs.txt")
_SLOT = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


@dataclass(frozen=True)
class Pair:
    """Two claims that differ in one thing, and what the right one rests on."""

    kind: str
    sources: tuple[str, ...]
    """The first is cited, by the wrong claim of a citation pair the second."""
    right: str
    wrong: str
    """With their marks, [1] or [2]."""


def read_pairs() -> tuple[Pair, ...]:
    """All pairs in the order of the file."""
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
