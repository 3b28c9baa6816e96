"""Sentences and marks of a text."""

import pytest

from pathfinder.answering.grounding.pasted_text import read_cited

IDS = {"0", "1", "2", "3", "smith 2020"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("[1]", ()),
        ("Gas cools.", (("Gas cools.", ()),)),
        ("Gas cools [1].", (("Gas cools.", ("1",)),)),
        ("Gas cools. [1] Dust heats [2, 3].", (("Gas cools.", ("1",)), ("Dust heats.", ("2", "3")))),
        ("Gas cools.[1][2]", (("Gas cools.", ("1", "2")),)),
        ("Gas cools [1-3].", (("Gas cools.", ("1", "2", "3")),)),
        ("Gas cools [smith 2020].", (("Gas cools.", ("smith 2020",)),)),
        ("Gas [0] cools [0].", (("Gas cools.", ("0",)),)),
        ("Gas cools [7].", (("Gas cools.", ("7",)),)),
        ("The [O III] line is strong [1].", (("The [O III] line is strong.", ("1",)),)),
        ("It lies in $x \\in [0, 1]$ always.", (("It lies in $x \\in [0, 1]$ always.", ()),)),
        ("- Gas cools [1]\n- Dust heats [2]", (("Gas cools", ("1",)), ("Dust heats", ("2",)))),
    ],
)
def test_each_sentence_has_its_marks(text: str, expected: tuple[tuple[str, tuple[str, ...]], ...]):
    assert read_cited(text, IDS) == expected


def test_a_mark_at_the_beginning_of_a_line_does_not_belong_to_the_line_before():
    assert read_cited("Gas cools.\n[2] Dust heats.", IDS) == (("Gas cools.", ()), ("Dust heats.", ("2",)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Discs last\n3 Myr\n[1].", (("Discs last 3 Myr.", ("1",)),)),
        ("Discs fade.[1] Stars stay.[2]", (("Discs fade.", ("1",)), ("Stars stay.", ("2",)))),
        ("Discs fade [1, Fig. 2].", (("Discs fade.", ("1",)),)),
        ("Discs fade [1]–[3].", (("Discs fade.", ("1", "2", "3")),)),
        ("Discs fade [3-1].", (("Discs fade.", ("1", "2", "3")),)),
        ("Discs fade [[1]].", (("Discs fade.", ("1",)),)),
        ("Discs fade [1](https://example.org/a).", (("Discs fade.", ("1",)),)),
        ("The share lies in [0, 1] [2].", (("The share lies in [0, 1].", ("2",)),)),
        ("# What is known\nDiscs fade [1].", (("Discs fade.", ("1",)),)),
        ("Discs fade [^1].", (("Discs fade.", ("1",)),)),
        ("Discs fade [^1][^2].", (("Discs fade.", ("1", "2")),)),
        ("Discs fade【1】.", (("Discs fade.", ("1",)),)),
        ("Discs fade【1†source】. Stars stay【2†L1-L9】.", (("Discs fade.", ("1",)), ("Stars stay.", ("2",)))),
        ("Discs fade ［1］.", (("Discs fade.", ("1",)),)),
        ("Discs fade [source 1].", (("Discs fade.", ("1",)),)),
        ("Discs fade [Source: 1; source 3].", (("Discs fade.", ("1", "3")),)),
        ("Discs fade [refs. 1-3].", (("Discs fade.", ("1", "2", "3")),)),
        ("Discs fade [paper #2].", (("Discs fade.", ("2",)),)),
        ("Discs fade [source unknown].", (("Discs fade [source unknown].", ()),)),
        ("Discs fade [2014A&A...571A..16P; 1].", (("Discs fade.", ("2014A&A...571A..16P", "1")),)),
    ],
)
def test_marks_are_read_as_people_write_them(text, expected):
    assert read_cited(text, {"1", "2", "3", "2014A&A...571A..16P"}) == expected


def test_a_paragraph_ends_at_an_empty_line_and_at_a_list():
    text = "Discs fade\nin time [1].\n\nStars stay [2].\n- Dust is\n  cold [3]."
    assert read_cited(text, {"1", "2", "3"}) == (
        ("Discs fade in time.", ("1",)),
        ("Stars stay.", ("2",)),
        ("Dust is cold.", ("3",)),
    )
