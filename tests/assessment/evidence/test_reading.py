"""Sentences and marks of a text."""

import pytest

from pathfinder.assessment.evidence.reading import cited_sentences

IDS = {"0", "1", "2", "3", "smith 2020"}


@pytest.mark.parametrize(
    ("text", "found"),
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
def test_each_sentence_has_its_marks(text: str, found: tuple[tuple[str, tuple[str, ...]], ...]):
    assert cited_sentences(text, IDS) == found


def test_a_mark_at_the_beginning_of_a_line_does_not_belong_to_the_line_before():
    assert cited_sentences("Gas cools.\n[2] Dust heats.", IDS) == (("Gas cools.", ()), ("Dust heats.", ("2",)))
