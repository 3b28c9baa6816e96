"""Tells apart papers that have the same id, such as a citation key or row number.

Such an id identifies a paper only within its file, and not even there if it was typed twice. A paper with the same id
and the same title is the same paper; any other gets its own id, "smith2020@other.bib". A DOI or another identifier that
one file gives to two papers counts as mistaken if their titles differ, and their authors and years do not agree either.
"""

import re
from collections.abc import Callable, Hashable, Sequence
from itertools import count

from pathfinder.corpus.merging.identifiers import identifier_keys, title_key
from pathfinder.text.identifiers import identifier_key, identifiers_in
from pathfinder.types import Paper

_OPENALEX = re.compile(r"W\d{5,}")
_NO_LETTERS = re.compile(r"[\W_]+")
_HALF = (1 << 32) - 1


def is_local(paper: Paper) -> bool:
    """Return whether the id of a paper identifies it only within its file: it is neither an identifier nor anything
    that looks like a DOI, an arXiv id, a bibcode or an OpenAlex id.
    """
    paper_id = paper.paper_id
    if paper_id in (paper.arxiv_id, paper.doi, paper.bibcode, paper.openalex_id, paper.pmid, *paper.other_ids):
        return False
    if _OPENALEX.fullmatch(paper_id) or identifiers_in(paper_id):
        return False
    return not any(identifier_key(paper_id) in names for names in identifier_keys(paper).values())


class LocalIds:
    """The local ids that have been read, and the papers that they identify."""

    def __init__(self, title_of: Callable[[str], str | None] = lambda paper_id: None) -> None:  # noqa: ARG005
        """`title_of` returns the title of the paper with a given id in a corpus; `None` if there is none."""
        self._title_of = title_of
        self._read: dict[str, str] = {}
        self._numbered: dict[tuple[str, str], str] = {}
        self._next_number: dict[str, int] = {}
        self._file: Hashable = None
        self._identified: dict[str, int] = {}

    def id_of(
        self, paper: Paper, file: Hashable, name: str, *, was_read_before: bool = False, is_alone: bool = True
    ) -> str:
        """Return the id under which `paper` is stored; `name` is the name of its `file`.

        If the corpus was built from this file before, a paper with the same id whose title has changed since is the
        same paper. Unless the file `is_alone`, this holds only for an id that includes the name of the file: the bare
        id may belong to a paper in another file, which is not read this time.
        """
        if not is_local(paper) and not self._is_mistaken(paper, file):
            return paper.paper_id
        title = letters_of(paper.title)
        if (paper.paper_id, title) in self._numbered:
            return self._numbered[paper.paper_id, title]
        candidates = (paper.paper_id, f"{paper.paper_id}@{name}")
        same = next((each for each in candidates if self._title_under(each) == title), None)
        own = candidates if is_alone else candidates[1:]
        id_of_reworded = self._known_id(own) if same is None and was_read_before else None
        new_id = same or id_of_reworded or self._free(candidates, title)
        self._read.setdefault(new_id, title)
        if new_id not in candidates:
            self._numbered[paper.paper_id, title] = new_id
        return new_id

    def _is_mistaken(self, paper: Paper, file: Hashable) -> bool:
        """Return whether `file` has given the identifier under which `paper` would be stored to another paper before.

        One number is kept of each paper: hashes of the letters in its title, and of its first author and year (0 if
        they are unknown).
        """
        if file != self._file:
            self._file, self._identified = file, {}
        title = hash(_NO_LETTERS.sub("", paper.title).casefold()) & _HALF
        author, year = paper.authors[0].partition(",")[0] if paper.authors else "", paper.known_year
        rest = hash((author.casefold(), year)) & _HALF if author and year else 0
        first = self._identified.setdefault(paper.paper_id, title << 32 | rest)
        is_same = first >> 32 == title or (rest and first & _HALF == rest)
        if not is_same:
            self._read.setdefault(paper.paper_id, "")
        return not is_same

    def _title_under(self, paper_id: str) -> str | None:
        if paper_id in self._read:
            return self._read[paper_id]
        title = self._title_of(paper_id)
        return None if title is None else letters_of(title)

    def _known_id(self, candidates: Sequence[str]) -> str | None:
        """Return the last of `candidates` that a paper in the corpus has and that has not been read this time; `None`
        if there is none.
        """
        unread_ids = (each for each in reversed(candidates) if each not in self._read)
        return next((each for each in unread_ids if self._title_of(each) is not None), None)

    def _free(self, candidates: Sequence[str], title: str) -> str:
        """Return the first id that no other paper has."""
        if free := next((each for each in candidates if self._title_under(each) is None), None):
            return free
        numbers = count(self._next_number.get(candidates[-1], 2))
        number = next(n for n in numbers if self._title_under(f"{candidates[-1]}-{n}") in (None, title))
        self._next_number[candidates[-1]] = number
        return f"{candidates[-1]}-{number}"


def letters_of(title: str) -> str:
    """Return the letters of a title, or the whole title if its script has no Latin letters."""
    return title_key(title).letters or title.casefold()
