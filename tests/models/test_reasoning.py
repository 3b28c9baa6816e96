import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.models.reasoning import OPENERS, without_reasoning

WITH_THINKING = "<think>Is it < 3 Gyr? <b>\n</think>\n\nThe disc [1] is <3 Gyr</thought> old<THOUGHT>hm</Thought>."
SHOWN = "The disc [1] is <3 Gyr old."


def show(*pieces):
    return "".join(without_reasoning(pieces))


def test_thinking_is_left_out_wherever_the_stream_is_cut():
    for first in range(len(WITH_THINKING)):
        for second in range(first, len(WITH_THINKING), 7):
            cut = WITH_THINKING[:first], WITH_THINKING[first:second], WITH_THINKING[second:]
            assert show(*cut) == SHOWN
    assert show(*WITH_THINKING) == SHOWN


@pytest.mark.parametrize("opener", OPENERS)
def test_every_tag_hides_what_it_holds(opener):
    closer = f"{opener[0]}/{opener[1:]}"
    assert show(f"{opener}secret{closer}told") == "told"


def test_thinking_that_is_never_closed_goes_on_to_the_end():
    assert show("Yes.", " <think>", "or no?") == "Yes. "


def test_a_closing_tag_that_nothing_opened_is_left_out():
    assert show("Yes</th", "ink>.") == "Yes."


def test_white_space_before_the_first_word_is_left_out_and_no_other():
    assert list(without_reasoning([" ", "\n", " Yes", " ", "\n", "no "])) == ["Yes", " ", "\n", "no "]


def test_nothing_gives_nothing():
    assert list(without_reasoning([])) == []
    assert list(without_reasoning(["", " ", "<think>", "hm", "</think>", " "])) == []


def test_a_piece_waits_only_while_its_end_may_be_a_tag():
    assert list(without_reasoning(["a <", "b> c", " <thin", "g> d"])) == ["a ", "<b> c", " ", "<thing> d"]


def test_the_beginning_of_a_tag_at_the_very_end_is_text():
    assert show("x <thi") == "x <thi"


@given(st.lists(st.sampled_from(["<", "/", ">", "think", "thought", "t", " ", "a", "<think>", "</think>"])))
def test_the_way_a_text_is_cut_changes_nothing(pieces):
    assert show(*pieces) == show("".join(pieces))


def test_thinking_in_square_brackets_is_left_out_and_a_mark_is_not():
    text = "[THINK]Is it [1]?[/THINK]It is [1], says <reasoning>who?</reasoning>[k3q7z]."
    assert show(text) == "It is [1], says [k3q7z]."
    assert show(*text) == "It is [1], says [k3q7z]."
