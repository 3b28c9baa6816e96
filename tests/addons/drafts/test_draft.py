import re
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest

from pathfinder.addons.drafts.checking import MAX_TEXT, editable, read_edited, with_edit
from pathfinder.addons.drafts.draft import (
    MAX_LINE,
    MAX_SECTIONS,
    ReviewDraft,
    SectionText,
    SentenceOrigin,
    citation_numbers,
    draft_coverage,
    section_numbers,
)
from pathfinder.addons.drafts.outline import group_phrases, heading_of, outline_of
from pathfinder.addons.drafts.store import MAX_VERSIONS, DraftStore, draft_text, parse_draft
from pathfinder.errors import UsageError
from pathfinder.shelves.shelf import Shelf, State
from pathfinder.types import CheckedSentence, CorpusName, Paper, Verdict
from pathfinder.user_data import contents
from tests.addons.drafts.sentences import draft_of, sentence
from tests.user_data.visits import MadeVisit

TWO = ReviewDraft("T").add("Dust", "What is dust?", ["a", "b", "a"]).add("Gas", "What is gas?")


def headings(draft: ReviewDraft) -> list[str]:
    return [section.heading for section in draft.sections]


def test_sections_are_added_moved_and_removed() -> None:
    assert TWO.sections[0].paper_ids == ("a", "b")
    assert headings(TWO.move("1", 1)) == ["Gas", "Dust"]
    assert headings(TWO.move("1", -5)) == headings(TWO.move("2", 5)) == ["Dust", "Gas"]
    assert headings(TWO.remove("1")) == ["Gas"]


def test_a_new_section_never_takes_the_key_of_one_that_was_there() -> None:
    shorter_draft = TWO.remove("2")
    assert [section.key for section in shorter_draft.add("Stars", "Why?").sections] == ["1", "3"]
    assert [section.key for section in TWO.without_sections().add("Stars", "Why?").sections] == ["3"]
    assert parse_draft(draft_text(shorter_draft), "d.json") == shorter_draft


def test_a_new_outline_takes_no_key_of_the_draft_that_it_replaces() -> None:
    again = TWO.in_place_of(TWO.remove("2"))
    assert [section.key for section in again.sections] == ["3", "4"]
    assert [section.key for section in again.add("Stars", "Why?").sections] == ["3", "4", "5"]


def test_a_file_of_a_draft_without_its_last_key_is_read() -> None:
    older = parse_draft(re.sub(r',\s*"last_key": 2', "", draft_text(TWO)), "d.json")
    assert older.last_key == 0
    assert older.remove("2").add("Stars", "Why?").sections[1].key == "3"


def test_a_section_that_another_tab_removed_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="no section '1'"):
        TWO.remove("1").move("1", 1)


@pytest.mark.parametrize("line", ["", " dust", "two\nlines", "x" * (MAX_LINE + 1), "\x1b[31m"])
def test_a_heading_is_one_printable_line(line: str) -> None:
    with pytest.raises(UsageError, match="write one line"):
        TWO.add(line, "What?")


def test_a_draft_has_a_largest_size() -> None:
    draft = ReviewDraft("T")
    for _ in range(MAX_SECTIONS):
        draft = draft.add("h", "q")
    with pytest.raises(UsageError, match="the limit is 40"):
        draft.add("h", "q")


def test_sections_are_named_by_their_places() -> None:
    assert section_numbers(TWO, []) == ("1", "2")
    assert section_numbers(TWO, [2]) == ("2",)
    with pytest.raises(UsageError, match="no section 3"):
        section_numbers(TWO, [3])


def test_what_is_never_cited_and_what_is_not_on_the_shelf_are_listed() -> None:
    shelf = Shelf("s").add(["a", "b", "c", "d"]).set_state("c", State.OUT).set_state("d", State.OUT)
    draft = draft_of(sentence("x", "b", "c"), sentence("y", "gone"), sentence("z"))
    pf = Mock()
    pf.corpus.papers.rows_of.side_effect = lambda ids: ["abc".find(paper_id) for paper_id in ids]
    coverage = draft_coverage(pf, draft, shelf)
    assert coverage.uncited == ("a",)  # d is out
    assert coverage.off_shelf == ("c", "gone")
    assert coverage.lost == ("gone",)
    assert coverage.n_without_citation == 1
    assert citation_numbers(draft, shelf) == {"b": 1, "c": 2, "gone": 3, "a": 4}  # as in the files


