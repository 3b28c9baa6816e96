"""Tells apart papers to which different files give the same id, such as a citation key or row number.

Such an id identifies a paper only within its file. A paper with the same id and the same title is the same paper; any
other gets its own id, "smith2020@other.bib".
"""

import re
from collections.abc import Callable, Hashable, Sequence
from itertools import chain, count

from pathfinder.corpus.merging.identifiers import identifier_keys
from pathfinder.corpus.merging.title_key import title_key
from pathfinder.text.identifiers import identifier_key, identifiers_in
from pathfinder.types import Paper

_OPENALEX = re.compile(r"W\d{5,}")


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
        self._read: dict[str, tuple[Hashable, str]] = {}

    def id_of(
        self, paper: Paper, file: Hashable, name: str, *, was_read_before: bool = False, is_alone: bool = True
    ) -> str:
        """Return the id under which `paper` is stored; `name` is the name of its `file`.

        If the corpus was built from this file before, a paper with the same id whose title has changed since is the
        same paper. Unless the file `is_alone`, this holds only for an id that includes the name of the file: the bare
        id may belong to a paper in another file, which is not read this time.
        """
        if not is_local(paper):
            return paper.paper_id
        title = _letters(paper.title)
        candidates = (paper.paper_id, f"{paper.paper_id}@{name}")
        same = next((each for each in candidates if self._title_under(each) == title), None)
        own = candidates if is_alone else candidates[1:]
        id_of_reworded = self._known_id(own) if same is None and was_read_before else None
        new_id = same or id_of_reworded or self._free(candidates, file)
        self._read.setdefault(new_id, (file, title))
        return new_id

    def _title_under(self, paper_id: str) -> str | None:
        if paper_id in self._read:
            return self._read[paper_id][1]
        title = self._title_of(paper_id)
        return None if title is None else _letters(title)

    def _known_id(self, candidates: Sequence[str]) -> str | None:
        """Return the last of `candidates` that a paper in the corpus has and that has not been read this time; `None`
        if there is none.
        """
        unread_ids = (each for each in reversed(candidates) if each not in self._read)
        return next((each for each in unread_ids if self._title_of(each) is not None), None)

    def _free(self, candidates: tuple[str, ...], file: Hashable) -> str:
        """Return the first id that no paper from another file has; an id that `file` uses twice stays a duplicate."""
        numbered_ids = (f"{candidates[-1]}-{n}" for n in count(2))
        return next(each for each in chain(candidates, numbered_ids) if self._is_free(each, file))

    def _is_free(self, paper_id: str, file: Hashable) -> bool:
        if paper_id in self._read:
            return self._read[paper_id][0] == file
        return self._title_of(paper_id) is None


def _letters(title: str) -> str:
    """Return the letters of a title, or the whole title if its script has no Latin letters."""
    return title_key(title).letters or title.casefold()
