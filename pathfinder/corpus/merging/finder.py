"""Finds, among papers read earlier, the record of the paper that a new record describes."""

import sqlite3
import weakref
from collections.abc import Callable, Iterator

from pathfinder.corpus.merging.identifiers import identifier_keys, name_key, title_key
from pathfinder.corpus.merging.rule import Match, same_paper
from pathfinder.types import Paper

_WORDS_IN_COMMON = 3
"""Number of words from a title in a key. Two records are compared only if they share an identifier, the whole title, or
the first author together with the first or the next three words of the title.
"""

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -16384;
CREATE TABLE papers (
    place INTEGER PRIMARY KEY, paper_id TEXT, source_group INTEGER, title TEXT, author TEXT, year INTEGER, ids TEXT
);
CREATE INDEX papers_by_id ON papers (paper_id);
CREATE TABLE keys (key TEXT, place INTEGER, PRIMARY KEY (key, place)) WITHOUT ROWID;
"""
"""Tables of a private, temporary database; its cache takes at most 16 MB."""
_SEPARATOR = "\n"


class Finder:
    """Looks papers up by identifiers, titles and first authors.

    It keeps what it needs in a temporary database, so it uses the same amount of memory for any number of papers.
    """

    def __init__(self) -> None:
        # A database without a name goes to a temporary file once its cache is full, and is deleted when closed.
        self._database = sqlite3.connect("", check_same_thread=False)
        self._database.executescript(_TABLES)
        weakref.finalize(self, self._database.close)

    def add(self, paper: Paper, group: int) -> None:
        """Add a paper. Papers in one group, such as those from one source, never count as the same paper."""
        row = paper.paper_id, group, paper.title, next(iter(paper.authors), None), paper.known_year, _ids(paper)
        place = self._database.execute(
            "INSERT INTO papers (paper_id, source_group, title, author, year, ids) VALUES (?, ?, ?, ?, ?, ?)", row
        ).lastrowid
        self._database.executemany("INSERT OR IGNORE INTO keys VALUES (?, ?)", ((key, place) for key in _keys(paper)))

    def move(self, paper_id: str, group: int) -> None:
        """Move a paper that was added earlier to another group."""
        self._database.execute("UPDATE papers SET source_group = ? WHERE paper_id = ?", (group, paper_id))

    def same(
        self,
        paper: Paper,
        group: int,
        are_apart: Callable[[str, str], bool] = lambda first, second: False,  # noqa: ARG005
    ) -> tuple[Paper, Match] | None:
        """Return the earlier record of `paper` from another group, with only its identifiers, title, first author and
        year, and the reason why the two are the same paper.

        A record that shares an identifier takes precedence over one that is only similar. `are_apart` takes two ids,
        and returns whether the papers with these ids must not be merged.
        """
        others = [other for other in self._others(paper, group) if not are_apart(other.paper_id, paper.paper_id)]
        pairs = [(other, match) for other in others if (match := same_paper(other, paper))]
        return min(pairs, key=lambda pair: pair[1].ground.value, default=None)

    def _others(self, paper: Paper, group: int) -> Iterator[Paper]:
        """Yield the papers from other groups that share a key with `paper`, ordered by the first key that they share,
        then by when they were added.
        """
        places: set[int] = set()
        for key in _keys(paper):
            rows = self._database.execute(
                "SELECT place, paper_id, title, author, year, ids FROM keys JOIN papers USING (place) "
                "WHERE key = ? AND source_group != ? ORDER BY place",
                (key, group),
            )
            for place, paper_id, title, author, year, ids in rows:
                if place not in places:
                    places.add(place)
                    authors = () if author is None else (author,)
                    other_ids = tuple(ids.split(_SEPARATOR)) if ids else ()
                    yield Paper(paper_id, title, "", authors=authors, year=year, other_ids=other_ids)


def _ids(paper: Paper) -> str:
    return _SEPARATOR.join(f"{kind}:{name}" for kind, names in identifier_keys(paper).items() for name in sorted(names))


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
