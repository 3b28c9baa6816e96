"""What is stored of mornings: for each shelf its sources and its last mornings, and what stars and dismissals teach."""

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter

from pathfinder.addons.standing.morning import MAX_DAYS, KeptPaper, Morning, Outage, Taste, morning_of
from pathfinder.addons.standing.morning_operation import (
    CATEGORIES_HELP,
    DAYS_HELP,
    OPERATION,
    UNTIL_HELP,
    atom_feed,
    days_of,
    json_feed,
    sources_of,
)
from pathfinder.errors import StoreError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.facade.shelves import papers_of
from pathfinder.operations.operation import Shell, declare
from pathfinder.operations.shelves import ShelfName
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import Shelf, ShelfStore, State
from pathfinder.text.strict_json import parse_as
from pathfinder.types import CorpusName, Paper
from pathfinder.user_data import VersionStore, Visit, data_folder, versions

MORNINGS = versions("mornings.sqlite3", "mornings", "mornings", lambda _: ())
MAX_MORNINGS, MAX_VERSIONS = 14, 3
"""Numbers of mornings that are kept for a shelf, and of versions of a record."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A reader's word on a paper of a morning: a star, or "not for me"."""

    paper: Paper
    is_star: bool
    on: datetime.date


@dataclass(frozen=True, slots=True)
class OwnMornings:
    """The mornings of one shelf."""

    sources: tuple[str, ...] = ()
    days: int = 1
    """Number of days that each morning covers."""
    mornings: tuple[Morning, ...] = ()
    """The last of them, the latest last; a later one of the same days takes the place of an earlier one."""
    marks: tuple[Mark, ...] = ()

    def with_morning(self, morning: Morning) -> "OwnMornings":
        """Return the same with one more morning. If a source of it could not be read, the papers of the one of
        the same days before it stay.
        """
        days = (morning.since, morning.until)
        before = next((each for each in self.mornings if (each.since, each.until) == days), None)
        if before is not None and morning.outages:
            morning = _united(before, morning)
        others = [each for each in self.mornings if each is not before]
        return replace(self, mornings=(*others, morning)[-MAX_MORNINGS:])

    def marked(self, paper_id: str, *, is_star: bool, on: datetime.date) -> "OwnMornings":
        """Return the same with a mark on a paper of one of the mornings; a repeated mark is taken back. Raises
        `UsageError` for any other paper.
        """
        papers = {mark.paper.paper_id: mark.paper for mark in self.marks}
        papers |= {each.paper.paper_id: each.paper for morning in self.mornings for each in morning.papers}
        before = next((mark for mark in self.marks if mark.paper.paper_id == paper_id), None)
        others = tuple(mark for mark in self.marks if mark is not before)
        if paper_id not in papers:
            raise UsageError(f"no stored morning of this shelf has the paper {paper_id!r}: take an id from the list")
        if before is not None and before.is_star is is_star:
            return replace(self, marks=others)
        return replace(self, marks=(*others, Mark(papers[paper_id], is_star, on)))

    def taste(self, shelf: Shelf, papers: Sequence[Paper]) -> Taste:
        """Return what the shelf and the marks say; `papers` are those on the shelf that the corpus has, in the order of
        the shelf. A paper that is out counts as dismissed, and none that is dismissed counts as kept.
        """
        out = {each.paper_id for each in shelf.papers if each.state is State.OUT}
        unwanted = out | {mark.paper.paper_id for mark in self.marks if not mark.is_star}
        stars = {mark.paper.paper_id: mark for mark in self.marks if mark.is_star}
        kept = [
            KeptPaper(paper, stars[paper.paper_id].on if paper.paper_id in stars else None)
            for paper in papers
            if paper.paper_id not in unwanted
        ]
        on_shelf = {paper.paper_id for paper in papers}
        kept += [KeptPaper(each.paper, each.on) for each in stars.values() if each.paper.paper_id not in on_shelf]
        dismissed = [KeptPaper(paper) for paper in papers if paper.paper_id in out]
        dismissed += [KeptPaper(mark.paper, mark.on) for mark in self.marks if not mark.is_star]
        return Taste(shelf.name, tuple(kept), tuple(dismissed))


def _united(before: Morning, after: Morning) -> Morning:
    """Return a morning with the papers of an earlier one of the same days that it lacks, after its own."""
    ids = {each.paper.paper_id for each in after.papers}
    changes = {(each.paper.paper_id, each.change) for each in after.changed}
    papers = (*after.papers, *(each for each in before.papers if each.paper.paper_id not in ids))
    changed = (*after.changed,
               *(each for each in before.changed if (each.paper.paper_id, each.change) not in changes))  # fmt: skip
    n_new = max(before.n_new, after.n_new, len(papers))
    return replace(after, n_new=n_new, papers=papers, changed=changed)


_OWN = TypeAdapter(OwnMornings)


