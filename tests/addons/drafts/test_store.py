from pathlib import Path

import pytest

from pathfinder.addons.drafts.draft import ReviewDraft
from pathfinder.addons.drafts.store import MAX_VERSIONS, DraftStore
from pathfinder.errors import UsageError
from pathfinder.types import CorpusName
from pathfinder.user_data import contents
from tests.user_data.visits import MadeVisit

CORPUS = CorpusName("landmarks", "0" * 12, 12)


@pytest.fixture(params=["the owner", "a visitor"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | MadeVisit:
    return tmp_path if request.param == "the owner" else MadeVisit()


def test_two_tabs_change_one_draft_and_undo_takes_each_change_back(place: Path | MadeVisit) -> None:
    here, there = (DraftStore(place, CORPUS) for _ in range(2))
    assert here.draft("h0") is None
    assert not here.has_earlier("h0")
    here.change("h0", lambda _: ReviewDraft("T"))
    there.change("h0", lambda before: (before or ReviewDraft("?")).add("Dust", "What?"))
    here.change("h0", lambda before: (before or ReviewDraft("?")).add("Gas", "What?"))
    assert not isinstance(place, Path) or contents(place) == {CORPUS.ids[0]: {"draft_versions": 3}}
    after = there.draft("h0")
    assert after is not None
    assert [section.heading for section in after.sections] == ["Dust", "Gas"]
    assert here.has_earlier("h0")
    assert here.undo("h0") == ReviewDraft("T").add("Dust", "What?")
    assert here.undo("h0") == ReviewDraft("T")
    assert not here.has_earlier("h0")
    assert here.undo("h0") is None
    assert there.draft("h0") is None


def test_no_section_takes_the_key_of_one_whose_addition_was_undone(place: Path | MadeVisit) -> None:
    store = DraftStore(place, CORPUS)
    store.change("h0", lambda _: ReviewDraft("T").add("Dust", "What?"))
    store.change("h0", lambda before: (before or ReviewDraft("?")).add("Gas", "What?"))
    store.undo("h0")
    after = store.change("h0", lambda before: (before or ReviewDraft("?")).add("Stars", "What?"))
    assert [section.key for section in after.sections] == ["1", "3"]
    store.change("h0", lambda _: ReviewDraft("From a file"))
    after = store.change("h0", lambda before: (before or ReviewDraft("?")).add("Dust", "What?"))
    assert [section.key for section in after.sections] == ["4"]
    store.rename("h0", "expansion")
    assert (store.draft("h0"), store.draft("expansion")) == (None, after)


def test_a_change_that_fails_or_changes_nothing_is_not_stored(place: Path | MadeVisit) -> None:
    store = DraftStore(place, CORPUS)
    store.change("h0", lambda _: ReviewDraft("T"))
    store.change("h0", lambda before: before or ReviewDraft("?"))
    with pytest.raises(UsageError):
        store.change("h0", lambda before: (before or ReviewDraft("?")).remove("1"))
    assert store.undo("h0") is None


def test_the_last_versions_are_stored(place: Path | MadeVisit) -> None:
    store = DraftStore(place, CORPUS)
    for n in range(MAX_VERSIONS + 5):
        store.change("h0", lambda _, n=n: ReviewDraft(f"T{n}"))  # type: ignore[misc]
    titles = []
    while store.has_earlier("h0"):
        before = store.undo("h0")
        assert before is not None
        titles.append(before.title)
    assert (titles[0], titles[-1], len(titles)) == ("T53", "T5", MAX_VERSIONS - 1)
    with pytest.raises(
        UsageError, match=r"draft of 'h0' .* no longer stored; to replace the draft, make a new outline"
    ):
        store.undo("h0")
    assert store.draft("h0") == ReviewDraft("T5")
