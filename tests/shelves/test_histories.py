"""Shelves with their earlier versions, as the browser of a visitor stores them."""

import pytest

from pathfinder.errors import UsageError
from pathfinder.shelves import histories
from pathfinder.shelves.histories import ShelfHistories, parse_histories
from pathfinder.shelves.shelf import State


@pytest.fixture
def two() -> ShelfHistories:
    first = ShelfHistories().change("h0", lambda shelf: shelf.add(["a", "b"]))
    return first.change("h0", lambda shelf: shelf.set_note("a", "see table 5"))


def test_the_text_brings_back_every_version(two: ShelfHistories) -> None:
    again = parse_histories(two.text())
    assert again == two
    assert again.text() == two.text()
    assert again.undo("h0").shelves()[0].paper("a").note == ""


def test_undo_goes_back_to_no_shelf(two: ShelfHistories) -> None:
    assert two.undo("h0").undo("h0").shelves() == ()
    with pytest.raises(UsageError, match="no shelf 'dust'"):
        two.undo("dust")


def test_no_undo_is_offered_that_would_lose_a_shelf_whose_earlier_versions_are_forgotten(two: ShelfHistories) -> None:
    assert two.can_undo("h0")
    (last,) = two.shelves()
    trimmed = ShelfHistories({"h0": (last,)})
    assert not trimmed.can_undo("h0")
    assert trimmed.change("h0", lambda shelf: shelf.add(["c"])).can_undo("h0")
    assert not two.can_undo("dust")


def test_the_very_first_star_can_be_undone_and_not_once_it_is_forgotten(two: ShelfHistories) -> None:
    starred = parse_histories(ShelfHistories().change("h0", lambda shelf: shelf.add(["a"])).text())
    assert starred.can_undo("h0")
    assert starred.undo("h0") == ShelfHistories()
    for number in range(histories.MAX_VERSIONS):
        starred = starred.change("h0", lambda shelf, note=str(number): shelf.set_note("a", note))
    while starred.can_undo("h0"):
        starred = starred.undo("h0")
    assert starred.shelves()[0].paper("a").note == "0"


def test_a_deleted_shelf_is_stored_for_undo_and_a_new_one_may_have_its_name(two: ShelfHistories) -> None:
    deleted = parse_histories(two.delete("h0").text())
    assert deleted.shelves() == ()
    assert deleted.undo("h0") == two
    again = deleted.change("h0", lambda shelf: shelf.add(["c"]))
    assert again.shelves()[0].paper_ids == ("c",)
    assert again.undo("h0").undo("h0") == two
    with pytest.raises(UsageError, match="no shelf 'h0'"):
        deleted.delete("h0")


def test_a_shelf_keeps_its_versions_under_a_new_name_and_undo_gives_the_old_one_back(two: ShelfHistories) -> None:
    renamed = parse_histories(two.rename("h0", "expansion").text())
    assert [shelf.name for shelf in renamed.shelves()] == ["expansion"]
    assert renamed.undo("expansion") == two
    both = renamed.change("h0", lambda shelf: shelf.add(["c"]))
    for change in (lambda: both.undo("expansion"), lambda: both.delete("h0").rename("expansion", "h0")):
        with pytest.raises(UsageError, match="the name 'h0' is taken"):
            change()


def test_a_change_that_changes_nothing_adds_no_version(two: ShelfHistories) -> None:
    assert two.change("h0", lambda shelf: shelf.add(["a"])) is two


def test_what_was_starred_before_the_browser_answered_is_united_with_what_it_stored(two: ShelfHistories) -> None:
    early = ShelfHistories().change("h0", lambda shelf: shelf.add(["c"]).set_state("c", State.IN))
    (shelf,) = two.unite(early).shelves()
    assert shelf.paper_ids == ("a", "b", "c")
    assert shelf.paper("c").state is State.IN
    assert two.unite(early).undo("h0") == two


def test_old_versions_make_room_and_then_the_text_is_refused(
    two: ShelfHistories, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        two = two.change("h0", lambda shelf, note=str(number): shelf.set_note("b", note))
    monkeypatch.setattr(histories, "MAX_CHARACTERS", len(two.text()) - 1)
    assert len(parse_histories(two.text()).versions["h0"]) == 5
    monkeypatch.setattr(histories, "MAX_CHARACTERS", 10)
    with pytest.raises(UsageError, match="download them as files"):
        two.text()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "pathfinder shelves 2", "shelves": []}'])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="the shelves in this browser"):
        parse_histories(text)
