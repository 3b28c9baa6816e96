"""The pages as Streamlit runs them, without a browser."""

import re
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pathfinder.building import build
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import HashEmbedder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import SearchResult, Weighting
from pathfinder.ui.shared import jobs
from pathfinder.ui.shared.jobs import Job
from pathfinder.ui.shared.state import ResultView
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, Record, WordsAsKeywords, write
from tests.places import LIDS, Open, cards, page_at, page_text, press, ran

QUESTION = "What is the value of the Hubble constant?"


def titles(page: AppTest) -> list[str]:
    """The titles on the cards, best first."""
    return [card["title"] for card in cards(page)]


def answer(page: AppTest) -> str:
    return next(part.proto.body for part in page.get("html") if 'class="digest"' in part.proto.body)


def corpus_of(folder: Path, *records: Record) -> Path:
    source = write(folder / "papers.jsonl", *records)
    build([source], folder / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    return folder / "corpus"


def held(value: object) -> Iterator[object]:
    """The values that a call of `value` would use, which stay in memory for as long as it does."""
    yield value
    parts = [cell.cell_contents for cell in getattr(value, "__closure__", None) or ()]
    parts += value if isinstance(value, tuple | list) else value.values() if isinstance(value, dict) else ()
    for part in parts:
        yield from held(part)


def test_a_visit_keeps_no_result_of_an_earlier_question_because_streamlit_keeps_what_a_click_calls(ask: Open) -> None:
    page = ask(q=QUESTION)
    ran(page.chat_input(key="question-box").set_value("What powers quasars?").run())
    calls = page.session_state._state._state._new_widget_state.widget_metadata.values()
    values = [value for each in calls for value in held((each.callback, each.callback_args, each.callback_kwargs))]
    results = [getattr(value, "result", value) for value in values if isinstance(value, SearchResult | ResultView)]
    assert {result.question for result in results} == {"What powers quasars?"}


@pytest.mark.parametrize("address", ["ask", "map", "similar"])
def test_without_a_corpus_the_page_says_what_to_do(address: str) -> None:
    assert "start with `pathfinder app" in page_text(ran(page_at(address).run()))


def test_a_setting_that_cannot_be_is_told_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATHFINDER_CHAT_TIMEOUT_SECONDS", "soon")
    page = ran(page_at("ask").run())
    assert "the setting chat_timeout_seconds" in page_text(page)


def test_a_corpus_that_is_none_is_told_on_both_pages(ask: Open, tmp_path: Path) -> None:
    assert ask(tmp_path / "gone", q=QUESTION).error
    about = ran(page_at("about").run())
    assert about.error
    assert about.title[0].value == "About Pathfinder"


@pytest.mark.parametrize("records", [(), (GALAXIES,), (GALAXIES, PLANETS, PULSARS)])
def test_a_small_corpus_is_searched_and_has_no_map(
    ask: Open, tmp_path: Path, records: tuple[dict[str, object]]
) -> None:
    page = ask(corpus_of(tmp_path, *records), q="galaxies", wk="1", wt="1", wc="1")
    assert len(titles(page)) == len(records)
    papers = "1 paper" if len(records) == 1 else f"{len(records)} papers"
    assert papers in [heading.value for heading in page.header]
    assert f"A library of {papers} is too small for a map." in page_text(page)
    assert "answer: " in page_text(page)


def test_a_search_that_fails_or_is_stopped_leaves_no_skeleton(ask: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise UsageError("the embedder does not answer: try again")

    def stopped(name: str, *_: object, **__: object) -> Job[str, object]:
        job = st.session_state.setdefault("jobs", {})[name] = Job(step for step in repeat("searching"))
        job.stop()
        return job

    with monkeypatch.context() as patch:
        patch.setattr(Pathfinder, "search", fail)
        page = ask(q=QUESTION)
        assert "the embedder does not answer: try again" in page_text(page)
        assert not page.get("skeleton")
    monkeypatch.setattr(jobs, "task", stopped)
    page = ask(q=QUESTION)
    assert "The search was stopped." in page_text(page)
    assert not page.get("skeleton")


def test_the_badges_are_read_from_the_result(ask: Open) -> None:
    text = page_text(ask(q=QUESTION, wt="0.5", from_="2000"))
    for badge in (
        "embedder: all-MiniLM-L6-v2, local",
        "sparse: BM25, keywords at 0.4",
        "years: 2000 and after",
        "weighting: balanced: recency 0.5",
    ):
        assert f":gray-badge[{badge}]" in text
    assert ":gray-badge[answer: extractive, no chat model set]" in text
    assert "was not used" not in text  # nobody chose a style


def test_time_and_citations_together_warn_and_few_counts_are_told(ask: Open) -> None:
    page = ask(q=QUESTION)
    assert not page.warning
    page.toggle(key="citations-on").set_value(True)
    assert "Only 10 of the 33 candidates have a citation count" in ran(page.run()).warning[0].value
    page.toggle(key="recency-on").set_value(True)
    assert "Recency and citations pull against each other" in ran(page.run()).warning[0].value


def test_what_cannot_be_done_without_a_chat_model_is_told_at_its_switch(ask: Open) -> None:
    page = ask(q=QUESTION, imagine="hyde")
    assert "No chat model is set to write hypothetical abstracts" in page_text(page)
    assert "n_hypothetical" not in {slider.key for slider in page.slider}
    assert "query expansion: feedback (no chat model)" in page_text(page)


def test_rounds_and_parts_are_not_both_searched_and_the_page_says_so(ask: Open) -> None:
    assert "does not split the question" in page_text(ask(q=QUESTION, depth="1", parts="1"))
    assert "does not split the question" not in page_text(ask(q=QUESTION, parts="1"))


def test_the_years_of_a_question_are_told_once_by_their_chip(ask: Open) -> None:
    page = ask(q="What sets the Hubble constant after 2015?")
    assert "Years 2016 on" in re.sub(r"\\", "", "".join(button.label for button in page.button))
    assert "reads_years" not in page_text(page)


def test_the_authors_of_a_question_are_told_once_by_a_chip_that_takes_them_off(ask: Open) -> None:
    page = ask(q="papers by Riess")
    chip = next(button for button in page.button if button.key == "chip-reads_authors")
    assert re.sub(r"\\", "", chip.label) == "Author Riess, from “papers by Riess” in your question"
    assert "reads\\_authors" not in page_text(page)
    assert len(titles(page)) == 2
    chip.click()
    ran(page.run())
    assert len(titles(page)) == 10


def test_the_page_filters_by_venue_and_says_what_the_corpus_does_not_record(ask: Open) -> None:
    page = ask(q="stars", venues="Nature")
    assert len(titles(page)) == 3
    assert "This library does not record categories, peer review." in page_text(page)


def test_every_paper_has_a_menu(ask: Open) -> None:
    page = ask(q="Why do masers form?", k="3")
    for rank in (1, 2, 3):
        before = titles(page)
        assert titles(ran(press(page, "Similar papers", rank))) != before
        page = ran(page.button(key="similar-off").click().run())
        assert titles(page) == before
    assert page.session_state["papers-as"] != "timeline"
    ran(press(page, "timeline", 3))
    assert page.session_state["papers-as"] == "timeline"


def test_similar_papers_stand_in_the_list_of_their_question_alone_and_never_without_their_way_back(ask: Open) -> None:
    page = ask(q=QUESTION, k="5", shown="timeline")
    before = titles(page)
    page.session_state["similar-beside"] = (QUESTION, "riess-2022")
    ran(page.run())  # the timeline, which only a question has, is not asked for
    assert titles(page) != before
    assert any(button.key == "similar-off" for button in page.button)
    for question in ("", QUESTION):  # as "New question" does, and the same words again
        page.session_state["question"] = question
        ran(page.run())
    assert not any(button.key == "similar-off" for button in page.button)
    page = ask(q=QUESTION, k="5", **{"from": "1700", "to": "1701"})
    page.session_state["similar-beside"] = (QUESTION, "riess-2022")
    assert titles(ran(page.run())) == []


def test_quotations_are_made_anew_from_a_list_that_is_ranked_anew(ask: Open) -> None:
    page = ask(q=QUESTION, k="5")
    fresh, first_order = answer(page), titles(page)
    page.toggle(key="recency-on").set_value(True)
    ran(page.run())
    assert titles(page) != first_order
    assert answer(page) != fresh
    assert "answer-again" not in {button.key for button in page.button}
    others = [part for part in page.markdown if re.match(r"\*\*\d+\.\*\*", part.value)]
    for rank in re.findall(r"#paper-(\d+)", answer(page)):
        assert 1 <= int(rank) <= len(titles(page)) + len(others)  # papers beyond the list stand behind it


def test_arrows_say_where_each_paper_stood(ask: Open) -> None:
    page = ask(q=QUESTION, k="5")
    before = titles(page)
    assert marks(page) == []
    page.toggle(key="recency-on").set_value(True)
    ran(page.run())
    moves = [before.index(title) - rank if title in before else None
             for rank, title in enumerate(titles(page))]  # fmt: skip
    words = ["new" if move is None else f"was {rank + move + 1}" for rank, move in enumerate(moves) if move != 0]
    assert marks(page) == words
    (said,) = (each.proto.body for each in page.get("html") if 'role="status"' in each.proto.body)
    assert ("new: " in said) == ("new" in words)


def marks(page: AppTest) -> list[str]:
    words = (text for card in cards(page) for _, text in card["about"])
    return [found[1] for text in words if (found := re.fullmatch(r"(?:[▲▼] )?(new|was \d+)", text))]


def test_settings_of_closed_groups_are_kept_and_stand_in_their_widgets_once_these_are_open(owner: Path) -> None:
    assert owner.is_dir()
    page = page_at("ask", q=QUESTION, k="7", reviews="1", titles="0")
    for lid in LIDS:
        del page.session_state[lid]
    ran(page.run())
    assert {toggle.key for toggle in page.toggle} == {"keywords-on", "recency-on", "citations-on"}
    assert (page.query_params["k"], page.query_params["reviews"]) == ("7", "1")
    press_chip(page, "Only reviews")
    page.session_state["which-papers"] = True
    ran(page.run())
    assert (page.slider(key="top_k").value, page.toggle(key="only_reviews").value) == (7, False)


def test_whoever_only_opens_the_other_weights_has_changed_none(ask: Open) -> None:
    assert ask(q="What is the value of the Hubble constant?", k="3").session_state["view"].form.weighting == Weighting()


def test_a_chip_undoes_one_setting_and_reset_undoes_all(ask: Open) -> None:
    page = ask(q=QUESTION, wt="0.5", from_="1990", k="7")
    press_chip(page, "newer 0.5")
    assert "wt" not in page.query_params
    assert (page.query_params["from"], page.query_params["k"]) == ("1990", "7")
    assert not page.toggle(key="recency-on").value
    page = ran(page.button(key="reset-settings").click().run())
    assert {*page.query_params} == {"q", "before"}
    assert page.slider(key="top_k").value == 10


def test_two_quick_clicks_on_chips_undo_one_setting(ask: Open) -> None:
    page = ask(q=QUESTION, wt="0.5", from_="1990", k="7")
    (pills,) = [group for group in page.button_group if (group.key or "").startswith("chips-")]
    pills.set_value([])  # the second click comes before the chips are drawn anew
    ran(page.run())
    assert len({"wt", "from", "k"} & {*page.query_params}) == 2


def test_reset_keeps_what_is_undone_elsewhere(ask: Open) -> None:
    page = ask(q=QUESTION, wt="0.5", without="Hubble constant")
    page = ran(page.button(key="reset-settings").click().run())
    assert {*page.query_params} == {"q", "without", "before"}


def test_a_topic_is_left_out_by_one_click_and_the_papers_say_who_rose(ask: Open) -> None:
    page = ask(q=QUESTION)
    topic = next(label for label in chips(page) if label.startswith("without "))
    press_chip(page, topic)
    left_out = topic.removeprefix("without ").lower()
    for hit in page.session_state["view"].result.hits:
        text = " ".join((hit.paper.text, *hit.paper.subjects, *hit.paper.keywords)).lower()
        assert left_out not in text
    assert marks(page)
    press_chip(page, topic)
    assert "exclude" not in page.query_params


def test_without_in_a_question_is_honoured_or_said_to_be_ignored(ask: Open) -> None:
    assert "leaves nothing out" not in page_text(ask(q="exoplanets without simulations"))
    page = ask(q="galaxies without dark matter")
    assert "“without dark matter” in the question leaves nothing out" in page_text(page)
    press_chip(page, "without dark matter")
    assert page.query_params["exclude"] == "about dark matter"
    assert "leaves nothing out" not in page_text(page)


def chips(page: AppTest) -> list[str]:
    """The chips above the list, without their signs and the strokes that escape them."""
    (pills,) = [group for group in page.button_group if (group.key or "").startswith("chips-")]
    return [re.sub(r"\\(.)", r"\1", option).strip("+× ") for option in pills.options]


def press_chip(page: AppTest, label: str) -> None:
    (pills,) = [group for group in page.button_group if (group.key or "").startswith("chips-")]
    option = pills.options[chips(page).index(label)]
    pills.set_value([*({*pills.value} ^ {option})])
    ran(page.run())


def test_the_bar_of_every_paper_opens_one_sentence_on_its_place(ask: Open) -> None:
    listed = cards(ask(q=QUESTION, k="4", wk="1", wt="1", wc="1"))
    assert len(listed) == 4
    for card in listed:
        assert card["bar"].startswith("linear-gradient")
        colours = [look for look, _ in card["why"] if look.startswith("#")]
        assert colours == re.findall(r"(#\w+) [0-9.]+%", card["bar"])
    sentence = "".join(text for _, text in listed[1]["why"])
    assert re.search(r"papers, this is 2nd: .*\d(st|nd|rd|th) by its words and meaning, ", sentence)
    assert re.search(r" and ■ [^■,]+\.$", sentence)


def test_a_keyword_of_the_readers_own_takes_the_place_of_the_one_found(ask: Open) -> None:
    page = ask(q=QUESTION)
    page.text_input(key="extra_keywords").set_value("Hubble constant, Cepheids")
    ran(page.run())
    assert page.query_params["keywords"] == "Hubble constant, Cepheids"


def test_every_setting_of_a_link_stands_in_the_form(ask: Open) -> None:
    settings = {
        "q": QUESTION, "k": "7", "from": "1990", "to": "2020", "keywords": "Cepheids", "without": "Hubble constant",
        "wk": "0.35", "wt": "1", "wc": "0.05", "preset": "paper", "citations": "age-fair",
    }  # fmt: skip
    page = ask(**settings)
    assert page.slider(key="top_k").value == 7
    assert page.slider(key="keywords-strength").value == 0.35
    assert (page.number_input(key="year_from").value, page.number_input(key="year_to").value) == (1990, 2020)
    assert dict(page.query_params.items()) == settings


@pytest.mark.parametrize("question", ["🌌 🔭", "ما هو ثابت هابل؟", "the of and", "dark\nmatter", "\u202eretsulc"])
def test_unusual_questions_are_searched(ask: Open, question: str) -> None:
    assert len(titles(ask(q=question, k="2"))) == 2


def test_a_question_of_control_characters_is_ignored_with_a_note(ask: Open) -> None:
    page = ask(q="\x00\x01")
    assert "was ignored" in page.info[0].value
    assert titles(page) == []


def test_the_about_page_says_what_is_open(at: Open) -> None:
    text = page_text(at("about"))
    assert "33 papers, as of 01 January 2025" in text
    assert "Chat model: none" in text
    assert "Limits to keep in mind" in text


def test_a_region_of_the_map_is_a_chip_that_takes_it_off(ask: Open) -> None:
    page = ask(q=QUESTION, region="-1000,-1000;1000,1000")
    (chip,) = [button for button in page.button if button.key == "region-of-the-map"]
    assert chip.label == "Only a region of the map: 33 of 33 papers"
    assert ":gray-badge[region: 33 papers]" in page_text(page)
    assert "region of the map" not in "\n".join(note.value for note in page.info)
    page = ran(chip.click().run())
    assert "region-of-the-map" not in {button.key for button in page.button}
    assert "region" not in page.query_params
    assert "gray-badge[region" not in page_text(page)


def test_what_is_studied_in_a_region_is_told_by_its_topics(ask: Open) -> None:
    page = ask(q="What is studied here?", region="-1000,-1000;1000,1000")
    assert "Most cited" in page_text(page)
    assert "I don't know" not in page_text(page)
    assert "The papers are ranked by the first topics: " in page_text(page)
    assert "answer" not in page.session_state["jobs"], "an answer that nobody sees was begun, and would be paid for"


def test_a_region_without_papers_says_what_to_do(ask: Open) -> None:
    page = ask(q=QUESTION, region="1000,1000;2000,2000")
    assert "draw another, or search the whole map" in page_text(page)
    assert "no papers were found in that region of the map" in page_text(page)


def test_a_region_where_there_is_no_map_can_be_taken_off(ask: Open, tmp_path: Path) -> None:
    page = ask(corpus_of(tmp_path, GALAXIES, PLANETS), q="galaxies", region="0,0;1,1")
    assert "this corpus has no map, so it has no regions" in page_text(page)
    (chip,) = [button for button in page.button if button.key == "region-of-the-map"]
    assert len(titles(ran(chip.click().run()))) == 2


def test_what_a_link_leaves_out_is_text_on_its_chip(ask: Open) -> None:
    hostile = "![x](http://e.com/p.png)"
    page = ask(q=QUESTION, without=hostile)
    assert page.button_group(key=f"kept-{QUESTION}").options[-1] == for_markdown(hostile)
    assert "![" not in for_markdown(hostile)


def test_a_corrected_word_is_told_once_by_a_chip_that_undoes_it(ask: Open) -> None:
    page = ask(q="supermasive black holes")
    chip = next(button for button in page.button if button.key == "chip-corrects_spelling")
    assert "supermassive black holes" in chip.label
    assert "corrects\\_spelling" not in page_text(page)
    chip.click()
    ran(page.run())
    chip = next(button for button in page.button if button.key == "chip-corrects_spelling")
    assert chip.icon == ":material/add:"


def test_other_names_are_left_out_by_a_click(ask: Open) -> None:
    page = ask(q="Sgr A*")
    next(button for button in page.button if button.key == "chip-finds_other_names").click()
    ran(page.run())
    assert "Sagittarius" not in " ".join(button.label for button in page.button)


def follow_up(page: AppTest, text: str) -> AppTest:
    return ran(page.chat_input(key="question-box").set_value(text).run())


def question_on_screen(page: AppTest) -> str:
    question: str = page.session_state["view"].form.question
    assert page.title[0].value == for_markdown(question)
    return question


def test_a_follow_up_that_is_refused_leaves_the_answer_before_and_a_page_to_go_on_with(ask: Open) -> None:
    page = follow_up(ask(q=QUESTION), "Also, " + "how far? " * 2_500)
    assert "at most 20,000 are allowed: shorten it" in page_text(page)
    assert question_on_screen(page) == QUESTION
    assert titles(page)
    page = follow_up(page, "And their ages?")
    assert not page.error
    assert question_on_screen(page) == f"{QUESTION} And their ages?"


def test_after_new_question_nothing_is_a_follow_up(ask: Open) -> None:
    page = ask(q=QUESTION)
    page.session_state["follow-up-pending"] = "And their ages?"  # which a chat model is still rewriting
    page = ran(page.button(key="question-new").click().run())
    assert "question-new" not in {button.key for button in page.button}
    assert question_on_screen(follow_up(page, "How do they form?")) == "How do they form?"


def test_a_link_names_the_selected_papers_that_are_on_the_page(ask: Open) -> None:
    chosen = ask(q=QUESTION).session_state["view"].order[0]
    page = ask(q=QUESTION, selected=chosen)
    assert page.query_params["selected"] in (chosen, [chosen])
    page = follow_up(page, "pulsar timing")
    assert chosen not in page.session_state["view"].order
    assert "selected" not in page.query_params
    page = follow_up(page, QUESTION)
    assert "selected" not in page.query_params


def test_a_new_question_keeps_how_one_searches_and_drops_what_the_one_before_was_about(ask: Open) -> None:
    limits = {"exclude": "supernova", "region": "-99,-99;99,99", "from": "1950", "abstract": "1"}
    page = ask(q=QUESTION, k="4", form="list", wt="1", **limits)
    assert "from 1950" in chips(page)
    page = ran(press(page, "select", 1))
    assert cards(page)[0]["selected"]
    page = follow_up(page, "pulsar timing")
    form = page.session_state["form"]
    assert not limits.keys() & {*page.query_params}
    assert form.answering.form is None
    assert page.text_input(key="excluded_words").value == ""
    assert (form.search.top_k, form.weighting.recency) == (4, 1.0)
    assert "newer 1" in chips(page)
    assert not any(card["selected"] for card in cards(page))


def test_a_follow_up_stays_with_what_the_question_before_was_about(ask: Open) -> None:
    page = follow_up(ask(q=QUESTION, exclude="supernova"), "And their ages?")
    assert page.session_state["form"].search.excluded_words == ("supernova",)


def test_what_is_chosen_before_any_question_limits_the_first(ask: Open) -> None:
    page = follow_up(ask(exclude="supernova"), QUESTION)
    assert page.session_state["form"].search.excluded_words == ("supernova",)


def test_a_link_says_who_rose(ask: Open) -> None:
    page = ask(q=QUESTION)
    page = ran(page.toggle(key="recency-on").set_value(True).run())
    view = page.session_state["view"]
    other = ask(**{name: page.query_params[name] for name in page.query_params})
    assert view.places_before
    assert other.session_state["view"].places_before == view.places_before
    assert not ran(follow_up(other, "pulsar timing")).session_state["view"].places_before