def test_the_file_of_a_draft_holds_all_of_it() -> None:
    draft = draft_of(sentence("Dust is cold.", "dust"))
    assert parse_draft(draft_text(draft), "d.json") == draft


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        draft_text(TWO).replace("draft 1", "draft 2"),
        draft_text(TWO).replace('"key": "2"', '"key": "1"'),
        draft_text(TWO).replace('"title": "T"', '"title": "T", "title": "U"'),
        draft_text(TWO).replace('"T"', '"\\ud800"'),
        "[" * 5000,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"d\.json"):
        parse_draft(text, "d.json")


NUMBERS = {"dust": 1, "masers": 2}
TEXT = SectionText(
    "What is dust?",
    ("dust",),
    "rag",
    (
        sentence("Dust is cold.", "dust"),
        sentence("Masers are bright.", "masers", "dust"),
        sentence("So it is.", "dust", begins=True),
    ),
)


def test_a_text_that_nobody_edits_is_read_as_it_is() -> None:
    text = editable(TEXT, NUMBERS)
    assert text == "Dust is cold. [1] Masers are bright. [2, 1]\n\nSo it is. [1]"
    claims = read_edited(text, NUMBERS)
    assert [(claim.text, claim.citations, begins) for claim, begins in claims] == [
        ("Dust is cold.", ("dust",), False),
        ("Masers are bright.", ("masers", "dust"), False),
        ("So it is.", ("dust",), True),
    ]


def test_a_changed_sentence_is_the_readers_and_the_others_stay() -> None:
    claims = read_edited("Dust is warm. [1] Masers are bright. [2, 1] I think so.", NUMBERS)
    checked_sentences = [CheckedSentence(claim.text, claim.citations, Verdict.NOT_FOUND, ()) for claim, _ in claims]
    after = with_edit(TEXT, claims, checked_sentences).sentences
    assert [each.origin for each in after] == [SentenceOrigin.READER, SentenceOrigin.MODEL, SentenceOrigin.READER]
    assert after[2].citations == ()


def test_a_number_without_a_paper_is_refused_with_the_numbers_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"\[3\].*from 1 to 2"):
        read_edited("Dust is warm. [3]", NUMBERS)


def test_a_text_without_end_is_refused() -> None:
    with pytest.raises(UsageError, match="too long"):
        read_edited("x" * (MAX_TEXT + 1), NUMBERS)


def test_control_characters_are_left_out() -> None:
    ((claim, _),) = read_edited("Dust\x1b[0m is\u202e cold. [1]", NUMBERS)
    assert claim.text.isprintable()


def paper(name: str, *keywords: str, subjects: tuple[str, ...] = ()) -> Paper:
    return Paper(name, name, "", keywords=keywords, subjects=subjects)


def always(question: str, ids: Sequence[str]) -> bool:
    return True


COLD = [paper("a", "cold dust", "galaxies"), paper("b", "cold dust", "galaxies", "rare thing")]
BRIGHT = [paper("c", "water masers", "galaxies"), paper("d", "water maser", "galaxies", subjects=("Water masers",))]


def test_a_group_is_named_by_phrases_that_the_others_lack() -> None:
    assert group_phrases([COLD, BRIGHT]) == [["cold dust", "galaxies"], ["Water masers", "galaxies"]]


def test_a_phrase_of_one_paper_names_no_group_of_several_but_a_group_of_one() -> None:
    assert group_phrases([[paper("a", "dust"), paper("b", "gas")]]) == [[]]
    assert group_phrases([[paper("a", "dust")]]) == [["dust"]]
    assert outline_of("T", [], [[paper("a")]], always).sections[0].heading == "Further papers"


def test_hostile_keywords_become_plain_words() -> None:
    (phrases,) = group_phrases([[paper("a", "\\input{x}\n\x1b[0m", "<b>dust</b>")]])
    assert all(phrase.isprintable() for phrase in phrases)


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("What is the age of the Sun?", "The age of the Sun"),
        ("which are  the oldest stars ?", "The oldest stars"),
        ("why do stars explode?", "Why do stars explode?"),
        ("dust", "Dust"),
    ],
)
def test_a_question_becomes_a_heading(question: str, heading: str) -> None:
    assert heading_of(question) == heading


