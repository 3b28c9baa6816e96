"""Finds, among papers read earlier, the record of the paper that a new record describes."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace

from pathfinder.corpus.merging.identifiers import identifier_keys
from pathfinder.corpus.merging.rule import Match, same_paper
from pathfinder.corpus.merging.title_key import name_key, title_key
from pathfinder.types import Paper

_WORDS_IN_COMMON = 3
"""Number of words of a title in a key. Two records are compared only if they share an identifier, the whole title, or
the first author together with the first or the next three words of the title.
"""


class Finder:
    """Looks papers up by identifiers, titles and first authors; it does not store abstracts."""

    def __init__(self) -> None:
        self._papers: list[Paper] = []
        self._groups: list[int] = []
        self._places: dict[str, list[int]] = defaultdict(list)
        self._place_by_id: dict[str, int] = {}

    def add(self, paper: Paper, group: int) -> None:
        """Add a paper. Papers of one group, such as those of one source, are never the same."""
        place = self._place_by_id[paper.paper_id] = len(self._papers)
        self._papers.append(replace(paper, abstract="", keywords=(), subjects=(), references=(), provenance=()))
        self._groups.append(group)
        for key in _keys(paper):
            self._places[key].append(place)

    def move(self, paper_id: str, group: int) -> None:
        """Put a paper that was added before into another group."""
        self._groups[self._place_by_id[paper_id]] = group

    def same(
        self,
        paper: Paper,
        group: int,
        are_apart: Callable[[str, str], bool] = lambda first, second: False,  # noqa: ARG005
    ) -> tuple[Paper, Match] | None:
        """Return the earlier record of `paper` from another group, without its abstract, and the reason why it is the
        same paper.

        A record that shares an identifier takes precedence over one that is only similar. `are_apart` says of two
        ids whether their papers are not to be merged.
        """
        places = dict.fromkeys(place for key in _keys(paper) for place in self._places.get(key, ()))
        others = [self._papers[place] for place in places if self._groups[place] != group]
        others = [other for other in others if not are_apart(other.paper_id, paper.paper_id)]
        pairs = [(other, match) for other in others if (match := same_paper(other, paper))]
        return min(pairs, key=lambda pair: pair[1].ground.value, default=None)


def _keys(paper: Paper) -> Iterator[str]:
    """Yield the keys of a paper; records that share a key are compared."""
    for kind, names in identifier_keys(paper).items():
        yield from (f"{kind}:{name}" for name in names)
    key = title_key(paper.title)
    yield f"title:{key.letters}"
    surname = name_key(paper.authors[0]) if paper.authors else ""
    if surname:
        yield f"start:{surname}:{' '.join(key.words[:_WORDS_IN_COMMON])}"
        yield f"next:{surname}:{' '.join(key.words[_WORDS_IN_COMMON : 2 * _WORDS_IN_COMMON])}"
