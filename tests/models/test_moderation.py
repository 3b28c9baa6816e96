"""Moderation refuses a question before it is searched or sent anywhere."""

import json
from copy import copy
from pathlib import Path

import pytest

from pathfinder.errors import MissingKey, ProviderError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.models.loading import load_moderator
from pathfinder.models.moderation import WordList
from pathfinder.operations import run
from pathfinder.settings import Settings
from tests.wire import Fails, Replies, Wire


def moderation_reply(is_flagged: bool) -> Replies:
    """The reply of OpenAI's classifier."""
    result = {"flagged": is_flagged, "categories": {}, "category_scores": {}, "category_applied_input_types": {}}
    return Replies(json.dumps({"id": "m", "model": "omni-moderation-latest", "results": [result]}))


@pytest.mark.parametrize("question", ["Are there ALIENS?", "the dark  side of the moon", "aliens, please"])
def test_a_question_with_a_word_of_the_list_is_refused_with_the_word(question: str) -> None:
    with pytest.raises(UsageError, match=r"questions or texts that contain '(aliens|dark  side)': rephrase yours"):
        WordList(["aliens", "dark side"]).check(question)


HIDDEN = (
    "Are ａｌｉｅｎｓ here?",
    "Are al\u200bi\u00adens here?",
    "the\u200bdar\u200bk\u2060side\u200bof it",
    "the dark\u00a0side",
    "STRASSE",
)


@pytest.mark.parametrize("question", HIDDEN)
def test_wide_letters_and_invisible_characters_do_not_hide_a_word(question: str) -> None:
    with pytest.raises(UsageError, match="does not accept"):
        WordList(["aliens", "dark side", "straße"]).check(question)


@pytest.mark.parametrize("question", ["What is aliensis?", "Is dark energy on our side?", ""])
def test_a_question_without_one_is_taken(question: str) -> None:
    WordList(["aliens", "dark side"]).check(question)


def test_a_list_is_read_from_a_file_without_its_comments(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("# for the open day\naliens\n\n  warp drive \n", encoding="utf-8")
    moderator = load_moderator(Settings(moderation="words", moderation_words=path))
    assert moderator is not None
    moderator.check("What is an open day?")
    with pytest.raises(UsageError, match="'warp drive'"):
        moderator.check("Does a warp drive exist?")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"# nothing\n", "is empty"),
        ("\u200b\n".encode(), "is empty"),
        (b"\xff\xfe\xff", "cannot be read"),
        (None, "cannot be read"),
    ],
)
def test_a_list_that_cannot_be_used_is_an_error_and_not_an_empty_list(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "words.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=reason):
        load_moderator(Settings(moderation="words", moderation_words=path))


def test_words_need_a_file_and_the_classifier_a_key() -> None:
    with pytest.raises(UsageError, match="PATHFINDER_MODERATION_WORDS=FILE"):
        load_moderator(Settings(moderation="words"))
    with pytest.raises(MissingKey, match="set OPENAI_API_KEY"):
        load_moderator(Settings(moderation="openai"))
    assert load_moderator(Settings()) is None


def test_the_classifier_is_asked_about_the_question_alone_which_is_refused_if_it_cannot_be_asked() -> None:
    with Wire(moderation_reply(False), moderation_reply(True), Fails(401, "bad key")) as wire:
        moderator = load_moderator(Settings(moderation="openai", OPENAI_API_KEY="k", OPENAI_BASE_URL=wire.url))
        assert moderator is not None
        moderator.check("How old is M4?")
        with pytest.raises(UsageError, match="because its moderation flagged it"):
            moderator.check("How do I hurt somebody?")
        with pytest.raises(ProviderError, match="401"):
            moderator.check("How old is M4?")
    assert {request.path for request in wire.received} == {"/v1/moderations"}
    assert wire.received[0].body == {"input": "How old is M4?", "model": "omni-moderation-latest"}


def test_a_refused_question_is_neither_searched_nor_rewritten(golden_corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("aliens", encoding="utf-8")
    pf = Pathfinder.open(golden_corpus, settings=Settings(moderation="words", moderation_words=path))
    assert pf.search("What is the Hubble constant?", top_k=1).hits
    for ask in (
        lambda: pf.search("Are aliens here?"),
        lambda: pf.similar(text="A text about aliens."),
        lambda: pf.follow_up(("What is the Hubble constant?",), "and for aliens?"),
        lambda: pf.comparison_table([pf.corpus.papers[0].paper_id], ["number of aliens"]),
    ):
        with pytest.raises(UsageError, match="'aliens'"):
            ask()


def test_a_text_to_be_checked_is_moderated_and_its_sources_are_not(pf: Pathfinder) -> None:
    moderated = copy(pf)
    moderated.moderator = WordList(["aliens"])
    sources = [{"id": "1", "text": "There are aliens."}]
    assert run(moderated, "check", text="Nobody is there [1].", sources=sources).ledger.sentences
    with pytest.raises(UsageError, match="'aliens'"):
        run(moderated, "check", text="Aliens are there [1].", sources=sources)
