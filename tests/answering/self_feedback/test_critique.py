import pytest

from pathfinder.answering.modes.self_feedback import Point, read_points
from pathfinder.errors import ProviderError
from pathfinder.models.fake import ScriptedChat


@pytest.mark.parametrize(
    ("reply", "points"),
    [
        ("Feedback: a\nQuestion: b?", [Point("a", "b?")]),
        ("Feedback: a\nQuestion: none\nFeedback: c\nQuestion: N/A", [Point("a"), Point("c")]),
        ("Feedback: a\n\nFeedback: c\nQuestion: d?", [Point("a"), Point("c", "d?")]),
        ("1. **Feedback:** a,\n   over two lines\n   **Question:** b?", [Point("a, over two lines", "b?")]),
        ("Here it is.\n- Feedback 1: a\n- Question 1: b?", [Point("a", "b?")]),
        ("Feedback: a\nQuestion:", [Point("a")]),
        ("Feedback: the question: is it answered?\nQuestion: b?", [Point("the question: is it answered?", "b?")]),
        ("Feedback: a\nQuestion: " + "b" * 501, [Point("a")]),
        ("Feedback: none", []),
        ("FEEDBACK: None.", []),
    ],
)
def test_points_are_read_as_they_are_asked_for_and_as_models_dress_them(reply, points):
    assert list(read_points(reply, ScriptedChat([]))) == points


@pytest.mark.parametrize("reply", ["", "It is good as it is.", "Question: b?", '{"feedback": "a"}'])
def test_a_reply_without_a_point_in_that_form_is_refused(reply):
    with pytest.raises(ProviderError, match="no line begins with “Feedback:”"):
        read_points(reply, ScriptedChat([]))


def test_a_long_reply_without_an_end_is_read_at_once():
    # The pattern must not try every way of dividing this text.
    assert len(read_points("Feedback:\n" + "* # - \n" * 20_000 + "Feedback: a", ScriptedChat([]))) == 2
