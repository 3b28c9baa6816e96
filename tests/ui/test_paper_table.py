import json
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.operations.export.tables import hits_csv
from pathfinder.retrieval.factors.own import OWN_FACTORS
from pathfinder.types import Answer, CheckedSentence, Digest, DigestForm, Evidence, Finding, Ledger, Verdict
from pathfinder.ui.ask import map_view
from pathfinder.ui.papers.paper_table import table_rows
from tests.answering.results import PAPERS, result
from tests.places import cards, press
from tests.ui.test_pages import Open, ran

FINDING = Finding(PAPERS[1].paper_id, "It is 73.", 0, 9)
ANSWER = Answer("?", "", (), False, (), digest=Digest(DigestForm.FACT, "", (FINDING,)))


def test_a_row_has_every_score_and_the_sentence_that_the_answer_quotes() -> None:
    first, second = table_rows(result(), ANSWER)[:2]
    assert (first["rank"], second["rank"]) == (1, 2)
    assert second["finding"] == "It is 73."
    assert first["finding"] != "It is 73."
    assert {"score", "dense", "sparse", "fused", "keyword", "recency", "citation", "rerank"} <= first.keys()


def test_a_sentence_of_a_summary_says_so_and_one_of_the_full_text_does_not() -> None:
    found = result()
    paper = replace(found.hits[0].paper, abstract="It is 73. It was 500.", is_summary=True)
    summed_up = replace(found, hits=(replace(found.hits[0], paper=paper),))
    for sentence, shown in (("It is 73.", "Summary: It is 73."), ("We find 73.", "We find 73.")):
        digest = Digest(DigestForm.FACT, "", (replace(FINDING, paper_id=paper.paper_id, sentence=sentence),))
        assert table_rows(summed_up, replace(ANSWER, digest=digest))[0]["finding"] == shown


def test_the_finding_of_a_written_answer_is_the_sentence_that_supports_it() -> None:
    def judged(verdict: Verdict) -> CheckedSentence:
        evidence = (Evidence(PAPERS[0].paper_id, f"It is {verdict.value}.", 1.0),)
        return CheckedSentence("So it is.", (PAPERS[0].paper_id,), verdict, evidence)

    ledger = Ledger((judged(Verdict.NOT_FOUND), judged(Verdict.SUPPORTED)), None, None, None)
    written = Answer("?", "So it is [1].", (), False, (), ledger=ledger, is_written=True)
    assert table_rows(result(), written)[0]["finding"] == "It is supported."


def test_a_long_title_without_spaces_is_cut_and_not_left_out() -> None:
    hit = result().hits[0]
    long = replace(result(), hits=(replace(hit, paper=replace(hit.paper, title="塵" * 300)),))
    assert table_rows(long, None)[0]["title"] == "塵" * 100 + " …"


def test_what_was_not_computed_is_no_number() -> None:
    assert table_rows(result(), None)[0]["rerank"] is None


def test_only_the_selected_papers_are_written_with_their_ranks() -> None:
    search_result = result()
    lines = hits_csv(search_result, search_result.hits[1:2]).splitlines()
    assert len(lines) == 2
    assert lines[1].startswith(f"2,{search_result.hits[1].paper.paper_id},")


@pytest.fixture
def papers(ask: Open) -> AppTest:
    return ask(q="What is the value of the Hubble constant?", k="3")


def boxes(page: AppTest) -> list[bool]:
    """Whether each card's box is checked."""
    return [card["selected"] for card in cards(page)]


def test_a_paper_that_is_selected_on_its_card_is_counted_until_the_selection_is_cleared(papers: AppTest) -> None:
    ran(press(papers, "select", 2))
    assert boxes(papers) == [False, True, False]
    assert "1 selected" in [part.value for part in papers.markdown]
    ran(papers.button(key="deselect").click().run())
    assert boxes(papers) == [False, False, False]


def test_one_paper_alone_is_compared_with_the_best_others_on_request(papers: AppTest) -> None:
    ids = [card["id"] for card in cards(papers)]
    page = ran(press(papers, "comparison", 2))
    assert page.session_state["selected-papers"] == (ids[1],)
    page = ran(page.button(key="select-others").click().run())
    assert page.session_state["selected-papers"] == (ids[1], ids[0], ids[2])
    assert "select-others" not in {button.key for button in page.button}


def test_rows_of_the_table_cards_map_and_downloads_share_one_selection(
    ask: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ringed: list[set[int]] = []
    draw = map_view.map_figure

    def watched(*arguments: Any, selected_rows: set[int], **options: Any) -> Any:
        ringed.append(selected_rows)
        return draw(*arguments, selected_rows=selected_rows, **options)

    monkeypatch.setattr(map_view, "map_figure", watched)
    page = ask(q="What is the value of the Hubble constant?", k="3")
    view = page.session_state["view"]
    ids = [hit.paper.paper_id for hit in view.result.hits]
    selection_of_rows(page, ids, [0, 2])
    assert ringed[-1] == {view.result.hits[0].row, view.result.hits[2].row}
    assert boxes(page) == [True, False, True]
    assert "2 selected" in [part.value for part in page.markdown]  # to be downloaded
    # The table opens with the same rows.
    page.button_group(key="papers-as").set_value("Table")
    ran(page.run())
    (table,) = (frame for frame in page.dataframe if "rank" in frame.value)
    assert json.loads(table.proto.selection_default)["selection"]["rows"] == [0, 2]


def selection_of_rows(page: AppTest, ids: list[str], rows: list[int]) -> None:
    """Select rows as the table does, whose clicks no test without a browser can make."""
    page.session_state["selected-papers"] = tuple(ids[row] for row in rows)
    ran(page.run())


def frames(page: AppTest) -> list[list[int]]:
    return [list(frame.value["rank"]) for frame in page.dataframe if "rank" in frame.value]


def test_the_table_takes_the_place_of_the_cards(papers: AppTest) -> None:
    assert len(boxes(papers)) == 3
    papers.button_group(key="papers-as").set_value("Table")
    ran(papers.run())
    assert frames(papers) == [[1, 2, 3]]
    headings = {column.get("label") for column in json.loads(papers.dataframe[0].proto.columns).values()}
    assert {"Citations", "Match by words", *(factor.label.capitalize() for factor in OWN_FACTORS)} <= headings
    assert boxes(papers) == []


def test_rows_that_are_selected_change_only_the_papers_in_view() -> None:
    def choose() -> None:
        import streamlit as st

        from pathfinder.ui.papers import selection

        selection.toggle("out of view")
        selection.select(["a", "b", "c"], [0, 2])
        selection.select(["b", "c"], [0])
        st.write(selection.selected_ids())

    page = AppTest.from_function(choose).run()
    assert page.session_state["selected-papers"] == ("out of view", "a", "b")
