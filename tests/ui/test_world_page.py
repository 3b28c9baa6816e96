"""The page of the world as Streamlit runs it, without a browser."""

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from streamlit.runtime import fragment

from pathfinder.facade import Pathfinder
from pathfinder.landscape.drawing.scene import MapView, Palette
from pathfinder.settings import Settings
from pathfinder.ui.map.map_state import PUBLIC, MapState, from_address, to_address
from pathfinder.ui.world import world_page
from pathfinder.ui.world.world_page import SIZE, read_size
from tests.places import Open, ran
from tests.ui.test_pages import page_text


@pytest.fixture
def visit(at: Open) -> Open:
    return partial(at, "map", look="public")


@pytest.mark.parametrize(
    ("parameters", "note"),
    [
        ({"paper": "gone"}, "The paper gone in this link is not in this library."),
        ({"place": "<b>Nowhere"}, "The place <b>Nowhere in this link is not on this map."),
        ({"paper": "riess-2022"}, None),
        ({}, None),
    ],
)
def test_a_card_that_cannot_be_opened_is_told_of(visit: Open, parameters: dict[str, str], note: str | None) -> None:
    text = page_text(visit(**parameters))
    assert (" in this link is not " in text) == (note is not None)
    assert note is None or note in text


def test_a_ninth_layer_is_refused_with_a_note_and_the_eight_stay(visit: Open) -> None:
    eight = [f"author:Riess, A; {name}" for name in "BCDEFGHI"]
    page = visit(layer=eight)
    (pills,) = (group for group in page.button_group if group.key == "world-missions")
    page = ran(pills.set_value(["mission:hubble"]).run())
    assert page.query_params["layer"] == eight
    assert "at most 8 layers can be on at once" in page_text(page)
    assert page.session_state["world-missions"] == []


def test_footprints_are_of_the_years_that_are_chosen(visit: Open) -> None:
    # Of the three papers that name it, one is of 2011 to 2025.
    text = page_text(visit(layer="mission:hubble", years="2011-2025"))
    assert "papers from 2011 to 2025 mention Hubble Space Telescope" in text
    assert "Paper counts are for all years; footprints show 2011 to 2025." in text
    assert "Paper counts are for all years" not in page_text(visit(layer="mission:hubble"))


@pytest.mark.parametrize("look", ["public", "papers"])
def test_years_that_the_corpus_has_not_are_ignored_with_a_note(at: Open, look: str) -> None:
    text = page_text(at("map", look=look, years="1800-1850", layer="mission:hubble"))
    assert "the link's years 1800-1850 were ignored: the papers in this library are from " in text
    assert "papers since 1990" in text


def test_a_mission_under_another_name_is_taken_off_by_its_own_switch(visit: Open) -> None:
    page = visit(layer=["mission:HST", "mission:hst", "mission:sdss"])
    (pills,) = (group for group in page.button_group if group.key == "world-missions")
    assert sorted(pills.value) == ["mission:hubble", "mission:sdss"]
    page = ran(pills.unselect("mission:hubble").run())
    assert page.query_params["layer"] in ("mission:sdss", ["mission:sdss"])


@pytest.mark.parametrize("kiosk", ["0", "1"])
@pytest.mark.parametrize("slug", ["growth", "author:Riess, A", "mission:enterprise"])
def test_what_is_on_and_has_no_switch_can_be_taken_off(visit: Open, kiosk: str, slug: str) -> None:
    page = visit(layer=[slug, "mission:hubble"], kiosk=kiosk)
    page = ran(page.button(key=f"world-off-{slug}").click().run())
    assert page.query_params["layer"] in ("mission:hubble", ["mission:hubble"])
    assert not [button for button in page.button if (button.key or "").startswith("world-off-")]


def test_a_feature_is_switched_on_and_off_by_its_list(visit: Open, landmarks_corpus: Path) -> None:
    features = Pathfinder.open(landmarks_corpus, settings=Settings(_env_file=None)).features()
    slug = f"feature:{features[0].name}"
    page = visit(corpus=landmarks_corpus)
    page = ran(page.multiselect(key="world-features").set_value([slug]).run())
    assert page.query_params["layer"] in (slug, [slug])
    assert not [button for button in page.button if (button.key or "").startswith("world-off-")]
    page = ran(page.multiselect(key="world-features").set_value([]).run())
    assert "layer" not in page.query_params


def test_a_surprise_of_years_without_a_paper_is_told_of(visit: Open, pf: Pathfinder) -> None:
    years = pf.corpus.papers.years()
    gap = next(year for year in range(1930, 2025) if year not in years)
    page = visit(years=f"{gap}-{gap}")
    page = ran(page.button(key="world-surprise").click().run())
    assert f"this map has no papers from {gap} to {gap} to surprise you with" in page_text(page)


def test_the_downloads_are_drawn_outside_the_fragment_that_runs_when_the_canvas_rests(
    visit: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Inside it, each rest of the canvas would replace the files, and a click in between would fail.
    in_fragment: dict[str, bool] = {}

    def watched(name: str, draw: Callable[..., object]) -> Callable[..., object]:
        def draw_canvas(*arguments: object) -> object:
            in_fragment[name] = any(frame.filename == fragment.__file__ for frame in inspect.stack())
            return draw(*arguments)

        return draw_canvas

    monkeypatch.setattr(world_page, "save_buttons", watched("downloads", world_page.save_buttons))
    monkeypatch.setattr(world_page, "summary", watched("summary", world_page.summary))
    assert len(visit().get("download_button")) == 3
    assert in_fragment == {"downloads": False, "summary": True}


@pytest.mark.parametrize(
    "state",
    [
        MapState(),
        MapState(kiosk=True),
        MapState(
            MapView(1.5, -2.25, 3.5),
            ("mission:jwst", "growth"),
            years=(1990, 2000),
            palette=Palette.CONTRAST,
            paper="x",
        ),
        MapState(place="Star formation", palette=Palette.COLOUR_BLIND),
    ],
)
def test_a_link_opens_what_was_seen(state):
    written = {name: text if isinstance(text, list) else [text] for name, text in to_address(state).items()}
    assert from_address(written, PUBLIC) == (state, ())


def test_a_link_to_the_start_says_nothing():
    assert to_address(MapState()) == {}


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
    state, notes = from_address(parameters, PUBLIC)
    assert state == MapState()
    assert len(notes) == 1
    assert notes[0].startswith(note)


def test_only_a_one_makes_a_kiosk():
    assert [from_address({"kiosk": [text]}, PUBLIC)[0].kiosk for text in ("1", "0", "yes", "")] == [
        True,
        False,
        False,
        False,
    ]


def test_a_long_name_is_cut():
    assert len(from_address({"place": ["x" * 1000]}, PUBLIC)[0].place or "") == 120


@pytest.mark.parametrize("size", [None, "390x430", [390], [390, 430, 1], [390.5, 430], ["390", "430"], {"width": 390}])
def test_what_is_no_size_is_as_if_nothing_had_been_told(size: object) -> None:
    assert read_size(size) == SIZE


def test_a_size_is_brought_to_what_a_picture_may_have() -> None:
    assert read_size([390, 430]) == (390, 430)
    assert read_size([-1, 10**9]) == (200, 8000)
