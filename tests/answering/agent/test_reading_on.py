"""The agent reads on in a full text: a section, a table, or what stands before or after a passage."""

import re

import pytest

from pathfinder.answering.modes.agent import actions
from pathfinder.answering.modes.agent.actions import _part_of
from pathfinder.corpus.store import open_corpus
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import FullTextPassage, ModeName, SectionKind
from tests.answering.agent.test_react import Reply, Talker, call
from tests.building.conftest import WordsAsKeywords
from tests.full_text_corpus import full_text_corpus


def passage(heading, start=0, kind=SectionKind.TABLE, end=9):
    return FullTextPassage("It is so.", heading, kind, None, 0, 0, 0, start, end)


def test_a_label_is_no_part_of_a_longer_number():
    tables = [passage(f"Table {n}") for n in (10, 11, 1)]
    sections = [passage("2. Methods", kind=SectionKind.METHOD), passage("2.1 Methods of old", kind=SectionKind.METHOD)]
    assert _part_of(tables, "table 1", ()) == (tables[2],)
    assert _part_of(tables[:2], "Table 1", ()) == ()
    rows = passage("Table 1. Masses")
    assert _part_of([*tables, rows], "table 1", ()) == (tables[2], rows)
    assert _part_of(sections, "2", ()) == _part_of(sections, "2. methods", ()) == (sections[0],)
    assert _part_of(sections, "method", ()) == tuple(sections)


def test_a_passage_of_which_a_part_was_shown_is_not_skipped():
    first, middle, last = (passage("Data", start, SectionKind.DATA, start + 9) for start in (0, 10, 20))
    all_three, shown = (first, middle, last), passage("Data", 5, SectionKind.DATA, 15)  # half of two passages
    assert _part_of(all_three, "after", (shown,)) == (middle, last)
    assert _part_of(all_three, "before", (shown,)) == (first,)
    assert _part_of(all_three, "after", (middle,)) == (last,)


def test_a_caption_that_was_shown_last_does_not_end_the_reading():
    first, middle, last = (passage("Data", start, SectionKind.DATA, start + 9) for start in (0, 10, 20))
    figure = passage("Figure 1")
    assert figure.is_caption
    assert _part_of((first, middle, last, figure), "after", (middle, figure)) == (last,)
    assert _part_of((first, middle, last, figure), "before", (middle, figure)) == (first,)
    assert _part_of((first, middle, last, figure), "after", (figure,)) == ()


@pytest.fixture(scope="module")
def pf(tmp_path_factory):
    folder = full_text_corpus(tmp_path_factory.mktemp("full_texts"))
    return Pathfinder(open_corpus(folder), HashEmbedder(384), WordsAsKeywords())


def observations(pf, *parts, **settings):
    """Have the agent read `parts` of the survey, and return what it is shown of each."""
    said = iter(parts)

    def reply(prompt):
        key = re.search(r'<source key="(\w+)">\s*Title: A survey', prompt)[1]
        part = next(said, None)
        return f"Answer: It is so [{key}]." if part is None else Reply("", calls=(call("read", key=key, part=part),))

    result = pf.search("A survey of galaxies", **settings)
    answer = pf.with_chat(Talker(reply)).answer(result, generation=ModeName.AGENT)
    return [step.text for step in answer.trace.steps[3::2]][: len(parts)]


@pytest.mark.build
def test_a_section_and_a_figure_are_read_by_their_names(pf):
    section, figure = observations(pf, "3. Results", "figure 1")
    assert "Full text (3. Results, page 6): We counted many galaxies." in section
    assert "Full text (Figure 1, page 3): Number of wombats by night." in figure


@pytest.mark.build
def test_what_comes_after_a_section_is_read_and_nothing_twice(pf):
    (_, after) = observations(pf, "1. Introduction", "after")
    assert "Full text (2. Methods, page 2): The count in field number 0" in after
    assert "Galaxies were counted before." not in after


@pytest.mark.build
def test_a_part_that_is_not_there_is_refused_with_the_parts_that_are(pf):
    (refusal,) = observations(pf, "9. Appendix")
    assert refusal.startswith("Refused: there is no part '9. Appendix' of this paper: its parts are: 1. Introduction; ")


@pytest.mark.build
def test_what_found_no_room_does_not_count_as_shown(pf, monkeypatch):
    monkeypatch.setattr(actions, "READ_TOKENS", 90)
    methods, after = observations(pf, "2. Methods", "after", full_texts=False)
    assert "Title: A survey" in methods
    assert "Full text" not in methods
    assert after.startswith("Refused: there is no part 'after'")
