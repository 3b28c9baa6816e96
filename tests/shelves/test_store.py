"""Storage of shelves: nothing is lost, and every change can be taken back."""

import pytest

from pathfinder.errors import UsageError
from pathfinder.shelves.shelf import ShelfStore, State
from pathfinder.types import CorpusName
from tests.user_data.visits import MadeVisit

STARS = CorpusName("stars", "0" * 12, 3, "stars-1234abcd")


@pytest.fixture(params=["the owner", "a visitor"])
def store(request, tmp_path):
    return ShelfStore(tmp_path / "new" if request.param == "the owner" else MadeVisit(), STARS)


def test_a_shelf_is_read_by_another_store_and_not_for_another_corpus(store):
    shelf_before = store.change("h0", lambda shelf: shelf.add(["riess"]))
    assert ShelfStore(store.place, STARS).shelves() == (shelf_before,)
    assert ShelfStore(store.place, CorpusName("stars", "0" * 12, 3, "stars-5678abcd")).shelves() == ()


def test_shelves_from_before_corpora_had_ids_are_those_of_the_name_and_go_on_under_the_id(tmp_path):
    old = ShelfStore(tmp_path, CorpusName("stars", "0" * 12, 3))
    old.change("h0", lambda shelf: shelf.add(["riess"]))
    new = ShelfStore(tmp_path, STARS)
    both = new.change("h0", lambda shelf: shelf.add(["hubble"]))
    assert [paper.paper_id for paper in both.papers] == ["riess", "hubble"]
    assert (new.shelves(), len(old.shelf("h0").papers)) == ((both,), 1)
    assert new.undo("h0") == old.shelf("h0")


def test_every_change_is_taken_back_in_turn_down_to_the_first(store):
    versions = [
        store.change("h0", change)
        for change in (
            lambda shelf: shelf.add(["riess", "hubble"]),
            lambda shelf: shelf.set_note("riess", "ladder"),
            lambda shelf: shelf.set_tags("riess", ["key"]),
            lambda shelf: shelf.set_state("hubble", State.OUT, "too old"),
            lambda shelf: shelf.remove(["riess"]),
        )
    ]
    store.change("other", lambda shelf: shelf.add(["planck"]))
    assert [store.undo("h0") for _ in versions] == [*reversed(versions[:-1]), None]
    assert [shelf.name for shelf in store.shelves()] == ["other"]
    with pytest.raises(UsageError, match="no shelf 'h0'"):
        store.undo("h0")


def test_a_change_that_changes_nothing_needs_no_undo(store):
    assert not store.can_undo("h0")
    store.change("h0", lambda shelf: shelf.add(["riess"]))
    store.change("h0", lambda shelf: shelf.add(["riess"]))
    assert store.can_undo("h0")
    assert store.undo("h0") is None


def test_a_deleted_shelf_comes_back_by_undo_with_all_its_versions(store):
    before = store.change("h0", lambda shelf: shelf.add(["riess"]))
    store.delete("h0")
    assert store.shelves() == ()
    assert store.can_undo("h0")
    assert store.change("h0", lambda shelf: shelf.add(["hubble"])).paper_ids == ("hubble",)
    assert [store.undo("h0"), store.undo("h0"), store.undo("h0")] == [None, before, None]
    assert not store.can_undo("h0")
    with pytest.raises(UsageError, match="no shelf 'h0'"):
        store.delete("h0")


def test_a_renamed_shelf_keeps_its_versions_and_undo_gives_the_old_name_back(store):
    first = store.change("h0", lambda shelf: shelf.add(["riess"]))
    before = store.change("h0", lambda shelf: shelf.set_note("riess", "ladder"))
    assert store.rename("h0", "expansion") == store.shelf("expansion")
    assert store.change("h0", lambda shelf: shelf.add(["dust"])).name == "h0"
    with pytest.raises(UsageError, match="the name 'h0' is taken"):
        store.undo("expansion")
    store.rename("h0", "dust")
    assert [store.undo("expansion"), store.undo("h0")] == [before, first]
    with pytest.raises(UsageError, match="the name 'dust' is taken"):
        store.rename("h0", "dust")
    with pytest.raises(UsageError, match="write one line"):
        store.rename("h0", " ")
    assert [shelf.name for shelf in store.shelves()] == ["dust", "h0"]
