"""A shelf and the papers on it, as frozen values: each change returns a new shelf."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from pathfinder.errors import UsageError

MAX_NAME, MAX_NOTE = 80, 20_000
"""Maximum lengths in characters: of a name or a tag, and of a note or a reason."""


class State(StrEnum):
    """A reader's progress with a paper, or the decision on it."""

    TO_READ = "to read"
    READ = "read"
    IN = "in"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class ShelvedPaper:
    """A paper on a shelf, with the reader's own words."""

    paper_id: str
    state: State = State.TO_READ
    why: str = ""
    """Reason for the state."""
    note: str = ""
    tags: tuple[str, ...] = ()
    """The reader's tags for the paper, sorted and without repetitions."""

    def __post_init__(self) -> None:
        """Raise `UsageError` for a text that is too long, a tag that is not a single line, or tags out of order."""
        for text in (self.why, self.note):
            if len(text) > MAX_NOTE:
                raise UsageError(f"a note of {len(text):,} characters is too long: the limit is {MAX_NOTE:,}")
        for tag in self.tags:
            _check_line(tag, "tag")
        if self.tags != tuple(sorted(set(self.tags))):
            raise UsageError(f"the tags of {self.paper_id} are not sorted, or one is repeated: write each once, sorted")


@dataclass(frozen=True, slots=True)
class Shelf:
    """Papers under a name, in the order in which they were added."""

    name: str
    papers: tuple[ShelvedPaper, ...] = ()

    def __post_init__(self) -> None:
        """Raise `UsageError` for a name that is not a single line, or a paper that is listed twice."""
        _check_line(self.name, "name of a shelf")
        if len(set(self.paper_ids)) < len(self.papers):
            raise UsageError(f"a paper is on the shelf {self.name!r} twice: list each once")

    @property
    def paper_ids(self) -> tuple[str, ...]:
        """The ids of the papers, in the order of the shelf."""
        return tuple(paper.paper_id for paper in self.papers)

    @property
    def inside(self) -> tuple[str, ...]:
        """The ids of the papers that are not out: those that a search of the shelf covers."""
        return tuple(paper.paper_id for paper in self.papers if paper.state is not State.OUT)

    def paper(self, paper_id: str) -> ShelvedPaper:
        """Return the paper with this id. Raises `UsageError` if it is not on the shelf."""
        for paper in self.papers:
            if paper.paper_id == paper_id:
                return paper
        raise UsageError(f"{paper_id} is not on the shelf {self.name!r}: add it, or name a paper that is")

    def add(self, paper_ids: Iterable[str]) -> "Shelf":
        """Add papers at the end; those already on the shelf stay as they are."""
        new = [paper_id for paper_id in dict.fromkeys(paper_ids) if paper_id not in self.paper_ids]
        return replace(self, papers=(*self.papers, *map(ShelvedPaper, new)))

    def remove(self, paper_ids: Iterable[str]) -> "Shelf":
        """Take papers off the shelf. Raises `UsageError` for one that is not on the shelf."""
        leaving = {self.paper(paper_id) for paper_id in paper_ids}
        return replace(self, papers=tuple(paper for paper in self.papers if paper not in leaving))

    def set_note(self, paper_id: str, note: str) -> "Shelf":
        """Replace the note of a paper."""
        return self._with(paper_id, lambda paper: replace(paper, note=note))

    def set_tags(self, paper_id: str, tags: Iterable[str]) -> "Shelf":
        """Replace the tags of a paper."""
        return self._with(paper_id, lambda paper: replace(paper, tags=tuple(sorted(set(tags)))))

    def set_state(self, paper_id: str, state: State, why: str = "") -> "Shelf":
        """Replace the state of a paper, and its reason."""
        return self._with(paper_id, lambda paper: replace(paper, state=state, why=why))

    def _with(self, paper_id: str, change: Callable[[ShelvedPaper], ShelvedPaper]) -> "Shelf":
        before = self.paper(paper_id)
        return replace(self, papers=tuple(change(paper) if paper is before else paper for paper in self.papers))


def _check_line(text: str, noun: str) -> None:
    if not text.strip() or text != text.strip() or not text.isprintable() or len(text) > MAX_NAME:
        raise UsageError(
            f"{text[:MAX_NAME]!r} cannot be the {noun}: write one line of up to {MAX_NAME} characters, without "
            "leading or trailing spaces"
        )
