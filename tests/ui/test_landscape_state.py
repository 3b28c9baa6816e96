"""The address of the map page: what it holds, and what it does with links that someone mangled."""

import pytest

from pathfinder.facade import Pathfinder
from pathfinder.landscape.drawing.scene import Ground, MapView, Palette
from pathfinder.types import Region
from pathfinder.ui.map import map_cache
from pathfinder.ui.map.map_cache import years_here
from pathfinder.ui.map.map_state import (
    MAX_LAYERS,
    MAX_SLUG,
    MapState,
    from_address,
    has_room,
    mark,
    mark_several,
    marked_ids,
    to_address,
    unmark,
)

WHOLE = MapState(
    MapView(1.5, -2.25, 3.0),
    ("growth", "mission:jwst", "author:Riess, A"),
    Region(((0.0, 0.0), (1.5, 0.0), (0.0, -2.0))),
    True,
    (2015, 2020),
    "riess-2022",
    ("riess-2022", "hubble-1929"),
    "What is the value of the Hubble constant?",
    Ground.RELIEF,
    Palette.CONTRAST,
    False,
)


def lists(parameters: dict[str, str | list[str]]) -> dict[str, list[str]]:
    return {name: [value] if isinstance(value, str) else value for name, value in parameters.items()}


def test_a_map_as_it_is_at_first_has_a_bare_address() -> None:
    assert to_address(MapState()) == {}
    assert from_address({}) == (MapState(), ())


def test_what_is_written_is_read_again() -> None:
    assert from_address(lists(to_address(WHOLE))) == (WHOLE, ())


def test_years_that_can_be_played_and_are_not_chosen_are_all() -> None:
    assert to_address(MapState(plays=True)) == {"years": "all"}
    assert from_address({"years": ["all"]}) == (MapState(plays=True), ())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("view", "1,2"),
        ("view", "1,2,99"),
        ("view", "nan,2,1"),
        ("view", "inf,2,1"),
        ("region", "1,2"),
        ("years", "2020-2015"),
        ("years", "2020"),
        ("ground", "cheese"),
        ("palette", "pink"),
        ("names", "yes"),
        ("layer", "x" * 1001),
    ],
)
def test_what_no_map_can_show_is_ignored_and_told(name: str, text: str) -> None:
    state, (note,) = from_address({name: [text], "q": ["kept"]})
    assert state == MapState(q="kept")
    assert note.startswith(f"the link's setting {name}=")


def test_a_parameter_of_another_page_is_told() -> None:
    assert from_address({"wk": ["1"]}) == (MapState(), ("the link's setting 'wk' is unknown and was ignored",))


def test_more_layers_than_can_be_told_apart_are_refused() -> None:
    state, notes = from_address({"layer": [f"mission:{i}" for i in range(MAX_LAYERS + 1)]})
    assert state.layer == ()
    assert len(notes) == 1


def test_a_layer_whose_name_is_too_long_is_told_and_the_others_stay() -> None:
    state, (note,) = from_address({"layer": ["growth", "x" * (MAX_SLUG + 1), "years"]})
    assert state.layer == ("growth", "years")
    assert note.startswith("the link's setting layer='xxx")


def test_a_group_of_twenty_names_is_a_layer() -> None:
    slug = "author:" + "; ".join(["Chandrasekhar, Subrahmanyan"] * 20)
    assert from_address({"layer": [slug]}) == (MapState(layer=(slug,)), ())


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


@pytest.mark.parametrize(
    ("years", "here"),
    [
        (None, None),
        ((2000, 2010), (2000, 2010)),
        ((1000, 2010), (1916, 2010)),
        ((2010, 3000), (2010, 2026)),
        ((1000, 3000), (1916, 2026)),
    ],
)
def test_years_are_those_of_them_that_the_corpus_has(
    pf: Pathfinder, monkeypatch: pytest.MonkeyPatch, years: tuple[int, int] | None, here: tuple[int, int] | None
) -> None:
    monkeypatch.setattr(map_cache, "year_span", lambda _: (1916, 2026))
    assert years_here(pf, years) == (here, ())


@pytest.mark.parametrize(
    ("span", "why"),
    [((1916, 2026), "the papers in this library are from 1916 to 2026"), (None, "no paper in this library has a date")],
)
def test_years_of_which_the_corpus_has_none_are_ignored_with_the_reason(
    pf: Pathfinder, monkeypatch: pytest.MonkeyPatch, span: tuple[int, int] | None, why: str
) -> None:
    monkeypatch.setattr(map_cache, "year_span", lambda _: span)
    assert years_here(pf, (1800, 1850)) == (None, (f"the link's years 1800-1850 were ignored: {why}",))
