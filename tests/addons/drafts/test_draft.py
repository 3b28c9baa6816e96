import re
from unittest.mock import Mock

import pytest

from pathfinder.addons.drafts.draft import (
    MAX_LINE,
    MAX_SECTIONS,
    ReviewDraft,
    citation_numbers,
    draft_coverage,
    section_numbers,
)
from pathfinder.addons.drafts.store import draft_text, parse_draft
from pathfinder.errors import UsageError
from pathfinder.shelves.shelf import Shelf, State
from tests.addons.drafts.sentences import draft_of, sentence

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
    assert citation_numbers(draft, shelf) == {"a": 1, "b": 2, "c": 3, "d": 4, "gone": 5}


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
