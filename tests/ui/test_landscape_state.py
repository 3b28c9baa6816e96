"""The address of the map page: what it holds, and what it does with links that someone mangled."""

import pytest

from pathfinder.landscape.drawing.scene import Ground, MapView, Palette
from pathfinder.types import Region
from pathfinder.ui.map.map_state import MAX_LAYERS, MAX_SLUG, MapState, from_address, to_address

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
