"""The papers marked on the map, as the address names them."""

from pathfinder.ui.map.map_state import MAX_LAYERS, MAX_SLUG, has_room, mark, mark_several, marked_ids, unmark


def test_papers_stand_in_the_order_in_which_they_were_marked() -> None:
    layers = mark(mark(("growth",), "b"), "a")
    assert layers == ("growth", "shelf:b;a")
    assert marked_ids(layers) == ("b", "a")
    assert mark(layers, "b") == layers


def test_marks_that_someone_typed_into_the_address_are_read() -> None:
    assert marked_ids(("shelf: b ;;a", "years", "shelf:c;a")) == ("b", "a", "c")
    assert mark(("shelf: b ;;a", "years", "shelf:c;a"), "d") == ("years", "shelf:b;a;c;d")


def test_the_layer_goes_with_its_last_paper() -> None:
    assert unmark(("shelf:b;a", "growth"), "b") == ("growth", "shelf:a")
    assert unmark(("shelf:a", "growth"), "a") == ("growth",)


def test_as_many_papers_can_be_marked_as_an_address_can_hold() -> None:
    assert has_room((), "a")
    assert not has_room((), "a;b")
    assert has_room((), "x" * (MAX_SLUG - 6))
    assert not has_room((), "x" * (MAX_SLUG - 5))
    full = tuple(f"mission:{i}" for i in range(MAX_LAYERS - 1))
    assert has_room((*full, "shelf:a"), "b")
    assert not has_room((*full, "growth"), "b")


def test_typed_ids_are_marked_as_far_as_there_is_room() -> None:
    assert mark_several(("shelf:a", "growth"), " b; a ;;c") == (("growth", "shelf:a;b;c"), ())
    long = "x" * (MAX_SLUG - len("shelf:"))
    assert mark_several(("growth",), f"{long};b") == (("growth", f"shelf:{long}"), ("b",))
    full = tuple(f"mission:{i}" for i in range(MAX_LAYERS))
    assert mark_several(full, "a;b") == (full, ("a", "b"))
