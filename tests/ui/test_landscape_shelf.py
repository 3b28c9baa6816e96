"""The shelf of the map: what the address holds of it."""

from pathfinder.ui.map.map_state import MAX_LAYERS, MAX_SLUG
from pathfinder.ui.map.shelf import has_room, on_shelf, put_on, put_typed_on, take_off


def test_papers_are_on_the_shelf_in_the_order_in_which_they_were_put_there() -> None:
    layers = put_on(put_on(("growth",), "b"), "a")
    assert layers == ("growth", "shelf:b;a")
    assert on_shelf(layers) == ("b", "a")
    assert put_on(layers, "b") == layers


def test_a_shelf_as_someone_typed_it_is_read() -> None:
    assert on_shelf(("shelf: b ;;a", "years", "shelf:c;a")) == ("b", "a", "c")
    assert put_on(("shelf: b ;;a", "years", "shelf:c;a"), "d") == ("years", "shelf:b;a;c;d")


def test_the_last_paper_takes_the_shelf_with_it() -> None:
    assert take_off(("shelf:b;a", "growth"), "b") == ("growth", "shelf:a")
    assert take_off(("shelf:a", "growth"), "a") == ("growth",)


def test_a_shelf_has_room_for_what_an_address_can_hold() -> None:
    assert has_room((), "a")
    assert not has_room((), "a;b")
    assert has_room((), "x" * (MAX_SLUG - 6))
    assert not has_room((), "x" * (MAX_SLUG - 5))
    full = tuple(f"mission:{i}" for i in range(MAX_LAYERS - 1))
    assert has_room((*full, "shelf:a"), "b")
    assert not has_room((*full, "growth"), "b")


def test_typed_ids_join_the_shelf_as_far_as_there_is_room() -> None:
    assert put_typed_on(("shelf:a", "growth"), " b; a ;;c") == (("growth", "shelf:a;b;c"), ())
    long = "x" * (MAX_SLUG - len("shelf:"))
    assert put_typed_on(("growth",), f"{long};b") == (("growth", f"shelf:{long}"), ("b",))
    full = tuple(f"mission:{i}" for i in range(MAX_LAYERS))
    assert put_typed_on(full, "a;b") == (full, ("a", "b"))
