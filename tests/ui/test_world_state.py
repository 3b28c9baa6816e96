import pytest

from pathfinder.landscape.drawing.scene import MapView, Palette
from pathfinder.ui.world.world_page import WorldState, from_address, to_address


@pytest.mark.parametrize(
    "state",
    [
        WorldState(),
        WorldState(kiosk=True),
        WorldState(
            MapView(1.5, -2.25, 3.5), ("mission:jwst", "growth"), (1990, 2000), Palette.CONTRAST, paper="hubble-1929"
        ),
        WorldState(place="Star formation", palette=Palette.COLOUR_BLIND),
    ],
)
def test_a_link_opens_what_was_seen(state):
    written = {name: text if isinstance(text, list) else [text] for name, text in to_address(state).items()}
    assert from_address(written) == (state, ())


def test_a_link_to_the_start_says_nothing():
    assert to_address(WorldState()) == {}


@pytest.mark.parametrize(
    ("parameters", "note"),
    [
        ({"view": ["here"]}, "the link's setting view='here' is not valid and was ignored"),
        ({"view": ["1,2,99"]}, "the link's setting view='1,2,99' is not valid"),
        ({"palette": ["pink"]}, "the link's setting palette='pink' is not valid"),
        ({"years": ["2020-2010"]}, "the link's setting years='2020-2010' is not valid"),
        ({"region": ["0,0;1,1"]}, "the link's setting 'region' is unknown and was ignored"),
    ],
)
def test_what_is_broken_or_unknown_is_ignored_with_a_note(parameters, note):
    state, notes = from_address(parameters)
    assert state == WorldState()
    assert len(notes) == 1
    assert notes[0].startswith(note)


def test_only_a_one_makes_a_kiosk():
    assert [from_address({"kiosk": [text]})[0].kiosk for text in ("1", "0", "yes", "")] == [True, False, False, False]


def test_a_long_name_is_cut():
    assert len(from_address({"place": ["x" * 1000]})[0].place or "") == 120
