import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.answering.modes.self_feedback import Fate, Stretch, difference, share_kept

WORDS = st.lists(st.sampled_from(["a", "b", "c", "73", "[1]", "\n"]), max_size=12).map(" ".join)


def test_words_that_are_gone_and_new_are_told_from_those_that_stay():
    assert difference("The rate is 73 [1].", "The rate is about 67 [1].") == (
        Stretch(Fate.SAME, "The rate is "),
        Stretch(Fate.GONE, "73"),
        Stretch(Fate.NEW, "about 67"),
        Stretch(Fate.SAME, " [1]."),
    )


def test_a_mark_behind_a_word_is_not_part_of_it():
    assert difference("It is 0.73.", "It is 0.73, or so.") == (
        Stretch(Fate.SAME, "It is 0.73"),
        Stretch(Fate.NEW, ", or so"),
        Stretch(Fate.SAME, "."),
    )


def test_other_words_in_a_row_are_one_change():
    assert difference("Nobody knows why.", "Dust is cold.") == (
        Stretch(Fate.GONE, "Nobody knows why"),
        Stretch(Fate.NEW, "Dust is cold"),
        Stretch(Fate.SAME, "."),
    )


@given(WORDS, WORDS)
def test_both_texts_can_be_put_together_again_from_their_difference(old, new):
    stretches = difference(old, new)
    assert "".join(stretch.text for stretch in stretches if stretch.fate is not Fate.NEW) == old
    assert "".join(stretch.text for stretch in stretches if stretch.fate is not Fate.GONE) == new


@pytest.mark.parametrize(
    ("old", "new", "share"),
    [
        ("a b c d", "a b c d", 1.0),
        ("a b c d", "a x c", 0.5),
        ("a b", "b a", 0.5),
        ("a b", "", 0.0),
        ("", "a", 1.0),
    ],
)
def test_the_share_kept_counts_words_in_their_order(old, new, share):
    assert share_kept(old, new) == share
