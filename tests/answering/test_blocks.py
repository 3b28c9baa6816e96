import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.answering.modes.three_part import split_blocks

NAMES = ("first", "last")


def blocks_of(text, length):
    """Return the text of each block, by its name."""
    texts = {}
    for block, piece in split_blocks([text[i : i + length] for i in range(0, len(text), length)], NAMES):
        texts[block] = texts.get(block, "") + piece
    return texts


@pytest.mark.parametrize("length", [1, 2, 5, 100])
@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", {}),
        ("Stars.", {None: "Stars."}),
        ("<first>Stars.</first>", {"first": "Stars."}),
        ("<First>Stars.</FIRST><last>So</last>.", {"first": "Stars.", "last": "So", None: "."}),
        ("<first>a < b <i>c</i> <fir", {"first": "a < b <i>c</i> <fir"}),
        ("<first>never closed <last>So", {"first": "never closed ", "last": "So"}),
        ("</last>Stars", {None: "Stars"}),
    ],
)
def test_a_reply_is_taken_apart_at_its_tags_however_it_is_cut(text, blocks, length):
    assert blocks_of(text, length) == blocks


@given(st.text(alphabet="<>/firstla ", max_size=40), st.integers(1, 5))
def test_nothing_but_tags_is_lost(text, length):
    assert blocks_of(text, length) == blocks_of(text, 100)


def test_words_are_not_held_back():
    assert list(split_blocks(["<first>", "Stars ", "form <", "b"], NAMES)) == [
        ("first", "Stars "),
        ("first", "form "),
        ("first", "<b"),
    ]
