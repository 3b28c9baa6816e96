import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.llm.filters import TAG_NAMES, ReasoningFilter

WITH_THINKING = "<think>Is it < 3 Gyr? <b>\n</think>\n\nThe disc [1] is <3 Gyr</thought> old<THOUGHT>hm</Thought>."
VISIBLE = "The disc [1] is <3 Gyr old."


def without_reasoning(chunks):
    """What a reader sees of `chunks`, chunk by chunk."""
    visible = ReasoningFilter()
    texts = [*(visible.feed(chunk) for chunk in chunks), visible.finish()]
    return [words for words in texts if words]


def show(*pieces):
    return "".join(without_reasoning(pieces))


def test_thinking_is_left_out_wherever_the_stream_is_cut():
    for first in range(len(WITH_THINKING)):
        for second in range(first, len(WITH_THINKING), 7):
            cut = WITH_THINKING[:first], WITH_THINKING[first:second], WITH_THINKING[second:]
            assert show(*cut) == VISIBLE
    assert show(*WITH_THINKING) == VISIBLE


@pytest.mark.parametrize("opener", [*(f"<{name}>" for name in TAG_NAMES), "[think]"])
def test_every_tag_hides_what_it_holds(opener):
    closer = f"{opener[0]}/{opener[1:]}"
    assert show(f"{opener}secret{closer}told") == "told"


@pytest.mark.parametrize(
    ("chunks", "visible"),
    [
        ([" ", "\n", " Yes", " ", "\n", "no "], ["Yes", " ", "\n", "no "]),  # without white space before the first word
        (["a <", "b> c", " <thin", "g> d"], ["a ", "<b> c", " ", "<thing> d"]),
        *(([], []), (["", " ", "<think>", "hm", "</think>", " "], [])),
    ],
)
def test_a_piece_waits_only_while_its_end_may_be_a_tag(chunks, visible):
    assert list(without_reasoning(chunks)) == visible


CHANNELS = (
    "<|start|>assistant<|channel|>analysis<|message|>Is it [1]? <b><|end|><|start|>assistant<|channel|>commentary "
    "to=search <|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>It is [1].<|return|>"
)


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("◁think▷secret◁/think▷told", "told"),
        ("<|begin_of_thought|>secret<|end_of_thought|>told", "told"),
        ("<|begin_of_thought|>s<|end_of_thought|>\n<|begin_of_solution|>told<|end_of_solution|>", "told"),
        ("<think >secret</think >told", "told"),
        ("< think\n>secret</ think>told", "told"),
        ('<think type="x" n=[3]>secret</think>told', "told"),
        ("<thoughts>secret</thoughts>told", "told"),
        ("<|channel|>analysis<|message|>secret<|end|>told", "told"),
        ("<|channel|>analysis<|message|>secret<|channel|>final<|message|>told", "told"),
        ("<|channel|>final<|message|>told<|end|>", "told"),
        ("<|channel|>analysis to the end", ""),
        (CHANNELS, "It is [1]."),
        ("<think>a<think>b</think>c</think>told", "told"),
        ("<think>a<thought>b</thought>c<think>d</think>e</think>told", "told"),
        ("<think>I open <think> once more</think>told", "told"),
        ("<think>a<think>b</think>told <think>c", "told "),
        ("Yes. <think>or no?", "Yes. "),
        ("Yes</think>.", "Yes."),
        ("x <thi", "x <thi"),
        ("[THINK]Is it [1]?[/THINK]It is [1], <reasoning>who?</reasoning>[k3q7z].", "It is [1], [k3q7z]."),
        ("<|channel|>analysis<|message|>I write </think> and <think> here<|end|>told", "told"),
    ],
)
def test_the_thinking_of_every_family_is_left_out_however_it_comes(text, visible):
    assert show(text) == visible
    assert show(*text) == visible
    for size in (2, 3, 5, 7, 11, 13):
        assert show(*(text[start : start + size] for start in range(0, len(text), size))) == visible


@pytest.mark.parametrize("text", ["a < think b", "<|x|>", "<thinker>", "a <b", "x <| y", "◁ x", "[thin]", "<think" * 3])
def test_what_only_begins_like_a_tag_is_text(text):
    assert show(text) == text
    assert show(*text) == text


def test_a_text_of_signs_alone_is_shown_in_time():
    for endless in ("<" * 50_000, "< " * 25_000, "<think " * 10_000, "[" * 50_000):
        assert show(*(endless[start : start + 500] for start in range(0, len(endless), 500))) == endless


TAGS = ("<|channel|>", "final", "<|message|>", "<|end|>", "<|start|>", "<think x>", "</ think>", '="', "[/THINK]")


PIECES = ("<", "/", ">", "think", "thought", "t", " ", "a", "<think>", "</think>", "<|", "|>", "◁", "▷", *TAGS)


@given(st.lists(st.sampled_from(PIECES)))
def test_the_way_a_text_is_cut_changes_nothing(pieces):
    assert show(*pieces) == show("".join(pieces))
