"""Review as Streamlit runs it, without a browser: what its steps get, and what they hand on."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.addons.screening.decisions import Screening, ScreeningVerdict
from pathfinder.addons.screening.store import ScreeningStore
from pathfinder.corpus.manifest import corpus_name
from pathfinder.shelves.shelf import ShelfStore
from pathfinder.ui import road
from pathfinder.ui.stars.recent import AskedQuestions, request_in
from tests.places import page_at
from tests.ui.test_pages import page_text, ran


@pytest.fixture
def review(owner: Path):
    assert owner.is_dir()

    def visit(step: str, **session: object) -> AppTest:
        page = page_at("review", step=step)
        for name, value in session.items():
            page.session_state[name.replace("_", "-")] = value
        return ran(page.run())

    return visit


def test_a_review_begins_with_the_papers_of_an_example(review) -> None:
    page = review("gather")
    assert page.radio(key="gather-from").value.startswith("an example, “")
    (papers,) = page.dataframe
    assert len(papers.value) > 2
    assert "Start screening" in [button.label for button in page.button]


def test_a_step_hands_papers_to_the_first_three_after_it_that_take_some() -> None:
    assert [[*road.next_steps(order)] for order in (10, 40, 60)] == [
        ["screen", "table", "tensions"],
        ["hypotheses", "write"],
        [],
    ]


def test_looking_at_gather_chooses_nothing_so_that_a_newer_question_leads(review) -> None:
    page = review("gather")
    assert "review-papers" not in page.session_state
    page.radio(key="gather-from").set_value("Another question")
    page = ran(page.run())
    page.text_input(key="gather-question").set_value("How old is the Universe?")
    page = ran(ran(page.run()).run())
    assert page.session_state["review-papers"].question == "How old is the Universe?"
    assert len(page.radio(key="gather-from").options) == 3


def test_a_review_begins_with_the_question_of_the_last_link(review, golden_corpus: Path, tmp_path: Path) -> None:
    region = "region=-1000,-1000;1000,1000"
    AskedQuestions(tmp_path, corpus_name(golden_corpus)).add(f"q=dust+in+galaxies&from=2010&{region}")
    page = review("gather")
    assert page.radio(key="gather-from").options[0] == "Your last question, “dust in galaxies” in a region of the map"
    (papers,) = page.dataframe
    assert min(papers.value["year"]) >= 2010


def test_the_first_page_leads_to_each_question_that_is_kept(review, golden_corpus: Path, tmp_path: Path) -> None:
    asked = AskedQuestions(tmp_path, corpus_name(golden_corpus))
    for n in range(5):
        asked.add(f"q=question+{n}")
    page = ran(page_at("ask").run())
    assert [each.label for each in page.expander if each.label.endswith("more")] == ["2 more"]
    assert page.button(key="way-to-4").label == "question 0"


def test_a_review_asks_no_host_and_no_paid_model_again():
    request = request_in("q=dust&live=arxiv&rerank=cohere:rerank-v3.5&expand=hyde&from=2010")
    assert (request.live, request.reranker, request.uses_chat) == ((), "local", False)


def test_papers_that_are_not_in_the_library_are_counted_and_the_others_kept(review) -> None:
    papers = road.Gathered("How far are galaxies?", "the shelf", ("riess-2022", "gone", "planck-2018-vi"))
    page = review("table", review_papers=papers)
    assert "**2 papers** from the shelf (1 of 3 is not in this library)" in page_text(page)


@pytest.mark.parametrize("step", ["table", "tensions", "write"])
def test_a_step_that_is_the_first_says_what_it_got(step: str, review) -> None:
    assert "papers** from an example, “" in page_text(review(step))


def test_papers_that_were_screened_here_before_are_gone_on_with(review) -> None:
    handed = {
        "review_papers": road.Gathered("How far are galaxies?", "the shelf", ("riess-2022", "planck-2018-vi")),
        "review_handed_to": "screen",
    }
    ran(review("screen", **handed).button(key="screening-in").click().run())
    assert "1 of 2 read" in review("screen", **handed).get("progress")[0].proto.text


def test_papers_that_are_handed_on_are_screened_at_once(review) -> None:
    papers = road.Gathered("How far are galaxies?", "the shelf", ("riess-2022", "planck-2018-vi"))
    page = review("screen", review_papers=papers, review_handed_to="screen")
    assert "0 of 2 read" in page.get("progress")[0].proto.text
    assert "31 papers of the library are not among these 2" in page_text(page)
    assert "review-handed-to" not in page.session_state


@pytest.fixture
def under_way(golden_corpus: Path, tmp_path: Path):
    """Stores a screening, and returns what a session holds in which it is open."""

    def store(screening: Screening) -> dict[str, dict[str, str]]:
        corpus = corpus_name(golden_corpus)
        return {"visit_screening": {corpus.ids[0]: ScreeningStore(tmp_path, corpus).begin(screening)}}

    return store


def test_a_screening_under_way_stays_when_other_papers_are_handed_on(review, under_way) -> None:
    before = Screening("How old is it?", ("hubble-1929", "riess-2022"), 33)
    before = before.decide("hubble-1929", ScreeningVerdict.IN, datetime(2026, 1, 1, tzinfo=UTC))
    papers = road.Gathered("How far are galaxies?", "the shelf", ("riess-2022", "planck-2018-vi"))
    opened = under_way(before)
    page = review("screen", review_papers=papers, review_handed_to="screen", **opened)
    assert "0 of 2 read" in page.get("progress")[0].proto.text
    same = road.Gathered("How old is it?", "the shelf", ("riess-2022", "hubble-1929"))
    page = review("screen", review_papers=same, review_handed_to="screen", **opened)
    assert "1 of 2 read" in page.get("progress")[0].proto.text


def test_papers_of_a_shelf_are_screened_once_the_reader_has_given_a_question(review, golden_corpus, tmp_path) -> None:
    ids = ("riess-2022", "planck-2018-vi")
    ShelfStore(tmp_path, corpus_name(golden_corpus)).change("h0", lambda shelf: shelf.add(ids))
    papers = road.Gathered("", "the shelf “h0”", ids, "h0")
    page = review("screen", review_papers=papers, review_handed_to="screen")
    assert page.selectbox(key="screening-shelf").value == "h0"


def test_reasons_from_a_link_are_offered_for_its_question_only(review, under_way) -> None:
    other = Screening("How old is it?", ("hubble-1929", "riess-2022"), 33)
    offered = "How far is it?", ("fails: ![a](https://x.org/a.png)",)
    page = review("screen", screening_offered=offered, **under_way(other))
    assert "screening-reasons" not in [group.key for group in page.button_group]
    page = review("screen", screening_offered=offered, **under_way(replace(other, question="How far is it?")))
    assert "![" not in page.button_group(key="screening-reasons").options[0]


def test_papers_become_a_shelf_with_an_outline_in_one_click(review) -> None:
    page = ran(review("write").button(key="draft-of-road").click().run())
    assert page.selectbox[0].value == "What is the value of the Hubble constant?"
    assert "Question that it answers" in [field.label for field in page.text_input]
    others = road.Gathered("What is the value of the Hubble constant?", "the screening", ("riess-2022", "hubble-1929"))
    page = review("write", review_papers=others, review_handed_to="write")
    page = ran(page.button(key="draft-of-road").click().run())
    assert page.selectbox[0].value == "What is the value of the Hubble constant? 2"


def test_papers_of_a_shelf_are_outlined_there_and_its_draft_is_kept(review, golden_corpus, tmp_path) -> None:
    ids = ("riess-2022", "planck-2018-vi")
    store = ShelfStore(tmp_path, corpus_name(golden_corpus))
    store.change("Starred", lambda shelf: shelf.add(["hubble-1929"]))
    store.change("h0", lambda shelf: shelf.add(ids))
    papers = road.Gathered("", "the shelf “h0”", ids, "h0")
    page = review("write", review_papers=papers, review_handed_to="write")
    page = ran(page.run())  # an offer stays until it is taken
    page = ran(page.button(key="draft-of-road").click().run())
    assert page.selectbox[0].value == "h0"
    assert store.shelf("Starred").paper_ids == ("hubble-1929",)
    (title,) = [field for field in page.text_input if field.label == "Title"]
    ran(title.set_value("My own").run())
    page = review("write", review_papers=papers, review_handed_to="write")
    page = ran(page.button(key="draft-of-road").click().run())
    assert page.header[0].value == "My own"


def test_hypotheses_are_about_the_papers_that_were_handed_on(review) -> None:
    papers = road.Gathered("How far are galaxies?", "the screening", ("riess-2022", "planck-2018-vi"))
    page = review("hypotheses", review_papers=papers, review_handed_to="hypotheses")
    assert page.text_input(key="hypotheses-question").value == "How far are galaxies?"
    assert page.session_state["hypotheses-requested"].paper_ids == papers.paper_ids
    assert "**2 papers** from the screening" in page_text(page)
