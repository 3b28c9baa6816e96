import pytest

from pathfinder.grounding.readings import find_quote
from pathfinder.types import Paper

PAPER = Paper(
    "p",
    "A survey of cold disks",
    "We follow [12] and find\n  that 5 < 7 of the disks are stable. They are not warm. A &lt; stands here as it is.",
)


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "the disks",
        "We follow",
        "that 5 < 7 of the disks are unstable.",
        "They are warm. A",
        "that 5 < 7 of the Disks are stable.",
        "the disks are stable ... They are not warm.",
        "A survey of cold disks. We follow [12] and find",
    ],
)
def test_what_does_not_stand_in_the_paper_is_not_found(quote):
    assert find_quote(quote, PAPER) is None


def test_white_space_does_not_matter():
    quote = find_quote(" We follow [12] and find that 5 < 7\nof the  disks are stable. ", PAPER)
    assert quote == "We follow [12] and find that 5 < 7 of the disks are stable."


def test_a_part_of_a_sentence_brings_the_whole_of_it():
    paper = Paper("p", "Disks", "We look at disks. Nobody can say that cold disks are stable. Others are.")
    assert find_quote("that cold disks are stable.", paper) == "Nobody can say that cold disks are stable."
    assert find_quote("We look at disks. Nobody can", paper) == (
        "We look at disks. Nobody can say that cold disks are stable."
    )


@pytest.mark.parametrize("quote", ["llow [12] and find that", "We follow [12] and fin", "hat 5 < 7 of th"])
def test_a_word_is_not_cut(quote):
    assert find_quote(quote, PAPER) is None


def test_a_place_where_a_word_is_cut_does_not_hide_a_later_one():
    paper = Paper("p", "Disks", "Of the cold disksize. We see of the cold disks much.")
    assert find_quote("of the cold disks", paper) == "We see of the cold disks much."


def test_a_quote_of_what_the_prompt_showed_is_found_as_the_paper_has_it():
    quote = "We follow (12) and find that 5 &lt; 7 of the disks are stable."
    assert find_quote(quote, PAPER) == "We follow [12] and find that 5 < 7 of the disks are stable."
    assert find_quote("We follow [12] and find that 5", PAPER) == find_quote(quote, PAPER)
    assert find_quote("A &lt; stands here as it is.", PAPER) == "A &lt; stands here as it is."


def test_a_title_can_be_quoted():
    assert find_quote("A survey of cold disks", PAPER) == "A survey of cold disks"
