import pytest

from pathfinder.addons.drafts.checking import MAX_TEXT, editable, read_edited, with_edit
from pathfinder.addons.drafts.draft import SectionText, SentenceOrigin
from pathfinder.errors import UsageError
from pathfinder.types import CheckedSentence, Verdict
from tests.addons.drafts.sentences import sentence

NUMBERS = {"dust": 1, "masers": 2}
TEXT = SectionText(
    "What is dust?",
    ("dust",),
    "rag",
    (
        sentence("Dust is cold.", "dust"),
        sentence("Masers are bright.", "masers", "dust"),
        sentence("So it is.", "dust", begins=True),
    ),
)


def test_a_text_that_nobody_edits_is_read_as_it_is() -> None:
    text = editable(TEXT, NUMBERS)
    assert text == "Dust is cold. [1] Masers are bright. [2, 1]\n\nSo it is. [1]"
    claims = read_edited(text, NUMBERS)
    assert [(claim.text, claim.citations, begins) for claim, begins in claims] == [
        ("Dust is cold.", ("dust",), False),
        ("Masers are bright.", ("masers", "dust"), False),
        ("So it is.", ("dust",), True),
    ]


def test_a_changed_sentence_is_the_readers_and_the_others_stay() -> None:
    claims = read_edited("Dust is warm. [1] Masers are bright. [2, 1] I think so.", NUMBERS)
    checked_sentences = [CheckedSentence(claim.text, claim.citations, Verdict.NOT_FOUND, ()) for claim, _ in claims]
    after = with_edit(TEXT, claims, checked_sentences).sentences
    assert [each.origin for each in after] == [SentenceOrigin.READER, SentenceOrigin.MODEL, SentenceOrigin.READER]
    assert after[2].citations == ()


def test_a_number_without_a_paper_is_refused_with_the_numbers_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"\[3\].*from 1 to 2"):
        read_edited("Dust is warm. [3]", NUMBERS)


def test_a_text_without_end_is_refused() -> None:
    with pytest.raises(UsageError, match="too long"):
        read_edited("x" * (MAX_TEXT + 1), NUMBERS)


def test_control_characters_are_left_out() -> None:
    ((claim, _),) = read_edited("Dust\x1b[0m is\u202e cold. [1]", NUMBERS)
    assert claim.text.isprintable()
