"""The page of the map as Streamlit runs it, without a browser."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pathfinder.facade import Pathfinder
from pathfinder.landscape.data.layer import Layer
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.drawing.scene import Ground, MapView
from pathfinder.landscape.layers import base
from pathfinder.landscape.layers.base import LayerKind
from pathfinder.landscape.naming.regions import RegionGrowth
from pathfinder.types import SearchRequest
from pathfinder.ui.map import live_canvas, map_cache
from pathfinder.ui.map.layer_panel import _of_one_kind
from pathfinder.ui.map.live_canvas import CanvasRequest
from pathfinder.ui.map.map_page import layers_on
from pathfinder.ui.map.map_state import MapState
from pathfinder.ui.map.region_panel import describe_growth, describe_years
from pathfinder.ui.shared import state as asked
from pathfinder.ui.shared.address import Form
from pathfinder.ui.shared.frame import script
from tests.places import Open, page_at, ran
from tests.ui.test_pages import page_text


@pytest.fixture
def visit(at: Open) -> Open:
    return partial(at, "map")


def test_a_layer_that_this_corpus_has_not_says_how_to_get_it(visit: Open) -> None:
    assert "`--thesaurus FILE`" in "".join(box.value for box in visit(layer=["topics"]).info)


def test_a_layer_is_taken_off_the_map_and_out_of_the_address(visit: Open) -> None:
    page = visit(layer=["mission:hubble", "years"])
    page = ran(page.button(key="off-mission:hubble").click().run())
    assert page.query_params["layer"] in ("years", ["years"])


def test_a_ninth_layer_is_refused_with_a_note_and_the_eight_stay(visit: Open) -> None:
    eight = ["growth", "years", *(f"author:Riess, A; {name}" for name in "BCDEFG")]
    page = visit(layer=eight)
    page = ran(page.text_input(key="layer-of-author").set_value("Hubble, E").run())
    assert page.query_params["layer"] == eight
    assert "at most 8 layers can be on at once: remove one" in page_text(page)
    page = ran(page.button(key="off-years").click().run())
    assert "at most 8 layers" not in page_text(page)
    page = ran(page.text_input(key="layer-of-author").set_value("Hubble, E").run())
    assert page.query_params["layer"] == [*(slug for slug in eight if slug != "years"), "author:Hubble, E"]


def test_a_layer_that_is_on_by_two_names_is_drawn_once(pf: Pathfinder) -> None:
    layers, (other,) = layers_on(pf, MapState(layer=("mission:hst", "mission:hubble", "years")), Ground.DENSITY)
    assert [layer.slug for layer in layers] == ["mission:hst", "years"]
    assert other.slug == "mission:hubble"
    assert other.reason == "it is already on as mission:hst: remove one of the two"


def test_a_paper_is_marked_on_the_map_and_its_mark_removed(visit: Open) -> None:
    page = visit(paper=["riess-2022"], layer=["years"])
    page = ran(page.button(key="mark-paper").click().run())
    assert page.query_params["layer"] == ["years", "shelf:riess-2022"]
    assert "One paper of your choice." in page_text(page)
    page = ran(page.button(key="mark-paper").click().run())
    assert page.query_params["layer"] in ("years", ["years"])


def test_a_layer_that_the_corpus_keeps_is_shown_without_being_counted(
    visit: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(kind: LayerKind, map_data: MapData) -> Layer:
        raise AssertionError("a layer was counted")

    monkeypatch.setattr(base, "compute_layer", refuse)
    map_cache._compute.clear()
    assert "The mean date of the papers in" in page_text(visit(layer=["years"]))


def test_papers_whose_ids_are_typed_are_marked(visit: Open) -> None:
    page = visit(layer=["shelf:riess-2022"])
    page = ran(page.text_input(key="layer-of-shelf").set_value("hostile; riess-2022 ;gone").run())
    assert page.query_params["layer"] in ("shelf:riess-2022;hostile;gone", ["shelf:riess-2022;hostile;gone"])
    assert "not in this corpus: gone" in page_text(page)
    assert page.text_input(key="layer-of-shelf").value == ""


@pytest.mark.parametrize("slug", ["topics", "author:Nobody, N", "no such layer", "mission:HST"])
def test_a_layer_that_cannot_be_drawn_or_has_another_name_is_taken_off_too(visit: Open, slug: str) -> None:
    page = visit(layer=[slug, "years"])
    page = ran(page.button(key=f"off-{slug}").click().run())
    assert page.query_params["layer"] in ("years", ["years"])


def test_the_title_of_a_layer_out_of_a_link_is_text_and_no_markup(visit: Open) -> None:
    page = visit(layer=["author:Riess, A; [a prize](https://example.org)"])
    (table,) = (box.label for box in page.expander if box.label.endswith(": table"))
    assert r"\[a prize\]\(https" in table


def test_names_of_a_thesaurus_are_text_and_no_markup_where_they_are_switched_on() -> None:
    def switches() -> None:
        from pathfinder.landscape.data.layer import LayerInfo
        from pathfinder.ui.map.layer_panel import _group
        from pathfinder.ui.map.map_state import MapState

        _group("Topics", [LayerInfo("topic:x", "[X](https://example.org)", "", "Topics", 1200)], MapState())

    (label,) = ran(AppTest.from_function(switches).run()).button_group[0].options
    assert label.startswith(r"\[X\]\(https")


def test_a_layer_that_found_nothing_says_so_and_has_no_colours_to_explain() -> None:
    def explained() -> None:
        from pathfinder.landscape.data.layer import Layer
        from pathfinder.ui.map.layer_panel import legend
        from pathfinder.ui.map.map_state import MapState

        legend([Layer("gaps", "Gaps", "Ranked by growth.", notes=("no region is beyond chance",))], [], MapState())

    html = page_text(ran(AppTest.from_function(explained).run()))
    assert "Ranked by growth." in html
    assert "no region is beyond chance" in html


def test_two_layers_of_one_colour_are_told_apart(pf: Pathfinder) -> None:
    layers, _ = layers_on(pf, MapState(layer=("author:Riess, A", "author:Hubble, E")), Ground.DENSITY)
    first, other = (layer.marks[0].colour for layer in layers)
    assert first != other


def test_a_map_that_is_opened_again_is_sent_its_first_tiles_again(
    golden_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[CanvasRequest] = []
    reply = live_canvas.reply
    monkeypatch.setattr(
        live_canvas, "reply", lambda record, request, *rest: sent.append(request) or reply(record, request, *rest)
    )
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
    page = page_at("map")
    # As the visit before left it, whose canvas is gone.
    page.session_state["map-canvas-asked"] = True
    page.session_state["map-canvas-wanted"] = CanvasRequest(("4/0/0",), has="an older scene")
    ran(page.run())
    assert [len(request.tiles) for request in sent] == [5]
    assert sent[0].has is None


def test_a_region_without_papers_says_so_and_offers_nothing(visit: Open) -> None:
    page = visit(region=["900,900;901,901"])
    assert "0 of" in page_text(page)
    assert not [button for button in page.button if "Ask about" in button.label]


def test_a_region_is_dropped(visit: Open) -> None:
    page = visit(region=["-90,-90;90,90"])
    assert "33 of 33 papers" in page_text(page)
    page = ran(page.button(key="drop-region").click().run())
    assert "region" not in page.query_params


def test_papers_of_a_link_that_are_not_here_are_not_counted(visit: Open) -> None:
    page = visit(found=["riess-2022", "gone"], q=["What is <b>H0</b>?"])
    assert "1 paper found" in page_text(page)


def a_result_on_the_map() -> None:
    import streamlit as st

    from pathfinder.ui.map import paper_panel

    pf, link = st.session_state["pf"], st.session_state["link"]
    dots = paper_panel.dots(pf, link)
    paper_panel.result_panel(pf, link, dots)
    st.session_state["apart"] = [dot.outlier for dot in dots]


@pytest.fixture
def tab(pf: Pathfinder) -> Open:
    """A tab that has asked for the age of stars, and opened a link to two papers found for another question."""
    result = pf.search(SearchRequest("How old are stars?"))
    hits = tuple(replace(hit, outlier=True) for hit in result.hits[:2])
    result = replace(result, hits=hits)

    def of(question: str) -> AppTest:
        page = AppTest.from_function(a_result_on_the_map)
        page.session_state["pf"] = pf
        page.session_state["link"] = MapState(hits=tuple(hit.paper.paper_id for hit in hits), q=question)
        page.session_state["form"] = Form("How old are stars?")
        page.session_state["view"] = asked.ResultView(Form("How old are stars?"), result, {})
        return ran(page.run())

    return of


@pytest.mark.parametrize(("question", "apart"), [("How old are stars?", True), ("What is a star?", None)])
def test_papers_lie_apart_only_if_the_answer_of_this_tab_is_the_one_of_the_link(
    tab: Open, question: str, apart: bool | None
) -> None:
    assert tab(question).session_state["apart"] == [apart, apart]


@pytest.mark.parametrize("question", ["How old are stars?", "What is a star?"])
def test_the_way_back_leads_to_the_answer_to_the_question_of_the_link(
    tab: Open, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone: list[str] = []
    monkeypatch.setattr(st, "switch_page", gone.append)
    page = tab(question)
    (back,) = (button for button in page.button if button.label == "Back to the answer")
    assert ran(back.click().run()).session_state["form"].question == question
    assert gone == [script("ask")]


# What a browser may send --------------------------------------------------------------------------


def test_what_the_canvas_wants_is_read() -> None:
    message = {"tiles": ["0/0/0"], "box": [0, 1, 2, 3], "has": "abc", "view": "1,2,3"}
    assert CanvasRequest.read(message) == CanvasRequest(("0/0/0",), (0.0, 1.0, 2.0, 3.0), "abc", MapView(1, 2, 3))
    assert CanvasRequest.read({}) == CanvasRequest()


@pytest.mark.parametrize(
    "message",
    [
        None,
        "tiles",
        {"tiles": 7},
        {"tiles": [1]},
        {"box": [0, 1, 2]},
        {"box": [0, 1, 2, float("nan")]},
        {"box": "0123"},
        {"view": "here"},
        {"view": "1,2,99"},
    ],
)
def test_what_no_canvas_sends_is_refused(message: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of a UsageError or of a number that is none
        CanvasRequest.read(message)


@pytest.mark.parametrize(("on_the_page", "chosen"), [(None, [[2015, 2020]]), ((2015, 2020), [])])
def test_years_whose_report_a_later_request_has_overtaken_are_taken_from_it(
    on_the_page: tuple[int, int] | None, chosen: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    state: dict[str, object] = {"map": {"want": {"tiles": ["0/0/0"], "years": [2015, 2020]}}}
    monkeypatch.setattr(live_canvas.st, "session_state", state)
    heard: list[list[int]] = []
    live = live_canvas.LiveCanvas(
        "map", lambda: ("", on_the_page), {"years": lambda report: heard.append(report) is None}
    )
    live_canvas._keep_request(live)
    assert heard == chosen
    assert ("canvas-changed" in state) == bool(chosen)


# What is shown beside the map ---------------------------------------------------------------------


def test_a_column_of_words_and_numbers_is_shown_as_words() -> None:
    assert _of_one_kind([1, None, "never", 2.5]) == ["1", None, "never", "2.5"]
    assert _of_one_kind([1, None]) == [1, None]


def test_growth_is_told_as_faster_or_slower() -> None:
    assert describe_growth(RegionGrowth(2.0, 40, 10, "2020-01-01", 0.001)).startswith("Grows 2.0 times as fast")
    assert describe_growth(RegionGrowth(0.5, 10, 40, "2020-01-01", 0.001)).startswith("Grows 2.0 times as slowly")


def test_the_bars_of_the_years_are_summed_up() -> None:
    assert describe_years(((2000, 4), (2001, 0), (2002, 2))) == ("Papers per year, 2000 to 2002", "most in 2000: 4")
