"""A shelf and the papers on it, as frozen values: each change returns a new shelf."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Literal, Self

from pydantic import TypeAdapter

from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import StoreError, UsageError
from pathfinder.settings import read_settings
from pathfinder.text.files import OwnFile
from pathfinder.text.strict_json import parse_as
from pathfinder.types import CorpusName
from pathfinder.user_data import NO_LONGER_STORED, VersionStore, Visit, data_folder, versions

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
    def states(self) -> dict[str, int]:
        """Number of its papers in each state."""
        return {state.value: sum(paper.state is state for paper in self.papers) for state in State}

    @property
    def inside(self) -> tuple[str, ...]:
        """The ids of the papers that are not out: those that a search of the shelf covers."""
        return tuple(paper.paper_id for paper in self.papers if paper.state is not State.OUT)

    def without_out(self) -> "Shelf":
        """Return the shelf without the papers that are out."""
        return self.remove(set(self.paper_ids) - set(self.inside))

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


# Merges the shelves of two readers, and measures how far they agree.


@dataclass(frozen=True, slots=True)
class StateDifference:
    """A paper to which two readers gave different states."""

    paper_id: str
    ours: ShelvedPaper
    theirs: ShelvedPaper


@dataclass(frozen=True, slots=True)
class MergedShelf:
    """Two shelves merged into one."""

    shelf: Shelf
    """All papers from both shelves: first those on ours, which keep their states, then those that are only on theirs.
    """
    n_shared: int
    """Number of papers that were on both shelves."""
    differences: tuple[StateDifference, ...]
    kappa: float | None
    """Cohen's kappa of the states of the shared papers; `None` if there are no such papers, or if all have the same
    state, for which kappa is undefined.
    """


def merge(ours: Shelf, theirs: Shelf) -> MergedShelf:
    """Merge their shelf into ours: our states are kept, notes are joined and tags are combined. The two reasons for a
    state are joined if the states are the same.
    """
    others = {paper.paper_id: paper for paper in theirs.papers}
    pairs = [(paper, others[paper.paper_id]) for paper in ours.papers if paper.paper_id in others]
    papers = {paper.paper_id: paper for paper in (*theirs.papers, *ours.papers)}
    for our, their in pairs:
        why = _join(our.why, their.why, "; ") if our.state == their.state else our.why
        tags = tuple(sorted({*our.tags, *their.tags}))
        papers[our.paper_id] = replace(our, why=why, note=joined_notes(our.note, their.note), tags=tags)
    order = dict.fromkeys((*ours.paper_ids, *theirs.paper_ids))
    differences = tuple(StateDifference(our.paper_id, our, their) for our, their in pairs if our.state != their.state)
    shelf = replace(ours, papers=tuple(papers[paper_id] for paper_id in order))
    return MergedShelf(shelf, len(pairs), differences, _kappa(pairs))


def joined_notes(our: str, their: str) -> str:
    """Return our note followed by the paragraphs that only theirs has, so that joining the same note again changes
    nothing.

    Only words count: a format that changes spaces or line breaks makes no new paragraph.
    """
    return _join(our, their, "\n\n")


def _join(our: str, their: str, separator: str) -> str:
    if not our or not their or their.split() == our.split():
        return our or their
    our_parts = [[], *(part.split() for part in (our, *our.split(separator)))]
    return separator.join((our, *(part for part in their.split(separator) if part.split() not in our_parts)))


def _kappa(pairs: list[tuple[ShelvedPaper, ShelvedPaper]]) -> float | None:
    from sklearn.metrics import cohen_kappa_score  # it takes a second to load

    ours, theirs = [our.state.value for our, _ in pairs], [their.state.value for _, their in pairs]
    return float(cohen_kappa_score(ours, theirs)) if len({*ours, *theirs}) > 1 else None


# Stores shelves outside any corpus, so that they survive when a corpus is rebuilt.


class ShelfStore:
    """The shelves that a person keeps for a corpus. Processes and threads may share the owner's.

    Each change adds a version of a shelf, and undoing it removes that version. A change of the owner's is on disk when
    `change` returns.
    """

    def __init__(self, place: Path | Visit, corpus: CorpusName) -> None:
        """`place` is the owner's folder, which is created when the first shelf is stored, or the visit of another."""
        self.place, self.corpus = place, corpus
        self._versions = VersionStore(place, SHELVES, corpus)

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Return the shelves of the corpus in `folder`, which are in the folder PATHFINDER_DATA."""
        return cls(data_folder(read_settings()), corpus_name(folder))

    def shelves(self) -> tuple[Shelf, ...]:
        """Return all shelves, sorted by name."""
        return tuple(self._parse(record) for _, record in sorted(self._versions.records().items()))

    def shelf(self, name: str) -> Shelf:
        """Return a shelf. Raises `UsageError` if there is none with this name."""
        shelves = {shelf.name: shelf for shelf in self.shelves()}
        if name not in shelves:
            choice = f"choose from {', '.join(map(repr, shelves))}, or " if shelves else ""
            raise UsageError(f"{self.corpus.name} has no shelf {name!r}: {choice}add a paper to create it")
        return shelves[name]

    def inside(self, name: str) -> tuple[str, ...]:
        """Return the ids of the papers on a shelf that are not out. Raises `UsageError` if there are none."""
        ids = self.shelf(name).inside
        if not ids:
            raise UsageError(f"the shelf {name!r} is empty, or all its papers are marked as out: add a paper to it")
        return ids

    def change(self, name: str, change: Callable[[Shelf], Shelf]) -> Shelf:
        """Apply `change` to the shelf with this name, or to an empty one if there is none, and return the result.

        No other thread or process can change the shelf at the same time. Nothing is stored if `change` raises an error
        or returns the shelf as it was.
        """
        after = Shelf(name)

        def change_record(record: str | None) -> str | None:
            nonlocal after
            before = Shelf(name) if record is None else self._parse(record)
            after = change(before)
            return None if after == before else shelf_text(after)

        self._versions.change(name, change_record)
        return after

    def rename(self, name: str, new: str) -> Shelf:
        """Rename a shelf along with its earlier versions, and return it. Raises `UsageError` if there is none with this
        name, or if the new name is taken, even by a shelf that was deleted.
        """
        shelf = replace(self.shelf(name), name=new)
        if new != name:
            self._versions.rename(name, new, lambda record: shelf_text(replace(self._parse(record), name=new)))
        return shelf

    def delete(self, name: str) -> None:
        """Delete a shelf; `undo` brings it back. Raises `UsageError` if there is none with this name."""
        self.shelf(name)
        self._versions.delete(name)

    def can_undo(self, name: str) -> bool:
        """Return whether there is a change to undo: there is if a shelf has this name or had it until its deletion,
        unless its earlier versions have made room in a visitor's browser.
        """
        return self._versions.can_undo(name)

    def undo(self, name: str) -> Shelf | None:
        """Undo the last change to a shelf, such as its new name or its deletion; return the shelf, or `None` if that
        change had created it. Raises `UsageError` if there is none with this name, or if its earlier name is taken.
        """
        if not self.can_undo(name):
            self.shelf(name)
        record = self._versions.undo(name, lambda _, before: (self._parse(before).name, before))
        return None if record is None else self._parse(record)

    def _parse(self, record: str) -> Shelf:
        try:
            return parse_shelf(record, self._versions.database.place)
        except UsageError as error:
            database = self._versions.database
            raise StoreError(f"{database.place} holds a shelf that cannot be read: {database.remedy}") from error


# A shelf file: JSON that holds a whole shelf, for a backup or another reader.

_FORMAT = "pathfinder shelf 1"
_HEAD = 100


@dataclass(frozen=True, slots=True)
class ShelfFile:
    """Contents of the file."""

    format: str
    shelf: Shelf


_FILE = OwnFile(
    TypeAdapter(ShelfFile), _FORMAT, "shelf", "name a file that `pathfinder shelf export --format json` made"
)


def shelf_text(shelf: Shelf) -> str:
    """Return the contents of a shelf file."""
    return _FILE.text(ShelfFile(_FORMAT, shelf))


def is_shelf_file(path: Path) -> bool:
    """Return whether a file begins like a shelf file. Raises `UsageError` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return b'"pathfinder shelf ' in file.read(_HEAD)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): name a file of papers") from error


