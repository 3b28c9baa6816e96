"""The Write page as Streamlit runs it, without a browser."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.addons.drafts import sections
from pathfinder.addons.drafts.draft import ReviewDraft, ReviewSection, SectionText, SentenceOrigin
from pathfinder.addons.drafts.sections import label
from pathfinder.addons.drafts.store import DRAFTS, DraftStore
from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import StoreError
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import ScriptedChat
from pathfinder.shelves.shelf import SHELVES, ShelfStore
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Paper
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.jobs import Job
from pathfinder.ui.stars import own_shelves
from tests.addons.drafts.sentences import draft_of, sentence
from tests.addons.drafts.test_writing import reply
from tests.places import Open, page_at
from tests.ui.test_pages import QUESTION, page_text, ran
from tests.user_data.visits import MadeVisit

START = "FormSubmitter:draft-start-Make the outline"
PAPERS = ["riess-2022", "hubble-1929", "planck-2018-vi"]


@pytest.fixture
def store(golden_corpus: Path, owner: Path) -> DraftStore:
    """The drafts of the person at this machine, whose shelf "h0" has three papers."""
    corpus = corpus_name(golden_corpus)
    ShelfStore(owner, corpus).change("h0", lambda shelf: shelf.add(PAPERS))
    return DraftStore(owner, corpus)


@pytest.fixture
def visit(store: DraftStore) -> Open:
    assert store.draft("h0") is None

    def page(part: str | None = None) -> AppTest:
        page = page_at("review", step="write")
        if part:
            page.session_state["draft-part"] = part
        return ran(page.run())

    return page


def store_outline(store: DraftStore) -> ReviewDraft:
    draft = ReviewDraft("The Hubble constant").add("Its value", QUESTION, PAPERS).add("Bees", "How do bees dance?")
    return store.change("h0", lambda _: draft)


def stored_draft(store: DraftStore) -> ReviewDraft:
    draft = store.draft("h0")
    assert draft is not None
    return draft


def test_the_outline_comes_first_and_survives_a_reload(visit: Open, store: DraftStore) -> None:
    page = visit()
    page.text_input(key="draft-title").set_value("Expansion")
    page.text_area(key="draft-questions").set_value(f"{QUESTION}\n\n")
    page = ran(page.button(key=START).click().run())
    draft = stored_draft(store)
    assert (draft.title, draft.sections[0].question) == ("Expansion", QUESTION)
    assert next(field for field in visit().text_input if field.label == "Heading").value == draft.sections[0].heading


def test_a_paper_without_authors_is_named_by_its_title_alone() -> None:
    assert label(Paper("p", "Dust in dwarfs", "", year=2026)) == "Authors unknown 2026: Dust in dwarfs"
    assert label(Paper("p", "Dust in dwarfs", "", authors=("Roe, Ann",), year=2026)) == "Roe 2026: Dust in dwarfs"


def test_a_question_that_is_the_heading_is_written_once(visit: Open, store: DraftStore) -> None:
    store.change("h0", lambda _: ReviewDraft("Expansion").add(QUESTION, QUESTION, PAPERS).add("Bees", QUESTION))
    page = visit()
    page.button_group(key="draft-part").set_value("Text")
    assert [caption.value for caption in ran(page.run()).caption].count(for_markdown(QUESTION)) == 1


def test_sections_are_renamed_moved_added_and_removed_and_undo_takes_it_back(visit: Open, store: DraftStore) -> None:
    store_outline(store)
    page = visit()
    next(field for field in page.text_input if field.label == "Heading").set_value("The value")
    page = ran(page.run())
    assert stored_draft(store).sections[0].heading == "The value"
    page = ran(page.button(key="draft-down-1").click().run())
    assert [section.key for section in stored_draft(store).sections] == ["2", "1"]
    page.text_input(key="draft-new-heading").set_value("History")
    page.text_input(key="draft-new-question").set_value("Who measured it first?")
    page = ran(page.button(key="draft-add").click().run())
    page = ran(page.button(key="draft-remove-2").click().run())
    assert [section.heading for section in stored_draft(store).sections] == ["The value", "History"]
    page = ran(page.button(key="draft-undo").click().run())
    assert len(stored_draft(store).sections) == 3
    while not page.button(key="draft-undo").disabled:
        page = ran(page.button(key="draft-undo").click().run())
    assert [section.heading for section in stored_draft(store).sections] == ["Its value", "Bees"]


def test_a_change_in_another_tab_is_shown_and_not_replaced(visit: Open, store: DraftStore) -> None:
    store_outline(store)
    page = visit()
    store.change("h0", lambda before: (before or ReviewDraft("?")).remove("2"))
    next(field for field in page.text_input if field.label == "Heading").set_value("The value")
    page = ran(page.run())
    assert [section.heading for section in stored_draft(store).sections] == ["The value"]
    store.change("h0", lambda before: (before or ReviewDraft("?")).add("Late", "Late?").remove("1"))
    page = ran(page.button(key="draft-remove-1").click().run())
    assert "it may have been removed in another tab" in page_text(page)
    assert [section.heading for section in stored_draft(store).sections] == ["Late"]


def wrote(page: AppTest) -> AppTest:
    """Press the button, and wait until the job has ended and its sections are stored."""
    page = ran(page.button(key="draft-write").click().run())
    while "draft" in page.session_state["jobs"]:
        page.session_state["jobs"]["draft"].wait(60)
        page = ran(page.run())
    return ran(page.run())


def test_sections_are_written_from_the_shelf_and_a_gap_says_what_is_missing(visit: Open, store: DraftStore) -> None:
    store_outline(store)
    page = wrote(visit("Text"))
    value, bees = stored_draft(store).sections
    assert value.text is not None
    assert bees.text is not None
    assert set(stored_draft(store).cited_ids) <= set(PAPERS)
    assert value.text.sentences
    assert bees.text.sentences == ()
    assert "Missing: None of the 3 papers searched answers the question “How do bees dance?”" in page_text(page)
    assert "A chat model would write connected text" in page_text(page)
    page.session_state["draft-part"] = "Papers"
    page = ran(page.run())
    assert f"The draft cites **{len(stored_draft(store).cited_ids)} of the 3 papers** on the shelf." in page_text(page)


def test_a_sentence_that_the_reader_edits_is_marked_and_checked_again(visit: Open, store: DraftStore) -> None:
    store_outline(store)
    page = wrote(visit("Text"))
    page = ran(page.button(key="draft-edit-1").click().run())
    area = page.text_area(key="draft-area-1")
    area.set_value(f"{area.value} Bees dance on the comb in the dark. [1]")
    page = ran(next(button for button in page.button if button.label == "Save").click().run())
    text = stored_draft(store).sections[0].text
    assert text is not None
    assert [each.origin.value for each in text.sentences[-2:]] == ["quoted", "edited by you"]
    assert text.sentences[-1].checked.verdict.value == "not found"
    assert "edited by you" in "".join(part.proto.body for part in page.get("html"))
    page = ran(page.button(key="draft-edit-1").click().run())
    page.text_area(key="draft-area-1").set_value("Typed. [9]")
    page = ran(next(button for button in page.button if button.label == "Save").click().run())
    assert "[9] in “Typed.” is no paper" in page_text(page)
    assert page.text_area(key="draft-area-1").value == "Typed. [9]"


def test_a_section_that_the_reader_edited_is_not_written_with_the_others(visit: Open, store: DraftStore) -> None:
    mine = draft_of(sentence("Mine.", origin=SentenceOrigin.READER)).add("Its value", QUESTION, PAPERS)
    store.change("h0", lambda _: mine.with_text("2", SectionText(QUESTION, (), "before")))
    assert mine.unedited == ("2",)
    wrote(visit("Text"))
    first, second = stored_draft(store).sections
    assert first == mine.sections[0]
    assert second.text is not None
    assert second.text.ran != "before"


def test_the_first_page_leads_back_to_a_draft(store: DraftStore) -> None:
    store_outline(store)
    page = ran(page_at("ask").run())
    label = for_markdown("Draft “The Hubble constant”: 0 of 2 sections written")
    assert label in [button.label for button in page.button]


def test_a_section_that_cannot_be_stored_is_not_lost(
    visit: Open, store: DraftStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SectionText(QUESTION, (), "written elsewhere")
    section = replace(store_outline(store).sections[0], text=text)
    page = visit("Text")
    page.session_state["jobs"] = {"draft": Job(iter_of(section))}
    page.session_state["jobs"]["draft"].wait(60)
    page.session_state["draft-job-shelf"], page.session_state["draft-job-stored"] = "h0", 0

    def full(*_: object) -> ReviewDraft:
        raise StoreError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(DraftStore, "change", full)
        assert "This was not stored: the disk is full" in page_text(ran(page.run()))
        assert page.button(key="draft-leave-out")
    page = ran(page.run())
    assert stored_draft(store).sections[0].text == text
    assert "draft" not in page.session_state["jobs"]


def iter_of(section: ReviewSection) -> Generator[ReviewSection, None, ReviewDraft]:
    """The work of a job that writes one section."""
    yield section
    return ReviewDraft("T", (section,))


def test_a_model_compares_sentences_while_others_may_change_the_drafts(
    visit: Open, store: DraftStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_outline(store)
    check = sections.edit_section

    def checked_meanwhile(*arguments: Any) -> ReviewDraft:
        store.change("h0", lambda before: (before or ReviewDraft("?")).add("Late", "Late?"))
        return check(*arguments)

    monkeypatch.setattr(sections, "edit_section", checked_meanwhile)
    page = ran(visit("Text").button(key="draft-edit-1").click().run())
    page.text_area(key="draft-area-1").set_value("Space expands. [2]")
    ran(next(button for button in page.button if button.label == "Save").click().run())
    value, _, late = stored_draft(store).sections
    assert value.text is not None
    assert ([each.citations for each in value.text.sentences], late.heading) == ([(PAPERS[1],)], "Late")


def test_a_number_in_an_edited_text_cites_the_paper_that_had_it_when_the_text_was_opened(
    visit: Open, store: DraftStore, golden_corpus: Path, tmp_path: Path
) -> None:
    store_outline(store)
    page = ran(visit("Text").button(key="draft-edit-1").click().run())
    page.text_area(key="draft-area-1").set_value("Space expands. [2]")
    ShelfStore(tmp_path, corpus_name(golden_corpus)).change("h0", lambda shelf: shelf.remove([PAPERS[0]]))
    page = ran(next(button for button in page.button if button.label == "Save").click().run())
    text = stored_draft(store).sections[0].text
    assert text is not None
    assert [each.citations for each in text.sentences] == [(PAPERS[1],)]


def test_a_section_of_another_shelf_is_not_edited_in_its_place(
    visit: Open, store: DraftStore, golden_corpus: Path, tmp_path: Path
) -> None:
    store_outline(store)
    ShelfStore(tmp_path, corpus_name(golden_corpus)).change("other", lambda shelf: shelf.add(PAPERS))
    store.change("other", lambda _: ReviewDraft("Other").add("Another section", QUESTION))
    page = ran(visit("Text").button(key="draft-edit-1").click().run())
    assert len(page.text_area) == 1
    page = ran(next(box for box in page.selectbox if box.label == "Shelf").set_value("other").run())
    assert "Another section" in page_text(page)
    assert len(page.text_area) == 0


def written_for_another_shelf() -> None:
    """A page with a job that writes for the shelf "other", as `AppTest` runs it."""
    import streamlit as st

    from pathfinder.addons.drafts import sections
    from pathfinder.ui.shared import jobs

    jobs.task(sections.TASK, lambda: (step for step in ("step",)))
    st.session_state["draft-job-shelf"] = "other"
    for shelf in ("h0", "other"):
        sections.stop_writing(shelf)
        st.caption(f"{shelf}: {'writing' if jobs.running_task(sections.TASK) else 'stopped'}")


def test_starting_again_stops_no_job_that_writes_for_another_shelf() -> None:
    page = ran(AppTest.from_function(written_for_another_shelf).run())
    assert [caption.value for caption in page.caption] == ["h0: writing", "other: stopped"]


def test_start_again_leaves_the_title_and_undo_restores_the_sections(visit: Open, store: DraftStore) -> None:
    draft = store_outline(store)
    page = ran(visit().button(key="draft-again").click().run())
    assert (stored_draft(store).title, stored_draft(store).sections) == (draft.title, ())
    ran(page.button(key="draft-undo").click().run())
    assert stored_draft(store) == draft


def test_a_cited_paper_that_the_corpus_has_lost_is_listed_once(
    visit: Open, store: DraftStore, golden_corpus: Path, tmp_path: Path
) -> None:
    shelves = ShelfStore(tmp_path, corpus_name(golden_corpus))
    shelves.change("h0", lambda shelf: shelf.add(["lost-1"]))
    store.change("h0", lambda _: draft_of(sentence("Space expands.", "lost-1", "lost-2")))
    text = page_text(visit("Papers"))
    assert "Cited, but not on the shelf: 1" in text
    assert "Cited, but not in the library: 1" in text
    assert (text.count("**lost-1**"), text.count("**lost-2**")) == (1, 1)


def test_a_visitor_from_elsewhere_leaves_no_file(
    store: DraftStore, golden_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_shelves, "is_visited_here", lambda: False)
    corpus, visit = corpus_name(golden_corpus), MadeVisit()
    ShelfStore(visit, corpus).change("h0", lambda shelf: shelf.add(PAPERS))
    page = page_at("review", step="write")
    page.session_state["visit-records"] = {(corpus.ids[0], SHELVES.table): visit.records(SHELVES)}
    page = ran(page.run())
    page = ran(page.button(key=START).click().run())
    assert (corpus.ids[0], DRAFTS.table) in page.session_state["visit-records"]
    assert store.draft("h0") is None


def test_a_paper_that_may_fill_a_gap_goes_onto_the_shelf_and_into_the_section(visit: Open, store: DraftStore) -> None:
    store.change(
        "h0", lambda _: ReviewDraft("Planets").add("Planets", "How are transits of planets detected?", PAPERS[:1])
    )
    page = wrote(visit("Text"))
    text = stored_draft(store).sections[0].text
    assert text is not None
    assert text.candidates
    page = ran(page.button(key=f"draft-fill-1-{text.candidates[0]}").click().run())
    assert stored_draft(store).sections[0].paper_ids == (PAPERS[0], text.candidates[0])
    assert "Written from papers other than those that the section lists now." in page_text(page)


def test_with_a_chat_model_its_mode_is_chosen_and_what_it_made_up_is_listed(
    store: DraftStore, visit: Open, pf: Pathfinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_model = pf.with_chat(ScriptedChat(reply))
    monkeypatch.setattr(resources, "pathfinder", lambda: with_model)
    store.change("h0", lambda _: ReviewDraft("T").add("Its value", QUESTION, PAPERS[:2]))
    page = visit("Text")
    assert page.selectbox(key="draft-mode").value == "rag"
    page = wrote(page)
    text = stored_draft(store).sections[0].text
    assert text is not None
    assert {each.origin.value for each in text.sentences} == {"chat model"}
    assert text.ran.startswith("RAG")
    assert "Everybody agrees on this. :gray[(it cites no paper" in page_text(page)
