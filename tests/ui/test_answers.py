import pytest

from pathfinder.ui.answer.panel import link_citations


def test_a_mark_leads_to_its_paper():
    assert link_citations("It is 70 [2].", 3) == "It is 70 \\[[2](#paper-2)\\]\\."


def test_an_invented_mark_is_shown_and_leads_nowhere():
    assert "paper-9" not in link_citations("It is 70 [9?].", 3)
    assert "9?" in link_citations("It is 70 [9?].", 3).replace("\\", "")


def test_of_two_marks_only_the_one_that_was_given_leads_anywhere():
    written = link_citations("It is 70 [1, 12?].", 20)
    assert written.count("](#paper-") == 1
    assert "[1](#paper-1)" in written


@pytest.mark.parametrize("text", ["In [0, 1].", "In [-1, 1].", "By [S3?].", "By [1a?]."])
def test_brackets_that_cite_nothing_lead_nowhere(text):
    assert "paper-" not in link_citations(text, 20)