def read_shelf(path: Path) -> Shelf:
    """Read a shelf file. Raises `UsageError` for anything else."""
    return _FILE.read(path).shelf


def parse_shelf(text: bytes | str, name: str) -> Shelf:
    """Parse the contents of the file called `name`, as `read_shelf` does."""
    return _FILE.parse(text, name).shelf


# Shelves as records, and as browsers stored them until 0.2.1.


@dataclass(frozen=True, slots=True)
class _Histories:
    format: Literal["pathfinder shelves 1"]
    shelves: tuple[tuple[Shelf | None, ...], ...]
    """The versions of each shelf; `None` before its first change and after its deletion."""


_HISTORIES = TypeAdapter(_Histories)


def _earlier(text: str) -> Iterator[tuple[str, str]]:
    for history in parse_as(_HISTORIES, text).shelves:
        names = [shelf.name for shelf in history if shelf is not None]
        for place, shelf in enumerate(history if names else ()):
            if shelf is not None and place == 0:  # what was before it was no longer stored
                yield names[-1], NO_LONGER_STORED
            if shelf is not None or place > 0:
                yield names[-1], "" if shelf is None else shelf_text(shelf)


def _united(later: str, earlier: str) -> str:
    return shelf_text(merge(parse_shelf(later, "a tab"), parse_shelf(earlier, "a tab")).shelf)


SHELVES = versions("shelves.sqlite3", "versions", "shelves", _earlier, "shelf", _united)
