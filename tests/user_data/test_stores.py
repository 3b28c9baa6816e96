"""What every store of readers' work promises: two writers lose nothing, a change that fails changes nothing, and a file
that is damaged or of a later version is refused and stays as it is.
"""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from pathfinder.addons.drafts.draft import ReviewDraft
from pathfinder.addons.drafts.store import DraftStore
from pathfinder.addons.feedback.judgements import FeedbackStore
from pathfinder.addons.screening.decisions import Screening, ScreeningVerdict
from pathfinder.addons.screening.store import ScreeningStore
from pathfinder.addons.standing.log import StandingStore
from pathfinder.errors import StoreError, UsageError
from pathfinder.shelves.shelf import ShelfStore
from pathfinder.types import CorpusName
from pathfinder.ui.stars.recent import AskedQuestions
from tests.addons.standing.made_runs import H0
from tests.feedback_made import JUDGED

STARS = CorpusName("stars", "0" * 12, 3, "stars-1234abcd")
DUST = Screening("dust", tuple(f"paper-{n}" for n in range(12)), 12)


class Store(NamedTuple):
    """A store of readers' work as these tests use it."""

    file: str
    add: Callable[[Path, int], object]
    """Add the nth thing."""
    things: Callable[[Path], list[object]]
    fail: Callable[[Path], object] | None = None
    """Begin a change that raises `UsageError`; `None` where a change is a single line."""


STORES = {
    "shelves": Store(
        "shelves.sqlite3",
        lambda folder, n: ShelfStore(folder, STARS).change("h0", lambda shelf: shelf.add([f"paper-{n}"])),
        lambda folder: [paper for shelf in ShelfStore(folder, STARS).shelves() for paper in shelf.paper_ids],
        lambda folder: ShelfStore(folder, STARS).change("h0", lambda shelf: shelf.add(["new"]).remove(["gone"])),
    ),
    "questions asked": Store(
        "questions.sqlite3",
        lambda folder, n: AskedQuestions(folder, STARS).add(f"q={n}"),
        lambda folder: list(AskedQuestions(folder, STARS).links()),
    ),
    "drafts": Store(
        "drafts.sqlite3",
        lambda folder, n: DraftStore(folder, STARS).change(
            "h0", lambda draft: (draft or ReviewDraft("T")).add(f"Section {n}", "What?")
        ),
        lambda folder: [
            section for draft in filter(None, [DraftStore(folder, STARS).draft("h0")]) for section in draft.sections
        ],
        lambda folder: DraftStore(folder, STARS).change("h0", lambda draft: (draft or ReviewDraft("T")).remove("9")),
    ),
    "standing questions": Store(
        "standing.sqlite3",
        lambda folder, n: StandingStore(folder, STARS).change(
            lambda log: log.add(replace(H0, id=f"id-{n}", name=f"question {n}"))
        ),
        lambda folder: list(StandingStore(folder, STARS).log().questions()),
        lambda folder: StandingStore(folder, STARS).change(lambda log: log.remove("question 0").remove("question 0")),
    ),
    "screenings": Store(
        "screenings.sqlite3",
        lambda folder, n: ScreeningStore(folder, STARS).change(
            "dust", lambda before: (before or DUST).decide(f"paper-{n}", ScreeningVerdict.IN, H0.added_at)
        ),
        lambda folder: [
            each for screening in ScreeningStore(folder, STARS).screenings().values() for each in screening.decisions
        ],
        lambda folder: ScreeningStore(folder, STARS).change("dust", lambda before: (before or DUST).undo().undo()),
    ),
    "feedback": Store(
        "feedback.sqlite3",
        lambda folder, n: FeedbackStore(folder).add(replace(JUDGED, code=f"code-{n}")),
        lambda folder: list(FeedbackStore(folder).judgements()),
    ),
}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> Store:
    return STORES[request.param]


def test_two_writers_at_once_lose_nothing(store: Store, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as writers:
        list(writers.map(lambda n: store.add(tmp_path, n), range(12)))
    assert len(store.things(tmp_path)) == 12


@pytest.mark.parametrize("name", [name for name, store in STORES.items() if store.fail])
def test_a_change_that_fails_changes_nothing(name: str, tmp_path: Path) -> None:
    store = STORES[name]
    store.add(tmp_path, 0)
    before = store.things(tmp_path)
    with pytest.raises(UsageError):
        store.fail(tmp_path)  # type: ignore[misc]
    assert store.things(tmp_path) == before


def test_a_file_of_a_later_version_is_left_alone(store: Store, tmp_path: Path) -> None:
    store.add(tmp_path, 0)
    with closing(sqlite3.connect(tmp_path / store.file)) as database:
        database.execute("pragma user_version = 9")
    for use in (store.things, lambda folder: store.add(folder, 1)):
        with pytest.raises(StoreError, match=r"has version 9, .* update Pathfinder"):
            use(tmp_path)


def test_a_damaged_file_is_refused_by_name_and_stays_as_it_is(store: Store, tmp_path: Path) -> None:
    store.add(tmp_path, 0)
    (tmp_path / store.file).write_bytes(b"not a database" * 500)
    for use in (store.things, lambda folder: store.add(folder, 1)):
        with pytest.raises(StoreError, match=store.file):
            use(tmp_path)
    assert (tmp_path / store.file).read_bytes() == b"not a database" * 500
