"""The papers that a chat model was shown in the course of one answer, each under a key that it cannot guess."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pathfinder.types import Paper

KEY = re.compile(r"[a-z][0-9][a-z][0-9][a-z]")
"""Like `k3q7z`: no word, no number and no name of an object is written so."""

_LETTERS = "abcdefghijkmnpqrstuvwxyz"
_DIGITS = "23456789"
"""Without l, o, 0 and 1, which are taken for each other."""


@dataclass(frozen=True)
class Shelf:
    """Papers in the order they were shown. It never changes: `with_papers` gives a longer one."""

    question: str
    """Keys are made from it too, so that no text in a corpus can hold the key of another paper."""
    papers: tuple[Paper, ...] = ()

    def with_papers(self, papers: Sequence[Paper]) -> "Shelf":
        """This shelf and those of `papers` that are not on it yet, behind the others. Keys stay what they are."""
        known = {paper.paper_id for paper in self.papers}
        new = {paper.paper_id: paper for paper in papers if paper.paper_id not in known}
        return Shelf(self.question, (*self.papers, *new.values()))

    def key(self, paper_id: str) -> str:
        """The key of a paper on the shelf."""
        return self._keys[paper_id]

    def place(self, key: str) -> int | None:
        """The place of the paper under `key`, from 1: the n of its [n]. `None` for a key that was never given."""
        return self._places.get(key)

    def paper(self, key: str) -> Paper | None:
        """The paper under `key`; `None` for a key that was never given."""
        place = self.place(key)
        return None if place is None else self.papers[place - 1]

    @cached_property
    def _keys(self) -> dict[str, str]:
        return keys_of(self.question, [paper.paper_id for paper in self.papers])

    @cached_property
    def _places(self) -> dict[str, int]:
        return {key: place for place, key in enumerate(self._keys.values(), start=1)}


def keys_of(seed: str, ids: Iterable[str]) -> dict[str, str]:
    """A key for each of `ids`, in their order, made from it and `seed`: no two are the same."""
    taken: dict[str, str] = {}
    for one in ids:
        n_tried = 0
        while (key := _key(f"{seed}\n{one}\n{n_tried}")) in taken.values():
            n_tried += 1
        taken[one] = key
    return taken


def _key(seed: str) -> str:
    digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()
    return "".join((_DIGITS if place % 2 else _LETTERS)[digest[place] % (8 if place % 2 else 24)] for place in range(5))
