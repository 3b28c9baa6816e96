"""The agent reads on in a full text: a section, a table, or what stands before or after a passage."""

import re

import pytest

from pathfinder.corpus.store import open_corpus
from pathfinder.models.fake import HashEmbedder
from pathfinder.session import Pathfinder
from pathfinder.types import Generation
from tests.answering.agent.test_react import Reply, Talker, call
from tests.building.conftest import WordsAsKeywords
from tests.full_text_corpus import full_text_corpus

pytestmark = pytest.mark.build


@pytest.fixture(scope="module")
def pf(tmp_path_factory):
    folder = full_text_corpus(tmp_path_factory.mktemp("full_texts"))
    return Pathfinder(open_corpus(folder), HashEmbedder(384), WordsAsKeywords())


def observations(pf, *parts):
    """Have the agent read `parts` of the survey, and return what it is shown of each."""
    said = iter(parts)

    def reply(prompt):
        key = re.search(r'<source key="(\w+)">\s*Title: A survey', prompt)[1]
        part = next(said, None)
        return f"Answer: It is so [{key}]." if part is None else Reply("", calls=(call("read", key=key, part=part),))

    answer = pf.with_chat(Talker(reply)).answer(pf.search("A survey of galaxies"), generation=Generation.AGENT)
    return [step.text for step in answer.trace.steps[3::2]][: len(parts)]


def test_a_section_and_a_figure_are_read_by_their_names(pf):
    section, figure = observations(pf, "3. Results", "figure 1")
    assert "Full text (3. Results, page 6): We counted many galaxies." in section
    assert "Full text (Figure 1, page 3): Number of wombats by night." in figure


def test_what_comes_after_a_section_is_read_and_nothing_twice(pf):
    (_, after) = observations(pf, "1. Introduction", "after")
    assert "Full text (2. Methods, page 2): The count in field number 0" in after
    assert "Galaxies were counted before." not in after


def test_a_part_that_is_not_there_is_refused_with_the_parts_that_are(pf):
    (refusal,) = observations(pf, "9. Appendix")
    assert refusal.startswith("Refused: there is no part '9. Appendix' of this paper: its parts are: 1. Introduction; ")