def test_the_readers_questions_come_first() -> None:
    draft = outline_of("T", [("Why is dust cold?", COLD)], [BRIGHT], always)
    assert [(each.heading, each.question, each.paper_ids) for each in draft.sections] == [
        ("Why is dust cold?", "Why is dust cold?", ("a", "b")),
        ("Water masers and galaxies", "What is known about Water masers and galaxies?", ("c", "d")),
    ]


def test_a_question_without_words_is_refused() -> None:
    with pytest.raises(UsageError, match="heading of a section"):
        outline_of("T", [("what is ?", COLD)], [], always)


def test_a_group_gets_the_first_question_that_its_papers_are_relevant_to() -> None:
    draft = outline_of(
        "T", [], [BRIGHT, COLD], lambda question, ids: question.endswith("about galaxies?") and "c" in ids
    )
    assert [section.question for section in draft.sections] == [
        "What is known about galaxies?",
        "What is known about Cold dust and galaxies?",
    ]


CORPUS = CorpusName("landmarks", "0" * 12, 12)


@pytest.fixture(params=["the owner", "a visitor"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | MadeVisit:
    return tmp_path if request.param == "the owner" else MadeVisit()


def test_two_tabs_change_one_draft_and_undo_takes_each_change_back(place: Path | MadeVisit) -> None:
    here, there = (DraftStore(place, CORPUS) for _ in range(2))
    assert here.draft("h0") is None
    assert not here.has_earlier("h0")
    here.change("h0", lambda _: ReviewDraft("T"))
    there.change("h0", lambda before: (before or ReviewDraft("?")).add("Dust", "What?"))
    here.change("h0", lambda before: (before or ReviewDraft("?")).add("Gas", "What?"))
    assert not isinstance(place, Path) or contents(place) == {CORPUS.ids[0]: {"draft_versions": 3}}
    after = there.draft("h0")
    assert after is not None
    assert [section.heading for section in after.sections] == ["Dust", "Gas"]
    assert here.has_earlier("h0")
    assert here.undo("h0") == ReviewDraft("T").add("Dust", "What?")
    assert here.undo("h0") == ReviewDraft("T")
    assert not here.has_earlier("h0")
    assert here.undo("h0") is None
    assert there.draft("h0") is None


def test_no_section_takes_the_key_of_one_whose_addition_was_undone(place: Path | MadeVisit) -> None:
    store = DraftStore(place, CORPUS)
    store.change("h0", lambda _: ReviewDraft("T").add("Dust", "What?"))
    store.change("h0", lambda before: (before or ReviewDraft("?")).add("Gas", "What?"))
    store.undo("h0")
    after = store.change("h0", lambda before: (before or ReviewDraft("?")).add("Stars", "What?"))
    assert [section.key for section in after.sections] == ["1", "3"]
    store.change("h0", lambda _: ReviewDraft("From a file"))
    after = store.change("h0", lambda before: (before or ReviewDraft("?")).add("Dust", "What?"))
    assert [section.key for section in after.sections] == ["4"]
    store.rename("h0", "expansion")
    assert (store.draft("h0"), store.draft("expansion")) == (None, after)


def test_a_change_that_fails_or_changes_nothing_is_not_stored(place: Path | MadeVisit) -> None:
    store = DraftStore(place, CORPUS)
    store.change("h0", lambda _: ReviewDraft("T"))
    store.change("h0", lambda before: before or ReviewDraft("?"))
    with pytest.raises(UsageError):
        store.change("h0", lambda before: (before or ReviewDraft("?")).remove("1"))
    assert store.undo("h0") is None


def test_the_last_versions_are_stored(place: Path | MadeVisit) -> None:
    store = DraftStore(place, CORPUS)
    for n in range(MAX_VERSIONS + 5):
        store.change("h0", lambda _, n=n: ReviewDraft(f"T{n}"))  # type: ignore[misc]
    titles = []
    while store.has_earlier("h0"):
        before = store.undo("h0")
        assert before is not None
        titles.append(before.title)
    assert (titles[0], titles[-1], len(titles)) == ("T53", "T5", MAX_VERSIONS - 1)
    with pytest.raises(UsageError, match=r"'h0'.*outline"):
        store.undo("h0")
    assert store.draft("h0") == ReviewDraft("T5")