class StoredMornings:
    """The mornings of the owner of this machine, outside every corpus; visitors have none."""

    def __init__(self, place: Path | Visit, corpus: CorpusName) -> None:
        """`place` is the owner's folder, which is created by the first change, or the visit of another."""
        self._store = VersionStore(place, MORNINGS, corpus, MAX_VERSIONS)

    def read(self, shelf: str) -> OwnMornings:
        """Return the mornings of a shelf; empty if there are none. Raises `StoreError` if the record cannot be read."""
        record = self._store.records().get(shelf)
        return self._parse(shelf, record) if record else OwnMornings()

    def rename(self, shelf: str, new: str) -> None:
        """Rename the mornings of a shelf, if there are any. Raises `UsageError` if others have the new name."""
        self._store.rename(shelf, new)

    def change(self, shelf: str, change: Callable[[OwnMornings], OwnMornings]) -> None:
        """Change the mornings of a shelf; nothing is stored if `change` raises."""
        self._store.change(
            shelf,
            lambda record: _OWN.dump_json(change(self._parse(shelf, record) if record else OwnMornings())).decode(),
        )

    def _parse(self, name: str, record: str) -> OwnMornings:
        try:
            return parse_as(_OWN, record)
        except ValueError as error:
            raise StoreError(
                f"the mornings of {name!r} in {self._store.database.place} cannot be read ({error}): restore a backup, "
                "or delete it"
            ) from error


def run_morning(
    pf: Pathfinder,
    shelf: Shelf,
    store: StoredMornings,
    sources: Sequence[str],
    days: int,
    until: str | None,
    most: int,
) -> Morning:
    """Rank the papers of the last `days` for a shelf, and store the outcome with its sources. If a source fails, it has
    the papers that were found for these days before.
    """
    taste = store.read(shelf.name).taste(shelf, [*papers_of(pf, shelf).values()])
    morning = morning_of(pf, taste, sources, *days_of(days, until), most)
    store.change(shelf.name, lambda own: replace(own, sources=tuple(sources), days=days).with_morning(morning))
    return store.read(shelf.name).mornings[-1]


def feed_json(pf: Pathfinder) -> str:
    """Write the stored mornings of the owner's shelves as a JSON Feed."""
    return json_feed(_all_stored(pf))


def feed_atom(pf: Pathfinder) -> str:
    """Write the stored mornings of the owner's shelves as an Atom feed."""
    return atom_feed(_all_stored(pf), "feed.atom")


def _all_stored(pf: Pathfinder) -> list[Morning]:
    """Return the mornings of all shelves. One whose mornings cannot be read has an outage instead."""
    folder, today = data_folder(read_settings()), datetime.datetime.now(datetime.UTC).date()
    store, mornings = StoredMornings(folder, pf.corpus.name), list[Morning]()
    for shelf in ShelfStore(folder, pf.corpus.name).shelves():
        try:
            mornings += store.read(shelf.name).mornings
        except StoreError as error:
            mornings.append(Morning(shelf.name, today, today, 0, (), (), (Outage(MORNINGS.file, str(error)),)))
    return mornings


def follow_shelf(shelves: ShelfStore, name: str, new: str) -> None:
    """Rename the mornings of a shelf that has been renamed. Raises `UsageError` if others have the new name."""
    StoredMornings(shelves.place, shelves.corpus).rename(name, new)


# `pathfinder shelf morning`: the papers of the last days that are close to those on a shelf.


_FROM = "Any other source of new papers, such as a file, arxiv:QUERY or oai:SET."
_STAR = "First star this paper of an earlier morning: later ones look for more like it."
_NOT = "First mark this paper of an earlier morning as not for you."


@declare(
    "shelf morning",
    settings=(),
    folder_first=True,
    result=OPERATION.result,
    needs=OPERATION.needs,
    lines=OPERATION.lines,
    failures=OPERATION.failures,
    forms=OPERATION.forms,
)
def morning(
    pf: Pathfinder,
    name: ShelfName,
    category: Annotated[list[str] | None, Field(description=CATEGORIES_HELP)] = None,
    source: Annotated[list[str] | None, Shell("--from SOURCE", _FROM)] = None,
    days: Annotated[int | None, Shell("--days N", DAYS_HELP), Field(ge=1, le=MAX_DAYS)] = None,
    until: Annotated[str | None, Shell("--until DAY", UNTIL_HELP)] = None,
    most: Annotated[int, Field(ge=1, le=200, description="Number of papers to list.")] = 20,
    star: Annotated[list[str] | None, Shell("--star PAPER_ID", _STAR)] = None,
    not_for_me: Annotated[list[str] | None, Shell("--not-for-me PAPER_ID", _NOT)] = None,
) -> Morning:
    """Rank the papers of the last days by how close they are to a shelf; its sources are stored for the next time."""
    shelf = ShelfStore.of(pf.corpus.folder).shelf(name)
    store = StoredMornings(data_folder(read_settings()), pf.corpus.name)
    today = datetime.datetime.now(datetime.UTC).date()
    words = [(paper_id, True) for paper_id in star or ()] + [(paper_id, False) for paper_id in not_for_me or ()]
    if words:

        def with_words(own: OwnMornings) -> OwnMornings:
            for paper_id, is_star in words:
                own = own.marked(paper_id, is_star=is_star, on=today)
            return own

        store.change(name, with_words)
    own = store.read(name)
    sources = [*(sources_of(category) if category else ()), *(source or ())] or [*own.sources]
    return run_morning(pf, shelf, store, sources or sources_of(()), days or own.days, until, most)
