"""The papers that a chat model was shown for one answer, each under a key that the model cannot guess."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pathfinder.types import Paper

KEY = re.compile(r"[a-z][0-9][a-z][0-9][a-z]")
"""A key such as `k3q7z`, which does not look like any word, number or object name."""

_LETTERS = "abcdefghijkmnpqrstuvwxyz"
_DIGITS = "23456789"
"""Digits used in keys. Letters and digits that are easily confused (l, o, 0 and 1) are not used."""


@dataclass(frozen=True)
class CitationRegistry:
    """Papers in the order in which they were shown. Immutable: `with_papers` returns a longer registry."""

    question: str
    """The question. The keys are derived from it and from the ids, so that no text in a corpus can contain another
    paper's key.
    """
    papers: tuple[Paper, ...] = ()

    def with_papers(self, papers: Sequence[Paper]) -> "CitationRegistry":
        """Append those of `papers` that are not in the registry yet. Existing keys are kept."""
        known_ids = {paper.paper_id for paper in self.papers}
        new = {paper.paper_id: paper for paper in papers if paper.paper_id not in known_ids}
        return CitationRegistry(self.question, (*self.papers, *new.values()))

    def key(self, paper_id: str) -> str:
        """Return the key of a paper in the registry."""
        return self._keys[paper_id]

    def place(self, key: str) -> int | None:
        """Return the number of the paper under `key`, counted from 1: the n of [n]. `None` for an unknown key."""
        return self._places.get(key)

    def paper(self, key: str) -> Paper | None:
        """Return the paper under `key`; `None` for an unknown key."""
        place = self.place(key)
        return None if place is None else self.papers[place - 1]

    @cached_property
    def _keys(self) -> dict[str, str]:
        return keys_of(self.question, [paper.paper_id for paper in self.papers])

    @cached_property
    def _places(self) -> dict[str, int]:
        return {key: place for place, key in enumerate(self._keys.values(), start=1)}


def keys_of(seed: str, ids: Iterable[str]) -> dict[str, str]:
    """Make a distinct key for each of `ids`, in order, from the id and `seed`."""
    keys: dict[str, str] = {}
    for paper_id in ids:
        n_tried = 0
        while (key := _key(f"{seed}\n{paper_id}\n{n_tried}")) in keys.values():
            n_tried += 1
        keys[paper_id] = key
    return keys


def _key(seed: str) -> str:
    digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()
    return "".join((_DIGITS if place % 2 else _LETTERS)[digest[place] % (8 if place % 2 else 24)] for place in range(5))
