"""Drafts written by a scripted chat model, and by the papers when it fails, over the golden corpus."""

from pathfinder.addons.drafts.draft import ReviewDraft, SentenceOrigin
from pathfinder.errors import Unreachable
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.shelves.shelf import Shelf

SHELF = Shelf("h0").add(["riess-2022", "hubble-1929"])
DRAFT = ReviewDraft("The Hubble constant").add("Its value", "What is the value of the Hubble constant?")


def key_of(prompt: str, words: str) -> str:
    """Return the key of the source whose title has these words."""
    return next(part.partition('"')[0] for part in prompt.split('<source key="')[1:] if words in part)


def reply(prompt: str) -> str:
    riess, hubble = key_of(prompt, "Comprehensive Measurement"), key_of(prompt, "extra-galactic nebulae")
    return (
        f"They obtain H0 = 73.04 +/- 1.04 km/s/Mpc [{riess}]. Everybody agrees on this.\n\n"
        f"Hubble found a relation between distance and radial velocity among nebulae [{hubble}]. "
        f"They obtain H0 = 12 km/s/Mpc [{riess}]."
    )


def test_the_model_writes_paragraphs_and_what_no_paper_bears_out_is_dropped(pf: Pathfinder) -> None:
    chat = ScriptedChat(reply)
    (section,) = pf.with_chat(chat).write_draft(DRAFT, SHELF).sections
    text = section.text
    assert text is not None
    assert [(each.citations, each.origin, each.begins_paragraph) for each in text.sentences] == [
        (("riess-2022",), SentenceOrigin.MODEL, False),
        (("hubble-1929",), SentenceOrigin.MODEL, True),
    ]
    assert [each.text for each in text.dropped] == ["Everybody agrees on this.", "They obtain H0 = 12 km/s/Mpc."]
    assert [each.reason.split(";")[0] for each in text.dropped] == [
        "it cites no paper on the shelf",
        "contradicted by the papers that it cites",
    ]
    assert text.ran == "RAG, multi-paper, scripted, fake"
    assert chat.received[0][1].count('<source key="') == 2  # the shelf, and nothing else


def test_a_model_that_fails_is_asked_once_and_the_papers_are_quoted(pf: Pathfinder) -> None:
    chat = ScriptedChat([Reply("", error=Unreachable("the model does not answer: start it"))])
    (section,) = pf.with_chat(chat).write_draft(DRAFT, SHELF).sections
    text = section.text
    assert text is not None
    assert {each.origin for each in text.sentences} == {SentenceOrigin.PAPER}
    assert text.ran == "extractive (the chat model failed)"
    assert any("the model does not answer" in note for note in text.notes)
    assert len(chat.received) == 1
